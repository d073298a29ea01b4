"""Stored profiles: sections of the catalogue and of organizations."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from sightline.store.companies import ids_of
from sightline.store.database import Connection, Tenant
from sightline.store.pages import utc

REFRESH = "refresh_profile"
REFRESH_FOR = "refresh_organization_profile"

STALE_MONTHS = 15
"""An annual source older than this is said to be old."""

_PRESENT_FIELDS = ("company_name", "website_domain")  # left out while unknown
_FIELDS = (
    "hq_country_name",
    "industry",
    "revenue_range",
    "employee_count_range",
)


@dataclass(frozen=True, slots=True)
class StoredSection:
    """A section as it is written. `body` and `plain` are JSON text; `writing` is how its writing by a
    model stands."""

    section: str
    state: str
    method: str
    body: str
    plain: str
    statements: int
    evidence: bytes
    window_from: datetime | None
    window_until: datetime | None
    kinds: Sequence[str] = ()
    writing: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ServedSection:
    """A section as it is read: its JSON text and what `sections` says of it, as JSON text too."""

    section: str
    body: str
    state: str
    described: str
    is_stale: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """Whether the company has evidence, and which refreshes are under way already."""

    has_evidence: bool
    refreshing: bool
    refreshing_for: bool


def organization_subject(organization_id: UUID, company_id: UUID) -> str:
    """The subject of work on an organization's sections of a company."""
    return f"{organization_id}/{company_id}"


_HEAD_FIELDS, _HEAD_NULLS = (
    ", ".join(f"'{name}', d.document->'{name}'" for name in names)
    for names in (_PRESENT_FIELDS, _FIELDS)
)
_KNOWN = """
  company AS (
    SELECT coalesce((SELECT coalesce(merged_into, company_id) FROM companies
                     WHERE company_id = $2), $2) AS company_id),
  known AS MATERIALIZED (  -- otherwise the document is parsed for each of its fields
    SELECT c.company_id, coalesce(
      (SELECT r.document FROM accounts a JOIN account_records r USING (organization_id, account_id)
       WHERE a.organization_id = $1 AND a.company_id = (SELECT company_id FROM company)),
      (SELECT o.document FROM companies o WHERE o.company_id = c.company_id))::jsonb AS document
    FROM company c)
"""
_HEAD = f"""
  SELECT d.company_id,
    (jsonb_strip_nulls(jsonb_build_object('company_id', d.company_id, {_HEAD_FIELDS}))
      || jsonb_build_object({_HEAD_NULLS}))::text AS head,
    EXISTS (SELECT FROM company_documents x WHERE x.company_id = d.company_id) AS has_evidence,
    EXISTS (SELECT FROM work WHERE kind = '{REFRESH}'
      AND subject = d.company_id::text) AS refreshing,
    EXISTS (SELECT FROM work WHERE kind = '{REFRESH_FOR}'
      AND subject = $1::text || '/' || d.company_id::text) AS refreshing_for
  FROM known d WHERE d.document IS NOT NULL
"""


async def profile_head(tenant: Tenant, company_id: UUID) -> tuple[UUID, str, Waiting] | None:
    """The company that an id stands for, the top of its profile as JSON text, and what is in progress.

    None when neither the catalogue nor the organization knows the company.
    """
    row = await tenant.row(f"WITH {_KNOWN} {_HEAD}", company_id)
    return _head_of(row) if row is not None else None


async def read_profile(
    tenant: Tenant, company_id: UUID, *, sections: Collection[str], with_sources: bool
) -> tuple[tuple[UUID, str, Waiting], list[ServedSection]] | None:
    """`profile_head`, and `read_sections` of the company that the id stands for, in one statement."""
    query = _profile(with_sources=with_sources)
    rows = await tenant.rows(query, company_id, list(sections))
    if not rows:
        return None
    return _head_of(rows[0]), [_served(row) for row in rows if row["section"] is not None]


async def read_sections(
    tenant: Tenant, company_id: UUID, *, sections: Collection[str], with_sources: bool
) -> list[ServedSection]:
    """The stored sections of these names, of the catalogue and of the organization."""
    made, query = _sections("$2", with_sources=with_sources)
    rows = await tenant.rows(f"WITH {made} {query}", company_id, list(sections))
    return [_served(row) for row in rows]


def _head_of(row: Any) -> tuple[UUID, str, Waiting]:
    waiting = Waiting(row["has_evidence"], row["refreshing"], row["refreshing_for"])
    return row["company_id"], row["head"], waiting


def _served(row: Any) -> ServedSection:
    return ServedSection(
        row["section"], row["body"], row["state"], row["described"], row["is_stale"]
    )


