"""People in a filing as observations: officers and directors by name, and the number of employees."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from sightline.domain.evidence import Observation
from sightline.domain.same_person import group_people
from sightline.reading.headcounts import read_headcount
from sightline.reading.offices import is_chief_executive, role_of, tidy_office
from sightline.reading.rosters import listed_people

# "Co-Chief Executive Officer", "Joint CEO": how two say that they lead together.
_SHARED = re.compile(r"\b(?:co-?\s?(?=chief|ceo|president|principal)|joint\b)", re.IGNORECASE)
_MOST_CHIEFS: Final = 3
_SUREST: Final = 0.95


@dataclass(frozen=True, slots=True)
class Person:
    """A person as one place of a filing describes them. `quote` is verbatim; `since` is a year."""

    name: str
    title: str
    quote: str
    age: int | None = None
    since: int | None = None
    signed: date | None = None
    principal_executive: bool = False


def read_officers(text: str) -> tuple[Person, ...]:
    """Executive officers and directors that an annual report or a proxy statement lists, each once."""
    return unique_people(
        Person(one.name, one.office, text[one.start : one.end], one.age, one.since)
        for one in listed_people(text)
    )


def officer_observations(text: str) -> tuple[Observation, ...]:
    """`person` and `ceo` from the lists of officers and directors."""
    return tuple(people_observations(read_officers(text), confidence=0.88))


def headcount_observations(text: str) -> tuple[Observation, ...]:
    """`employees` as the text states it, or nothing."""
    found = read_headcount(text)
    if found is None:
        return ()
    sure = round(min(_SUREST, 0.5 + found.score / 2), 2)
    return (
        Observation("employees", found.count, "text", sure, quote=found.quote, as_of=found.as_of),
    )


def unique_people(people: Iterable[Person]) -> tuple[Person, ...]:
    """One entry per person: the first as an officer, else the first, with the others' age and year."""
    listed = list(people)
    groups = group_people(
        [(person.name, None) for person in listed], titles=[person.title for person in listed]
    )
    return tuple(_completed([listed[place] for place in group]) for group in groups)


def _completed(entries: Sequence[Person]) -> Person:
    officers = (person for person in entries if role_of(person.title) == "officer")
    return replace(
        next(officers, entries[0]),
        age=next((person.age for person in entries if person.age), None),
        since=next((person.since for person in entries if person.since), None),
        signed=next((person.signed for person in entries if person.signed), None),
        principal_executive=any(person.principal_executive for person in entries),
    )


def people_observations(people: Iterable[Person], *, confidence: float) -> Iterator[Observation]:
    """`person` of each, and `ceo` of the chief executive: of both where two share the office.

    Several who do not say that they share it cannot be distinguished, so there is none.
    """
    chiefs: list[Person] = []
    for person in people:
        value = {
            "name": person.name,
            "title": tidy_office(person.title),
            "role": role_of(person.title),
            "age": person.age,
            "since": person.since,
        }
        yield Observation(
            "person", value, "text", confidence, quote=person.quote, as_of=person.signed
        )
        if person.principal_executive or is_chief_executive(person.title):
            chiefs.append(person)
    principal = [person for person in chiefs if person.principal_executive] or chiefs
    shared = 1 < len(principal) <= _MOST_CHIEFS and all(
        _SHARED.search(person.title) for person in principal
    )
    if len(principal) == 1 or shared:
        chief = principal[0]
        sure = min(_SUREST, confidence + 0.05)
        names = " and ".join(sorted(person.name for person in principal))
        yield Observation("ceo", names, "text", sure, quote=chief.quote, as_of=chief.signed)
