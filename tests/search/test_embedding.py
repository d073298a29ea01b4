"""Searching by meaning: vectors as bytes, the two kinds of models, and the index they fill."""

import json
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest

from sightline.kit.clock import now
from sightline.llm.embeddings import (
    EmbeddingConfig,
    EmbeddingFailed,
    LocalEmbedder,
    open_embedder,
)
from sightline.queue.runner import Runner
from sightline.search import embedding, indexing
from sightline.search.relevance import Relevance, Request
from sightline.search.vectors import IN_CHUNK, likeness, pack_vectors, unpack_vectors
from sightline.store import passage_vectors, passages
from sightline.store.database import Database, open_database
from sightline.store.work import put
from tests.store.evidence_data import add_document

# What the pretended model knows: words of one direction mean the same.
DIRECTIONS = {"dock": 0, "quay": 0, "wharf": 0, "soup": 1, "bread": 1, "zeppelin": 2}


@dataclass
class Server:
    """Speaks OpenAI's embeddings protocol; keeps what it was asked."""

    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    status: int = 200
    dimensions: int = 4
    url: str = ""

    def answer(self, texts: list[str]) -> dict[str, Any]:
        rows = []
        for n, text in enumerate(texts):
            vector = [0.01] * self.dimensions
            for word, direction in DIRECTIONS.items():
                vector[direction] += word in text.lower()
            rows.append({"index": n, "embedding": vector})
        return {"object": "list", "data": rows[::-1]}


@pytest.fixture
def model_server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            assert self.path == "/v1/embeddings"
            state.asked.append(body)
            state.keys.append(self.headers.get("authorization"))
            answer = json.dumps(state.answer(body["input"])).encode()
            self.send_response(state.status)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        state.url = f"http://127.0.0.1:{listening.server_port}/v1"
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        yield state
        listening.shutdown()


@pytest.fixture
async def workers(database_url: str) -> AsyncIterator[Database]:
    opened = await open_database(database_url, role="sightline_worker", size=6)
    yield opened
    await opened.close()


async def index(workers: Database, company_id: UUID, config: EmbeddingConfig) -> None:
    embedder = open_embedder(config)
    async with workers.connection() as connection:
        await put(connection, indexing.WORK_KIND, str(company_id))
    await Runner(
        database=workers,
        handlers={
            indexing.WORK_KIND: partial(indexing.index_passages, workers, model=embedder.name),
            embedding.WORK_KIND: partial(embedding.embed_passages, workers, embedder),
        },
        slots=1,
        per_organization=10,
    ).run_all()


async def found(
    workers: Database, company_id: UUID, text: str, config: EmbeddingConfig | None
) -> list[str]:
    engine = Relevance(open_embedder(config) if config else None)
    async with workers.connection() as connection:
        hits = await engine.search(connection, company_id, Request(now(), text))
        places = [hit.place for hit in hits]
        quoted = await engine.quote(connection, company_id, dict.fromkeys(places, 0), text)
    return [quoted[place].text for place in places]


