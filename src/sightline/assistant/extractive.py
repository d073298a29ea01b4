"""The answer without a language model: a typed look-up where the question asks for just that, else quotes."""

import re
from dataclasses import dataclass, replace
from typing import Final

from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.contract import Draft, Source, Statement
from sightline.assistant.lookups import LOOK_UPS
from sightline.assistant.lookups_activity import with_one_place
from sightline.assistant.routing import AGAIN, EARLIER, PROSE, REFUSE, Route, Router, spoken_of
from sightline.domain.cities import home_of_city
from sightline.domain.countries import country_from_text
from sightline.reading.named import capitalized
from sightline.reading.orders import is_order
from sightline.reading.periods import fiscal_years_written_out
from sightline.reading.terms import terms
from sightline.search.evidence import Passage
from sightline.search.quotes import Quote, find_quotes
from sightline.search.retrieve import retriever

_FOLLOWS_UP: Final = 60  # characters: a shorter question may lean on the one before
# Look-ups that would answer for this company what is asked about another; postings and figures say
# themselves which places and years they do not have.
_OF_ANYBODY: Final = ("role", "people", "value", "members", "headquarters", "parts")
_WITH_TIME: Final = ("figure", "role")  # look-ups that answer for an earlier time, too
_FIGURES: Final = ("figure", "parts")
_BESIDE: Final = 2  # quotes beside a look-up of figures, or one that is not sure


@dataclass(frozen=True, slots=True)
class Understood:
    """What a question asks for, and how to search for it: `wordings` without the company's name. With
    `earlier` it asks for the time before what `masked` asks for."""

    route: Route | None
    wordings: tuple[str, ...]
    masked: str
    earlier: bool = False


async def read(
    evidence: CompanyEvidence, question: str, *, before: str | None, router: Router | None
) -> Draft:
    """`before` is the question asked just before in the same conversation."""
    question = fiscal_years_written_out(question)
    before = fiscal_years_written_out(before) if before is not None else None
    understood = await understand(evidence, question, before, router)
    route = understood.route
    found = await _look_up(evidence, understood)
    of_anybody = found is not None and route is not None and route.topic.look_up in _OF_ANYBODY
    if of_anybody and await _names_another(evidence, understood.wordings[0]):
        return _unknown(evidence)  # "the CEO of" another company
    if found is not None and not found.statements:
        return found
    is_whole = found is not None and _is_whole(route, found)
    if found is not None and is_whole and not _is_of_figures(route):
        return found
    quotes = await _quoted(evidence, understood)
    if found is None and await _are_postings(evidence, quotes):
        found = await LOOK_UPS["postings"](evidence, question)
    if found is None:
        return quotes
    return replace(
        found,
        statements=(*found.statements, *quotes.statements[:_BESIDE]),
        evidence=found.evidence if is_whole else "partial",
    )


def _is_whole(route: Route | None, found: Draft) -> bool:
    """Whether a look-up is surely what was asked for, and says all of it."""
    return route is not None and route.is_sure and found.evidence != "partial"


def _is_of_figures(route: Route | None) -> bool:
    """Whether a question asks for figures, which seldom says all: documents say why they changed."""
    return route is not None and route.topic.look_up in _FIGURES


async def understand(
    evidence: CompanyEvidence, question: str, before: str | None, router: Router | None
) -> Understood:
    """Read the question alone, and where that is not sure with the one before it."""
    texts = [question]
    if before is not None and len(question) < _FOLLOWS_UP:
        texts.append(f"{before} {question}")
    called = await _called(evidence)
    # The name stands in every document and tells no passage from another.
    wordings = tuple(called.sub("", text) for text in texts)
    if router is None:
        return Understood(None, wordings, question)
    masked, *joined = (called.sub("the company", text) for text in texts)
    route = await router.read(masked) or await _whatever_the_name(router, masked)
    leaning = await router.read(masked, alone=False)
    if leaning is not None and leaning.topic.look_up in (EARLIER, AGAIN):
        earlier = leaning.topic.look_up == EARLIER
        own = route is not None and route.is_sure and _has_time(route)
        if before is not None and not (earlier and own):
            route = await router.read(called.sub("the company", before))
        return Understood(route, wordings, question, earlier=earlier)
    if joined and (route is None or not route.is_sure):
        route = await router.read(joined[0]) or route
    return Understood(route, wordings, question)


