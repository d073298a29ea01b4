"""The parts of an answer, before it is stored."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

Sufficiency = Literal["sufficient", "partial", "none"]
EXTRACTIVE = "extractive"


@dataclass(frozen=True, slots=True)
class Source:
    """What proves a statement: words of a stored document, or a place in its data (`pointer`).

    Without a document it is a record of the caller's own organization, named by `title`.
    """

    document_id: UUID | None
    url: str | None = None
    title: str | None = None
    quote: str | None = None
    published_at: datetime | None = None
    pointer: str | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of an answer with what proves it; of a plan, why its `action` is a step."""

    text: str
    sources: tuple[Source, ...]
    action: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a reader found. `missing` says in words what it looked for and did not find, `nearest` are quotes
    that may be on the topic all the same; `note`, after the statements, says as of when they speak and what
    they leave open."""

    statements: tuple[Statement, ...] = ()
    evidence: Sufficiency = "sufficient"
    missing: str | None = None
    nearest: tuple[Statement, ...] = ()
    note: str = ""


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
    nearest: Sequence[dict[str, Any]] = ()  # the closest quotes where nothing clearly answers
    steps: Sequence[dict[str, Any]] = ()  # of a plan: action, reason, citations (numbers)
    sources: dict[str, Any] = field(
        default_factory=dict
    )  # shown under an id and cited; kept for later turns

    def envelope(self, conversation_id: UUID | None, message_id: UUID | None) -> dict[str, Any]:
        """What the API answers; without ids where nothing was written down."""
        parts = (
            "answer",
            "citations",
            "nearest",
            "related",
            "suggestions",
            "evidence",
            "model",
            "usage",
        )
        return {
            "conversation_id": str(conversation_id) if conversation_id else None,
            "message_id": str(message_id) if message_id else None,
            **{part: getattr(self, part) for part in parts},
        }


class Listener:
    """Receives an answer while it is made; this one drops it."""

    async def step(self, name: str, **details: str) -> None:
        """What is being done now."""

    async def say(self, text: str, citations: Sequence[dict[str, Any]]) -> None:
        """The next words of the answer, proven, and the citations that they are the first to name."""

    async def withdraw(self) -> None:
        """Everything said so far is void; another answer follows."""