def test_a_byte_a_dimension_keeps_the_direction() -> None:
    generator = np.random.default_rng(5)
    rows = generator.standard_normal((IN_CHUNK + 44, 96)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    packed = pack_vectors(rows)
    assert [len(one) for one in packed] == [4 + 100 * IN_CHUNK, 4 + 100 * 44]
    assert np.allclose(unpack_vectors(packed), rows, atol=0.003)
    assert pack_vectors(unpack_vectors(packed)) == packed, "merging loses nothing more"


def test_likeness_is_the_cosine_and_0_where_nothing_is_known() -> None:
    rows = np.eye(3, 8, dtype=np.float32)
    (packed,) = pack_vectors(rows)
    query = np.array([0.6, 0.8, 0, 0, 0, 0, 0, 0], np.float32)
    scores = likeness(query, {(7, 0): packed, (9, 0): packed}, {2: 2, 7: 3})
    assert np.allclose(scores, [0, 0, 0.6, 0.8, 0], atol=1e-3)
    other = likeness(query[:5], {(7, 0): packed}, {7: 3})
    assert other.tolist() == [0, 0, 0], "vectors of another model cannot be compared"


@pytest.mark.parametrize("name", ["", "local", "local:", "openai:", "cohere:x"])
def test_a_name_that_is_none(name: str) -> None:
    with pytest.raises(EmbeddingFailed):
        open_embedder(EmbeddingConfig(name))


async def test_a_server_is_asked_in_batches(model_server: Server) -> None:
    embedder = open_embedder(EmbeddingConfig("openai:tiny", model_server.url, "k-1"))
    vectors = await embedder.embed([f"quay {n}" for n in range(70)] + [""])
    assert vectors.shape == (71, 4)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert np.argmax(vectors[0]) == 0
    assert [len(asked["input"]) for asked in model_server.asked] == [64, 7]
    assert model_server.asked[1]["input"][-1] == " "
    assert {asked["model"] for asked in model_server.asked} == {"tiny"}
    assert set(model_server.keys) == {"Bearer k-1"}


async def test_a_server_that_fails(model_server: Server) -> None:
    embedder = open_embedder(EmbeddingConfig("openai:tiny", model_server.url))
    model_server.status = 500
    with pytest.raises(EmbeddingFailed):
        await embedder.embed(["x"])
    with pytest.raises(EmbeddingFailed):
        await open_embedder(EmbeddingConfig("openai:x", "http://127.0.0.1:9/v1")).embed(["x"])


async def test_a_local_model_needs_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(EmbeddingFailed, match="sentence-transformers"):
        await LocalEmbedder("tiny").embed(["x"])


async def test_meaning_finds_what_words_do_not(workers: Database, model_server: Server) -> None:
    company_id, config = uuid4(), EmbeddingConfig("openai:tiny", model_server.url)
    texts = ["A new wharf opens in spring.", "The canteen has soup.", "Ten people were hired."]
    await add_document(workers, company_id, texts)
    await index(workers, company_id, config)
    assert await found(workers, company_id, "dock", None) == []
    assert await found(workers, company_id, "dock", config) == texts[:1]
    assert await found(workers, company_id, "people", config) == [texts[2]]
    model_server.status = 503
    assert await found(workers, company_id, "people", config) == [texts[2]], "by words alone"


async def test_vectors_are_made_once_and_kept_when_segments_merge(
    workers: Database, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    company_id, config = uuid4(), EmbeddingConfig("openai:tiny", model_server.url)
    monkeypatch.setattr(indexing, "MAX_SEGMENTS", 2)
    for n in range(6):
        texts = [f"Pier {n} has a quay.", f"Pier {n} has bread."]
        await add_document(workers, company_id, texts, url=f"https://harbor.example/{n}")
        await index(workers, company_id, config)
    said = [text for asked in model_server.asked for text in asked["input"]]
    assert len(said) == len(set(said)) == 12
    async with workers.connection() as connection:
        stored = await passages.read_segments(connection, company_id)
        chunks = await passage_vectors.read_vectors(connection, company_id, "openai:tiny")
    assert len(stored) <= 3, "the newest waited for its vectors"
    assert sorted(chunks) == [(one.segment, 0) for one in stored]
    hits = await found(workers, company_id, "wharf", config)
    assert len(hits) == 6
    assert all("quay" in hit for hit in hits)


async def test_another_model_reads_everything_anew(workers: Database, model_server: Server) -> None:
    company_id = uuid4()
    await add_document(workers, company_id, ["The quay is long.", "The bread is good."])
    await index(workers, company_id, EmbeddingConfig("openai:tiny", model_server.url))
    model_server.dimensions = 6
    other = EmbeddingConfig("openai:wide", model_server.url)
    assert await found(workers, company_id, "dock", other) == [], "not read by it yet"
    await embedding.embed_missing(workers, model="openai:wide")
    async with workers.connection() as connection:
        waiting = await connection.fetchval(
            "SELECT count(*) FROM work WHERE kind = $1 AND subject = $2",
            embedding.WORK_KIND,
            str(company_id),
        )
    assert waiting == 1
    await index(workers, company_id, other)
    assert await found(workers, company_id, "dock", other) == ["The quay is long."]
