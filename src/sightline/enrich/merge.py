"""Merging companies that turned out to be one, and undoing it."""

from uuid import UUID

from sightline.enrich.finish import write_company
from sightline.store.database import Database
from sightline.store.merges import Merge, merge_companies, undo_merge
from sightline.store.work import put


async def merge(database: Database, *, kept: UUID, merged: UUID) -> Merge:
    """Merge and decide the record anew. Needs a worker's connection. Raises CompaniesCannotBeMerged."""
    async with database.connection() as connection, connection.transaction():
        made = await merge_companies(connection, kept=kept, merged=merged)
        await write_company(connection, kept)
        for company_id in (kept, merged):
            await put(connection, "refresh_accounts", str(company_id))
        return made


async def undo(database: Database, merge_id: UUID) -> Merge:
    """Part two companies again; both get the record of their own facts."""
    async with database.connection() as connection, connection.transaction():
        made = await undo_merge(connection, merge_id)
        for company_id in (made.kept, made.merged):
            await write_company(connection, company_id)
            await put(connection, "refresh_accounts", str(company_id))
        return made
