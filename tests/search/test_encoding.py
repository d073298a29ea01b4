"""The vectors of questions: each made once, none kept of an encoder that failed or was replaced."""

from collections.abc import Sequence

import numpy as np
import pytest

from sightline.reading.encoder import EncoderFailed
from sightline.reading.vectors import Vectors
from sightline.search import retrieve
from sightline.search.retrieve import Retriever


class Scripted:
    """Counts what it encodes."""

    dimensions = 2

    def __init__(self, name: str = "scripted") -> None:
        self.name = name
        self.asked: list[str] = []
        self.fails = False

    async def encode(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        return self.encode_now(texts, query=query)

    def encode_now(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if self.fails:
            raise EncoderFailed("away")
        self.asked += texts
        return np.array([[len(text), 1.0] for text in texts], np.float32)

    async def failure(self) -> str | None:
        return None


async def test_a_question_is_encoded_once() -> None:
    encoder = Scripted()
    retriever = Retriever(encoder)
    first = await retriever.encode(["depots", "cranes", "depots"])
    again = await retriever.encode(["cranes", "quays", "depots"])
    assert encoder.asked == ["depots", "cranes", "quays"]
    assert [each[0] for each in (*first, *again) if each is not None] == [6, 6, 6, 6, 5, 6]
    retriever.encoder = other = Scripted("other")
    await retriever.encode(["cranes"])
    assert other.asked == ["cranes"]


async def test_while_the_encoder_fails_only_what_is_known_has_a_vector() -> None:
    encoder = Scripted()
    retriever = Retriever(encoder)
    await retriever.encode(["depots"])
    encoder.fails = True
    assert await retriever.encode(["cranes"]) == [None]
    (known,) = await retriever.encode(["depots"])
    assert known is not None


async def test_what_was_asked_long_ago_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieve, "REMEMBERED", 2)
    encoder = Scripted()
    retriever = Retriever(encoder)
    for text in ("depots", "cranes", "depots", "quays", "depots", "cranes"):
        await retriever.encode([text])
    assert encoder.asked == ["depots", "cranes", "quays", "cranes"]
