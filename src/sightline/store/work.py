"""Rows of the work queue: enqueued, claimed under a fence, completed in the transaction of their effect.

A claim raises the fence and holds a lease. A worker that lost the lease finds the fence raised and can
commit nothing, so that work done twice has one effect. Asking for the same subject again while it
waits changes nothing; while it runs, it runs once more afterwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sightline.kit.ids import new_id
from sightline.store.database import Connection, Database

# Serializes the claims of one organization's work, so that its limit holds across workers: with a number
# that is the organization's.
_CLAIM_LOCK = 7_241_001
# What is notified in the transaction that puts work: workers that listen look at once.
CHANNEL = "sightline_work"
# Work whose worker died goes before what waits, or a backlog would hold it up for as long as it
# lasts. Not for ever: it may be what kills the workers.
_LOST_FIRST_ATTEMPTS = 10
# Work that was begun more often than this may go on failing: nothing should wait for it.
_HOPEFUL_ATTEMPTS = 3
# Work that is no one's in particular.
CATALOGUE_SHARE = UUID(int=0)

_ASKING = """
    (SELECT share FROM work ORDER BY share LIMIT 1)
    UNION ALL
    SELECT (SELECT w.share FROM work w
            WHERE w.share > a.share
            ORDER BY w.share LIMIT 1)
    FROM asking a WHERE a.share IS NOT NULL
"""
# {} is the organizations that are looked at: all that have work, or one.
_NEXT = """
  WITH RECURSIVE asking AS ({}),
  leased AS MATERIALIZED (
    SELECT share, work_id, kind, priority, ready_at, attempts,
      lease_until > statement_timestamp() AS runs, lease_until
    FROM work WHERE lease_until IS NOT NULL
  ),
  running AS (
    SELECT share, count(*) AS pieces FROM leased WHERE runs GROUP BY share
  ),
  lost AS (
    SELECT DISTINCT ON (share) share, work_id, priority, ready_at FROM leased
    WHERE NOT runs AND kind = ANY($1::text[]) AND ready_at <= statement_timestamp()
      AND attempts <= $3
    ORDER BY share, lease_until
  ),
  next AS (
    SELECT share, ready.work_id
    FROM asking a
    LEFT JOIN running r USING (share)
    LEFT JOIN lost l USING (share)
    CROSS JOIN LATERAL (
      SELECT 0 AS turn, l.work_id, l.priority, l.ready_at WHERE l.work_id IS NOT NULL
      UNION ALL
      (SELECT 1, w.work_id, w.priority, w.ready_at FROM work w
       WHERE w.share = a.share AND l.work_id IS NULL
         AND w.kind = ANY($1::text[]) AND w.ready_at <= statement_timestamp()
         AND (w.lease_until IS NULL OR w.lease_until <= statement_timestamp())
       ORDER BY w.priority, w.ready_at LIMIT 1)) AS ready
    WHERE coalesce(r.pieces, 0) < $2
    ORDER BY coalesce(r.pieces, 0), ready.turn, ready.priority, ready.ready_at
  )
"""
_TURNS = _NEXT.format(_ASKING) + "SELECT share FROM next"
_CLAIM = (
    _NEXT.format("SELECT $4::uuid AS share")
    + """
  UPDATE work SET fence = fence + 1, attempts = attempts + 1,
    lease_until = clock_timestamp() + $5::interval
  WHERE work_id = (SELECT work_id FROM work JOIN next USING (work_id) FOR UPDATE OF work SKIP LOCKED)
  RETURNING work_id, kind, subject, share AS organization_id, payload, fence, requested, attempts
"""
)


class FenceIsLost(Exception):
    """The lease ran out and another worker has the work now; nothing of this run may be written."""


@dataclass(frozen=True, slots=True)
class Work:
    """A claimed piece of work."""

    work_id: UUID
    kind: str
    subject: str
    organization_id: UUID  # CATALOGUE_SHARE when it is no one's in particular
    payload: Mapping[str, Any]
    fence: int
    requested: int
    attempts: int  # this one included


async def put(
    connection: Connection,
    kind: str,
    subject: str,
    *,
    organization_id: UUID = CATALOGUE_SHARE,
    payload: Mapping[str, Any] | None = None,
    priority: int = 0,
    delay: timedelta = timedelta(0),
) -> None:
    """Ask for work in the caller's transaction. A lower `priority` goes first."""
    await put_many(
        connection,
        kind,
        [(subject, payload or {})],
        organization_id=organization_id,
        priority=priority,
        delay=delay,
    )


