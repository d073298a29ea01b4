"""The search index: one row per passage, searched with PostgreSQL's full text.

Each row's terms hold one lexeme that names its company, so that one GIN index answers for a company as
well as for all of them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from sightline.store.database import Connection
from sightline.store.indexable import Key
from sightline.store.pages import only_row

Place = tuple[UUID, int]  # company, number of the passage
SourceKind = Literal["insight", "filing", "news", "web", "job", "technology"]
_COLUMNS: Final = (
    "passage_id", "origin", "origin_id", "origin_at", "version", "kind", "family", "signal_id",
    "document_id", "start_at", "end_at", "published_at", "publisher", "told", "words", "simhash",
    "figures", "prose", "url", "title", "heading", "context", "body",
)  # fmt: skip
_TYPES: Final = (
    "uuid", "text", "uuid", "int", "text", "text", "text", "uuid", "uuid", "int", "int", "timestamptz",
    "text", "smallint", "int", "bigint", "int", "boolean", "text", "text", "text", "text", "text",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Passage:
    """A row of the index. `body` appears verbatim in its document, from `start` to `end` of its text
    where these are known. `context` is what a reader needs beside it: header, period and unit of a table row,
    title and place of a posting, heading of a section. `simhash` and `figures` are signed."""

    passage_id: UUID
    kind: SourceKind
    family: str | None
    signal_id: UUID | None
    document_id: UUID | None
    start: int | None
    end: int | None
    published_at: datetime | None
    publisher: str
    publishers: int
    words: int
    simhash: int
    figures: int
    url: str | None
    title: str
    heading: str
    context: str
    body: str


@dataclass(frozen=True, slots=True)
class IndexedPassage(Passage):
    """As it is written, but for its company and number. `terms` are the lexemes that it is found by,
    none with white space in it."""

    key: Key
    version: str
    prose: bool
    terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reach:
    """What of a company's evidence is searched; None is everything. A passage of unknown time is outside
    every time bound."""

    kinds: Sequence[str] | None = None
    families: Sequence[str] | None = None
    since: datetime | None = None
    until: datetime | None = None

    def values(self) -> tuple[Any, ...]:
        kinds = None if self.kinds is None else list(self.kinds)
        return kinds, None if self.families is None else list(self.families), self.since, self.until


def within_reach(first: int) -> str:
    """The condition of a Reach whose parameters begin at `first`."""
    return (
        f"(${first}::text[] IS NULL OR p.kind = ANY(${first}))"
        f" AND (${first + 1}::text[] IS NULL OR p.family = ANY(${first + 1}))"
        f" AND (${first + 2}::timestamptz IS NULL OR p.published_at >= ${first + 2})"
        f" AND (${first + 3}::timestamptz IS NULL OR p.published_at <= ${first + 3})"
    )


# A posting that is closed, or a signal or technology that is no more, is not found, though its row is
# not yet deleted.
_STANDS = """
  CASE p.origin
    WHEN 'signal' THEN EXISTS (SELECT FROM signals s
      WHERE s.company_id = p.company_id AND s.signal_id = p.origin_id)
    WHEN 'job' THEN EXISTS (SELECT FROM jobs j
      WHERE j.company_id = p.company_id AND j.job_id = p.origin_id AND j.closed_at IS NULL)
    WHEN 'technology' THEN EXISTS (SELECT FROM facts f
      WHERE f.company_id = p.company_id AND f.fact_id = p.origin_id AND f.withdrawn_at IS NULL)
    ELSE true END
"""


def company_lexeme(company_id: UUID) -> str:
    return f"@{company_id.hex}"


def quoted_lexeme(lexeme: str) -> str:
    doubled = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"


@dataclass(frozen=True, slots=True)
class PackedColumns:
    """Of the passages of a company within reach: big-endian int32 numbers and lengths in words; of all that
    are encoded the vectors, one after the other, their sizes in bytes, and the numbers."""

    numbers: bytes
    words: bytes
    vectors: bytes
    vector_sizes: bytes
    vector_numbers: bytes
    encoder: str | None


# Answered by `indexed_passages_lengths` alone: a row is a page of text, and a search reads the length of all.
LENGTHS: Final = f"""
  SELECT string_agg(int4send(number), '') AS numbers, string_agg(int4send(words), '') AS words
  FROM indexed_passages p WHERE company_id = $1 AND {within_reach(2)}
