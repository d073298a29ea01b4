"""Job postings of a company: pulls of its boards open, change and close them."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sightline.domain.job_reading import read_posting
from sightline.domain.postings import ParsedPosting
from sightline.domain.reposts import jobs_of, one_job
from sightline.domain.titles import department_named
from sightline.kit.ids import new_id
from sightline.store.database import Connection
from sightline.store.documents import storable

REPOST_DAYS = 180
"""A job closed for longer and listed again under another id is a new job."""


@dataclass(frozen=True, slots=True)
class PullChange:
    """What a pull did: postings active after it, opened and closed by it."""

    active: int
    opened: int
    closed: int


async def store_pull(
    connection: Connection,
    company_id: UUID,
    *,
    board: str,
    source: str,
    listed: Sequence[ParsedPosting],
    complete: bool,
    document_id: UUID | None,
    pulled_at: datetime,
) -> PullChange:
    """Take in what a board lists. Only a complete pull closes what it no longer lists.

    A job that is listed several times is one row; one that comes back under another id within
    REPOST_DAYS stays the row that it was. An older pull that arrives after a newer one changes
    nothing.
    """
    kind, _, token = board.partition("/")
    last = await connection.fetchval(
        """
        INSERT INTO job_boards AS b (company_id, kind, token) VALUES ($1, $2, $3)
        ON CONFLICT (company_id, kind, token) DO UPDATE SET kind = b.kind RETURNING last_pull_at
        """,
        company_id,
        kind,
        token,
    )
    if last is not None and last >= pulled_at:
        active = await _count_active(connection, company_id, board)
        return PullChange(active, 0, 0)
    own_names = await _names_of(connection, company_id)
    rows = [_row(posting, own_names) for posting in map(one_job, jobs_of(listed))]
    await _follow_reposts(connection, company_id, board, rows=rows, pulled_at=pulled_at)
    opened = await connection.fetchval(
        _STORE, company_id, board, source, document_id, pulled_at, rows
    )
    closed = 0
    if complete:
        closed = await connection.fetchval(
            """
            WITH closed AS (
              UPDATE jobs SET closed_at = $3
              WHERE company_id = $1 AND board = $2 AND closed_at IS NULL AND last_seen_at < $3
              RETURNING 1)
            SELECT count(*) FROM closed
            """,
            company_id,
            board,
            pulled_at,
        )
    change = PullChange(await _count_active(connection, company_id, board), opened, closed)
    await _note_pull(
        connection, company_id, board, pulled_at=pulled_at, complete=complete, change=change
    )
    return change


async def _note_pull(
    connection: Connection,
    company_id: UUID,
    board: str,
    *,
    pulled_at: datetime,
    complete: bool,
    change: PullChange,
) -> None:
    kind, _, token = board.partition("/")
    await connection.execute(
        """
        UPDATE job_boards SET last_pull_at = $4,
          last_complete_at = CASE WHEN $5 THEN $4 ELSE last_complete_at END
        WHERE company_id = $1 AND kind = $2 AND token = $3
        """,
        company_id,
        kind,
        token,
        pulled_at,
        complete,
    )
    await connection.execute(
        """
        INSERT INTO board_pulls (company_id, board, pulled_at, complete, active, opened, closed)
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
        """,
        company_id,
        board,
        pulled_at,
        complete,
        change.active,
        change.opened,
        change.closed,
    )


async def _follow_reposts(
    connection: Connection,
    company_id: UUID,
    board: str,
    *,
    rows: Sequence[dict[str, Any]],
    pulled_at: datetime,
) -> None:
    """Give rows whose job is now listed under another id that id: same title, same description."""
    await connection.execute(
        """
        WITH listed AS (
          SELECT w.external_id, w.posting ->> 'title' AS title,
            w.posting ->> 'description' AS description
          FROM jsonb_to_recordset(to_jsonb($3::jsonb[])) AS w (external_id text, posting jsonb)),
        unknown AS (
          SELECT l.* FROM listed l WHERE l.description <> '' AND NOT EXISTS (
            SELECT FROM jobs j WHERE j.company_id = $1 AND j.board = $2
              AND j.external_id = l.external_id)),
        pairs AS (
          SELECT DISTINCT ON (u.external_id) u.external_id, j.job_id
          FROM unknown u JOIN jobs j ON j.company_id = $1 AND j.board = $2
            AND lower(j.title) = lower(u.title) AND j.description = u.description
          WHERE j.external_id NOT IN (SELECT external_id FROM listed)
            AND coalesce(j.closed_at, $4) > $4 - make_interval(days => $5)
          ORDER BY u.external_id, j.last_seen_at DESC, j.job_id),
        chosen AS (
          SELECT DISTINCT ON (job_id) job_id, external_id FROM pairs ORDER BY job_id, external_id)
        UPDATE jobs j SET external_id = c.external_id FROM chosen c
        WHERE j.company_id = $1 AND j.job_id = c.job_id
        """,
        company_id,
        board,
        [{"external_id": r["external_id"], "posting": r["posting"]} for r in rows],
        pulled_at,
        REPOST_DAYS,
    )


_FIELDS = """
  title text, normalized_title text, department text, seniority text, employment_type text,
  remote text, locations jsonb, salary jsonb, skills text[], technologies text[],
  description text, url text, openings integer, posted_at timestamptz
