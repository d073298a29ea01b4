"""Work: keep a company's index in step with its evidence.

What there is to index is compared with what is indexed; only the difference is written, in batches
that each commit by themselves. A killed run is continued by the next, which finds less to do.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from sightline.search.analysis import Analyser
from sightline.search.candidates import Columns
from sightline.search.embedding import WORK_KIND as EMBED
from sightline.search.index import Index
from sightline.search.meaning import NAME, document_vectors
from sightline.search.postings import Floats
from sightline.search.segments import MAX_SEGMENTS, Segment, merge, pack
from sightline.search.units import Unit, units_of
from sightline.search.vectors import IN_CHUNK, pack_vectors, unpack_vectors
from sightline.store import indexable, passage_vectors, passages, work
from sightline.store.database import Connection, Database
from sightline.store.indexable import Content, Key, Telling
from sightline.store.passages import Entry, Place, StoredSegment

WORK_KIND = "index_passages"
BATCH = 10_000  # things to index: about 10 s of one core, 75 MB
_PATIENCE = 4  # times the segments that there should be: an embedding model may be long away
MAX_DELETED = 0.2  # share of a segment; above it the segment is written anew


@dataclass(frozen=True, slots=True)
class _Built:
    """A segment ready to be written."""

    segment: Segment
    columns: bytes
    texts: list[bytes]
    entries: list[Entry]
    vectors: Floats | None = None  # of the words, or kept from what the segment is made of


async def index_passages(database: Database, item: work.Work, *, model: str | None = None) -> None:
    """Bring the index of the company that the work names up to date; `model` is to embed it after, and
    without one its vectors are those of its words."""
    company_id = UUID(item.subject)
    while await _add_batch(database, item, company_id, model):
        pass
    await _tidy(database, item, company_id, model)
    async with database.connection() as connection, connection.transaction():
        if model is not None:
            await work.put(connection, EMBED, str(company_id))
        await work.finish(connection, item)


async def _add_batch(
    database: Database, item: work.Work, company_id: UUID, model: str | None
) -> bool:
    """Take out what is gone and add one batch of what is new; answers whether there is more to add."""
    async with database.connection() as connection:
        tellings = await indexable.read_tellings(connection, company_id)
        wanted = await indexable.list_indexable(connection, company_id, tellings)
        entries = await passages.read_entries(connection, company_id)
        known: set[Key] = set()
        gone: list[Place] = []
        for place, entry in entries.items():
            if wanted.get(entry.key) == entry.version:
                known.add(entry.key)
            else:
                gone.append(place)
        missing = sorted(
            set(wanted) - known, key=lambda key: (key.origin, key.origin_id, key.origin_at)
        )
        batch = missing[:BATCH]
        contents = await indexable.read_contents(connection, company_id, batch)
    versions = {key: wanted[key] for key in batch}
    built = None
    if contents:
        built = await asyncio.to_thread(_build, contents, versions, tellings, model is None)
    if built or gone:
        async with database.connection() as connection, connection.transaction():
            await work.hold(connection, item)
            await _take_out(connection, company_id, gone)
            if built:
                await _write(connection, company_id, built, model)
    return len(missing) > len(batch)


def _build(
    contents: Sequence[Content],
    versions: Mapping[Key, str],
    tellings: Mapping[UUID, Sequence[Telling]],
    by_words: bool,
) -> _Built:
    analyser = Analyser()
    units: list[Unit] = []
    for content in contents:
        told = tellings.get(content.key.origin_id, ())
        units += units_of(content, versions[content.key], told, analyser)
    texts = [(unit.title, unit.text) for unit in units]
    index = Index(texts, analyser)
    return _Built(
        pack(index),
        Columns.of([unit.candidate for unit in units]).pack(),
        passages.pack_texts(texts),
        [unit.entry for unit in units],
        document_vectors(index) if by_words else None,
    )


async def _write(
    connection: Connection, company_id: UUID, built: _Built, model: str | None
) -> None:
    stored = await passages.write_segment(
        connection,
        company_id,
        block_count=built.segment.block_count,
        lengths=built.segment.lengths,
        columns=built.columns,
        blocks=built.segment.blocks,
        texts=built.texts,
        entries=built.entries,
    )
    if built.vectors is not None:
        chunks = dict(enumerate(pack_vectors(built.vectors)))
        await passage_vectors.write_vectors(connection, company_id, model or NAME, stored, chunks)


async def _take_out(connection: Connection, company_id: UUID, gone: Sequence[Place]) -> None:
    by_segment: dict[int, list[int]] = {}
    for segment, ordinal in gone:
        by_segment.setdefault(segment, []).append(ordinal)
    changes = {}
    for stored in await passages.read_segments(connection, company_id):
        ordinals = by_segment.get(stored.segment)
        if ordinals:
            every = np.union1d(deleted_of(stored), np.array(ordinals, "<u4"))
            changes[stored.segment] = (ordinals, every.astype("<u4").tobytes())
    await passages.delete_entries(connection, company_id, changes)


def deleted_of(stored: StoredSegment) -> NDArray[np.uint32]:
    """Numbers of a segment's documents that are gone."""
    return np.frombuffer(stored.deleted, "<u4")


