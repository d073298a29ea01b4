"""The stored search index: segments of bytes, the texts beside them, and which entry is what.

The bytes are those of `sightline.search.segments` and `sightline.search.candidates`; here they are
moved only. A segment is never changed but for the numbers of its entries that are gone.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import zstandard

from sightline.store.database import Connection
from sightline.store.indexable import Key

TEXTS_IN_CHUNK = 16
_LEVEL = 6

Place = tuple[int, int]  # segment, ordinal


@dataclass(frozen=True, slots=True)
class StoredSegment:
    """One segment without its postings. `deleted` are little-endian numbers of 32 bits."""

    segment: int
    documents: int
    block_count: int
    lengths: bytes
    columns: bytes
    deleted: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """What one document of a segment is. `document_id` and `start_at` say where its text stands."""

    key: Key
    version: str
    document_id: UUID | None
    start_at: int | None


async def read_segments(connection: Connection, company_id: UUID) -> list[StoredSegment]:
    """The segments of a company, in order; none when nothing of it is indexed."""
    rows = await connection.fetch(
        "SELECT segment, documents, block_count, lengths, columns, deleted FROM passage_segments"
        " WHERE company_id = $1 ORDER BY segment",
        company_id,
    )
    return [StoredSegment(*row) for row in rows]


async def read_blocks(
    connection: Connection, company_id: UUID, wanted: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], bytes]:
    """Postings by (segment, block); blocks without terms are left out."""
    rows = await connection.fetch(
        """
        SELECT b.segment, b.block, b.postings FROM unnest($2::int[], $3::int[]) AS w (segment, block)
        JOIN passage_blocks b ON b.company_id = $1 AND b.segment = w.segment AND b.block = w.block
        """,
        company_id,
        [segment for segment, _ in wanted],
        [block for _, block in wanted],
    )
    return {(row["segment"], row["block"]): row["postings"] for row in rows}


async def read_all_blocks(
    connection: Connection, company_id: UUID, segment: int
) -> dict[int, bytes]:
    """Every block of one segment."""
    rows = await connection.fetch(
        "SELECT block, postings FROM passage_blocks WHERE company_id = $1 AND segment = $2",
        company_id,
        segment,
    )
    return {row["block"]: row["postings"] for row in rows}


async def read_texts(
    connection: Connection, company_id: UUID, places: Iterable[Place]
) -> dict[Place, tuple[str, str]]:
    """(title, text) of each place."""
    wanted = list(places)
    chunks = sorted({(segment, ordinal // TEXTS_IN_CHUNK) for segment, ordinal in wanted})
    rows = await connection.fetch(
        """
        SELECT t.segment, t.chunk, t.texts FROM unnest($2::int[], $3::int[]) AS w (segment, chunk)
        JOIN passage_texts t ON t.company_id = $1 AND t.segment = w.segment AND t.chunk = w.chunk
        """,
        company_id,
        [segment for segment, _ in chunks],
        [chunk for _, chunk in chunks],
    )
    opened = {(row["segment"], row["chunk"]): unpack_texts(row["texts"]) for row in rows}
    found: dict[Place, tuple[str, str]] = {}
    for segment, ordinal in wanted:
        texts = opened.get((segment, ordinal // TEXTS_IN_CHUNK), ())
        if ordinal % TEXTS_IN_CHUNK < len(texts):
            found[segment, ordinal] = texts[ordinal % TEXTS_IN_CHUNK]
    return found


async def read_all_texts(
    connection: Connection, company_id: UUID, segment: int
) -> list[tuple[str, str]]:
    """(title, text) of a whole segment."""
    rows = await connection.fetch(
        "SELECT texts FROM passage_texts WHERE company_id = $1 AND segment = $2 ORDER BY chunk",
        company_id,
        segment,
    )
    return [text for row in rows for text in unpack_texts(row["texts"])]


async def read_entries(
    connection: Connection, company_id: UUID, *, segment: int | None = None
) -> dict[Place, Entry]:
    """What is indexed, by place; of one segment if named."""
    rows = await connection.fetch(
        """
        SELECT segment, ordinal, origin, origin_id, origin_at, version, document_id, start_at
        FROM passage_entries WHERE company_id = $1 AND ($2::int IS NULL OR segment = $2)
        ORDER BY segment, ordinal
        """,
        company_id,
        segment,
    )
    return {
        (row["segment"], row["ordinal"]): Entry(
            Key(row["origin"], row["origin_id"], row["origin_at"]),
            row["version"],
            row["document_id"],
            row["start_at"],
        )
        for row in rows
    }


async def write_segment(
    connection: Connection,
    company_id: UUID,
    *,
    block_count: int,
    lengths: bytes,
    columns: bytes,
    blocks: Mapping[int, bytes],
    texts: Sequence[bytes],
    entries: Sequence[Entry],
) -> StoredSegment:
    """Add a segment; answers it as stored. `entries` in the order of its documents; `texts` are chunks of
    `pack_texts`."""
    segment: int = await connection.fetchval(
        """
        INSERT INTO passage_segments (company_id, segment, documents, block_count, lengths, columns)
        SELECT $1, coalesce(max(segment), 0) + 1, $2, $3, $4, $5 FROM passage_segments
        WHERE company_id = $1 RETURNING segment
        """,
        company_id,
        len(entries),
        block_count,
        lengths,
        columns,
    )
    await connection.copy_records_to_table(
        "passage_blocks",
        records=[(company_id, segment, number, data) for number, data in blocks.items()],
    )
    await connection.copy_records_to_table(
        "passage_texts",
        records=[(company_id, segment, chunk, data) for chunk, data in enumerate(texts)],
    )
    await connection.copy_records_to_table(
        "passage_entries",
        records=[
            (
                company_id,
                segment,
                ordinal,
                entry.key.origin,
                entry.key.origin_id,
                entry.key.origin_at,
                entry.version,
                entry.document_id,
                entry.start_at,
            )
            for ordinal, entry in enumerate(entries)
        ],
        columns=(
            "company_id",
            "segment",
            "ordinal",
            "origin",
            "origin_id",
            "origin_at",
            "version",
            "document_id",
            "start_at",
        ),
    )
    return StoredSegment(segment, len(entries), block_count, lengths, columns, b"")


async def delete_entries(
    connection: Connection, company_id: UUID, gone: Mapping[int, tuple[Sequence[int], bytes]]
) -> None:
    """Take entries out of segments: by segment, the ordinals that go, and all numbers now deleted."""
    for segment, (ordinals, deleted) in gone.items():
        await connection.execute(
            "DELETE FROM passage_entries WHERE company_id = $1 AND segment = $2"
            " AND ordinal = ANY($3::int[])",
            company_id,
            segment,
            list(ordinals),
        )
        await connection.execute(
            "UPDATE passage_segments SET deleted = $3 WHERE company_id = $1 AND segment = $2",
            company_id,
            segment,
            deleted,
        )


async def delete_segments(
    connection: Connection, company_id: UUID, segments: Sequence[int]
) -> None:
    """Delete whole segments with all that belongs to them."""
    for table in ("passage_entries", "passage_segments"):
        await connection.execute(
            f"DELETE FROM {table} WHERE company_id = $1 AND segment = ANY($2::int[])",
            company_id,
            segments,
        )


def pack_texts(texts: Sequence[tuple[str, str]]) -> list[bytes]:
    """(title, text) in the order of a segment, as compressed chunks."""
    compressor = zstandard.ZstdCompressor(level=_LEVEL)
    return [
        compressor.compress(json.dumps(texts[at : at + TEXTS_IN_CHUNK]).encode())
        for at in range(0, len(texts), TEXTS_IN_CHUNK)
    ]


def unpack_texts(chunk: bytes) -> list[tuple[str, str]]:
    texts = json.loads(zstandard.ZstdDecompressor().decompress(chunk))
    return [(title, text) for title, text in texts]
