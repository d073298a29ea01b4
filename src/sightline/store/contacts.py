"""Reads contacts: one by one, by search, by company, and all of them as a stream."""

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from sightline.store.companies import ids_of
from sightline.store.contact_bits import BLOCK_BITS
from sightline.store.contact_query import ContactQuery, hits_of
from sightline.store.contact_writes import unpacked
from sightline.store.database import Tenant
from sightline.store.pages import Slice, read_page

Page = tuple[str, int, tuple[str, str] | None]


class StoredContact(NamedTuple):
    """The Contact object as JSON text, and where its fields come from."""

    document: str
    sources: dict[str, Any]


async def read_contact(tenant: Tenant, contact_id: UUID) -> StoredContact | None:
    """One contact; None when there is none, or it is on the suppression list."""
    row = await tenant.row(
        """
        SELECT document, sources FROM contacts
        WHERE organization_id = $1 AND contact_id = $2 AND NOT hidden
        """,
        contact_id,
    )
    return StoredContact(row["document"], unpacked(row["sources"])) if row else None


async def find_contacts(tenant: Tenant, *, query: ContactQuery, part: Slice) -> Page:
    """Contacts, newest first, as the text of a JSON array; the exact total; where the page ends.

    `part.before` is such an end: (slot, contact id).
    """
    hits, values = hits_of(tenant.organization_id, query)
    values += [int(part.before[0]) if part.before else 2**31 - 1, part.offset, part.limit]
    last, skip, most = (f"${len(values) - n}" for n in (2, 1, 0))
    # Of the block that the page before ended in, only the slots below count.
    kept = f"substr(repeat('1', {last}::int & 2047) || repeat('0', 2048), 1, 2048)::bit(2048)"
    return await read_page(
        tenant,
        f"""
        {hits},
        cut AS (
          SELECT block, CASE WHEN block = {last}::int >> 11 THEN bits & {kept} ELSE bits END AS bits
          FROM hits WHERE block <= {last}::int >> 11),
        counted AS (
          SELECT block, bits, bit_count(bits) AS n,
            sum(bit_count(bits)) OVER (ORDER BY block DESC) AS upto FROM cut),
        picked AS (
          SELECT block, bits, upto - n AS passed FROM counted
          WHERE upto > {skip}::bigint AND upto - n < {skip}::bigint + {most}::bigint),
        slots AS (
          SELECT block * {BLOCK_BITS} + i AS slot
          FROM picked, generate_series(0, {BLOCK_BITS} - 1) AS i WHERE get_bit(bits, i) = 1
          ORDER BY 1 DESC
          OFFSET {skip}::bigint - coalesce((SELECT min(passed) FROM picked), 0) LIMIT {most}),
        page AS (
          SELECT slot, c.contact_id, c.document FROM slots
          JOIN contacts c USING (slot) WHERE c.organization_id = $1)
        SELECT
          (SELECT coalesce(sum(n), 0)::bigint FROM hits) AS total,
          (SELECT '[' || coalesce(string_agg(document, ',' ORDER BY slot DESC), '') || ']' FROM page)
            AS items,
          (SELECT ARRAY[slot::text, contact_id::text] FROM page ORDER BY slot LIMIT 1) AS last
        """,
        *values,
    )


async def company_contacts(tenant: Tenant, *, company_id: UUID, part: Slice) -> Page:
    """The contacts at a company, newest first: those linked to it or to a company merged into it, and
    those without a link whose employer has the name of the account."""
    return await read_page(
        tenant,
        f"""
        WITH ids AS (SELECT unnest({ids_of("ARRAY[$2::uuid]")}) AS company_id),
        members AS MATERIALIZED (
          SELECT c.slot FROM ids JOIN contacts c
            ON c.organization_id = $1 AND c.company_id = ids.company_id WHERE NOT c.hidden
          UNION
          SELECT c.slot FROM accounts a JOIN contacts c
            ON c.organization_id = $1 AND c.company_id IS NULL AND c.company_key = a.name_key
          WHERE a.organization_id = $1 AND a.company_id IN (SELECT company_id FROM ids)
            AND NOT c.hidden),
        page AS (
          SELECT slot, c.contact_id, c.document
          FROM (SELECT slot FROM members WHERE $3::int IS NULL OR slot < $3
                ORDER BY slot DESC OFFSET $4 LIMIT $5) m
          JOIN contacts c USING (slot) WHERE c.organization_id = $1)
        SELECT (SELECT count(*) FROM members) AS total,
          (SELECT '[' || coalesce(string_agg(document, ',' ORDER BY slot DESC), '') || ']' FROM page)
            AS items,
          (SELECT ARRAY[slot::text, contact_id::text] FROM page ORDER BY slot LIMIT 1) AS last
        """,
        tenant.organization_id,
        company_id,
        int(part.before[0]) if part.before else None,
        part.offset,
        part.limit,
    )


async def stream_contacts(
    tenant: Tenant, query: ContactQuery, *, batch: int
) -> AsyncIterator[list[tuple[dict[str, Any], dict[str, Any]]]]:
    """All contacts that a search finds, oldest first, by the batch: the object, and its sources."""
    hits, values = hits_of(tenant.organization_id, query)
    # The search is one statement and its answer is small; the rows then come block by block.
    blocks = await tenant.fetch(f"{hits} SELECT block, bits FROM hits ORDER BY block", *values)
    rows: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for block in blocks:
        found = await tenant.rows(
            f"""
            SELECT document, sources FROM contacts
            WHERE organization_id = $1 AND slot >= $2 AND slot < $2 + {BLOCK_BITS}
              AND get_bit($3::bit({BLOCK_BITS}), slot - $2) = 1 AND NOT hidden
            ORDER BY slot
            """,
            block["block"] * BLOCK_BITS,
            block["bits"],
        )
        rows += [(json.loads(row["document"]), unpacked(row["sources"])) for row in found]
        while len(rows) >= batch:
            yield rows[:batch]
            del rows[:batch]
    if rows:
        yield rows


async def documents_of(tenant: Tenant, contact_ids: Sequence[UUID]) -> str:
    """Contacts in the order of their ids' list, as the text of a JSON array."""
    text: str = await tenant.value(
        """
        SELECT '[' || coalesce(string_agg(document, ',' ORDER BY n), '') || ']' FROM contacts
        JOIN unnest($2::uuid[]) WITH ORDINALITY AS w (contact_id, n) USING (contact_id)
        WHERE organization_id = $1 AND NOT hidden
        """,
        list(contact_ids),
    )
    return text