"""


async def read_columns(
    connection: Connection, company_id: UUID, reach: Reach, *, vectors: bool
) -> PackedColumns:
    """About 0.4 MB for each 1,000 passages with vectors."""
    row = await only_row(connection, LENGTHS, company_id, *reach.values())
    encoded = await only_row(
        connection,
        """
        SELECT string_agg(vector, '') AS vectors, string_agg(int4send(number), '') AS numbers,
          string_agg(int4send(octet_length(vector)), '') AS sizes,
          (SELECT encoder FROM passage_indexes WHERE company_id = $1) AS encoder
        FROM encoded_passages WHERE company_id = $1 AND $2
        """,
        company_id,
        vectors,
    )
    return PackedColumns(
        row["numbers"] or b"",
        row["words"] or b"",
        encoded["vectors"] or b"",
        encoded["sizes"] or b"",
        encoded["numbers"] or b"",
        encoded["encoder"],
    )


async def content_words(connection: Connection, words: Sequence[str]) -> list[str]:
    """Without the function words ("the", "does") of PostgreSQL's English dictionary."""
    rows = await connection.fetch(
        """
        SELECT word FROM unnest($1::text[]) WITH ORDINALITY AS w (word, n)
        WHERE ts_lexize('pg_catalog.english_stem', lower(word)) <> '{}' ORDER BY n
        """,
        list(words),
    )
    return [row["word"] for row in rows]


@dataclass(frozen=True, slots=True)
class StoredPassage(Passage):
    """As it is read for ranking and for showing."""

    company_id: UUID
    number: int
    origin: str
    origin_id: UUID

    @property
    def place(self) -> Place:
        return self.company_id, self.number


_READ = """
  p.passage_id, p.kind, p.family, p.signal_id, p.document_id, p.start_at, p.end_at, p.published_at,
  p.publisher, p.told, p.words, p.simhash, p.figures, p.url, p.title, p.heading, p.context, p.body,
  p.company_id, p.number, p.origin, p.origin_id
"""


async def read_passages(
    connection: Connection, places: Sequence[Place]
) -> dict[Place, StoredPassage]:
    """Those that still stand."""
    rows = await connection.fetch(
        f"""
        SELECT {_READ} FROM unnest($1::uuid[], $2::int[]) AS w (company_id, number)
        JOIN indexed_passages p USING (company_id, number) WHERE {_STANDS}
        """,
        [company_id for company_id, _ in places],
        [number for _, number in places],
    )
    return {(row["company_id"], row["number"]): StoredPassage(*row) for row in rows}


async def passages_of_origins(
    connection: Connection,
    company_id: UUID,
    reach: Reach,
    *,
    origins: Collection[str],
    limit: int,
) -> list[StoredPassage]:
    """Passages that are not pieces of documents, the newest of each origin first."""
    rows = await connection.fetch(
        f"""
        SELECT {_READ} FROM (
          SELECT number, row_number() OVER
            (PARTITION BY origin ORDER BY published_at DESC NULLS LAST, passage_id) AS place
          FROM indexed_passages p
          WHERE company_id = $1 AND {within_reach(2)} AND origin = ANY($6::text[])) AS w
        JOIN indexed_passages p ON p.company_id = $1 AND p.number = w.number
        WHERE w.place <= $7 AND {_STANDS}
        """,
        company_id,
        *reach.values(),
        list(origins),
        limit,
    )
    return [StoredPassage(*row) for row in rows]


async def read_keys(connection: Connection, company_id: UUID) -> list[tuple[int, Key, str]]:
    """(number, key, version) of everything that is indexed of a company."""
    rows = await connection.fetch(
        "SELECT number, origin, origin_id, origin_at, version FROM indexed_passages"
        " WHERE company_id = $1",
        company_id,
    )
    return [
        (row["number"], Key(row["origin"], row["origin_id"], row["origin_at"]), row["version"])
        for row in rows
    ]


async def write_passages(
    connection: Connection, company_id: UUID, passages: Sequence[IndexedPassage]
) -> None:
    """Add rows; one that is there is left."""
    if not passages:
        return
    places = ", ".join(f"${at + 3}::{kind}[]" for at, kind in enumerate(_TYPES))
    named = ", ".join(_COLUMNS)
    rows = [
        (
            p.passage_id, *_key(p.key), p.version, p.kind, p.family, p.signal_id, p.document_id,
            p.start, p.end, p.published_at, p.publisher, p.publishers, p.words, p.simhash,
            p.figures, p.prose, p.url, p.title, p.heading, p.context, p.body,
        )
        for p in passages
    ]  # fmt: skip
    own = company_lexeme(company_id)
    await connection.execute(
        f"""
        INSERT INTO indexed_passages (company_id, number, terms, {named})
        SELECT $1, first.number + row_number() OVER (),
          array_to_tsvector(string_to_array(lexemes, ' ')), {named}
        FROM unnest($2::text[], {places}) AS new (lexemes, {named}),
          (SELECT coalesce(max(number), 0) AS number FROM indexed_passages WHERE company_id = $1) AS first
        ON CONFLICT (company_id, passage_id) DO NOTHING
        """,
        company_id,
        [" ".join([own, *each.terms]) for each in passages],
        *map(list, zip(*rows, strict=True)),
    )


