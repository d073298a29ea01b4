"""An answer as it is put together: each statement proven, hidden if need be, numbered and told."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import structlog

from sightline.assistant.contract import Answer, Draft, Listener, Source, Statement, Sufficiency
from sightline.assistant.held import READABLE, Held
from sightline.assistant.privacy import without_suppressed
from sightline.assistant.proof import prove
from sightline.assistant.question import Question
from sightline.assistant.suggest import suggestions
from sightline.store.profile_evidence import document_heads

log = structlog.get_logger()

NOTHING: Final = "Nothing held about {name} answers that."
_MOST_RELATED: Final = 4


class Composition:
    """The statements of one answer in the order they are read."""

    def __init__(self, held: Held, listener: Listener) -> None:
        self._held = held
        self._listener = listener
        self._numbers: dict[tuple[UUID, str | None, str | None], int] = {}
        self._citations: list[dict[str, Any]] = []
        self._parts: list[str] = []
        self._offered = 0

    async def add(self, statements: Sequence[Statement]) -> None:
        """Tell those of the statements that are proven and may be shown."""
        self._offered += len(statements)
        held = self._held
        async with held.reading() as connection:
            proven = await prove(connection, held.company_id, statements)
        shown, hidden = await without_suppressed(proven, held)
        if hidden:
            log.info("assistant_statements_hidden", count=hidden)
        for statement in shown:
            known = len(self._citations)
            self._parts.append(_numbered(statement, self._numbers, self._citations))
            space = " " if len(self._parts) > 1 else ""
            await self._listener.say(space + self._parts[-1], self._citations[known:])

    async def finish(
        self, question: Question, draft: Draft, *, model: str, usage: dict[str, Any]
    ) -> Answer:
        """The whole answer. `draft` says what is missing and how far its evidence goes."""
        held, shown = self._held, len(self._parts)
        evidence: Sufficiency = draft.evidence if shown else "none"
        if evidence == "sufficient" and shown < self._offered:
            evidence = "partial"
        text = " ".join(self._parts)
        if not shown:
            text = draft.missing or NOTHING.format(name=held.name)
            await self._listener.say(text, ())
        return Answer(
            answer=text,
            citations=self._citations,
            related=await _related(question, held, self._citations) if shown else [],
            suggestions=await suggestions(held, question.kinds),
            evidence=evidence,
            model=model,
            usage=usage,
        )

    @property
    def is_empty(self) -> bool:
        return not self._parts


def _numbered(
    statement: Statement,
    numbers: dict[tuple[UUID, str | None, str | None], int],
    citations: list[dict[str, Any]],
) -> str:
    """The statement with the numbers of its citations; new ones are added."""
    marks = []
    for source in statement.sources:
        key = (source.document_id, source.quote, None if source.quote else source.pointer)
        if key not in numbers:
            numbers[key] = len(numbers) + 1
            citations.append({"n": numbers[key], **_citation(source)})
        marks.append(f"[{numbers[key]}]")
    text = statement.text.replace("Inc..", "Inc.").replace("Corp..", "Corp.").replace("Co..", "Co.")
    return f"{text} {''.join(dict.fromkeys(marks))}"


def _citation(source: Source) -> dict[str, Any]:
    return {
        "document_id": str(source.document_id),
        "url": source.url,
        "title": source.title,
        "quote": source.quote,
        "published_at": _time(source),
    }


def _time(source: Source) -> str | None:
    if source.published_at is None:
        return None
    return source.published_at.isoformat().replace("+00:00", "Z")


async def _related(
    question: Question, held: Held, citations: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Further documents on the subject that the answer does not cite."""
    cited = {citation["document_id"] for citation in citations}
    found: dict[str, dict[str, Any]] = {}
    for passage in await held.passages(question.text):
        document_id = str(passage.document_id)
        if document_id in cited or (passage.kind == "job" and not held.may("jobs:read")):
            continue
        found.setdefault(
            document_id,
            _citation(passage.source("")) | {"document_id": document_id},
        )
    if not found:
        async with held.reading() as connection:
            heads = await document_heads(connection, held.company_id)
        for head in heads:
            if head.kind in READABLE and str(head.document_id) not in cited:
                source = Source(head.document_id, head.url, head.title, None, head.published_at)
                found[str(head.document_id)] = _citation(source)
    related = list(found.values())[:_MOST_RELATED]
    return [{key: value for key, value in one.items() if key != "quote"} for one in related]
