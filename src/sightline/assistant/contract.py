"""What an answer is made of, before it is written down."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

Sufficiency = Literal["sufficient", "partial", "none"]
EXTRACTIVE = "extractive"


@dataclass(frozen=True, slots=True)
class Source:
    """What proves a statement: words of a stored document, or a place in its data (`pointer`)."""

    document_id: UUID
    url: str | None
    title: str | None
    quote: str | None
    published_at: datetime | None
    pointer: str | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of an answer with what proves it."""

    text: str
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """What a reader found. `missing` says in words what it looked for and did not find."""

    statements: tuple[Statement, ...] = ()
    evidence: Sufficiency = "sufficient"
    missing: str | None = None


@dataclass(frozen=True)
class Answer:
    """A proven answer in the order it is read; `answer` carries the numbers of its citations."""

    answer: str
    citations: Sequence[dict[str, Any]]
    related: Sequence[dict[str, Any]]
    suggestions: Sequence[str]
    evidence: Sufficiency
    model: str = EXTRACTIVE
    usage: dict[str, Any] = field(default_factory=dict)
