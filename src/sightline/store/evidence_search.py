"""The passages of one company or many that have the words of a query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sightline.store.database import Connection
from sightline.store.pages import only_row
from sightline.store.passages import Reach, company_lexeme, quoted_lexeme, within_reach

_MEAN_WORDS = 130  # of a passage: what BM25 measures its length by
# The share of all passages that has a term, of common terms, by the planner's last ANALYZE; none before it.
_SHARES: Final = """
  SELECT term, share FROM pg_stats,
    unnest(most_common_elems::text::text[], most_common_elem_freqs) AS known (term, share)
  WHERE schemaname = current_schema() AND tablename = 'indexed_passages' AND attname = 'terms'
"""


@dataclass(frozen=True, slots=True)
class Extent:
    """How many passages are searched, and of how many in all."""

    searched: int
    indexed: int


@dataclass(frozen=True, slots=True)
class Row:
    """A passage and the weight of the terms that it has."""

    company_id: UUID
    number: int
    words: int
    score: float
    vector: bytes | None


async def newest_day(connection: Connection, company_id: UUID) -> datetime | None:
    """When the newest of what is indexed of a company was published; None where nothing has a date."""
    found: datetime | None = await connection.fetchval(
        "SELECT max(published_at) FROM indexed_passages WHERE company_id = $1", company_id
    )
    return found


async def read_extent(connection: Connection, company_ids: Sequence[UUID]) -> Extent:
    row = await only_row(
        connection,
        """
        SELECT coalesce(sum(passages) FILTER (WHERE company_id = ANY($1::uuid[])), 0) AS searched,
          coalesce(sum(passages), 0) AS indexed FROM passage_indexes
        """,
        list(company_ids),
    )
    return Extent(int(row["searched"]), int(row["indexed"]))


async def frequencies(connection: Connection, terms: Sequence[str]) -> dict[str, float]:
    """The share of all passages that have a term, of those terms that are common, as the planner knows it
    from its last ANALYZE; nothing before the first."""
    rows = await connection.fetch(
        f"{_SHARES} AND term = ANY($1::text[])",
        list(terms),
    )
    return {row["term"]: row["share"] for row in rows}


async def best_passages(
    connection: Connection,
    company_ids: Sequence[UUID],
    reach: Reach,
    *,
    weights: Mapping[str, float],
    any_of: Sequence[str],
    limit: int,
) -> list[Row]:
    """Of the passages with one of the terms `any_of`, the best by the weights of the terms they have."""
    score = " + ".join(
        f"CASE WHEN p.terms @@ asked.queries[{at}] THEN ($4::float4[])[{at}] ELSE 0 END"
        for at in range(1, len(weights) + 1)
    )
    rows = await connection.fetch(
        f"""
        WITH asked AS MATERIALIZED (
          SELECT array_agg(query::tsquery ORDER BY place) AS queries
          FROM unnest($3::text[]) WITH ORDINALITY AS t (query, place))
        SELECT best.company_id, best.number, best.words, best.score, e.vector FROM (
          SELECT p.company_id, p.number, p.words,
            (({score}) / (1 + 0.9 * (0.4 + 0.6 * p.words / {_MEAN_WORDS}.0)))::float4 AS score
          FROM indexed_passages p, asked
          WHERE p.terms @@ $1::text::tsquery AND p.company_id = ANY($2::uuid[])
            AND {within_reach(5)}
          ORDER BY score DESC, p.company_id, p.number LIMIT $9) AS best
        LEFT JOIN encoded_passages e USING (company_id, number)
        ORDER BY best.score DESC, best.company_id, best.number
        """,
        " | ".join(quoted_lexeme(term) for term in any_of),
        list(company_ids),
        [quoted_lexeme(term) for term in weights],
        list(weights.values()),
        *reach.values(),
        limit,
    )
    return [
        Row(row["company_id"], row["number"], row["words"], row["score"], row["vector"])
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class Posting:
    """The big-endian int32 numbers of a company's passages that have a term, or of those that lack it."""

    numbers: bytes
    lacking: bool
    absent: bool  # no passage has the term


async def read_postings(
    connection: Connection, company_id: UUID, terms: Sequence[str]
) -> dict[str, Posting]:
    """By term. Each row that matches is visited, 6 ms for 10,000, so of common terms those that do not."""
    rows = await connection.fetch(
        f"""
        WITH asked AS MATERIALIZED (
          SELECT t.term, t.lexeme, common.term IS NOT NULL AS is_common
          FROM unnest($2::text[], $3::text[]) AS t (term, lexeme)
          LEFT JOIN ({_SHARES} AND share > 0.5) AS common USING (term))
        SELECT a.term, p.numbers, a.is_common, p.count = CASE WHEN a.is_common
          THEN (SELECT count(*) FROM indexed_passages WHERE company_id = $1) ELSE 0 END AS absent
        FROM asked a, LATERAL (SELECT string_agg(int4send(number), '') AS numbers, count(*)
          FROM indexed_passages WHERE terms @@
            ($4 || CASE WHEN a.is_common THEN ' & !' ELSE ' & ' END || a.lexeme)::tsquery) AS p
        """,
        company_id,
        list(terms),
        list(map(quoted_lexeme, terms)),
        quoted_lexeme(company_lexeme(company_id)),
    )
    return {
        row["term"]: Posting(row["numbers"] or b"", row["is_common"], row["absent"]) for row in rows
    }
