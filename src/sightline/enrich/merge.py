"""Merges companies that turn out to be the same, and undoes merges.

A merge is an act of the catalogue that touches rows of every organization. It runs as the worker, which
may list organizations and sees the rows of one at a time, in one transaction: a merge that is cut off
has not happened.
"""

from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.enrich.finish import write_company
from sightline.store.account_merges import (
    concerned_organizations,
    move_accounts,
    return_accounts,
)
from sightline.store.database import Connection, Database, Tenant, act_for
from sightline.store.merges import Merge, merge_companies, undo_merge
from sightline.store.work import put


async def merge(database: Database, *, kept: UUID, merged: UUID) -> Merge:
    """Merge and decide the record again. Needs a worker's connection. Raises CompaniesCannotBeMerged."""
    async with database.connection() as connection, connection.transaction():
        return await merge_within(connection, kept=kept, merged=merged)


async def merge_within(connection: Connection, *, kept: UUID, merged: UUID) -> Merge:
    """`merge` in the caller's transaction, which is bound to no organization."""
    made = await merge_companies(connection, kept=kept, merged=merged)
    await write_company(connection, kept)
    await _refresh(connection, kept, merged)
    concerned = await concerned_organizations(connection, made, kept, merged)
    await _for_each(connection, concerned, lambda each: move_accounts(each, made))
    return made


async def undo(database: Database, merge_id: UUID) -> Merge:
    """Part two companies again; both get the record of their own facts, and every account that was
    moved its company. Raises CompaniesCannotBeMerged."""
    async with database.connection() as connection, connection.transaction():
        made, holders = await undo_merge(connection, merge_id)
        for company_id in (holders[-1], made.merged):
            await write_company(connection, company_id)
        await _refresh(connection, holders[-1], made.merged)
        concerned = await concerned_organizations(connection, made, made.merged, *holders)
        await _for_each(
            connection,
            concerned,
            lambda each: return_accounts(each, made, holders=holders),
        )
        return made


async def _refresh(connection: Connection, *companies: UUID) -> None:
    # Before the rows of organizations are touched, like every other writer of both.
    for company_id in companies:
        await put(connection, "refresh_accounts", str(company_id))


async def _for_each(
    connection: Connection,
    organizations: Sequence[OrganizationId],
    act: Callable[[Tenant], Awaitable[object]],
) -> None:
    for organization_id in organizations:
        await act_for(connection, organization_id)
        await act(Tenant(connection, organization_id))
    await act_for(connection, None)