@cache
def _profile(*, with_sources: bool) -> str:
    made, query = _sections("(SELECT company_id FROM known)", with_sources=with_sources)
    return f"""
      WITH {_KNOWN}, {made}
      SELECT head.*, section.* FROM ({_HEAD}) AS head LEFT JOIN ({query}) AS section ON true
    """


def _sections(company: str, *, with_sources: bool) -> tuple[str, str]:
    """SQL of the stored sections $3 of a company: a common table expression, and the query."""
    column = "body" if with_sources else "plain"
    described = f"""
      json_build_object('status', s.state,
        'generated_at', {utc("s.generated_at")}, 'method', s.method,
        'source_window', CASE WHEN s.window_from IS NOT NULL THEN json_build_object(
          'from', {utc("s.window_from")},
          'until', {utc("s.window_until")}) END,
        'stale', s.is_stale, 'writing', s.writing - 'asked' - 'answer' - 'supported' - 'leads',
        'annual_source', (SELECT json_build_object(
          'published_at', {utc("a.published_at")},
          'outdated', a.published_at < now() - interval '{STALE_MONTHS} months') FROM annual a))::text
    """
    annual = f"""
      annual AS (
        SELECT max(d.published_at) AS published_at
        FROM company_documents c JOIN documents d USING (document_id)
        WHERE c.company_id = {company} AND c.superseded_at IS NULL AND c.kind = 'filing'
          AND d.title ~* '^(10-K|20-F|40-F)' HAVING max(d.published_at) IS NOT NULL)
    """
    query = f"""
      SELECT s.section, s.{column} AS body, s.state, s.is_stale, {described} AS described
      FROM (
        SELECT p.section, p.body, p.plain, p.state, p.method, p.generated_at, p.window_from,
          p.window_until, p.writing,
          EXISTS (SELECT FROM company_documents c WHERE c.company_id = {company}
            AND c.kind = ANY(p.kinds)
            AND (c.added_at > p.checked_at OR c.superseded_at > p.checked_at))
          OR p.checked_at < date_trunc('month', now())
          OR 'signals' = ANY(p.kinds) AND EXISTS (SELECT FROM signals g
            WHERE g.company_id = {company} AND g.detected_at > p.checked_at) AS is_stale
        FROM profile_sections p WHERE p.company_id = {company} AND p.section = ANY($3::text[])
        UNION ALL
        SELECT o.section, o.body, o.plain, o.state, o.method, o.generated_at, o.window_from,
          o.window_until, o.writing,
          o.context_version < coalesce((SELECT c.version FROM seller_contexts c
            WHERE c.organization_id = $1), 0)
          OR o.checked_at < coalesce((SELECT max(p.generated_at) FROM profile_sections p
            WHERE p.company_id = {company}), '-infinity')
          OR o.checked_at < date_trunc('month', now())
          OR EXISTS (SELECT FROM signals g
            WHERE g.company_id = {company} AND g.detected_at > o.checked_at) AS is_stale
        FROM organization_sections o
        WHERE o.organization_id = $1 AND o.company_id = {company} AND o.section = ANY($3::text[])
      ) AS s
    """
    return annual, query


async def territory_scores(tenant: Tenant, company_id: UUID) -> str:
    """How a company scores in each territory of the organization that holds it: JSON text."""
    text: str = await tenant.value(
        """
        SELECT coalesce(json_agg(json_build_object('territory_id', m.territory_id, 'name', t.name,
          'score', m.score, 'why', m.why) ORDER BY m.score DESC, m.territory_id), '[]')::text
        FROM territory_members m JOIN territories t USING (organization_id, territory_id)
        WHERE m.organization_id = $1 AND m.company_id = $2
        """,
        company_id,
    )
    return text


async def content_items(tenant: Tenant, company_id: UUID, *, limit: int, with_sources: bool) -> str:
    """The newest content written for a company: JSON text of Content items."""
    sources = ", 'sources', c.sources" if with_sources else ""
    text: str = await tenant.value(
        f"""
        SELECT coalesce(json_agg(json_build_object('content_id', c.content_id,
          'company_id', c.company_id, 'content_type', c.content_type,
          'content_setting_id', c.setting_id, 'title', c.title, 'content', c.body,
          'ref_content_template_id', c.template_id,
          'created_at', {utc("c.created_at")},
          'updated_at', {utc("c.updated_at")}, 'method', c.method{sources})
          ORDER BY c.created_at DESC, c.content_id), '[]')::text
        FROM (SELECT * FROM content WHERE organization_id = $1
                AND company_id = ANY({ids_of("ARRAY[$2::uuid]")})
              ORDER BY created_at DESC, content_id LIMIT $3) AS c
        """,
        company_id,
        limit,
    )
    return text


