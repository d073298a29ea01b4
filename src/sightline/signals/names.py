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
_TITLES: Final = frozenset("mr ms mrs dr".split())
_BEFORE_MONTHS: Final = ("in", "since", "by", "until", "during", "last")
_ARTICLES: Final = frozenset("a an the this such each any".split())
POSSESSIVE: Final = ("’s", "'s")
_OPENS: Final = " (“\"‘'"


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
    if LEGAL_FORM.search(name) or fold(name.split(" ")[0]) in MONTHS or has_possessive(name):
        return None
    read = person_name(name)
    if read is None or is_place(name):
        return None
    return Person(read, start, end)


def has_possessive(name: str) -> bool:
    """Whether a word of a name belongs to another: "Registrant’s Steel Processing"."""
    return any(word.endswith(POSSESSIVE) for word in name.split())


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


def is_term(sentence: str, start: int, end: int) -> bool:
    """Whether a name is an office, a person's last name or a term that the document defines: "the Amendment",
    "Mr. Brandt"; of names of one word behind an article only abbreviations are kept, as in "the FAA"."""
    name = sentence[start:end]
    before = [fold(word) for word in sentence[:start].rstrip(_OPENS).split()[-1:]]
    words = name.split(" ")
    is_word = len(words) == 1 and not name.isupper()
    return (
        is_office(name)
        or (len(words) == 2 and fold(words[0]) in _TITLES)
        or any(word in _TITLES or (is_word and word in _ARTICLES) for word in before)
    )


def is_of_its_group(name: str, company: NamedCompany) -> bool:
    """Whether a name begins with the word that the company is known by, as those of its subsidiaries do."""
    own = name_key(company.name).partition(" ")[0]
    is_known_by = len(own) >= LEAST_ALONE and own not in SHARED_FIRST
    return is_known_by and name_key(name).partition(" ")[0] == own


def companies_in(sentence: str, company: NamedCompany) -> Iterator[Span]:
    """Spans that may name companies other than the one that is read for."""
    own = named_in(sentence, (company.name, *company.names), speaks=True)
    days = [(each.start, each.end) for each in days_in(sentence)]
    sums = sums_in(sentence)
    reached = 0
    for start, end in capitalized(sentence):
        if start < reached:  # the legal form of the name before
            continue
        is_overlapping = any(start < last and end > first for first, last in [*own, *days])
        is_overlapping |= any(start < each.end and end > each.start for each in sums)
        is_ticker = sentence[end : end + 1] == ":" or sentence[:start].endswith(": ")
        if not is_overlapping and not is_ticker and _may_be_company(sentence[start:end]):
            reached = _with_legal_form(sentence, end)
            yield start, reached


def _may_be_company(name: str) -> bool:
    """Whether a run of capitals is no month, no legal form alone, and no word of documents: "Restated Credit
    Agreement"."""
    key = name_key(name)
    words = key.split()
    is_time = bool(words and MONTHS.keys() & set(words)) and any(map(str.isdigit, key))
    is_time |= len(words) == 2 and words[0] in _BEFORE_MONTHS and words[1] in MONTHS
    is_form = not LEGAL_FORM.sub("", name).strip(" ,.")
    is_thing = set(words) <= _NOBODY or (words[-1] in _NOBODY and not LEGAL_FORM.search(name))
    return len(key) >= _LEAST and key not in MONTHS and not (is_time or is_form or is_thing)


def is_place(name: str) -> bool:
    """Whether a name is a large city's, a state's or a country's and nothing more."""
    is_state = len(name) > _CODE and state_from_text(name) is not None
    return is_state or home_of_city(name) is not None or country_from_text(name) is not None


def _with_legal_form(sentence: str, end: int) -> int:
    """The end of a name with the legal form after its comma: "Borealis, Inc."."""
    form = LEGAL_FORM.search(sentence, end, min(len(sentence), end + 12))
    if form is None or sentence[end : form.start()].strip(" ,"):
        return end
    return form.end()
