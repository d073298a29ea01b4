"""The technologies of a company, from its pages, headers, other documents and job postings, as one list."""

import json
from functools import partial
from typing import Any
from uuid import UUID

from sightline.domain.job_text import quote_of
from sightline.domain.technologies import products
from sightline.store.companies import PRESENT_COMPANY
from sightline.store.database import Tenant, TenantReads
from sightline.store.pages import (
    SERVER,
    Kept,
    Pages,
    Slice,
    json_row,
    keep,
    only_row,
    utc,
    version_of,
)

MOST_SOURCES = 5
"""Pieces of evidence listed of one technology, the surest first."""


_FOUND = """
  FROM facts f JOIN documents d USING (document_id)
  LEFT JOIN addresses a ON a.url = d.url AND a.document_id = d.document_id
    AND a.outcome IN ('ok', 'not_modified')
"""
# Evidence of all kinds as rows of one shape. A posting proves what people are wanted for, which is not
# always in use: one posting counts half, ten almost as much as a script on the home page. What is gone
# was seen last in the last version that shows it; a check that failed saw nothing.
_EVIDENCE = f"""
  shown AS (
    SELECT lower(f.value ->> 'name') AS key, f.value ->> 'name' AS product,
      f.value ->> 'vendor' AS vendor, f.value ->> 'category' AS category,
      coalesce(f.value ->> 'evidence_kind', f.method) AS kind, f.source,
      coalesce(f.quote, regexp_replace(f.pointer, '^[a-z]+: ', '')) AS quote, d.final_url AS url,
      f.document_id, f.confidence::numeric AS confidence, f.first_seen_at AS first_seen,
      greatest(f.first_seen_at, d.fetched_at, CASE WHEN f.withdrawn_at IS NULL THEN a.checked_at END)
        AS last_seen,
      f.withdrawn_at IS NULL AS stands, 0 AS postings, NULL::uuid AS job_id
    {_FOUND} WHERE f.company_id = $1 AND f.field = 'technology' AND f.value ->> 'name' <> ''),
  wanted AS (
    SELECT lower(t) AS key, t AS product, count(*) AS postings, min(j.first_seen_at) AS first_seen,
      max(j.last_seen_at) AS last_seen, bool_or(j.closed_at IS NULL) AS stands,
      (array_agg(j.job_id ORDER BY j.closed_at IS NULL DESC, j.last_seen_at DESC, j.job_id))[1] AS job_id
    FROM jobs j CROSS JOIN unnest(j.technologies) AS t WHERE j.company_id = $1 GROUP BY t),
  evidence AS (
    SELECT * FROM shown
    UNION ALL
    SELECT w.key, w.product, $2::jsonb -> w.product ->> 0, $2::jsonb -> w.product ->> 1, 'job_posting',
      j.source, NULL, j.url, j.document_id, least(0.9, 0.4 + 0.1 * w.postings), w.first_seen,
      w.last_seen, w.stands, w.postings::int, w.job_id
    FROM wanted w JOIN jobs j ON j.company_id = $1 AND j.job_id = w.job_id)
"""
_TECHNOLOGIES = f"""
  WITH {_EVIDENCE},
  kinds AS (
    SELECT key, source, kind, max(confidence) AS confidence FROM evidence GROUP BY 1, 2, 3),
  -- As floats: a quarter of the time that logarithms of numerics take.
  sureness AS (
    SELECT key, round((1 - exp(sum(ln(1 - least(confidence, 0.99)::float8))))::numeric, 3) AS confidence
    FROM kinds GROUP BY key),
  ranked AS (
    SELECT e.*, row_number() OVER (PARTITION BY e.key
      ORDER BY e.stands DESC, e.confidence DESC, e.last_seen DESC, e.document_id) AS place
    FROM evidence e),
  technologies AS (
    SELECT r.key, s.confidence,
      (array_agg(r.product ORDER BY r.place))[1] AS product,
      (array_agg(r.vendor ORDER BY r.vendor IS NULL, r.place))[1] AS vendor,
      (array_agg(r.category ORDER BY r.category IS NULL, r.place))[1] AS category,
      min(r.first_seen) AS first_seen, max(r.last_seen) AS last_seen, bool_or(r.stands) AS stands,
      sum(r.postings) AS postings,
      to_char(1 - s.confidence, '0.000') || ' ' || r.key COLLATE "C" AS sort_value
    FROM ranked r JOIN sureness s USING (key) GROUP BY r.key, s.confidence),
  chosen AS (
    SELECT * FROM technologies t
    WHERE ($3::text IS NULL OR lower(t.category) = lower($3)) AND ($4::boolean IS NULL OR t.stands = $4))
"""
_SOURCE = json_row(f"""
  r.source, r.kind AS evidence_kind, r.quote, r.url, r.document_id,
  {utc("r.last_seen")} AS last_seen_at
""")
# The words of postings are found afterwards: what is null here for their sake comes first in its text.
_TECHNOLOGY = json_row(f"""
  p.product, p.vendor, p.category, {utc("p.first_seen")} AS first_seen_at,
  {utc("p.last_seen")} AS last_seen_at, p.stands AS active,
  e.kinds[1] AS evidence_kind, e.quotes[1] AS quote, p.confidence, p.postings,
  NULL AS sources
""")
_PAGE = f"""
  {_TECHNOLOGIES},
  page AS (
    SELECT * FROM chosen WHERE $5::text IS NULL OR sort_value > $5 COLLATE "C"
    ORDER BY sort_value COLLATE "C" OFFSET $6 LIMIT $7)
  SELECT counted.total, p.product, p.key, p.sort_value, {_TECHNOLOGY}::text AS item, e.sources, e.texts
  FROM (SELECT count(*) AS total FROM chosen) AS counted LEFT JOIN page p ON true LEFT JOIN LATERAL (
    SELECT array_agg(r.kind ORDER BY r.place) AS kinds, array_agg(r.quote ORDER BY r.place) AS quotes,
      array_agg({_SOURCE}::text ORDER BY r.place) AS sources,
      array_agg((SELECT j.title || E'\n' || j.description FROM jobs j
        WHERE j.company_id = $1 AND j.job_id = r.job_id) ORDER BY r.place) AS texts
    FROM ranked r WHERE r.key = p.key AND r.place <= {MOST_SOURCES}) AS e ON true
  ORDER BY p.sort_value COLLATE "C"
"""
_NO_QUOTE, _NO_SOURCES = '"quote":null', "null}"
# The company, and what its postings name.
_NAMED = f"""
  WITH known AS MATERIALIZED (SELECT {PRESENT_COMPANY} AS id)
  SELECT id AS present, ARRAY(
    SELECT DISTINCT unnest(technologies) FROM jobs WHERE company_id = (SELECT id FROM known)) AS named
  FROM known
"""
# What the technologies of a company are made of: facts, each with its document and address, and postings.
_VERSIONS = f"""
  WITH known AS MATERIALIZED (SELECT {PRESENT_COMPANY} AS id)
  SELECT {SERVER} || (
    SELECT int4send(count(*)::int)
      || coalesce(string_agg(uuid_send(f.fact_id) || {version_of("f", "d", "a")}, ''), '')
    {_FOUND} WHERE f.company_id = (SELECT id FROM known) AND f.field = 'technology') || (
    SELECT coalesce(string_agg(uuid_send(j.job_id) || {version_of("j")}, ''), '')
    FROM jobs j WHERE j.company_id = (SELECT id FROM known))
"""