async def _tidy(database: Database, item: work.Work, company_id: UUID, model: str | None) -> None:
    """Write as one the segments that are much deleted, and the smallest where there are too many."""
    async with database.connection() as connection:
        segments = await passages.read_segments(connection, company_id)
        if model is not None and len(segments) <= _PATIENCE * MAX_SEGMENTS:
            # What waits for its vectors is merged after it has them, so that none is made twice.
            waiting = await passage_vectors.missing_vectors(
                connection, company_id, model, documents_in_chunk=IN_CHUNK
            )
            unread = {segment for segment, _ in waiting}
            segments = [stored for stored in segments if stored.segment not in unread]
        chosen = _to_merge(segments)
        if not chosen:
            return
        parts, texts, entries = [], [], []
        for stored in chosen:
            blocks = await passages.read_all_blocks(connection, company_id, stored.segment)
            parts.append(Segment(stored.documents, stored.block_count, blocks, stored.lengths))
            texts.append(await passages.read_all_texts(connection, company_id, stored.segment))
            entries.append(
                await passages.read_entries(connection, company_id, segment=stored.segment)
            )
        vectors = await passage_vectors.read_vectors(connection, company_id, model or NAME)
    built = await asyncio.to_thread(_merged, chosen, parts, texts, entries)
    built = replace(built, vectors=_kept_vectors(chosen, vectors))
    async with database.connection() as connection, connection.transaction():
        await work.hold(connection, item)
        await passages.delete_segments(connection, company_id, [s.segment for s in chosen])
        if built.entries:
            await _write(connection, company_id, built, model)


def _kept_vectors(
    chosen: Sequence[StoredSegment], chunks: Mapping[passage_vectors.Chunk, bytes]
) -> Floats | None:
    """The vectors of what stays of these segments; None unless all of them have one."""
    kept = []
    for stored in chosen:
        if len(deleted_of(stored)) == stored.documents:
            continue
        own = [packed for (segment, _), packed in chunks.items() if segment == stored.segment]
        vectors = unpack_vectors(own) if own else np.zeros((0, 0), np.float32)
        if len(vectors) != stored.documents:
            return None
        kept.append(np.delete(vectors, deleted_of(stored), axis=0))
    return np.concatenate(kept) if len({rows.shape[1] for rows in kept}) == 1 else None


def _to_merge(segments: Sequence[StoredSegment]) -> list[StoredSegment]:
    """Half of too many segments, the smallest ones: each text is then rewritten a few times in all."""
    chosen = [s for s in segments if len(deleted_of(s)) > MAX_DELETED * s.documents]
    rest = sorted((s for s in segments if s not in chosen), key=lambda s: (s.documents, s.segment))
    if len(rest) + bool(chosen) > MAX_SEGMENTS:
        chosen += rest[: MAX_SEGMENTS // 2 + 1]
    return sorted(chosen, key=lambda s: s.segment)


def _merged(
    chosen: Sequence[StoredSegment],
    parts: Sequence[Segment],
    texts: Sequence[Sequence[tuple[str, str]]],
    entries: Sequence[Mapping[Place, Entry]],
) -> _Built:
    deleted = [deleted_of(stored) for stored in chosen]
    kept_texts: list[tuple[str, str]] = []
    kept_entries: list[Entry] = []
    columns = []
    for stored, gone, some, known in zip(chosen, deleted, texts, entries, strict=True):
        stays = np.setdiff1d(np.arange(stored.documents), gone)
        kept_texts += [some[ordinal] for ordinal in stays.tolist()]
        kept_entries += [known[stored.segment, ordinal] for ordinal in stays.tolist()]
        columns.append(Columns.unpack(stored.columns, stored.documents).take(stays))
    return _Built(
        merge(parts, deleted),
        Columns.join(columns).pack(),
        passages.pack_texts(kept_texts),
        kept_entries,
    )
