"""Work: give the indexed passages of a company their vectors, where an embedding model is configured.

A chunk of documents at a time is read, embedded and written, so a killed run loses one chunk.
"""

from uuid import UUID

from sightline.llm.embeddings import Embedder
from sightline.search.vectors import IN_CHUNK, pack_vectors
from sightline.store import passage_vectors, passages, work
from sightline.store.database import Database

WORK_KIND = "embed_passages"
_COMPANIES_AT_ONCE = 1_000
_PRIORITY = 10  # searching by words works already


async def embed_passages(database: Database, embedder: Embedder, item: work.Work) -> None:
    """Embed what has no vectors of this model yet. Raises EmbeddingFailed: the queue tries again."""
    company_id = UUID(item.subject)
    while await _embed_chunk(database, embedder, item, company_id):
        pass
    async with database.connection() as connection, connection.transaction():
        await work.finish(connection, item)


async def _embed_chunk(
    database: Database, embedder: Embedder, item: work.Work, company_id: UUID
) -> bool:
    async with database.connection() as connection:
        missing = await passage_vectors.missing_vectors(
            connection, company_id, embedder.name, documents_in_chunk=IN_CHUNK
        )
        if not missing:
            return False
        segment, number = missing[0]
        stored = await passages.read_segments(connection, company_id)
        whole = next((one for one in stored if one.segment == segment), None)
        if whole is None:
            return True  # merged meanwhile
        first = number * IN_CHUNK
        places = [(segment, n) for n in range(first, min(first + IN_CHUNK, whole.documents))]
        texts = await passages.read_texts(connection, company_id, places)
    vectors = await embedder.embed(["\n".join(filter(None, texts[place])) for place in places])
    (packed,) = pack_vectors(vectors)
    async with database.connection() as connection, connection.transaction():
        await work.hold(connection, item)
        await passage_vectors.write_vectors(
            connection, company_id, embedder.name, whole, {number: packed}
        )
    return True


async def embed_missing(database: Database, *, model: str) -> None:
    """Ask for the vectors of companies that were indexed before the model was configured."""
    async with database.connection() as connection:
        waiting = await passage_vectors.companies_without_vectors(
            connection, model, limit=_COMPANIES_AT_ONCE
        )
        for company_id in waiting:
            await work.put(connection, WORK_KIND, str(company_id), priority=_PRIORITY)
