"""Names in a question: places, misspelled names of known people, and names that no document has."""

from collections.abc import Collection
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.routing import spoken_of
from sightline.assistant.tools.accounts import known_people
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


def place_named(text: str) -> str | None:
    """The city or country that a text with capitals names, a country by its own name."""
    if not text[:1].isupper() or (text.isupper() and text not in _CODES):
        return None
    if country := country_from_text(text):
        return country.name
    return text if home_of_city(text) is not None else None


def with_places(text: str, instead: str = "") -> tuple[str, list[str]]:
    """The text with the places that it names by their own names, or as one, and these names."""
    words, names = text.split(), []
    for length in range(_LONGEST_PLACE, 0, -1):
        for at in range(len(words) - length + 1):
            run = slice(at, at + length)
            phrase = " ".join(words[run]).strip(_PUNCTUATION) if all(words[run]) else ""
            # A first word has its capital anyway ("Are", a town).
            name = place_named(phrase) if instead or at else None
            if name and name not in names:
                names.append(name)
                words[run] = [instead or name, *[""] * (length - 1)]
    return " ".join(filter(None, words)), names


def with_one_place(text: str) -> str:
    """The text with the name of one place for any that it names, so that questions differ by what they
    ask and not by where."""
    return with_places(text, _A_PLACE)[0]


async def people_named(evidence: CompanyEvidence, text: str) -> list[str]:
    """The known people whose last name stands in a text."""
    words = {word.strip(_PUNCTUATION).removesuffix("'s") for word in text.split()}
    names = dict.fromkeys(str(value["name"]) for value, _ in await known_people(evidence))
    return [name for name in names if name.split()[-1] in words]


async def with_one_person(evidence: CompanyEvidence, text: str) -> str:
    """The text with an office for a known person that it names."""
    for person in await people_named(evidence, text):
        first, *_, last = person.split()
        for name in (person, f"{first} {last}", last):
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
    people = {part for value, _ in await known_people(evidence) for part in value["name"].split()}
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