async def technologies_page(
    tenant: Tenant, company_id: UUID, *, category: str | None, active: bool | None, part: Slice
) -> Pages:
    """Technologies of the company that an id stands for, the surest first.

    `confidence` joins the evidence of different sources and kinds as independent. A page that is read again
    is kept, as in store/pages.py.
    """
    made = partial(
        _technologies_page, tenant, company_id, category=category, active=active, part=part
    )
    if not isinstance(tenant, TenantReads):
        return await made()
    key = (_PAGE, tenant.organization_id, company_id, category, active, part)
    versions: bytes | None = None
    kept: Kept | None = tenant.pages.get(key)
    if kept is not None:
        versions = await tenant.value(_VERSIONS, company_id)
        if versions == kept.versions:
            return kept.page
    page = await made()
    if kept is None:
        keep(tenant, key, Kept())
    # Made by several statements: of these versions only where they are the same afterwards.
    elif versions == await tenant.value(_VERSIONS, company_id):
        keep(tenant, key, Kept(versions, page))
    return page


async def _technologies_page(
    tenant: Tenant, company_id: UUID, *, category: str | None, active: bool | None, part: Slice
) -> Pages:
    row = await only_row(tenant, _NAMED, tenant.organization_id, company_id)
    present, known = row["present"], products()
    rows = await tenant.fetch(
        _PAGE,
        present,
        {
            name: (known[name].vendor, known[name].category)
            for name in row["named"]
            if name in known
        },
        category,
        active,
        part.before and part.before[0],
        part.offset,
        part.limit,
    )
    total = rows[0]["total"]
    if rows[0]["key"] is None:  # past the end
        return "[]", total, None
    items = ",".join(map(_item, rows))
    return f"[{items}]", total, (rows[-1]["sort_value"], rows[-1]["key"])


def _item(row: Any) -> str:
    """A technology as JSON text, with the words of postings where they belong. Strings have their quotation
    marks escaped, so the first "quote" of a text is its member."""
    item, sources = row["item"], list(row["sources"])
    for n, text in enumerate(row["texts"]):
        quote = quote_of(row["product"], text) if text is not None else None
        if quote is not None:
            quoted = f'"quote":{json.dumps(quote, ensure_ascii=False)}'
            sources[n] = sources[n].replace(_NO_QUOTE, quoted, 1)
            if n == 0:
                item = item.replace(_NO_QUOTE, quoted, 1)
    return f"{item.removesuffix(_NO_SOURCES)}[{','.join(sources)}]}}"
