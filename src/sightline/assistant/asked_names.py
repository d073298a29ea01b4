"""The names in a question: which no document has, and which are the misspelled names of known people."""

from collections.abc import Collection
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.routing import spoken_of
from sightline.domain.cities import home_of_city
from sightline.domain.countries import country_from_text
from sightline.reading.named import capitalized
from sightline.reading.sentences import sentences
from sightline.reading.terms import terms
from sightline.search.retrieve import retriever

_LETTERS_A_TYPO: Final = 5  # letters of a name for each that may be wrong, left out or too many


async def unknown_names(evidence: CompanyEvidence, question: str) -> list[str]:
    """The words of names in a question, without the company's own, that no document of it has. A place is
    no such name, which documents may write otherwise, nor is what people say of any company ("CFO")."""
    names = [
        name
        for start, end in capitalized(question)
        for name in [question[start:end]]
        if country_from_text(name) is None and home_of_city(name) is None
    ]
    asked = {term for name in names for term in terms(name)} - spoken_of()
    if not asked:
        return []
    async with evidence.reading() as connection:
        found = await retriever().retrieve(connection, evidence.company_id, names)
    return [word for word in found.missing if asked & set(terms(word))]


async def spelled_as_known(
    evidence: CompanyEvidence, question: str, unknown: Collection[str]
) -> str:
    """A question with its unknown words as the names of known people that they are nearly spelled as."""
    people = {
        part
        for fact in (await evidence.facts("person") if unknown else ())
        for part in str(fact.value["name"]).split()
    }
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
