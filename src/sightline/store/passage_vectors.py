"""Vectors of indexed passages, a row for each chunk of a segment, and which are still to be made.

The bytes are those of `sightline.search.vectors`. Rows go with their segment.
"""

from collections.abc import Mapping
from uuid import UUID

from sightline.store.database import Connection
from sightline.store.passages import StoredSegment

Chunk = tuple[int, int]  # segment, number of the chunk


async def read_vectors(connection: Connection, company_id: UUID, model: str) -> dict[Chunk, bytes]:
    """Everything that this model made for a company, in the order of the documents."""
    rows = await connection.fetch(
        "SELECT segment, chunk, vectors FROM passage_vectors WHERE company_id = $1 AND model = $2"
        " ORDER BY segment, chunk",
        company_id,
        model,
    )
    return {(row["segment"], row["chunk"]): row["vectors"] for row in rows}


async def missing_vectors(
    connection: Connection, company_id: UUID, model: str, *, documents_in_chunk: int
) -> list[Chunk]:
    """The chunks that this model has not read."""
    rows = await connection.fetch(
        """
        SELECT s.segment, c.chunk FROM passage_segments s,
          generate_series(0, (s.documents - 1) / $3) AS c (chunk)
        WHERE s.company_id = $1 AND s.documents > 0 AND NOT EXISTS (
          SELECT FROM passage_vectors v WHERE v.company_id = $1 AND v.segment = s.segment
            AND v.chunk = c.chunk AND v.model = $2)
        ORDER BY 1, 2
        """,
        company_id,
        model,
        documents_in_chunk,
    )
    return [(row["segment"], row["chunk"]) for row in rows]


async def companies_without_vectors(
    connection: Connection, model: str, *, limit: int
) -> list[UUID]:
    """Companies with a segment of which this model has read nothing."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT company_id FROM passage_segments s WHERE documents > 0 AND NOT EXISTS (
          SELECT FROM passage_vectors v WHERE v.company_id = s.company_id
            AND v.segment = s.segment AND v.model = $1)
        LIMIT $2
        """,
        model,
        limit,
    )
    return [row["company_id"] for row in rows]


async def write_vectors(
    connection: Connection,
    company_id: UUID,
    model: str,
    segment: StoredSegment,
    chunks: Mapping[int, bytes],
) -> None:
    """Vectors of a segment by number of the chunk; they take the place of another model's. Passed over
    if the segment is gone meanwhile, or its number is that of another now."""
    await connection.executemany(
        """
        INSERT INTO passage_vectors (company_id, segment, chunk, model, vectors)
        SELECT company_id, segment, $3, $4, $5 FROM passage_segments
        WHERE company_id = $1 AND segment = $2 AND lengths = $6
        ON CONFLICT (company_id, segment, chunk)
          DO UPDATE SET model = excluded.model, vectors = excluded.vectors
        """,
        [
            (company_id, segment.segment, number, model, packed, segment.lengths)
            for number, packed in chunks.items()
        ],
    )