async def stored_evidence(connection: Connection, company_id: UUID) -> dict[str, bytes]:
    """Section → hash of what it was made of."""
    rows = await connection.fetch(
        "SELECT section, evidence FROM profile_sections WHERE company_id = $1", company_id
    )
    return {row["section"]: row["evidence"] for row in rows}


async def stored_bodies(connection: Connection, company_id: UUID) -> dict[str, str]:
    """Section → its JSON text with sources."""
    rows = await connection.fetch(
        "SELECT section, body FROM profile_sections WHERE company_id = $1 ORDER BY section",
        company_id,
    )
    return {row["section"]: row["body"] for row in rows}


async def companies_with_profiles(connection: Connection) -> list[UUID]:
    """Every company that has a stored section."""
    rows = await connection.fetch(
        "SELECT DISTINCT company_id FROM profile_sections ORDER BY company_id"
    )
    return [row["company_id"] for row in rows]


async def write_sections(
    connection: Connection,
    company_id: UUID,
    written: Sequence[StoredSection],
    *,
    unchanged: Collection[str],
    checked_at: datetime,
) -> None:
    """Replace sections, and note that others were compared with the evidence."""
    await connection.executemany(
        """
        INSERT INTO profile_sections (company_id, section, state, method, body, plain, statements,
          evidence, window_from, window_until, writing, kinds, generated_at, checked_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
        ON CONFLICT (company_id, section) DO UPDATE SET state = excluded.state,
          method = excluded.method, body = excluded.body, plain = excluded.plain,
          statements = excluded.statements, evidence = excluded.evidence,
          window_from = excluded.window_from, window_until = excluded.window_until,
          writing = excluded.writing, kinds = excluded.kinds,
          generated_at = excluded.generated_at, checked_at = excluded.checked_at
        """,
        [(company_id, *_values(each), list(each.kinds), checked_at) for each in written],
    )
    await connection.execute(
        "UPDATE profile_sections SET checked_at = $3 WHERE company_id = $1 AND section = ANY($2::text[])",
        company_id,
        list(unchanged),
        checked_at,
    )


async def write_organization_sections(
    tenant: Tenant,
    company_id: UUID,
    written: Sequence[StoredSection],
    *,
    context_version: int,
    checked_at: datetime,
) -> None:
    """Replace the organization's sections of a company."""
    await tenant.executemany(
        """
        INSERT INTO organization_sections AS o (organization_id, company_id, section, state, method,
          body, plain, statements, evidence, window_from, window_until, writing, context_version,
          generated_at, checked_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)
        ON CONFLICT (organization_id, company_id, section) DO UPDATE SET state = excluded.state,
          method = excluded.method, body = excluded.body, plain = excluded.plain,
          statements = excluded.statements, evidence = excluded.evidence,
          window_from = excluded.window_from, window_until = excluded.window_until,
          writing = excluded.writing, context_version = excluded.context_version,
          checked_at = excluded.checked_at,
          generated_at = CASE WHEN o.body = excluded.body THEN o.generated_at
            ELSE excluded.generated_at END
        """,
        [
            (tenant.organization_id, company_id, *_values(each), context_version, checked_at)
            for each in written
        ],
    )


async def contact_groups(tenant: Tenant, company_id: UUID) -> dict[tuple[str, str], int]:
    """How many of the organization's contacts at a company have each department and seniority:
    {("department", "sales"): 3, ("seniority", "vp"): 1}."""
    rows = await tenant.rows(
        f"""
        WITH ids AS (SELECT unnest({ids_of("ARRAY[$2::uuid]")}) AS company_id),
        members AS (
          SELECT c.contact_id, c.document FROM ids JOIN contacts c
            ON c.organization_id = $1 AND c.company_id = ids.company_id WHERE NOT c.hidden
          UNION ALL
          SELECT c.contact_id, c.document FROM accounts a JOIN contacts c
            ON c.organization_id = $1 AND c.company_id IS NULL AND c.company_key = a.name_key
          WHERE a.organization_id = $1 AND a.company_id IN (SELECT company_id FROM ids)
            AND NOT c.hidden)
        SELECT kind, members.document::json ->> kind AS value, count(*) AS contacts
        FROM members CROSS JOIN unnest(ARRAY['department', 'seniority']) AS kind
        WHERE members.document::json ->> kind IS NOT NULL GROUP BY 1, 2
        """,
        company_id,
    )
    return {(row["kind"], row["value"]): row["contacts"] for row in rows}


def _values(each: StoredSection) -> tuple[Any, ...]:
    return (
        each.section,
        each.state,
        each.method,
        each.body,
        each.plain,
        each.statements,
        each.evidence,
        each.window_from,
        each.window_until,
        dict(each.writing) if each.writing is not None else None,
    )
