"""Transactions of a worker that may have lost its claim without noticing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sightline.store.database import Connection, Database
from sightline.store.work import Work, hold


@asynccontextmanager
async def fenced(database: Database, work: Work | None) -> AsyncIterator[Connection]:
    """A transaction that commits only while the claim on the work stands."""
    async with database.connection() as connection, connection.transaction():
        if work is not None:
            await hold(connection, work)
        yield connection
