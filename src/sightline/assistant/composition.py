"""Composes an answer: each statement is proven, hidden if it shows a suppressed person, numbered and sent."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

import structlog
from pydantic import TypeAdapter

from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.contract import Answer, Draft, Listener, Source, Statement
from sightline.domain.contact_records import all_keys
from sightline.reading.orders import is_order
from sightline.reading.stated import normalized
from sightline.store.assistant import plain_texts
from sightline.store.contact_book import read_book, suppressed_keys
from sightline.store.database import Connection

log = structlog.get_logger()

NOTHING: Final = "Nothing stored about {name} answers that."
NEAREST: Final = " The closest passages are listed; they may not answer it."
_MOST_RELATED: Final = 4
_SOURCE: Final = TypeAdapter(Source)
_NAME: Final = r"[^\W\d_][\w’'.-]*"
_NAMES: Final = re.compile(rf"{_NAME}(?:[^\S\n]+{_NAME})*")  # words, with nothing between them
_WORDS_OF_NAME: Final = range(2, 5)
# Begins where nothing of an address stands before it: from each character of a long word it would take
# quadratic time.
_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE: Final = re.compile(r"\+\d[\d\s().-]{6,}\d")


async def compose(
    evidence: CompanyEvidence,
    listener: Listener,
    draft: Draft,
    *,
    model: str,
    usage: dict[str, Any],
    suggestions: Sequence[str] = (),
) -> Answer:
    """Number and send the statements of a draft, all of which may be shown; the whole answer."""
    citations: dict[tuple[UUID | None, str | None], dict[str, Any]] = {}
    parts: list[str] = []
    steps: list[dict[str, Any]] = []
    for statement in draft.statements:
        known, keys = len(citations), [_key(source) for source in statement.sources]
        for key, source in zip(keys, statement.sources, strict=True):
            citations.setdefault(key, {"n": len(citations) + 1, **_citation(source)})
        cited = list(dict.fromkeys(citations[key]["n"] for key in keys))
        text = f"{statement.text} {''.join(f'[{n}]' for n in cited)}"
        if statement.action:
            steps.append({"action": statement.action, "reason": statement.text, "citations": cited})
            text = f"{len(steps)}. {statement.action} {text}"
        parts.append(("\n" if steps else " ") * bool(parts) + text)
        await listener.say(parts[-1], list(citations.values())[known:])
    if parts:
        rest, closest = f"\n\n{draft.note}" * bool(draft.note), list[dict[str, Any]]()
    else:
        rest, closest = await _refusal(evidence, draft)
    if rest:
        await listener.say(rest, ())
    return Answer(
        answer="".join([*parts, rest]),
        citations=list(citations.values()),
        related=_related(draft.related, citations.values()) if parts else [],
        suggestions=suggestions,
        evidence=draft.evidence if parts else "none",
        model=model,
        usage=usage,
        nearest=closest,
        steps=steps,
    )


async def _refusal(evidence: CompanyEvidence, draft: Draft) -> tuple[str, list[dict[str, Any]]]:
    """That nothing answers, in words, and what of the nearest quotes may be shown."""
    nearest = filter(None, await may_be_shown(evidence, draft.nearest))
    closest = [_citation(source) for each in nearest for source in each.sources]
    text = draft.missing or NOTHING.format(name=evidence.name)
    return text + NEAREST * bool(closest), closest


def _key(source: Source) -> tuple[UUID | None, str | None]:
    """What is cited once: words of a document, or a place in its data."""
    return source.document_id, source.quote or source.title


async def may_be_shown(
    evidence: CompanyEvidence, statements: Sequence[Statement]
) -> list[Statement | None]:
    """Each of the statements as it is proven; None for one that is not, gives orders, as its quotes may, to a
    machine which reads it, or shows a suppressed person."""
    harmless = [None if any(map(is_order, (s.action, *_words(s)))) else s for s in statements]
    async with evidence.reading() as connection:
        proven = await prove(connection, harmless)
        book = await read_book(connection) if any(proven) else None
    if book is None:
        return proven
    companies = await evidence.names()
    keys = [_keys("\n".join(_words(each)), companies) if each else set() for each in proven]
    async with evidence.reading() as connection:
        every = set[str]().union(*keys)
        hidden = await suppressed_keys(connection, every, book=book)
    shown = [None if own & hidden else each for each, own in zip(proven, keys, strict=True)]
    if count := proven.count(None) - shown.count(None):
        log.info("assistant_statements_hidden", count=-count)
    return shown


def _words(statement: Statement) -> list[str]:
    return [statement.text, *(source.quote or "" for source in statement.sources)]


def _keys(shown: str, companies: Iterable[str]) -> set[str]:
    """All that a suppression could know the people of a text by."""
    keys = {"e:" + found.lower() for found in _EMAIL.findall(shown)}
    keys |= {"f:+" + "".join(filter(str.isdigit, found)) for found in _PHONE.findall(shown)}
    for name in _names(shown):
        for company in companies:
            keys.update(all_keys({"full_name": name, "company": {"name": company}}))
    return keys


def _names(text: str) -> set[str]:
    """Runs of two to four capitalized words."""
    found = set()
    for run in _NAMES.findall(text):
        words = run.split()
        for size in _WORDS_OF_NAME:
            for some in zip(*(words[at:] for at in range(size)), strict=False):
                if all(word[0].isupper() for word in some):
                    found.add(" ".join(some).strip(".,"))
    return found


def _citation(source: Source, *without: str) -> dict[str, Any]:
    return dict(_SOURCE.dump_python(source, mode="json", exclude={"pointer", *without}))


def _related(
    sources: Sequence[Source], citations: Iterable[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The documents of sources that no citation names, each once."""
    found: dict[str, dict[str, Any]] = {}
    for source in sources:
        if source.document_id:
            found.setdefault(str(source.document_id), _citation(source, "quote"))
    cited = {citation["document_id"] for citation in citations}
    return [one for key, one in found.items() if key not in cited][:_MOST_RELATED]


async def prove(
    connection: Connection, statements: Sequence[Statement | None]
) -> list[Statement | None]:
    """The statements whose every quote stands in its document, white space normalized; None for the others.

    A quote of a source that also has a place in data is dropped for the place where the document does
    not have it; a statement with a quote that is nowhere is not said.
    """
    quotes = [source for each in statements if each for source in each.sources if source.quote]
    texts = await plain_texts(connection, {q.document_id for q in quotes if q.document_id})
    plain = {one: normalized(text) for one, text in texts.items()}
    return [each and _kept(each, plain) for each in statements]


def _kept(statement: Statement, plain: Mapping[UUID, str]) -> Statement | None:
    sources = [source for each in statement.sources if (source := _proven(each, plain))]
    is_whole = sources and len(sources) == len(statement.sources)
    return replace(statement, sources=tuple(sources)) if is_whole else None


def _proven(source: Source, plain: Mapping[UUID, str]) -> Source | None:
    if source.quote is None:
        return source if source.pointer else None
    if source.document_id and normalized(source.quote) in plain.get(source.document_id, ""):
        return replace(source, quote=normalized(source.quote))
    return replace(source, quote=None, title=source.pointer) if source.pointer else None