"""
_NAMES = ", ".join(part.split()[0] for part in _FIELDS.split(",") if part.strip())
_STORE = f"""
  WITH listed AS (
    SELECT w.job_id, w.external_id, w.fingerprint, w.posting FROM
      jsonb_to_recordset(to_jsonb($6::jsonb[])) AS w
        (job_id uuid, external_id text, fingerprint text, posting jsonb)),
  seen AS (
    UPDATE jobs j SET last_seen_at = $5, closed_at = NULL
    FROM listed l WHERE j.company_id = $1 AND j.board = $2 AND j.external_id = l.external_id
      AND j.fingerprint = decode(l.fingerprint, 'hex')
    RETURNING j.external_id),
  stored AS (
    INSERT INTO jobs AS j (company_id, job_id, board, external_id, document_id, source,
      first_seen_at, last_seen_at, fingerprint, {_NAMES})
    SELECT $1, l.job_id, $2, l.external_id, $4, $3, $5, $5, decode(l.fingerprint, 'hex'), r.*
    FROM listed l CROSS JOIN LATERAL jsonb_to_record(l.posting) AS r ({_FIELDS})
    WHERE l.external_id NOT IN (SELECT external_id FROM seen)
    ON CONFLICT (company_id, board, external_id) DO UPDATE SET
      ({_NAMES}) = ({", ".join(f"excluded.{name.strip()}" for name in _NAMES.split(","))}),
      document_id = excluded.document_id, last_seen_at = excluded.last_seen_at, closed_at = NULL,
      fingerprint = excluded.fingerprint
    RETURNING (xmax = 0) AS is_new)
  SELECT count(*) FILTER (WHERE is_new) FROM stored
"""


async def _names_of(connection: Connection, company_id: UUID) -> list[str]:
    """What a company is called: its name, and its domains without their endings."""
    row = await connection.fetchrow(
        """
        SELECT company_name, website_domain,
          ARRAY(SELECT domain FROM company_domains WHERE company_id = $1 LIMIT 20) AS domains
        FROM companies WHERE company_id = $1
        """,
        company_id,
    )
    if row is None:
        return []
    domains = {row["website_domain"], *row["domains"]} - {None}
    return [row["company_name"], *sorted(domain.partition(".")[0] for domain in domains)]


_BARE_RANKS = frozenset(
    f"{rank}{word}"
    for rank in ("", "senior ", "sr. ", "associate ", "assistant ", "executive ")
    for word in ("director", "vice president", "vp")
)


def _row(posting: ParsedPosting, own_names: Sequence[str]) -> dict[str, Any]:
    """A posting with what its title and text say, ready for the table."""
    reading = read_posting(posting.title, posting.description, own_names=own_names)
    department = reading.department
    if department == "other" or posting.title.lower() in _BARE_RANKS:
        # "Senior Analyst" of "Risk & Analytics", "Director" of "Security"
        department = department_named(posting.department) or department
    values = {
        "title": storable(posting.title),
        "normalized_title": reading.normalized_title,
        "department": department,
        "seniority": reading.seniority,
        "employment_type": posting.employment_type,
        "remote": posting.remote,
        "locations": [asdict(location) for location in posting.locations],
        "salary": _salary(posting),
        "skills": list(reading.skills),
        "technologies": list(reading.technologies),
        "description": storable(posting.description),
        "url": posting.url,
        "openings": posting.openings,
        "posted_at": posting.posted_at.isoformat() if posting.posted_at else None,
    }
    printed = json.dumps(values, sort_keys=True).encode()
    return {
        "job_id": str(new_id()),
        "external_id": posting.external_id,
        "fingerprint": hashlib.sha256(printed).hexdigest(),
        "posting": values,
    }


def _salary(posting: ParsedPosting) -> dict[str, Any] | None:
    pay = posting.salary
    if pay is None:
        return None
    return {"min": pay.minimum, "max": pay.maximum, "currency": pay.currency, "period": pay.period}


async def _count_active(connection: Connection, company_id: UUID, board: str) -> int:
    count: int = await connection.fetchval(
        "SELECT count(*) FROM jobs WHERE company_id = $1 AND board = $2 AND closed_at IS NULL",
        company_id,
        board,
    )
    return count
