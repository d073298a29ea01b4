"""Statements of the profile, which are proven when they are stored."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sightline.assistant.contract import Draft, Source, Statement
from sightline.assistant.held import Held, list_words
from sightline.assistant.question import Question, all_covered
from sightline.assistant.words import terms_of

# kind of question → sections, the first that has something answers.
SECTIONS: Final[dict[str, tuple[str, ...]]] = {
    "risks": ("risks",),
    "strategy": ("strategic_priorities", "digital_strategies"),
    "goals": ("goals",),
}
_FILLERS: Final = frozenset(
    terms_of(
        "risk face factor business main name competitor compete competition market rival product offer sell"
        " service customer client priority pursue focus goal set target money make made earn"
        " strategic strategy revenue"
        " do work industry describe explain technology use software tool stack believe see against"
    )
)
# Kinds of software as they are asked for, and as the record calls them where that differs.
_CATEGORIES: Final = r"\b(?:cms|crm|erp|cdn|tag\s+manager|web\s?shop|web\s+analytics)\b"
_CALLED: Final = {"cms": "content management", "web analytics": "analytics", "webshop": "commerce"}
_MOST: Final = 4
_SHORTEST_QUOTE: Final = 40


def subject(kind: str, question: Question) -> tuple[str, ...]:
    """What a question of a kind is about in particular."""
    return tuple(term for term in question.terms(kind) if term not in _FILLERS)


async def read(kind: str, question: Question, held: Held) -> Draft | None:
    """The first statements of the section; None when the question is about something in particular."""
    rest = subject(kind, question)
    for name in SECTIONS[kind]:
        rows = [row for row in await held.section(name) if _sources(row)]
        if rest:
            rows = [r for r in rows if all_covered(rest, terms_of(f"{r['name']} {_words(r)}"))]
        if rows:
            return Draft(tuple(told_by(row) for row in rows[:_MOST]))
    return None


async def read_competitors(question: Question, held: Held) -> Draft | None:
    """The competitors that documents name, in one sentence, with the words that name them."""
    if [term for term in question.terms("competitors") if term not in _FILLERS]:
        return None
    rows = [row for row in await held.section("competitors") if _sources(row)]
    if not rows:
        return None
    names = list(dict.fromkeys(str(row["name"]) for row in rows))[:12]
    sources = _distinct([source for row in rows for source in _sources(row)])
    text = f"Documents name these competitors of {held.name}: {list_words(names)}."
    return Draft((Statement(text, tuple(sources[:4])),))


async def read_overview(question: Question, held: Held) -> Draft | None:
    """What the company does, in its own words."""
    if [term for term in question.terms("overview") if term not in _FILLERS]:
        return None
    body = await held.section("overview")
    sources = _sources(body) if isinstance(body, Mapping) else ()
    quoted = [source for source in sources if source.quote]
    if quoted:
        told = [Statement(" ".join(str(s.quote).split()), (s,)) for s in quoted[:4]]
        return Draft(tuple(told))
    for fact in (await held.facts("description"))[:1]:
        return Draft((Statement(str(fact.value), (held.proof(fact),)),))
    return None


async def read_members(kind: str, question: Question, held: Held) -> Draft | None:
    """Products, customers or technologies that are facts of the record."""
    field, called = {
        "products": ("product", "products"),
        "customers": ("customer", "customers"),
        "technologies": ("technology", "technologies"),
    }[kind]
    rest = [term for term in question.terms(kind) if term not in _FILLERS]
    category = re.search(_CATEGORIES, question.text, re.I) if kind == "technologies" else None
    if category:
        rest = [*terms_of(_CALLED.get(category[0].lower(), category[0]))]
    facts = await held.facts(field)
    if rest:
        facts = [
            f
            for f in facts
            if all_covered(rest, terms_of(" ".join(str(v) for v in f.value.values() if v)))
        ]
    if not facts and category:
        text = f"Nothing held says which {category[0].upper()} {held.name} uses."
        return Draft((), "none", text)
    if not facts:
        return None
    best = sorted(facts, key=lambda f: -f.confidence)[:10]
    names = list_words(list(dict.fromkeys(str(f.value["name"]) for f in best)))
    verb = {"products": "offers", "customers": "names as customers", "technologies": "uses"}[called]
    text = f"{held.name} {verb} {names}."
    return Draft((Statement(text, tuple(held.proof(f) for f in best[:5])),))


def told_by(row: Mapping[str, Any]) -> Statement:
    """The first words that prove a statement; the statement itself where data proves it."""
    first = _sources(row)[0]
    if first.quote is None or len(first.quote) < _SHORTEST_QUOTE:
        return Statement(_words(row), _sources(row))
    return Statement(" ".join(first.quote.split()), (first,))


def _words(row: Mapping[str, Any]) -> str:
    return " ".join(str(row.get("description") or row.get("summary") or row["name"]).split())


def _sources(row: Mapping[str, Any]) -> tuple[Source, ...]:
    return tuple(
        Source(
            document_id=UUID(each["document_id"]),
            url=each.get("url"),
            title=each.get("title") if each.get("quote") else each.get("pointer"),
            quote=each.get("quote"),
            published_at=datetime.fromisoformat(each["published_at"])
            if each.get("published_at")
            else None,
            pointer=each.get("pointer"),
        )
        for each in row.get("sources") or ()
    )


def _distinct(sources: Sequence[Source]) -> list[Source]:
    return list({(s.document_id, s.quote, s.pointer): s for s in sources}.values())