async def _whatever_the_name(router: Router, masked: str) -> Route | None:
    """The route of a question with one place, or one person, for any that it names."""
    # A place alone makes a question like those for postings: only a sure likeness counts.
    there = await _other(router, masked, with_one_place(masked))
    if there is not None and there.is_sure:
        return there
    # A name hides what is asked of a person; it must not become a question about the one in its place.
    of_one = await _other(router, masked, _with_one_person(masked))
    return of_one if of_one is not None and of_one.topic.look_up == REFUSE else None


async def _other(router: Router, masked: str, changed: str) -> Route | None:
    return await router.read(changed) if changed != masked else None


async def _look_up(evidence: CompanyEvidence, understood: Understood) -> Draft | None:
    route = understood.route
    if route is None or route.topic.look_up == PROSE:
        return None
    arguments = dict(route.topic.arguments)
    if understood.earlier:
        if not _has_time(route):
            return None
        arguments["earlier"] = True
    return await LOOK_UPS[route.topic.look_up](evidence, understood.masked, **arguments)


async def _quoted(evidence: CompanyEvidence, understood: Understood) -> Draft:
    """The quotes that most likely answer a question; `evidence` is `partial` at most, as nothing proves
    that they do."""

    def may_quote(passage: Passage) -> bool:
        is_readable = passage.kind != "job" or evidence.may("jobs:read")
        return is_readable and not is_order(passage.text)

    async with evidence.reading() as connection:
        found = await find_quotes(
            connection, evidence.company_id, understood.wordings, may_quote=may_quote
        )
    if not found.best:
        # Documents may say it in words that the reader misses, so they are not said to be silent.
        text = f"Nothing in the documents of {evidence.name} clearly answers that; try other words."
        return Draft((), "none", text)
    return Draft(tuple(map(_statement, found.best)), "partial")


def _with_one_person(text: str) -> str:
    """The text with "the CEO" for each name of several words, so that questions differ by what they ask."""
    for start, end in reversed(list(capitalized(text))):
        if " " in text[start:end]:
            text = f"{text[:start]}the CEO{text[end:]}"
    return text


async def _names_another(evidence: CompanyEvidence, question: str) -> bool:
    """Whether a question, without the company's own name, names what no document of it has. A place is no
    such name, which documents may write otherwise, nor is what people say of any company ("CFO")."""
    names = [
        name
        for start, end in capitalized(question)
        for name in [question[start:end]]
        if country_from_text(name) is None and home_of_city(name) is None
    ]
    asked = {term for name in names for term in terms(name)} - spoken_of()
    if not asked:
        return False
    async with evidence.reading() as connection:
        found = await retriever().retrieve(connection, evidence.company_id, names)
    return any(asked & set(terms(word)) for word in found.missing)


def _unknown(evidence: CompanyEvidence) -> Draft:
    text = f"No stored document of {evidence.name} mentions every name you ask about."
    return Draft((), "none", text)


def _statement(one: Quote) -> Statement:
    """'10-K, 2025-02-26: “…”'"""
    passage = one.passage
    day = f", {passage.published_at.date().isoformat()}" if passage.published_at else ""
    text = f"{passage.title or passage.kind}{day}: “{' '.join(one.text.split())}”"
    source = Source(passage.document_id, passage.url, passage.title, one.text, passage.published_at)
    return Statement(text, (source,))


def _has_time(route: Route) -> bool:
    return route.topic.look_up in _WITH_TIME


async def _are_postings(evidence: CompanyEvidence, quotes: Draft) -> bool:
    """Whether all that is quoted are postings, whose titles and places say more than their words."""
    postings = {row["document_id"] for row in await evidence.postings()}
    quoted = [source.document_id for one in quotes.statements for source in one.sources]
    return bool(quoted) and all(document in postings for document in quoted)


async def _called(evidence: CompanyEvidence) -> re.Pattern[str]:
    """What names the company in a question: its names in any letters, and the first word of its name with
    its capital ("Northquay" for Northquay Robotics, but no "general" of "general counsel")."""
    names = sorted(await evidence.names(), key=len, reverse=True)
    known = "|".join(re.escape(name) for name in names if len(name) > 2)  # no ticker of one letter
    first = re.escape(evidence.name.split()[0])
    return re.compile(rf"\b(?:(?i:{known})|{first})\b" if known else rf"\b{first}\b")
