"""When each schedule runs next, and which worker is running it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from sightline.store.database import Database


@dataclass(frozen=True)
class Turn:
    """One run of a schedule; `fence` tells it from later ones."""

    name: str
    fence: int


async def claim_due(
    database: Database, periods: Mapping[str, tuple[int, int]], *, lease: timedelta
) -> list[Turn]:
    """Takes what is due, for the workers' connections; `periods`: name -> (minutes, minutes after the full
    period). A schedule that is new waits for its first time. A turn that was missed runs once.

    Raises DatabaseIsBusy when the database is away.
    """
    rows = [(name, minutes, after) for name, (minutes, after) in periods.items()]
    async with database.connection() as connection, connection.transaction():
        await connection.execute(
            f"""
            INSERT INTO clock (name, due_at)
            SELECT name, {_NEXT} FROM unnest($1::text[], $2::integer[], $3::integer[])
              AS p (name, minutes, after)
            ON CONFLICT (name) DO NOTHING
            """,
            *zip(*rows, strict=True),
        )
        found = await connection.fetch(
            f"""
            UPDATE clock AS c SET lease_until = now() + $4, fence = fence + 1, due_at = {_NEXT}
            FROM unnest($1::text[], $2::integer[], $3::integer[]) AS p (name, minutes, after)
            WHERE c.name = p.name AND c.name IN (
              SELECT name FROM clock
              WHERE CASE WHEN lease_until IS NULL THEN due_at ELSE lease_until END <= now()
              FOR UPDATE SKIP LOCKED)
            RETURNING c.name, c.fence
            """,
            *zip(*rows, strict=True),
            lease,
        )
    return [Turn(row["name"], row["fence"]) for row in found]


async def renew(database: Database, turn: Turn, *, lease: timedelta) -> None:
    """Keeps the run. Raises DatabaseIsBusy when the database is away."""
    async with database.connection() as connection:
        await connection.execute(
            "UPDATE clock SET lease_until = now() + $3 WHERE name = $1 AND fence = $2",
            turn.name,
            turn.fence,
            lease,
        )


async def end(database: Database, turn: Turn) -> None:
    """The run is over; the next is due at its time. Raises DatabaseIsBusy when the database is away."""
    async with database.connection() as connection:
        await connection.execute(
            "UPDATE clock SET lease_until = NULL WHERE name = $1 AND fence = $2",
            turn.name,
            turn.fence,
        )


# The next full period and the minutes after it, later than now.
_NEXT = """
  to_timestamp(60 * (p.after + p.minutes
    * (floor((extract(epoch FROM now()) / 60 - p.after) / p.minutes) + 1)))
"""
