"""The state of sources for operators: enabled or not, last success, failures."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sightline.domain.callers import OrganizationId
from sightline.store.database import Connection
from sightline.store.quarantine import IS_QUARANTINED


@dataclass(frozen=True, slots=True)
class SourceState:
    """A source over the last days. Counts are of answers; `facts` are new values."""

    source: str
    enabled: bool
    sync_status: str
    last_sync_at: datetime | None
    last_error: str | None
    last_error_at: datetime | None
    fetched: int
    unchanged: int
    missing: int
    failed: int
    facts: int
    bytes: int
    companies: int
    unreachable: int  # requests to hosts that this machine cannot find
    not_recorded: int  # addresses that a replayed web does not hold
    quarantined: int  # bodies that are not parsed, because they ended their parsers; now


async def disabled_sources(
    connection: Connection, organization_id: OrganizationId | None = None
) -> set[str]:
    """The names of the sources that are not asked: for anybody, because the operator switched them off;
    or, in its transaction, for an organization that did so for itself."""
    rows = await connection.fetch(
        """
        SELECT source FROM source_states WHERE NOT enabled
        UNION SELECT integration_id FROM integrations WHERE organization_id = $1 AND NOT enabled
        """,
        organization_id,
    )
    return {row["source"] for row in rows}


async def switch(connection: Connection, source: str, *, enabled: bool) -> None:
    """Switch a source on or off for every organization of this installation."""
    await connection.execute(
        """
        INSERT INTO source_states (source, enabled) VALUES ($1, $2)
        ON CONFLICT (source) DO UPDATE SET enabled = excluded.enabled
        """,
        source,
        enabled,
    )


async def note_sync(connection: Connection, source: str, *, error: str | None) -> None:
    """Record that a source was asked, and how that ended."""
    await connection.execute(
        """
        INSERT INTO source_states (source, sync_status, last_sync_at, last_error, last_error_at)
        VALUES ($1, CASE WHEN $2::text IS NULL THEN 'succeeded' ELSE 'failed' END, now(), $2,
          CASE WHEN $2::text IS NOT NULL THEN now() END)
        ON CONFLICT (source) DO UPDATE SET sync_status = excluded.sync_status,
          last_sync_at = excluded.last_sync_at,
          last_error = coalesce(excluded.last_error, source_states.last_error),
          last_error_at = coalesce(excluded.last_error_at, source_states.last_error_at)
        """,
        source,
        error[:500] if error else None,
    )


async def source_states(
    connection: Connection, names: Sequence[str], *, days: int = 30
) -> list[SourceState]:
    """The state of each named source, in the order of the names; counts are of the last `days`."""
    rows = await connection.fetch(
        f"""
        SELECT n.name AS source, coalesce(s.enabled, true) AS enabled,
          coalesce(s.sync_status, 'never') AS sync_status, s.last_sync_at, s.last_error,
          s.last_error_at, coalesce(d.fetched, 0) AS fetched, coalesce(d.unchanged, 0) AS unchanged,
          coalesce(d.missing, 0) AS missing, coalesce(d.failed, 0) AS failed,
          coalesce(d.facts, 0) AS facts, coalesce(d.bytes, 0) AS bytes,
          coalesce(d.unreachable, 0) AS unreachable, coalesce(d.not_recorded, 0) AS not_recorded,
          (SELECT count(DISTINCT company_id) FROM company_documents c WHERE c.source = n.name)
            AS companies,
          (SELECT count(*) FROM parser_deaths p WHERE p.source = n.name AND {IS_QUARANTINED})
            AS quarantined
        FROM unnest($1::text[]) WITH ORDINALITY AS n (name, place)
        LEFT JOIN source_states s ON s.source = n.name
        LEFT JOIN (SELECT source, sum(fetched)::bigint AS fetched, sum(unchanged)::bigint AS unchanged,
            sum(missing)::bigint AS missing, sum(failed)::bigint AS failed,
            sum(facts)::bigint AS facts, sum(bytes)::bigint AS bytes,
            sum(unreachable)::bigint AS unreachable, sum(not_recorded)::bigint AS not_recorded
          FROM source_days WHERE day > current_date - $2::int GROUP BY source) d ON d.source = n.name
        ORDER BY n.place
        """,
        list(names),
        days,
    )
    return [SourceState(**dict(row)) for row in rows]
