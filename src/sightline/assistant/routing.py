"""Chooses the look-up for a question: the topic whose example questions are nearest to its vector.

The examples stand in `data/topics.toml`. Nothing here reads words; without an encoder nothing is routed
and every question is answered with passages.
"""

import asyncio
import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from sightline.reading.encoder import Encoder, EncoderFailed
from sightline.reading.onnx_encoder import OnnxEncoder, Tokens
from sightline.reading.periods import fiscal_years_written_out
from sightline.reading.terms import terms
from sightline.reading.tokens import tokens
from sightline.reading.vectors import Vectors, unit

# Cosine to the nearest example from which a topic is taken, and from which its answer alone is enough.
# Chosen on the questions of tests/eval/data.
NEAR: Final = 0.62
SURE: Final = 0.75
SURE_LEAD: Final = 0.08  # of its likeness over that of the next topic, for its answer alone
# Likeness of each token of a question to the nearest of a topic's examples from which it asks for just that.
# Questions of training/questions.jsonl that are surely of a topic and ask for more are below.
COVERED: Final = 0.55
PROSE: Final = "passages"  # the look-up of topics that documents answer in prose
VECTORS: Final = "topics.vectors"
_DIGEST: Final = 32  # bytes at the beginning of the file
_PATIENCE: Final = 10.0  # seconds for the examples, once a process


@dataclass(frozen=True, slots=True)
class Topic:
    """`look_up` is a function of `lookups`, `arguments` what it is called with."""

    name: str
    look_up: str
    arguments: dict[str, Any]
    examples: tuple[str, ...]
    phrases: tuple[str, ...]  # the examples before anything is filled in


@dataclass(frozen=True, slots=True)
class Route:
    """`likeness` of a `text` is the cosine to the nearest example of the topic, `lead` that over the next
    topic."""

    topic: Topic
    likeness: float
    lead: float
    text: str

    @property
    def is_sure(self) -> bool:
        return self.likeness >= SURE and self.lead >= SURE_LEAD


@cache
def _declared() -> dict[str, Any]:
    return tomllib.loads(_file("topics.toml").decode())


@cache
def topics() -> tuple[Topic, ...]:
    """Every topic, in the order of the file."""
    made = []
    for row in map(dict, _declared()["topic"]):
        examples = list(row.pop("examples"))
        phrases = list(examples)
        for part, frames in _declared()["frames"].items():
            words = row.pop(part, ())
            examples += [frame.format(word) for word in words for frame in frames]
            phrases += [frame.format("") for frame in frames if words]
        name, look_up = row.pop("name"), row.pop("look_up")
        made.append(Topic(name, look_up, row, tuple(examples), tuple(phrases)))
    return tuple(made)


@cache
def spoken_of() -> frozenset[str]:
    """The terms of all examples: what people say of any company."""
    return frozenset(term for topic in topics() for one in topic.examples for term in terms(one))


def plain_terms(topic: Topic) -> frozenset[str]:
    """The terms of a topic's examples before anything is filled in, and of what may stand beside."""
    return frozenset(t for one in (*topic.phrases, *_declared()["beside"]) for t in terms(one))


def written_out(text: str) -> str:
    """The text with fiscal years as documents write them, and without words that only their capitals tell
    from others: "Who runs IT?" has no "it"."""
    instead = {} if text.isupper() else _declared()["written_out"]
    for word in reversed(list(tokens(text))):
        text = text[: word.start] + instead.get(word.text, word.text) + text[word.end :]
    return fiscal_years_written_out(text)


def examples_digest(encoder: str) -> bytes:
    """What the stored vectors of the examples belong to: the file and the name of an encoder."""
    return hashlib.sha256(_file("topics.toml") + encoder.encode()).digest()


def _stored(encoder: str, examples: int) -> Vectors | None:
    """The vectors that training/topics.py stored, if they are of these examples and this encoder."""
    packed = _file(VECTORS)
    if packed[:_DIGEST] != examples_digest(encoder):
        return None
    rows = np.frombuffer(packed[_DIGEST:], "<f2").astype(np.float32)
    return rows.reshape(examples, -1)


def _file(name: str) -> bytes:
    return files("sightline.assistant").joinpath("data", name).read_bytes()


class Router:
    """Routes questions with one encoder, without one none; the examples are encoded at the first question."""

    def __init__(self, encoder: Encoder | None) -> None:
        self.encoder = encoder
        self._examples: Vectors | None = None
        self._tokens: dict[str, list[Tokens]] = {}  # of the examples, by topic
        self._lock = asyncio.Lock()

    async def read(self, text: str) -> Route | None:
        """The topic that a question is near enough to; None also where the encoder is away."""
        if self.encoder is None:
            return None
        try:
            cosines = await self._cosines(text, self.encoder)
        except (EncoderFailed, TimeoutError):
            return None
        ends = np.cumsum([len(topic.examples) for topic in topics()])[:-1]
        likeness = np.array([own.max() for own in np.split(cosines, ends)])
        second, first = np.argsort(likeness)[-2:]
        lead = float(likeness[first] - likeness[second])
        found = Route(topics()[first], float(likeness[first]), lead, text)
        return found if found.likeness >= NEAR else None

    async def _cosines(self, text: str, encoder: Encoder) -> Vectors:
        """Of a text to every example."""
        async with asyncio.timeout(_PATIENCE), self._lock:
            examples = [example for topic in topics() for example in topic.examples]
            if self._examples is None:
                self._examples = _stored(encoder.name, len(examples))
            if self._examples is None:
                self._examples = await encoder.encode(examples, query=True)
        vectors = await encoder.encode([text], query=True)
        cosines: Vectors = (vectors @ self._examples.T).max(axis=0)
        return cosines

    async def asks_for_just_that(self, route: Route | None) -> bool:
        """Whether the examples of its topic have every part of a question, in these or in other words; a
        question may ask for more ("and where was he before?"). False without the vectors of tokens."""
        if route is None or not isinstance(self.encoder, OnnxEncoder):
            return False
        name = route.topic.name
        try:
            if name not in self._tokens:
                said = [*route.topic.examples, *_declared()["beside"]]
                self._tokens[name] = await self.encoder.read_tokens(said)
            (asked,) = await self.encoder.read_tokens([route.text])
        except EncoderFailed:
            return False
        known = unit(np.concatenate([one.halfway[1:-1] for one in self._tokens[name]]))
        nearest = (unit(asked.halfway[1:-1]) @ known.T).max(axis=1, initial=0.0)
        return float(nearest.min(initial=1.0)) >= COVERED


_ROUTERS: dict[str, Router] = {}


def router_for(encoder: Encoder | None) -> Router:
    """The router of an encoder, whose examples are encoded once a process."""
    return _ROUTERS.setdefault(encoder.name if encoder else "", Router(encoder))
