"""Names in a sentence: people with their offices, places, and possible other companies."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from sightline.domain.cities import home_of_city
from sightline.domain.countries import country_from_text
from sightline.domain.mentions import NamedCompany
from sightline.domain.names import fold, name_key
from sightline.domain.places import state_from_text
from sightline.reading.dates import days_in
from sightline.reading.legal_forms import LEGAL_FORM
from sightline.reading.money import sums_in
from sightline.reading.months import MONTHS
from sightline.reading.named import LEAST_ALONE, SHARED_FIRST, Span, capitalized, named_in
from sightline.reading.offices import OFFICE_WORD, is_office, tidy_office
from sightline.reading.people import person_name

_LEAST: Final = 3  # letters of a company's name
_CODE: Final = 3  # letters of the code of a state, which may be a firm's too
_FAR: Final = 60  # characters between a person and the office
# Capitalized words of documents that name no one.
_NOBODY: Final = frozenset(
    """
    company registrant corporation board directors agreement merger transaction closing item exhibit form
    report section act commission exchange common stock notes shareholders stockholders annual meeting
    quarter year committee plan credit loan parent buyer seller purchaser borrower lender administrative
    agent merger sub chief officer president executive vice financial
    monday tuesday wednesday thursday friday saturday sunday
    """.split()
)
_BEFORE_MONTHS: Final = ("in", "since", "by", "until", "during", "last")
POSSESSIVE: Final = ("’s", "'s")


@dataclass(frozen=True, slots=True)
class Person:
    """A person that a sentence names, with the office that stands beside the name."""

    name: str
    start: int
    end: int
    office: str | None = None


def people_in(sentence: str) -> list[Person]:
    """The people that a sentence names in full, in order, each once."""
    found: dict[str, Person] = {}
    runs = list(capitalized(sentence))
    offices = [span for span in runs if is_office(sentence[slice(*span)])]
    for start, end in runs:
        if sentence[:start].split()[-1:] in (["from"], ["at"]):  # "comes from Petersen Biologics"
            continue
        person = _person(sentence, start, end)
        if person is not None and fold(person.name) not in found:
            office = _office(sentence, person, offices)
            found[fold(person.name)] = Person(person.name, person.start, person.end, office)
    return list(found.values())


def _person(sentence: str, start: int, end: int) -> Person | None:
    """The name in a run of capitalized words, with offices before or after it taken off."""
    words = sentence[start:end].split(" ")
    while words and OFFICE_WORD.fullmatch(words[0].strip(".")):
        start += len(words.pop(0)) + 1
    while words and OFFICE_WORD.fullmatch(words[-1]):
        end -= len(words.pop()) + 1
    if sentence[start:end].endswith(POSSESSIVE):
        end -= 2
    name = sentence[start:end]
    # "Registrant’s Steel Processing"
    is_owned = any(word.endswith(POSSESSIVE) for word in name.split())
    if is_owned or LEGAL_FORM.search(name) or fold(name.split(" ")[0]) in MONTHS or is_place(name):
        return None
    read = person_name(name)
    return Person(read, start, end) if read else None


def _office(sentence: str, person: Person, offices: Sequence[Span]) -> str | None:
    """The office that follows the name soonest, else the one just before it."""
    after = [span for span in offices if 0 <= span[0] - person.end <= _FAR]
    before = [span for span in offices if 0 <= person.start - span[1] <= 2]
    near = after[:1] or before[-1:]
    return tidy_office(sentence[slice(*near[0])].partition(" of ")[0]) if near else None


def are_listed(sentence: str, people: Sequence[Person]) -> bool:
    """Whether people stand beside each other: "Ann Lee, Bo Ray and Cy Fox"."""
    between = [sentence[one.end : other.start] for one, other in pairwise(people)]
    return all(gap.replace("and", "").strip(" ,.") == "" for gap in between)


def is_of_its_group(name: str, company: NamedCompany) -> bool:
    """Whether a name begins with the word that the company is known by, as those of its subsidiaries do."""
    own = name_key(company.name).partition(" ")[0]
    is_known_by = len(own) >= LEAST_ALONE and own not in SHARED_FIRST
    return is_known_by and name_key(name).partition(" ")[0] == own


def names_in(text: str) -> Iterator[Span]:
    """Runs of capitalized words, each with the legal form after its comma: "Borealis, Inc."."""
    reached = 0
    for start, end in capitalized(text):
        if start < reached:  # the legal form of the name before
            continue
        form = LEGAL_FORM.search(text, end, min(len(text), end + 12))
        reached = form.end() if form and not text[end : form.start()].strip(" ,") else end
        yield start, reached


def companies_in(sentence: str, company: NamedCompany) -> Iterator[Span]:
    """Spans that may name companies other than the one that is read for."""
    taken = named_in(sentence, (company.name, *company.names), speaks=True)
    taken += [(each.start, each.end) for each in days_in(sentence)]
    taken += [(each.start, each.end) for each in sums_in(sentence)]
    for start, end in names_in(sentence):
        is_overlapping = any(start < last and end > first for first, last in taken)
        is_ticker = sentence[end : end + 1] == ":" or sentence[:start].endswith(": ")
        if not is_overlapping and not is_ticker and _may_be_company(sentence[start:end]):
            yield start, end


def _may_be_company(name: str) -> bool:
    """Whether a run of capitals is no month, no legal form alone, and no word of documents: "Restated Credit
    Agreement"."""
    key = name_key(name)
    words = key.split()
    is_time = all(word in MONTHS or word in _BEFORE_MONTHS or word.isdigit() for word in words)
    is_thing = set(words) <= _NOBODY or (words[-1] in _NOBODY and not LEGAL_FORM.search(name))
    return len(key) >= _LEAST and not (is_time or is_legal_form(name) or is_thing)


def is_legal_form(name: str) -> bool:
    """Whether a name is nothing but a legal form, or nothing."""
    return not LEGAL_FORM.sub("", name).strip(" ,.")


def is_place(name: str) -> bool:
    """Whether a name is a large city's, a state's or a country's and nothing more."""
    is_state = len(name) > _CODE and state_from_text(name) is not None
    return is_state or home_of_city(name) is not None or country_from_text(name) is not None
