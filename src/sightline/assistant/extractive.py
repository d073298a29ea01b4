"""The reader without a model: picks, orders and trims sentences and numbers of the evidence."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Final

from sightline.assistant.contract import Draft
from sightline.assistant.held import Held
from sightline.assistant.question import Question
from sightline.assistant.readers import (
    happenings,
    money,
    passages,
    people,
    postings,
    record,
    sections,
)

Reader = Callable[[Question, Held], Awaitable[Draft | None]]

READERS: Final[dict[str, Reader]] = {
    "role": people.read,
    "person": people.read_person,
    "postings": postings.read,
    "employees": record.read_employees,
    "segments": money.read_parts,
    "money": money.read,
    "place": record.read_place,
    "identity": record.read_identity,
    "competitors": sections.read_competitors,
    "risks": partial(sections.read, "risks"),
    "strategy": partial(sections.read, "strategy"),
    "goals": partial(sections.read, "goals"),
    "money_made": money.read_sources,
    "technologies": partial(sections.read_members, "technologies"),
    "products": partial(sections.read_members, "products"),
    "customers": partial(sections.read_members, "customers"),
    "family": record.read_family,
    "news": happenings.read,
    "overview": sections.read_overview,
}
# Before others that their words are also cues of.
_FIRST: Final = ("money_made",)


async def read(question: Question, held: Held) -> Draft:
    """The first reading of the message that something held answers."""
    if question.refused is not None:
        return Draft((), "none", question.refused)
    missing: Draft | None = None
    for one in (question, *question.others):
        draft = await _read(one, held)
        if draft.statements:
            return draft
        missing = missing if missing is not None and missing.missing else draft
    return missing or Draft((), "none")


async def _read(question: Question, held: Held) -> Draft:
    """The first reader that finds something answers; the last reads whatever passages there are."""
    missing: Draft | None = None
    for kind in sorted(question.kinds, key=lambda k: k not in _FIRST):
        draft = await READERS[kind](question, held)
        if draft is not None and draft.statements:
            return draft
        missing = missing or draft
    figure = "money" in question.kinds and question.period is not None
    if missing is not None and (figure or "technologies" in question.kinds):
        return missing  # prose of another period, or of software in general, is no answer
    draft = await passages.read(_narrowed(question), held)
    return draft or missing or Draft((), "none")


def _narrowed(question: Question) -> Question:
    """Without the words that only say what kind of statement is asked for: "currency" of a currency risk."""
    kind = next((kind for kind in question.kinds if kind in sections.SECTIONS), None)
    if kind is None:
        return question
    rest = sections.subject(kind, question)
    return replace(question, every=rest) if rest else question
