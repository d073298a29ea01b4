"""The answer without a language model: a typed look-up where the question asks for just that, else quotes."""

import re
from dataclasses import dataclass, replace
from typing import Final

from sightline.assistant.asked_names import spelled_as_known, unknown_names, without_names
from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.contract import Draft, Source, Statement
from sightline.assistant.lookups import LOOK_UPS
from sightline.assistant.lookups_activity import with_one_place
from sightline.assistant.routing import AGAIN, EARLIER, PROSE, REFUSE, Route, Router
from sightline.reading.orders import is_order
from sightline.reading.periods import fiscal_years_written_out
from sightline.search.evidence import Passage
from sightline.search.quotes import Quote, find_quotes

_FOLLOWS_UP: Final = 60  # characters: a shorter question may lean on the one before
# Look-ups that would answer for this company what is asked about another; postings and figures say
# themselves which places and years they do not have.
_OF_ANYBODY: Final = ("role", "people", "value", "members", "headquarters", "parts")
_WITH_TIME: Final = ("figure", "role")  # look-ups that answer for an earlier time, too
_FIGURES: Final = ("figure", "parts")
_POSTINGS: Final = "postings"
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
    without_own = (await _called(evidence)).sub("", question)
    unknown = await unknown_names(evidence, without_own)
    spelled = await spelled_as_known(evidence, question, unknown)
    if spelled != question:
        return await read(evidence, spelled, before=before, router=router)
    understood = await understand(evidence, question, before, router)
    found = await _look_up(evidence, understood)
    route = understood.route
    if found is not None and unknown and route is not None and route.topic.look_up in _OF_ANYBODY:
        # "The CEO of" another company; what is asked beside it may be answered.
        rest = without_names(question, unknown)
        said = await read(evidence, rest, before=None, router=router) if rest else Draft((), "none")
        return replace(said, evidence="partial") if said.statements else _unknown(evidence)
    if found is not None and not found.statements:
        return found
    return await _with_quotes(evidence, understood, found, router)


async def _with_quotes(
    evidence: CompanyEvidence, understood: Understood, found: Draft | None, router: Router | None
) -> Draft:
    """What a look-up found alone, if that is surely all that is asked; else quotes beside it."""
    route = understood.route
    # Figures seldom say all: documents say why they changed.
    is_figure = route is not None and route.topic.look_up in _FIGURES
    is_just_that = found is not None and await _is_just_that(router, route)
    is_sure = route is not None and route.is_sure
    is_whole = found is not None and is_sure and is_just_that and found.evidence != "partial"
    if found is not None and is_whole and not is_figure:
        return found
    quotes = await _quoted(evidence, understood)
    if found is None and await _are_postings(evidence, quotes):
        found, is_just_that = await LOOK_UPS[_POSTINGS](evidence, understood.masked), True
    if found is None:
        return quotes
    beside = quotes.statements[:_BESIDE] if is_just_that else quotes.statements
    opens = is_just_that or (is_sure and not is_figure)
    return replace(
        found,
        statements=(*found.statements, *beside) if opens else (*beside, *found.statements),
        evidence=found.evidence if is_whole else "partial",
    )


async def _is_just_that(router: Router | None, route: Route | None) -> bool:
    """Whether a question asks for no more than its look-up answers; postings say what they lack."""
    if router is None or route is None:
        return False
    return route.topic.look_up == _POSTINGS or await router.asks_for_just_that(route)


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
    changed = with_one_place(masked)
    # A place alone makes a question like those for postings: only a sure likeness counts.
    route = await router.read(changed) if changed != masked else None
    return route if route is not None and route.is_sure else None


async def _look_up(evidence: CompanyEvidence, understood: Understood) -> Draft | None:
    route = understood.route
    if route is None or route.topic.look_up == PROSE:
        return None
    if route.topic.look_up == REFUSE and not route.is_sure:
        return None  # whether documents answer is read from them
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
