"""Sync runs of an organization's CRM, and their log.

All functions run inside a tenant transaction.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sightline.kit.ids import new_id
from sightline.store.database import Connection, Tenant
from sightline.store.integrations import forget_secret
from sightline.store.pages import Pages, Rows, Slice, Where, read_rows, utc

WORK_KIND = "sync_crm"  # the subject is the run
KEPT_DAYS = 90


class RunIsUnderWay(Exception):
    """Another run of the same CRM has not ended."""


@dataclass(frozen=True, slots=True)
class CrmRun:
    """A run as committed: `stage` and `after` say how far it came."""

    run_id: UUID
    provider: str
    dry_run: bool
    state: str
    stage: str
    after: str | None
    since: datetime | None
    horizon: datetime | None
    imports: Mapping[str, str]
    counts: Mapping[str, Mapping[str, int]]
    warnings: Sequence[str]
    waits: int


@dataclass(frozen=True, slots=True)
class Entry:
    """What a run did to one record."""

    record_id: str
    action: str
    local_id: UUID | None = None
    details: Mapping[str, Any] | None = None


async def begin_run(
    tenant: Tenant, provider: str, *, dry_run: bool, everything: bool, stage: str
) -> UUID:
    """Record a run; of all records where `everything` or nothing was read before, else of those that
    changed since the last one that succeeded. Raises RunIsUnderWay."""
    run_id: UUID | None = await tenant.value(
        """
        INSERT INTO crm_runs (organization_id, run_id, provider, dry_run, state, stage, since)
        SELECT $1, $2, $3, $4, 'queued', $6, (
          SELECT max(horizon) FROM crm_runs WHERE organization_id = $1 AND provider = $3
            AND state = 'succeeded' AND NOT dry_run AND NOT $5)
        ON CONFLICT (organization_id, provider) WHERE state IN ('queued', 'running', 'waiting')
          DO NOTHING
        RETURNING run_id
        """,
        new_id(),
        provider,
        dry_run,
        everything,
        stage,
    )
    if run_id is None:
        raise RunIsUnderWay
    return run_id


async def find_run(tenant: Tenant, run_id: UUID) -> CrmRun | None:
    row = await tenant.row(
        """
        SELECT run_id, provider, dry_run, state, stage, after, since, horizon, imports, counts, warnings,
          waits FROM crm_runs WHERE organization_id = $1 AND run_id = $2
        """,
        run_id,
    )
    return CrmRun(**dict(row)) if row else None


async def is_over(tenant: Tenant, run_id: UUID) -> bool:
    """Whether a run has ended, from outside perhaps."""
    over: bool = await tenant.value(
        """
        SELECT finished_at IS NOT NULL FROM crm_runs
        WHERE organization_id = $1 AND run_id = $2 FOR UPDATE
        """,
        run_id,
    )
    return over


async def due_providers(tenant: Tenant) -> list[str]:
    """Connected CRMs whose last run began as long ago as their settings say, with none under way."""
    rows = await tenant.rows(
        """
        SELECT integration_id FROM integrations i
        WHERE organization_id = $1 AND enabled AND secret IS NOT NULL
          AND settings ->> 'every_hours' IS NOT NULL AND NOT EXISTS (
            SELECT FROM crm_runs r WHERE r.organization_id = $1 AND r.provider = i.integration_id
              AND (r.finished_at IS NULL OR r.started_at
                > now() - make_interval(hours => (i.settings ->> 'every_hours')::int)))
        """
    )
    return [row["integration_id"] for row in rows]


async def save_run(
    tenant: Tenant, run: CrmRun, *, wait: timedelta | None = None, error: str | None = None
) -> None:
    """Record how far a run is; one that succeeded or failed has ended."""
    await tenant.run(
        """
        UPDATE crm_runs SET state = $3, stage = $4, after = $5, horizon = $6, imports = $7, counts = $8,
          warnings = $9, waits = $10, waiting_until = now() + $11::interval, error = $12,
          finished_at = CASE WHEN $3 IN ('succeeded', 'failed') THEN now() END
        WHERE organization_id = $1 AND run_id = $2
        """,
        run.run_id,
        run.state,
        run.stage,
        run.after,
        run.horizon,
        dict(run.imports),
        {stage: dict(each) for stage, each in run.counts.items()},
        list(run.warnings),
        run.waits,
        wait,
        error,
    )


async def add_entries(tenant: Tenant, run: CrmRun, entries: Sequence[Entry]) -> None:
    """Add to the log of a run; a record has one line a stage."""
    await tenant.run(
        """
        INSERT INTO crm_log (organization_id, run_id, stage, record_id, local_id, action, details)
        SELECT $1, $2, $3, * FROM unnest($4::text[], $5::uuid[], $6::text[], $7::jsonb[])
        ON CONFLICT DO NOTHING
        """,
        run.run_id,
        run.stage,
        [each.record_id for each in entries],
        [each.local_id for each in entries],
        [each.action for each in entries],
        [dict(each.details or {}) for each in entries],
    )


async def forget(tenant: Tenant, provider: str) -> None:
    """Forget a connection with its tokens and whatever is in progress; links, log and mapping stay."""
    await forget_secret(tenant, provider)
    await tenant.run(
        """
        UPDATE crm_runs SET state = 'failed', error = 'It was disconnected.', finished_at = now()
        WHERE organization_id = $1 AND provider = $2 AND state IN ('queued', 'running', 'waiting')
        """,
        provider,
    )


async def delete_old_runs(tenant: Tenant) -> None:
    """Forget runs and their log after KEPT_DAYS, but not the one that the next goes on from."""
    await tenant.run(
        """
        DELETE FROM crm_runs r WHERE organization_id = $1
          AND finished_at < now() - make_interval(days => $2) AND EXISTS (
            SELECT FROM crm_runs n WHERE n.organization_id = $1 AND n.provider = r.provider
              AND n.state = 'succeeded' AND NOT n.dry_run AND n.started_at > r.started_at)
        """,
        KEPT_DAYS,
    )


_RUN = f"""
  json_build_object('id', run_id, 'integration_id', provider, 'dry_run', dry_run, 'state', state,
    'stage', stage, 'complete', since IS NULL, 'counts', counts, 'warnings', warnings, 'error', error,
    'waiting_until', {utc("waiting_until")},
    'started_at', {utc("started_at")},
    'finished_at', {utc("finished_at")})
