"""Transactions of a worker that may have lost its claim without knowing it."""

from typing import Any

from sightline.store.database import Connection, Database
from sightline.store.work import Work, hold


class Fenced:
    """A transaction that commits only while the claim on the work stands."""

    def __init__(self, database: Database, work: Work | None) -> None:
        self._database = database
        self._work = work

    async def __aenter__(self) -> Connection:
        self._held = self._database.connection()
        connection = await self._held.__aenter__()
        self._transaction = connection.transaction()
        await self._transaction.start()
        if self._work is not None:
            try:
                await hold(connection, self._work)
            except BaseException as error:
                await self.__aexit__(type(error), error, error.__traceback__)
                raise
        return connection

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            if error is None:
                await self._transaction.commit()
            else:
                await self._transaction.rollback()
        finally:
            await self._held.__aexit__(kind, error, trace)
