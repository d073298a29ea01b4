"""A probe of the database and the queue's tables."""

from sightline.store.database import Database


async def queue_answers(database: Database) -> bool:
    """Whether the queue can be read. Raises DatabaseIsBusy when the database is away."""
    async with database.connection() as connection:
        found: bool = await connection.fetchval(
            "SELECT to_regclass('pgqueuer') IS NOT NULL AND NOT EXISTS "
            "(SELECT FROM pgqueuer WHERE id < 0)"
        )
    return found
