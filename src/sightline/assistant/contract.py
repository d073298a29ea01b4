"""The parts of an answer, before it is stored."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
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
    they leave open. `related` are further documents, of which those that are not cited are named."""

    statements: tuple[Statement, ...] = ()
    evidence: Sufficiency = "sufficient"
    missing: str | None = None
    nearest: tuple[Statement, ...] = ()
    note: str = ""
    related: Sequence[Source] = ()


@dataclass(frozen=True)
class Answer:
    """A proven answer in the order it is read; `answer` carries the numbers of its citations."""

    answer: str
    citations: Sequence[dict[str, Any]]
    nearest: Sequence[dict[str, Any]]  # the closest quotes where nothing clearly answers
    related: Sequence[dict[str, Any]]
    suggestions: Sequence[str]
    evidence: Sufficiency
    model: str = EXTRACTIVE
    usage: dict[str, Any] = field(default_factory=dict)
    steps: Sequence[dict[str, Any]] = ()  # of a plan: action, reason, citations (numbers)
    # Shown under an id and cited; kept for later turns.
    sources: dict[str, Any] = field(default_factory=dict)

    def envelope(self, conversation_id: UUID | None, message_id: UUID | None) -> dict[str, Any]:
        """What the API answers; without ids where nothing was written down."""
        ids = {"conversation_id": conversation_id, "message_id": message_id}
        parts = [each.name for each in fields(self) if each.name not in ("steps", "sources")]
        named = {name: str(each) if each else None for name, each in ids.items()}
        return named | {part: getattr(self, part) for part in parts}


class Listener:
    """Receives an answer while it is made; this one drops it."""

    async def step(self, name: str, **details: str) -> None:
        """What is being done now."""

    async def say(self, text: str, citations: Sequence[dict[str, Any]]) -> None:
        """The next words of the answer, proven, and the citations that they are the first to name."""

    async def withdraw(self) -> None:
        """Everything said so far is void; another answer follows."""
