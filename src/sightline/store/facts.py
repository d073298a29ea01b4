"""Facts: every observed value of a company with its source, winners and losers alike."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sightline.domain.evidence import Observation
from sightline.domain.fields import member_key
from sightline.kit.ids import new_id
from sightline.store.companies import ASKED_COMPANY
from sightline.store.database import Connection, Tenant
from sightline.store.documents import storable
from sightline.store.pages import Pages, Rows, Slice, Where, joined_row, read_rows, utc, version_of


@dataclass(frozen=True, slots=True)
class Fact:
    """A stored observation. `observed_at` is when its document was last seen to say so."""

    fact_id: UUID
    field: str
    member: str
    value: Any
    source: str
    document_id: UUID
    url: str
    quote: str | None
    pointer: str | None
    method: str
    confidence: float
    as_of: date | None
    first_seen_at: datetime
    observed_at: datetime
    wins: bool


async def store_facts(
    connection: Connection,
    company_id: UUID,
    document_id: UUID,
    *,
    source: str,
    observations: Sequence[Observation],
    superseded: Collection[UUID],
    seen_at: datetime,
) -> int:
    """Keep what a document says, and withdraw what older versions of its address said.

    A value that an older version gave already keeps the time it was first seen. Answers how many
    facts are new.
    """
    await connection.execute(
        """
        UPDATE facts SET withdrawn_at = now(), wins = false
        WHERE company_id = $1 AND withdrawn_at IS NULL
          AND document_id = ANY($2::uuid[])
        """,
        company_id,
        [document_id, *superseded],
    )
    return await _keep(
        connection, company_id, document_id, source, observations, superseded, seen_at=seen_at
    )


async def add_fact(
    connection: Connection,
    company_id: UUID,
    document_id: UUID,
    *,
    source: str,
    observation: Observation,
    seen_at: datetime,
) -> None:
    """Keep what a later reading of a document found, beside what its parser did. It goes when the document
    is read again or gives way to another version."""
    await _keep(connection, company_id, document_id, source, [observation], (), seen_at=seen_at)


async def _keep(
    connection: Connection,
    company_id: UUID,
    document_id: UUID,
    source: str,
    observations: Sequence[Observation],
    superseded: Collection[UUID],
    *,
    seen_at: datetime,
) -> int:
    """Store observations of a document; returns how many are new."""
    if not observations:
        return 0
    rows = [_row(each) for each in observations]
    stored: int = await connection.fetchval(
        """
        WITH said AS (
          SELECT * FROM unnest($5::uuid[], $6::text[], $7::text[], $8::jsonb[], $9::text[],
            $10::text[], $11::text[], $12::float4[], $13::date[])
            AS s (fact_id, field, member, value, quote, pointer, method, confidence, as_of)),
        stored AS (
          INSERT INTO facts AS f (company_id, fact_id, field, member, value, source, document_id,
            quote, pointer, method, confidence, as_of, first_seen_at)
          SELECT DISTINCT ON (field, member, md5(value::text), coalesce(pointer, ''))
            $1, fact_id, field, member, value, $3, $2, quote, pointer, method, confidence, as_of,
            coalesce((SELECT min(o.first_seen_at) FROM facts o WHERE o.company_id = $1
                AND o.document_id = ANY($14::uuid[]) AND o.field = said.field
                AND o.member = said.member AND o.value = said.value), $4)
          FROM said
          ORDER BY field, member, md5(value::text), coalesce(pointer, ''), confidence DESC
          ON CONFLICT (company_id, document_id, field, member, md5(value::text), coalesce(pointer, ''))
            DO UPDATE SET withdrawn_at = NULL, quote = excluded.quote, method = excluded.method,
              confidence = excluded.confidence, as_of = excluded.as_of
          RETURNING (xmax = 0) AS is_new)
        SELECT count(*) FILTER (WHERE is_new) FROM stored
        """,
        company_id,
        document_id,
        source,
        seen_at,
        *map(list, zip(*rows, strict=True)),
        list(superseded),
    )
    return stored


async def read_facts(
    connection: Connection,
    company_id: UUID,
    *,
    fields: Collection[str] | None = None,
    including_withdrawn: bool = False,
) -> list[Fact]:
    """The facts of a company, by field, then the oldest first."""
    rows = await connection.fetch(
        """
        SELECT f.fact_id, f.field, f.member, f.value, f.source, f.document_id, d.final_url AS url,
          f.quote, f.pointer, f.method, f.confidence, f.as_of, f.first_seen_at,
          CASE WHEN a.document_id = f.document_id THEN greatest(a.checked_at, d.fetched_at)
            ELSE d.fetched_at END AS observed_at,
          f.wins
        FROM facts f JOIN documents d USING (document_id) LEFT JOIN addresses a ON a.url = d.url
        WHERE f.company_id = $1 AND ($2::text[] IS NULL OR f.field = ANY($2::text[]))
          AND ($3 OR f.withdrawn_at IS NULL)
        ORDER BY f.field, f.member, f.fact_id
        """,
        company_id,
        list(fields) if fields is not None else None,
        including_withdrawn,
    )
    return [Fact(**dict(row)) for row in rows]


async def mark_winners(connection: Connection, company_id: UUID, winners: Collection[UUID]) -> None:
    """Say which facts make the company record; only rows that change are written."""
    await connection.execute(
        """
        UPDATE facts SET wins = NOT wins
        WHERE company_id = $1 AND wins <> (fact_id = ANY($2::uuid[]))
        """,
        company_id,
        list(winners),
    )


def _row(observation: Observation) -> tuple[Any, ...]:
    return (
        new_id(),
        observation.field,
        storable(member_key(observation.field, observation.value))[:500],
        _clean(observation.value),
        storable(observation.quote) if observation.quote else None,
        observation.pointer,
        observation.method,
        observation.confidence,
        observation.as_of,
    )


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {key: _clean(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(each) for each in value]
    return value


_FACT = f"""
  f.fact_id, f.field, f.value, f.wins, f.source, d.final_url AS url, f.document_id, f.quote, f.pointer,
  f.method, round(f.confidence::numeric, 3) AS confidence, f.as_of,
  {utc("f.first_seen_at")} AS first_seen_at,
  {utc("greatest(f.first_seen_at, a.checked_at)")} AS observed_at
"""
_FACTS = Rows(
    "facts f",
    "row_to_json(fact)",
    "fact_id",
    "f.field || CASE WHEN f.wins THEN ' 0 ' ELSE ' 1 ' END || f.member",
    joins=f"""
      JOIN documents d USING (document_id)
      LEFT JOIN addresses a ON a.url = d.url AND a.document_id = f.document_id
      {joined_row("fact", _FACT)}
    """,
    made=ASKED_COMPANY,
    versions=f"uuid_send(f.fact_id) || {version_of('f', 'd', 'a')}",
)


async def facts_page(
    tenant: Tenant, company_id: UUID, *, field: str | None, source: str | None, part: Slice
) -> Pages:
    """Facts of the company that an id stands for by field, winners first."""
    where = Where(
        "f.company_id = (SELECT id FROM asked) AND f.withdrawn_at IS NULL",
        [tenant.organization_id, company_id],
    )
    where.add("f.field = {}", field)
    where.add("f.source = {}", source)
    return await read_rows(tenant, _FACTS, where, part=part)
