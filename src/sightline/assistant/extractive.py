"""Answers without a language model: a typed look-up if the question asks for exactly that, else quotes."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from sightline.assistant.company_evidence import Asked, CompanyEvidence, quoted
from sightline.assistant.contract import Draft
from sightline.assistant.lookups import LOOK_UPS
from sightline.assistant.routing import PROSE, Router, spoken_of, written_out
from sightline.assistant.units import units_above
from sightline.domain.cities import home_of_city
from sightline.domain.countries import country_from_text
from sightline.domain.names import name_key
from sightline.reading.named import capitalized, named_in
from sightline.reading.orders import is_order
from sightline.reading.terms import terms
from sightline.search.quotes import find_quotes
from sightline.search.retrieve import retriever
from sightline.store.passages import StoredPassage

_A_PLACE: Final = "Chicago"  # one that the examples of topics.toml name often
_FOLLOWS_UP: Final = 60  # characters: a shorter question may lean on the one before
# Look-ups that would answer for this company what is asked about another; postings and figures say
# themselves which places and years they do not have.
_OF_ANYBODY: Final = ("role", "record", "parts")
_BESIDE: Final = 2  # quotes beside a look-up of figures, or one that is not sure


async def read(
    evidence: CompanyEvidence, question: str, *, before: str | None, router: Router
) -> Draft:
    """A look-up alone, if that is surely all that is asked; else quotes, with what a look-up found after
    or, where they ask for no more, before them. `before` is the question asked just before in the same
    conversation."""
    question, before = map(written_out, (question, before or ""))
    asked = await understand(evidence, question, before, router)
    # Postings say themselves what they lack.
    is_just_that = asked.asks_for("postings") or await router.asks_for_just_that(asked.route)
    found = await _look_up(asked, is_just_that=is_just_that)
    if found is None:
        return await _quoted(asked)
    is_whole = is_just_that and asked.is_sure and found.evidence != "partial"
    # Figures seldom say all: documents say why they changed. A section of the profile is quotes itself.
    is_quotes = asked.asks_for("section") and found.evidence == "partial"
    if is_quotes or not found.statements or (is_whole and not asked.asks_for("figure", "parts")):
        return found
    quotes = await _quoted(asked)
    said = quotes.statements
    both = (*found.statements, *said[:_BESIDE]) if is_just_that else (*said, *found.statements)
    return Draft(both, "sufficient" if is_whole else "partial", related=quotes.related)


async def understand(
    evidence: CompanyEvidence, question: str, before: str | None, router: Router
) -> Asked:
    """Read the question alone, and where that is not sure with the one before it."""
    texts = [question]
    if before and len(question) < _FOLLOWS_UP:
        texts.append(f"{before} {question}")
    names = await evidence.names()
    # The name stands in every document and tells no passage from another.
    wordings = tuple(_renamed(text, names, "") for text in texts)
    asked = Asked(evidence, question, None, wordings)
    for text in texts:
        if not asked.is_sure:
            masked = _renamed(text, names, "the company")
            found = await router.read(masked)
            if found is None and (placed := _with_one_place(masked)) != masked:
                # A place alone makes a question like those for postings: only a sure likeness counts.
                sure = await router.read(placed)
                found = sure if sure and sure.is_sure else None
            asked = replace(asked, route=found or asked.route)
    return asked


def _with_one_place(text: str) -> str:
    """The text with one place for each name, so that questions differ by what they ask and not by where."""
    for start, end in reversed(list(capitalized(text))):
        text = text[:start] + _A_PLACE + text[end:]
    return text


async def _look_up(asked: Asked, *, is_just_that: bool) -> Draft | None:
    route = asked.route
    if route is None or asked.asks_for(PROSE):
        return None
    # Whether documents answer is read from them; and who is near one office may ask for another.
    needs_sure = ("refuse", "section") if is_just_that else ("refuse", "section", "role")
    if asked.asks_for(*needs_sure) and not route.is_sure:
        return None
    found = await LOOK_UPS[route.topic.look_up](asked, **route.topic.arguments)
    if found and asked.asks_for(*_OF_ANYBODY) and await names_unknown(asked):
        text = f"No stored document of {asked.evidence.name} mentions every name you ask about."
        return Draft((), "none", text)
    return found


async def names_unknown(asked: Asked) -> bool:
    """Whether a question has a name, beside the company's own, that no document of it has. A place is no
    such name, which documents may write otherwise, nor is what people say of any company ("CFO")."""
    question = asked.wordings[0]
    found = [question[start:end] for start, end in capitalized(question)]
    names = [name for name in found if not (country_from_text(name) or home_of_city(name))]
    wanted = {term for name in names for term in terms(name)} - spoken_of()
    if not wanted:
        return False
    async with asked.evidence.reading() as connection:
        known = await retriever().retrieve(connection, asked.evidence.company_id, names)
    return not wanted.isdisjoint(terms(" ".join(known.missing)))


async def _quoted(asked: Asked) -> Draft:
    """The quotes that most likely answer a question. `evidence` is `partial` at most, as nothing proves that
    they do; where they probably do not, they only come nearest."""

    def may(passage: StoredPassage) -> bool:
        is_readable = passage.kind != "job" or asked.evidence.may("jobs:read")
        return is_readable and not is_order(passage.body)

    evidence = asked.evidence
    async with evidence.reading() as connection:
        found = await find_quotes(connection, evidence.company_id, asked.wordings, may_quote=may)
        best = found.nearest
        units = await units_above(connection, [one.passage for one in best])
    quotes = tuple(quoted(one, units.get(one.passage.passage_id, "")) for one in best)
    if found.answers:
        return Draft(quotes, "partial", related=[s for q in found.every for s in quoted(q).sources])
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