"""
_ENTRY = f"""
  json_build_object('stage', stage, 'record_id', record_id, 'local_id', local_id, 'action', action,
    'details', details, 'at', {utc("at")})
"""


async def read_run(tenant: Tenant, provider: str, run_id: UUID) -> str | None:
    """A run as JSON text; None if there is none."""
    body: str | None = await tenant.value(
        f"""
        SELECT {_RUN}::text FROM crm_runs
        WHERE organization_id = $1 AND provider = $2 AND run_id = $3
        """,
        provider,
        run_id,
    )
    return body


async def last_run(tenant: Tenant, provider: str) -> dict[str, Any] | None:
    """State, times, counts and error of the newest run that was no dry run."""
    row = await tenant.row(
        """
        SELECT state, started_at, finished_at, counts, error FROM crm_runs
        WHERE organization_id = $1 AND provider = $2 AND NOT dry_run
        ORDER BY started_at DESC LIMIT 1
        """,
        provider,
    )
    return dict(row) if row else None


async def runs_page(tenant: Tenant, provider: str, *, part: Slice) -> Pages:
    """Runs, the last begun first."""
    rows = Rows("crm_runs", _RUN, "run_id", "started_at", "timestamptz", descending=True)
    return await read_rows(
        tenant,
        rows,
        Where("organization_id = $1 AND provider = $2", [tenant.organization_id, provider]),
        part=part,
    )


async def log_page(
    tenant: Tenant, run_id: UUID, *, action: str | None = None, part: Slice
) -> Pages:
    """What a run did to each record, in order; of all outcomes unless one is named."""
    key = "(stage || ' ' || record_id)"
    rows = Rows("crm_log", _ENTRY, key, "at", "timestamptz", "text")
    where = Where("organization_id = $1 AND run_id = $2", [tenant.organization_id, run_id])
    where.add("action = {}", action)
    return await read_rows(tenant, rows, where, part=part)


@asynccontextmanager
async def taken_back(connection: Connection) -> AsyncIterator[None]:
    """What is written in the block is undone at its end; the transaction goes on."""
    await connection.execute("SAVEPOINT tried")
    yield
    await connection.execute("ROLLBACK TO SAVEPOINT tried")
