"""Answers without a language model: a typed look-up if the question asks for exactly that, else quotes."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from sightline.assistant.asked_names import (
    spelled_as_known,
    unknown_names,
    with_one_person,
    with_one_place,
    without_names,
)
from sightline.assistant.company_evidence import Asked, CompanyEvidence, quoted
from sightline.assistant.contract import Draft, Statement
from sightline.assistant.lookups import LOOK_UPS, titled
from sightline.assistant.routing import (
    AGAIN,
    EARLIER,
    PREDECESSOR,
    PROSE,
    REFUSE,
    ROLE,
    Route,
    Router,
    may_mean,
    office_named,
)
from sightline.assistant.units import units_above
from sightline.domain.names import name_key
from sightline.reading.named import named_in
from sightline.reading.orders import is_order
from sightline.reading.periods import fiscal_years_written_out
from sightline.search.quotes import find_quotes
from sightline.store.passages import StoredPassage

_FOLLOWS_UP: Final = 60  # characters: a shorter question may lean on the one before
# Look-ups that would answer for this company what is asked about another; postings and figures say
# themselves which places and years they do not have.
_OF_ANYBODY: Final = ("role", "career", "value", "members", "headquarters", "parts")
_WITH_TIME: Final = ("figure", "role")  # look-ups that answer for an earlier time, too
_FIGURES: Final = ("figure", "parts")
_POSTINGS: Final = "postings"
_CAREER: Final = "career"
_SOME_OFFICE: Final = 0.5  # likeness to a question for an office, of one that writes out a title
_SECTION: Final = "section"
_BESIDE: Final = 2  # quotes beside a look-up of figures, or one that is not sure


async def read(
    evidence: CompanyEvidence, question: str, *, before: str | None, router: Router
) -> Draft:
    """`before` is the question asked just before in the same conversation."""
    question, before = fiscal_years_written_out(question), fiscal_years_written_out(before or "")
    without_own = _renamed(question, await evidence.names(), "")
    unknown = await unknown_names(evidence, without_own)
    spelled = await spelled_as_known(evidence, question, unknown)
    if spelled != question:
        return await read(evidence, spelled, before=before, router=router)
    asked = await understand(evidence, question, before or None, router)
    found = await _look_up(asked, router)
    if found is not None and unknown and asked.asks_for(*_OF_ANYBODY):
        # "The CEO of" another company; what is asked beside it may be answered.
        rest = without_names(question, unknown)
        said = await read(evidence, rest, before=None, router=router) if rest else Draft()
        text = f"No stored document of {evidence.name} mentions every name you ask about."
        return replace(said, evidence="partial") if said.statements else Draft((), "none", text)
    if found is not None and not found.statements:
        return found
    return await _with_quotes(asked, found, router)


async def _with_quotes(asked: Asked, found: Draft | None, router: Router) -> Draft:
    """What a look-up found alone, if that is surely all that is asked; else quotes beside it."""
    if found is None:
        quotes = await _quoted(asked)
        postings = {row["document_id"] for row in await asked.evidence.postings()}
        cited = {source.document_id for one in quotes.statements for source in one.sources}
        if cited and cited <= postings:  # whose titles and places say more than their words
            found = await LOOK_UPS[_POSTINGS](asked)
        return _beside(found, quotes.statements[:_BESIDE], opens=True) if found else quotes
    # Figures seldom say all: documents say why they changed.
    is_figure = asked.asks_for(*_FIGURES)
    is_just_that = await _is_just_that(router, asked)
    is_whole = is_just_that and asked.is_sure and found.evidence != "partial"
    if asked.asks_for(_CAREER, _SECTION) or (is_whole and not is_figure):
        return found
    said = (await _quoted(asked)).statements
    if is_just_that:
        both = _beside(found, said[:_BESIDE], opens=True)
        return replace(both, evidence=found.evidence) if is_whole else both
    return _beside(found, said, opens=asked.is_sure and not is_figure)


def _beside(found: Draft, quotes: Sequence[Statement], *, opens: bool) -> Draft:
    """What a look-up found with quotes after it, or before it where it does not open the answer."""
    statements = (*found.statements, *quotes) if opens else (*quotes, *found.statements)
    return replace(found, statements=statements, evidence="partial")


async def _is_just_that(router: Router, asked: Asked) -> bool:
    """Whether a question asks for no more than its look-up answers; postings say what they lack."""
    if asked.route is None:
        return False
    return asked.asks_for(_POSTINGS) or await router.asks_for_just_that(asked.route)


async def understand(
    evidence: CompanyEvidence, question: str, before: str | None, router: Router
) -> Asked:
    """Read the question alone, and where that is not sure with the one before it."""
    follows_up = before is not None and len(question) < _FOLLOWS_UP
    texts = [question, f"{before} {question}"] if follows_up else [question]
    names = await evidence.names()
    # The name stands in every document and tells no passage from another.
    wordings = tuple(_renamed(text, names, "") for text in texts)
    masked = [_renamed(text, names, "the company") for text in (*texts, before or "")]
    alone = masked[0]
    without_people = await with_one_person(evidence, alone)
    leaning = await router.read(without_people, alone=False)
    leans = leaning.topic.look_up if leaning else None
    own = await router.read(alone)
    if own is None and (changed := with_one_place(without_people)) != alone:
        # A place alone makes a question like those for postings: only a sure likeness counts.
        found = await router.read(changed)
        own = found if found and found.is_sure else None
    office = office_named(alone)
    if leaning and office and leaning.topic.name == PREDECESSOR:  # the office is written out
        own, leans = Route(office, 1.0, 1.0, alone), EARLIER
    asks = Asked(evidence, question, leans == EARLIER, own, wordings)
    if before is None or (asks.earlier and asks.is_sure and asks.asks_for(*_WITH_TIME)):
        return asks
    # What the question before it did, for the time before or for what this one names; or both together.
    if leans in (EARLIER, AGAIN):
        return replace(asks, route=await router.read(masked[-1]))
    if follows_up and not asks.is_sure:
        return replace(asks, route=await router.read(masked[1]) or own)
    return asks


async def _look_up(asked: Asked, router: Router) -> Draft | None:
    route = asked.route
    if route is None or (asked.asks_for(ROLE) and not await _is_office(asked, router)):
        office = await router.read(asked.question, of=ROLE)
        return await titled(asked) if office and office.likeness >= _SOME_OFFICE else None
    needs_sure = asked.asks_for(REFUSE, _SECTION)  # whether documents answer is read from them
    has_no_past = asked.earlier and not asked.asks_for(*_WITH_TIME)
    if asked.asks_for(PROSE) or has_no_past or (needs_sure and not route.is_sure):
        return None
    arguments = route.topic.arguments
    if asked.asks_for(_CAREER):  # of whom says the nearest office
        office = await router.read(route.text, of=ROLE)
        arguments = arguments | (office.topic.arguments if office else {})
    return await LOOK_UPS[route.topic.look_up](asked, **arguments)


async def _is_office(asked: Asked, router: Router) -> bool:
    """Whether the office of a route is the one that the question asks for."""
    route = asked.route
    if route is None or not may_mean(asked.question, route.topic):
        return False
    return asked.earlier or route.is_sure or await _is_just_that(router, asked)


async def _quoted(asked: Asked) -> Draft:
    """The quotes that most likely answer a question. `evidence` is `partial` at most, as nothing proves that
    they do; where they probably do not, they only come nearest."""

    def may_quote(passage: StoredPassage) -> bool:
        is_readable = passage.kind != "job" or asked.evidence.may("jobs:read")
        return is_readable and not is_order(passage.body)

    evidence = asked.evidence
    async with evidence.reading() as connection:
        found = await find_quotes(
            connection, evidence.company_id, asked.wordings, may_quote=may_quote
        )
        best = found.nearest
        units = await units_above(connection, [one.passage for one in best])
    quotes = tuple(quoted(one, units.get(one.passage.passage_id, "")) for one in best)
    if found.answers:
        return Draft(quotes, "partial")
    # Documents may say it in words that the reader misses, so they are not said to be silent.
    text = f"Nothing in the documents of {evidence.name} clearly answers that; try other words."
    return Draft((), "none", text, nearest=quotes)


def _renamed(text: str, names: Sequence[str], instead: str) -> str:
    """A text with other words where it names the company: whole names in any letters, and what begins
    one with its capital ("Northquay" for Northquay Robotics, but no "general" of "general counsel")."""
    whole = {name for each in names for name in (each, name_key(each)) if len(name) > 2}
    known = "|".join(map(re.escape, sorted(whole, key=len, reverse=True))).replace(
        r"\ and\ ", r"(?:\ and\ |\ ?&\ ?)"
    )
    text = re.sub(rf"(?<!\w)(?i:{known})(?!\w)", instead, text) if known else text
    for start, end in reversed(named_in(text, names)):
        last = text[start:end].removesuffix("'s").removesuffix("’s")
        text = text[:start] + instead + text[start + len(last) :]
    return text
