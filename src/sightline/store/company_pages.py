"""A company's documents with their text, and its activity by day."""

from collections.abc import Collection
from typing import Any, Final
from uuid import UUID

from sightline.store.database import Connection, Tenant
from sightline.store.documents import body_of
from sightline.store.pages import Pages, Rows, Slice, Where, read_page, read_rows
from sightline.store.signals import BACKGROUND, DATED

_DATA: Final = "data"  # answers of registers: figures and lists, which are not read as text


_LISTED = """
  listed AS (
    SELECT c.document_id, c.kind, c.source, coalesce(d.published_at, '-infinity') AS day
    FROM company_documents c JOIN documents d USING (document_id)
    WHERE c.company_id = $1 AND c.superseded_at IS NULL AND c.kind <> $2 AND d.body_text <> '')
"""
_DOCUMENT = """
  json_build_object('document_id', d.document_id, 'title', d.title, 'url', d.final_url,
    'kind', listed.kind, 'source', listed.source, 'published_at', d.published_at,
    'fetched_at', d.fetched_at, 'characters', length(d.body_text))
"""


async def documents_page(connection: Connection, company_id: UUID, *, part: Slice) -> Pages:
    """The present documents of a company that have text to read, newest first."""
    rows = Rows(
        "listed", _DOCUMENT, "document_id", "day", "timestamptz", descending=True,
        joins="JOIN documents d USING (document_id)", made=_LISTED,
    )  # fmt: skip
    where = Where("true", [company_id, _DATA])
    return await read_rows(connection, rows, where, part=part)


async def read_document(
    connection: Connection, company_id: UUID, document_id: UUID
) -> dict[str, Any] | None:
    """A document of the company with its plain text, older versions too; None where it has none."""
    row = await connection.fetchrow(
        """
        SELECT d.document_id, d.title, d.final_url AS url, d.published_at, d.fetched_at, c.kind, c.source,
          c.superseded_at, d.body_text
        FROM company_documents c JOIN documents d USING (document_id)
        WHERE c.company_id = $1 AND c.document_id = $2
        """,
        company_id,
        document_id,
    )
    return dict(row) if row else None


async def account_with(tenant: Tenant, document_id: UUID) -> UUID | None:
    """The company of an account of the organization that a document is about; None where there is none."""
    found: UUID | None = await tenant.value(
        """
        SELECT c.company_id FROM company_documents c
        JOIN accounts a ON a.organization_id = $1 AND a.company_id = c.company_id
        WHERE c.document_id = $2 ORDER BY c.superseded_at NULLS FIRST, c.company_id LIMIT 1
        """,
        document_id,
    )
    return found


async def activity_page(
    tenant: Tenant, company_id: UUID, *, kind: str | None, part: Slice
) -> Pages:
    """What happened at a company, newest first: signals, filings, days with new postings, changes of the
    organization's record, and its notes. `kind` is one of signal, filing, posting, change, note; the label
    of a note is who wrote it."""
    activity = f"""
      SELECT 'signal' AS kind, s.type AS label, s.title, s.quote, s.planned, s.document_id,
        d.title AS document_title, d.final_url AS url, {DATED}, {BACKGROUND} AS background
      FROM signals s LEFT JOIN documents d USING (document_id)
      WHERE s.company_id = $2 AND s.family NOT IN ('hiring_trends', 'technology_mentions')
      UNION ALL
      SELECT 'filing', c.source, coalesce(d.title, d.final_url), NULL, false, d.document_id, d.title,
        d.final_url, d.published_at, 'day', false
      FROM company_documents c JOIN documents d USING (document_id)
      WHERE c.company_id = $2 AND c.kind = 'filing' AND c.superseded_at IS NULL
        AND d.published_at IS NOT NULL
      UNION ALL
      SELECT 'posting', 'new_postings', string_agg(j.title, ', ' ORDER BY j.title), NULL, false, NULL,
        NULL, NULL, date_trunc('day', coalesce(j.posted_at, j.first_seen_at)), 'day', false
      FROM jobs j WHERE j.company_id = $2 GROUP BY date_trunc('day', coalesce(j.posted_at, j.first_seen_at))
      UNION ALL
      SELECT 'change', e.type, e.title, NULL, false, NULL, NULL, NULL,
        coalesce(e.occurred_at, e.detected_at), 'day', false
      FROM events e WHERE e.organization_id = $1 AND e.company_id = $2 AND e.family IS NULL
      UNION ALL
      SELECT 'note', author.email, CASE n.kind
          WHEN 'owner' THEN coalesce('Owner: ' || owner.email, 'No owner')
          WHEN 'next_step' THEN coalesce('Next step: ' || nullif(n.text, ''), 'Next step done')
          ELSE n.text END, NULL, false, NULL, NULL, NULL, n.created_at, 'day', false
      FROM account_notes n
      JOIN accounts a ON a.organization_id = $1 AND a.account_id = n.account_id AND a.company_id = $2
      JOIN users author ON author.organization_id = $1 AND author.user_id = n.author_id
      LEFT JOIN users owner ON owner.organization_id = $1 AND owner.user_id = n.owner_id
      WHERE n.organization_id = $1
    """
    return await read_page(
        tenant,
        f"""
        WITH activity AS ({activity}),
        chosen AS (SELECT * FROM activity WHERE $3::text IS NULL OR kind = $3),
        page AS (
          SELECT *, row_number() OVER (ORDER BY at DESC, kind, title) AS n
          FROM chosen ORDER BY at DESC, kind, title OFFSET $4 LIMIT $5)
        SELECT (SELECT count(*) FROM chosen) AS total,
          (SELECT coalesce(json_agg(to_json(p) ORDER BY p.n), '[]')::text FROM page p) AS items,
          NULL::text[] AS last
        """,
        tenant.organization_id,
        company_id,
        kind,
        part.offset,
        part.limit,
    )


async def account_of(tenant: Tenant, company_id: UUID) -> UUID | None:
    """The organization's account of a company; None when it has none."""
    found: UUID | None = await tenant.value(
        """
        SELECT account_id FROM accounts WHERE organization_id = $1 AND company_id = $2
        ORDER BY account_id LIMIT 1
        """,
        company_id,
    )
    return found


_LOGOS: Final = """
  SELECT DISTINCT ON (c.company_id) c.company_id, d.sha256
  FROM company_documents c JOIN documents d USING (document_id) JOIN addresses a USING (url)
  WHERE c.company_id = ANY($1::uuid[]) AND c.kind = 'logo' AND c.superseded_at IS NULL
  ORDER BY c.company_id, a.checked_at DESC
"""


async def logos_of(connection: Connection, company_ids: Collection[UUID | str]) -> dict[str, str]:
    """company -> a short mark of its logo, another for each picture. Those without one are left out."""
    rows = await connection.fetch(_LOGOS, list(company_ids))
    return {str(row["company_id"]): row["sha256"].hex()[:16] for row in rows}


async def read_logo(connection: Connection, company_id: UUID) -> bytes | None:
    """The logo as its site sent it; None where none is kept."""
    row = await connection.fetchrow(_LOGOS, [company_id])
    return await body_of(connection, row["sha256"]) if row else None
