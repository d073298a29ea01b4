"""Changed accounts, contacts, signals and postings of an organization, for a warehouse."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any, Final

from sightline.store.database import Connection, Tenant

ROWS_AT_ONCE: Final = 500
_SIGNAL = """
  SELECT s.signal_id AS id, s.company_id, s.detected_at AS changed_at, s.family, s.type, s.title,
    s.summary, s.quote, s.source ->> 'url' AS url, s.occurred_at, s.reported_at,
    s.confidence
  FROM signals s
"""
_POSTING = """
  SELECT j.job_id AS id, j.company_id, coalesce(j.closed_at, j.first_seen_at) AS changed_at, j.title,
    j.department, j.seniority, j.url, j.posted_at, j.first_seen_at, j.closed_at
  FROM jobs j
"""
_OF_ACCOUNTS = "WHERE company_id IN (SELECT company_id FROM accounts WHERE organization_id = $1)"
# Table -> its rows, with `id` and `changed_at`. People on the suppression list are hidden, and never here.
TABLES: Final[dict[str, str]] = {
    "accounts": """
      SELECT a.account_id AS id, a.company_id, a.updated_at AS changed_at, a.company_name,
        a.website_domain, a.industry, a.country_code, a.full_time_employees, r.document
      FROM accounts a JOIN account_records r USING (organization_id, account_id)
      WHERE a.organization_id = $1
    """,
    "contacts": """
      SELECT contact_id AS id, company_id, updated_at AS changed_at, document
      FROM contacts WHERE organization_id = $1 AND NOT hidden
    """,
    "signals": f"SELECT * FROM ({_SIGNAL}) x {_OF_ACCOUNTS}",
    "postings": f"SELECT * FROM ({_POSTING}) x {_OF_ACCOUNTS}",
}
# Ids of what was exported and must be held no longer: written whole each time, for it may grow at any place.
HIDDEN: Final = "SELECT contact_id AS id FROM contacts WHERE organization_id = $1 AND hidden"


async def moment_before(connection: Connection, lag: timedelta) -> datetime:
    """A moment of the database's clock that every transaction which ran then has ended since."""
    found: datetime = await connection.fetchval("SELECT clock_timestamp() - $1::interval", lag)
    return found


async def stream_changes(
    tenant: Tenant, table: str, *, since: datetime | None, until: datetime
) -> AsyncIterator[list[dict[str, Any]]]:
    """Rows of a table that changed after `since`, at `until` at the latest, some hundred at a time."""
    cursor = await tenant.cursor(
        f"""
        SELECT * FROM ({TABLES[table]}) t
        WHERE ($2::timestamptz IS NULL OR changed_at > $2) AND changed_at <= $3 ORDER BY changed_at, id
        """,
        tenant.organization_id,
        since,
        until,
    )
    while rows := await cursor.fetch(ROWS_AT_ONCE):
        yield [dict(row) for row in rows]


async def hidden_contacts(tenant: Tenant) -> list[str]:
    """Ids of contacts that are on the suppression list now."""
    rows = await tenant.rows(HIDDEN)
    return [str(row["id"]) for row in rows]
