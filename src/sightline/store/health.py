"""A probe of the database and the queue's tables."""

from sightline.store.database import Database

ANSWER_SECONDS = 3.0
"""A probe that takes longer is answered as unavailable."""
# Too much for the memory that a sort may have, so PostgreSQL writes a temporary file.
_SPILLING = (
    "SELECT count(*) FROM (SELECT repeat('x', 100) || n FROM generate_series(1, 3000) AS n"
    " ORDER BY 1 OFFSET 0) AS spilled"
)


async def queue_answers(database: Database) -> bool:
    """Whether the queue can be read. Raises DatabaseIsBusy when the database is away."""
    async with database.connection() as connection:
        found: bool = await connection.fetchval(
            "SELECT to_regclass('work') IS NOT NULL AND NOT EXISTS"
            " (SELECT FROM work WHERE share IS NULL)",
            timeout=ANSWER_SECONDS,
        )
    return found


async def can_write(database: Database) -> bool:
    """Whether the database takes writes: it is no standby, and its disk holds a sort of about 300 kB.
    Raises DatabaseIsBusy, and DatabaseIsFull when the disk is full."""
    async with database.connection() as connection, connection.transaction():
        await connection.execute("SET LOCAL work_mem = '64kB'", timeout=ANSWER_SECONDS)
        await connection.fetchval(_SPILLING, timeout=ANSWER_SECONDS)
        writable: bool = await connection.fetchval(
            "SELECT current_setting('transaction_read_only') = 'off'", timeout=ANSWER_SECONDS
        )
    return writable