def _key(key: Key) -> tuple[str, UUID, int]:
    return key.origin, key.origin_id, key.origin_at


async def delete_passages(connection: Connection, company_id: UUID, numbers: Sequence[int]) -> None:
    await connection.execute(
        "DELETE FROM indexed_passages WHERE company_id = $1 AND number = ANY($2::int[])",
        company_id,
        list(numbers),
    )


async def read_unencoded(
    connection: Connection, company_id: UUID, most: Mapping[str, int], whole: int
) -> list[tuple[int, str, str, str, bool]]:
    """(number, heading, context, body, is among the `whole` newest of its kind) of prose without a vector:
    of each kind the newest, as many as `most` says."""
    rows = await connection.fetch(
        """
        SELECT p.number, p.heading, p.context, p.body, newest.place <= $4 FROM (
          SELECT number, kind, row_number() OVER
            (PARTITION BY kind ORDER BY published_at DESC NULLS LAST, number) AS place
          FROM indexed_passages WHERE company_id = $1 AND prose) AS newest
        JOIN unnest($2::text[], $3::int[]) AS m (kind, most)
          ON m.kind = newest.kind AND newest.place <= m.most
        JOIN indexed_passages p ON p.company_id = $1 AND p.number = newest.number
        WHERE NOT EXISTS (SELECT FROM encoded_passages e
          WHERE e.company_id = $1 AND e.number = newest.number)
        ORDER BY p.number
        """,
        company_id,
        list(most),
        list(most.values()),
        whole,
    )
    return [tuple(row) for row in rows]


async def write_vectors(
    connection: Connection, company_id: UUID, vectors: Sequence[tuple[int, bytes]]
) -> None:
    await connection.execute(
        "INSERT INTO encoded_passages (company_id, number, vector)"
        " SELECT $1, number, vector FROM unnest($2::int[], $3::bytea[]) AS v (number, vector)"
        " ON CONFLICT (company_id, number) DO UPDATE SET vector = excluded.vector",
        company_id,
        [number for number, _ in vectors],
        [vector for _, vector in vectors],
    )


async def write_state(
    connection: Connection, company_id: UUID, encoder: str | None, *, encoded: bool
) -> None:
    """Note what is indexed, and forget the vectors of another encoder."""
    await connection.execute(
        "DELETE FROM encoded_passages WHERE company_id = $1"
        " AND (SELECT encoder FROM passage_indexes WHERE company_id = $1) IS DISTINCT FROM $2",
        company_id,
        encoder,
    )
    await connection.execute(
        """
        INSERT INTO passage_indexes (company_id, encoder, encoded, passages)
        SELECT $1, $2, $3, count(*) FROM indexed_passages WHERE company_id = $1
        ON CONFLICT (company_id) DO UPDATE SET encoder = excluded.encoder,
          encoded = excluded.encoded, passages = excluded.passages, indexed_at = now()
        """,
        company_id,
        encoder,
        encoded,
    )


async def companies_to_index(
    connection: Connection, encoder: str | None, *, limit: int
) -> list[UUID]:
    """Companies with evidence that this release has not indexed, or the encoder not encoded."""
    rows = await connection.fetch(
        """
        SELECT c.company_id FROM companies c LEFT JOIN passage_indexes i USING (company_id)
        WHERE c.merged_into IS NULL
          AND (i.company_id IS NULL OR NOT i.encoded OR i.encoder IS DISTINCT FROM $1)
          AND (EXISTS (SELECT FROM passages p WHERE p.company_id = c.company_id)
            OR EXISTS (SELECT FROM jobs j WHERE j.company_id = c.company_id)
            OR EXISTS (SELECT FROM signals s WHERE s.company_id = c.company_id))
        LIMIT $2
        """,
        encoder,
        limit,
    )
    return [row["company_id"] for row in rows]
