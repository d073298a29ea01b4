"""Names in a question: places, misspelled names of known people, and names that no document has."""

from collections.abc import Collection, Iterator
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from sightline.assistant.company_evidence import CompanyEvidence, Person
from sightline.assistant.routing import spoken_of
from sightline.domain.cities import home_of_city
from sightline.domain.countries import country_from_text
from sightline.reading.named import capitalized
from sightline.reading.sentences import sentences
from sightline.reading.terms import terms
from sightline.search.retrieve import retriever

_LETTERS_A_TYPO: Final = 5  # letters of a name for each that may be wrong, left out or too many
_LONGEST_PLACE: Final = 3  # words
_AN_OFFICE: Final = "the CFO"
_A_PLACE: Final = "Chicago"  # one that the examples of topics.toml name often
_CODES: Final = ("US", "USA", "UK", "UAE")  # of countries, as people write them in a sentence
_PUNCTUATION: Final = "?!.,;:'\""


def phrases(words: list[str]) -> Iterator[tuple[str, slice]]:
    """Every run of a few words and where it stands, the longest first. A caller that blanks a run's words
    in the list is shown no other run with them."""
    for length in range(_LONGEST_PLACE, 0, -1):
        for at in range(len(words) - length + 1):
            place = slice(at, at + length)
            phrase = " ".join(words[place]).strip(_PUNCTUATION)
            if phrase and all(words[place]):
                yield phrase, place


def place_named(text: str) -> str | None:
    """The city or country that a text with capitals names, a country by its own name."""
    if not text[:1].isupper() or (text.isupper() and text not in _CODES):
        return None
    if country := country_from_text(text):
        return country.name
    return text if home_of_city(text) is not None else None


def with_one_place(text: str) -> str:
    """The text with the name of one place for any that it names, so that questions differ by what they
    ask and not by where."""
    words = text.split()
    for phrase, place in phrases(words):
        if place_named(phrase):
            words[place] = [_A_PLACE, *[""] * (place.stop - place.start - 1)]
    return " ".join(filter(None, words))


async def people_named(evidence: CompanyEvidence, text: str) -> list[Person]:
    """The known people whose last name stands in a text."""
    words = {word.strip(_PUNCTUATION).removesuffix("'s") for word in text.split()}
    return [each for each in await evidence.people() if each.name.split()[-1] in words]


async def with_one_person(evidence: CompanyEvidence, text: str) -> str:
    """The text with an office for a known person that it names."""
    for person in await people_named(evidence, text):
        first, *_, last = person.name.split()
        for name in (person.name, f"{first} {last}", last):
            text = text.replace(name, _AN_OFFICE)
    return text


async def unknown_names(evidence: CompanyEvidence, question: str) -> list[str]:
    """The words of names in a question, without the company's own, that no document of it has. A place is
    no such name, which documents may write otherwise, nor is what people say of any company ("CFO")."""
    found = [question[start:end] for start, end in capitalized(question)]
    names = [
        name for name in found if country_from_text(name) is None and home_of_city(name) is None
    ]
    asked = {term for name in names for term in terms(name)} - spoken_of()
    if not asked:
        return []
    async with evidence.reading() as connection:
        known = await retriever().retrieve(connection, evidence.company_id, names)
    return [word for word in known.missing if asked & set(terms(word))]


async def spelled_as_known(
    evidence: CompanyEvidence, question: str, unknown: Collection[str]
) -> str:
    """A question with its unknown words as the names of known people that they are nearly spelled as."""
    people = {part for each in await evidence.people() for part in each.name.split()}
    for word in unknown:
        typos = len(word) // _LETTERS_A_TYPO
        near = process.extractOne(
            word.lower(), people, scorer=OSA.distance, processor=str.lower, score_cutoff=typos
        )
        if typos and near is not None:
            question = question.replace(word, near[0])
    return question


def without_names(question: str, unknown: Collection[str]) -> str:
    """The sentences of a question that have none of the unknown words."""
    question = question.replace("? ", "?\n")  # people go on without a capital
    parts = [question[start:end] for start, end in sentences(question)]
    return " ".join(part for part in parts if not any(word in part for word in unknown))
