"""Composes an answer: each statement is proven, hidden if necessary, numbered and sent."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

import structlog

from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.contract import Answer, Draft, Listener, Source, Statement, Sufficiency
from sightline.assistant.privacy import without_suppressed
from sightline.reading.orders import is_order
from sightline.reading.stated import normalized
from sightline.store.assistant import plain_texts, words_stand
from sightline.store.database import Connection

log = structlog.get_logger()

NOTHING: Final = "Nothing stored about {name} answers that."
NEAREST: Final = " The closest passages are listed; they may not answer it."
_MOST_RELATED: Final = 4


class Composition:
    """The statements of one answer in the order they are read."""

    def __init__(self, evidence: CompanyEvidence, listener: Listener) -> None:
        self._evidence = evidence
        self._listener = listener
        self._numbers: dict[tuple[UUID | None, str | None, str | None], int] = {}
        self._citations: list[dict[str, Any]] = []
        self._parts: list[str] = []
        self._steps: list[dict[str, Any]] = []
        self._offered = 0

    async def add(self, statements: Sequence[Statement]) -> list[Statement]:
        """Send those of the statements that are proven and may be shown; returns them."""
        self._offered += len(statements)
        shown = await self._may_be_shown(statements)
        for statement in shown:
            known = len(self._citations)
            numbers = self._cite(statement)
            text = f"{statement.text} {''.join(f'[{n}]' for n in numbers)}"
            space = " " if self._parts else ""
            if statement.action:
                step = {"action": statement.action, "reason": statement.text, "citations": numbers}
                self._steps.append(step)
                text = f"{len(self._steps)}. {statement.action} {text}"
                space = "\n" if self._parts else ""
            self._parts.append(space + text)
            await self._listener.say(space + text, self._citations[known:])
        return shown

    async def finish(
        self,
        draft: Draft,
        *,
        model: str,
        usage: dict[str, Any],
        related: Sequence[Source] = (),
        suggestions: Sequence[str] = (),
    ) -> Answer:
        """The whole answer. `draft` says what is missing and how far its evidence goes; `related` are
        further documents, of which those that are not cited are named."""
        shown = len(self._parts)
        evidence: Sufficiency = draft.evidence if shown else "none"
        if evidence == "sufficient" and shown < self._offered:
            evidence = "partial"
        nearest = [] if shown else await self._may_be_shown(draft.nearest)
        if rest := self._rest(draft, has_nearest=bool(nearest)):
            await self._listener.say(rest, ())
        return Answer(
            answer="".join([*self._parts, rest]),
            citations=self._citations,
            related=_related(related, self._citations) if shown else [],
            suggestions=suggestions,
            evidence=evidence,
            model=model,
            usage=usage,
            nearest=[_citation(source) for each in nearest for source in each.sources],
            steps=self._steps,
        )

    def _rest(self, draft: Draft, *, has_nearest: bool) -> str:
        """What follows the statements, or stands in their place."""
        if self._parts:
            return f"\n\n{draft.note}" if draft.note else ""
        missing = draft.missing or NOTHING.format(name=self._evidence.name)
        return missing + (NEAREST if has_nearest else "")

    async def _may_be_shown(self, statements: Sequence[Statement]) -> list[Statement]:
        """Statements that are proven, give no orders and name no suppressed person."""
        # None that speaks to a machine which reads it, nor whose quotes do.
        harmless = [
            each
            for each in statements
            if not any(
                map(is_order, (each.text, each.action, *(s.quote or "" for s in each.sources)))
            )
        ]
        async with self._evidence.reading() as connection:
            proven = await prove(connection, harmless)
        shown, hidden = await without_suppressed(proven, self._evidence)
        if hidden:
            log.info("assistant_statements_hidden", count=hidden)
        return shown

    def _cite(self, statement: Statement) -> list[int]:
        """The numbers of a statement's citations; new ones are added."""
        numbers = []
        for source in statement.sources:
            key = (source.document_id, source.quote, None if source.quote else source.title)
            if key not in self._numbers:
                self._numbers[key] = len(self._numbers) + 1
                self._citations.append({"n": self._numbers[key], **_citation(source)})
            numbers.append(self._numbers[key])
        return list(dict.fromkeys(numbers))


def _citation(source: Source) -> dict[str, Any]:
    published = source.published_at
    return {
        "document_id": str(source.document_id) if source.document_id else None,
        "url": source.url,
        "title": source.title,
        "quote": source.quote,
        "published_at": published.isoformat().replace("+00:00", "Z") if published else None,
    }


def _related(
    sources: Sequence[Source], citations: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The documents of sources that no citation names, each once."""
    cited = {citation["document_id"] for citation in citations} | {None}
    found: dict[str, dict[str, Any]] = {}
    for source in sources:
        one = _citation(source)
        if one["document_id"] not in cited:
            del one["quote"]
            found.setdefault(one["document_id"], one)
    return list(found.values())[:_MOST_RELATED]


async def prove(connection: Connection, statements: Sequence[Statement]) -> list[Statement]:
    """The statements whose every quote stands in its document, white space normalized.

    A quote of a source that also has a place in data is dropped for the place where the document does
    not have it; a statement with a quote that is nowhere is not said.
    """
    quoted = [
        (source.document_id, source.quote)
        for statement in statements
        for source in statement.sources
        if source.quote is not None and source.document_id is not None
    ]
    found = await _standing(connection, list(dict.fromkeys(quoted)))
    proven = []
    for statement in statements:
        sources = [_proven(source, found) for source in statement.sources]
        kept = tuple(source for source in sources if source is not None)
        if kept and len(kept) == len(sources):
            proven.append(replace(statement, sources=kept))
    return proven


async def _standing(
    connection: Connection, quoted: Sequence[tuple[UUID, str]]
) -> set[tuple[UUID, str]]:
    """Those of some quotes that stand in their documents."""
    exact = await words_stand(connection, quoted)
    found = {key for key, stands in zip(quoted, exact, strict=True) if stands}
    rest = [key for key in quoted if key not in found]
    texts = await plain_texts(connection, {one for one, _ in rest}) if rest else {}
    plain = {one: normalized(text) for one, text in texts.items()}
    return found | {key for key in rest if normalized(key[1]) in plain.get(key[0], "")}


def _proven(source: Source, found: set[tuple[UUID, str]]) -> Source | None:
    if source.quote is None:
        return source if source.pointer else None
    if source.document_id is not None and (source.document_id, source.quote) in found:
        return replace(source, quote=normalized(source.quote))
    return replace(source, quote=None, title=source.pointer) if source.pointer else None
