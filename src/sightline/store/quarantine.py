"""Bodies that crashed their parser: how often, why, and which are no longer parsed."""

from dataclasses import dataclass
from datetime import datetime

from sightline.store.database import Connection

TRIES = 2
"""Deaths of the parsing process after which a body is quarantined."""

# Someone who kills processes is no fault of the body, so that ends by itself. An address that gives
# another such body each time is left alone as a whole.
IS_QUARANTINED = (
    f"(deaths >= {TRIES} AND (reason <> 'killed' OR last_at > now() - interval '1 hour'))"
)
_BODIES_OF_AN_ADDRESS = 3
_KEPT = "interval '90 days'"


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A body that is not parsed. `reason` is time, memory, crash or killed."""

    url: str
    sha256: bytes
    source: str
    parser: int
    reason: str
    deaths: int
    last_at: datetime


async def deaths_of(
    connection: Connection, url: str, sha256: bytes, *, parser: int
) -> tuple[int, str | None]:
    """How often a body ended its parser, and the reason if it is quarantined for that."""
    row = await connection.fetchrow(
        f"""
        SELECT coalesce(max(deaths) FILTER (WHERE sha256 = $2), 0) AS deaths,
          coalesce(max(reason) FILTER (WHERE sha256 = $2 AND {IS_QUARANTINED}),
            CASE WHEN count(*) FILTER (WHERE deaths >= {TRIES} AND reason <> 'killed'
              AND last_at > now() - interval '7 days') >= {_BODIES_OF_AN_ADDRESS}
            THEN max(reason) END) AS reason
        FROM parser_deaths WHERE url = $1 AND parser = $3
        """,
        url,
        sha256,
        parser,
    )
    assert row is not None
    return row["deaths"], row["reason"]


async def note_death(
    connection: Connection, url: str, sha256: bytes, *, parser: int, source: str, reason: str
) -> int:
    """Count the death of a parser; returns how many there are of this body."""
    deaths: int = await connection.fetchval(
        """
        INSERT INTO parser_deaths AS p (url, sha256, parser, source, deaths, reason)
        VALUES ($1, $2, $3, $4, 1, $5)
        ON CONFLICT (url, sha256, parser) DO UPDATE SET deaths = p.deaths + 1,
          reason = excluded.reason, last_at = now()
        RETURNING deaths
        """,
        url,
        sha256,
        parser,
        source,
        reason,
    )
    return deaths


async def forget_deaths(connection: Connection, url: str, sha256: bytes) -> None:
    """A body was parsed after all."""
    await connection.execute(
        "DELETE FROM parser_deaths WHERE url = $1 AND sha256 = $2", url, sha256
    )


async def quarantined(connection: Connection, *, source: str | None = None) -> list[Quarantined]:
    """What is quarantined, newest first."""
    rows = await connection.fetch(
        f"""
        SELECT url, sha256, source, parser, reason, deaths, last_at FROM parser_deaths
        WHERE {IS_QUARANTINED} AND ($1::text IS NULL OR source = $1) ORDER BY last_at DESC, url
        """,
        source,
    )
    return [Quarantined(**dict(row)) for row in rows]


async def release(connection: Connection, *, url: str | None) -> int:
    """Let an address, or every one, be parsed again; returns how many bodies that frees."""
    freed: int = await connection.fetchval(
        f"""
        WITH gone AS (
          DELETE FROM parser_deaths WHERE $1::text IS NULL OR url = $1
          RETURNING {IS_QUARANTINED} AS was_quarantined)
        SELECT count(*) FROM gone WHERE was_quarantined
        """,
        url,
    )
    return freed


async def expire_deaths(connection: Connection) -> None:
    """Forget what has not been met for three months."""
    await connection.execute(f"DELETE FROM parser_deaths WHERE last_at < now() - {_KEPT}")