async def put_many(
    connection: Connection,
    kind: str,
    subjects: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    organization_id: UUID = CATALOGUE_SHARE,
    priority: int = 0,
    delay: timedelta = timedelta(0),
) -> None:
    """Ask for many pieces of one kind: [(subject, payload)]."""
    await connection.execute(
        f"""
        WITH asked AS (
          INSERT INTO work AS w (work_id, kind, subject, share, payload, priority, ready_at)
          SELECT w.work_id, $1, w.subject, $2, w.payload, $3, now() + $4::interval
          FROM unnest($5::uuid[], $6::text[], $7::jsonb[]) AS w (work_id, subject, payload)
          ON CONFLICT (kind, subject) DO UPDATE SET requested = w.requested + 1,
            payload = excluded.payload, priority = least(w.priority, excluded.priority),
            ready_at = CASE WHEN w.lease_until IS NULL
              THEN least(w.ready_at, excluded.ready_at) ELSE excluded.ready_at END
          RETURNING 1)
        SELECT pg_notify('{CHANNEL}', '') FROM asked LIMIT 1
        """,
        kind,
        organization_id,
        priority,
        delay,
        [new_id() for _ in subjects],
        [subject for subject, _ in subjects],
        [dict(payload) for _, payload in subjects],
    )


async def is_under_way(connection: Connection, kind: str, subject: str) -> bool:
    """Whether work waits or runs that has not failed several times already."""
    found: bool = await connection.fetchval(
        """
        SELECT EXISTS (SELECT FROM work WHERE kind = $1 AND subject = $2 AND attempts <= $3)
        """,
        kind,
        subject,
        _HOPEFUL_ATTEMPTS,
    )
    return found


async def claim(
    database: Database,
    kinds: Sequence[str],
    *,
    lease: timedelta,
    per_organization: int,
) -> Work | None:
    """Take the next piece of work, of the organization that has the fewest running first.

    Of an organization's work, what a worker that died had begun goes first, then priority and age.
    None when nothing is ready, or when every organization with ready work has `per_organization`
    pieces running. Work of the catalogue counts as one organization. Claims wait for each other only
    within an organization, under a millisecond each; one that finds nothing waits for none.
    """
    known = (list(kinds), per_organization, _LOST_FIRST_ATTEMPTS)
    async with database.connection() as connection:
        for turn in await connection.fetch(_TURNS, *known):
            async with connection.transaction():
                # A statement of its own, so that the next one sees what a claim before it committed.
                await connection.execute(
                    "SELECT pg_advisory_xact_lock($1, hashtext($2::uuid::text))",
                    _CLAIM_LOCK,
                    turn["share"],
                )
                row = await connection.fetchrow(_CLAIM, *known, turn["share"], lease)
            if row is not None:
                return Work(**dict(row))
    return None


async def renew(database: Database, work: Work, *, lease: timedelta) -> None:
    """Hold on to claimed work. Raises FenceIsLost."""
    async with database.connection() as connection:
        renewed = await connection.fetchval(
            """
            UPDATE work SET lease_until = clock_timestamp() + $3::interval
            WHERE work_id = $1 AND fence = $2 RETURNING true
            """,
            work.work_id,
            work.fence,
            lease,
        )
    if not renewed:
        raise FenceIsLost(work.subject)


async def hold(connection: Connection, work: Work) -> None:
    """Make the caller's transaction one of this claim: it commits only while the claim stands.

    Raises FenceIsLost. The row stays locked until the transaction ends, so no other claim passes.
    """
    held = await connection.fetchval(
        "SELECT true FROM work WHERE work_id = $1 AND fence = $2 FOR UPDATE",
        work.work_id,
        work.fence,
    )
    if not held:
        raise FenceIsLost(work.subject)


async def finish(connection: Connection, work: Work) -> None:
    """Take finished work off the queue, in the transaction of its effect. Raises FenceIsLost."""
    await hold(connection, work)
    await connection.execute(
        """
        WITH gone AS (DELETE FROM work WHERE work_id = $1 AND requested = $2 RETURNING work_id)
        UPDATE work SET lease_until = NULL, attempts = 0, last_error = NULL
        WHERE work_id = $1 AND NOT EXISTS (SELECT FROM gone)
        """,
        work.work_id,
        work.requested,
    )


async def put_back(database: Database, work: Work, *, error: str, delay: timedelta) -> None:
    """Give failed work back, to be tried again after `delay`. Nothing happens if the fence is lost."""
    async with database.connection() as connection:
        await connection.execute(
            """
            UPDATE work SET lease_until = NULL, last_error = $3,
              ready_at = clock_timestamp() + $4::interval
            WHERE work_id = $1 AND fence = $2
            """,
            work.work_id,
            work.fence,
            error[:2000],
            delay,
        )
