"""News sentences that refer to the company without its name: "The company said", "It plans"."""

from collections.abc import Sequence
from itertools import pairwise

from sightline.domain.mentions import NamedCompany
from sightline.domain.names import fold
from sightline.reading.named import ITSELF, Span, named_in
from sightline.reading.tokens import tokens
from sightline.signals.names import companies_in


def references(texts: Sequence[str], company: NamedCompany) -> list[list[Span] | None]:
    """For each sentence the spans that mean the company, by its name or in place of it; None where it goes on
    about another company, or none was named yet."""
    names = (company.name, *company.names)
    others: set[str] = set()
    is_current = False
    found: list[list[Span] | None] = []
    for text in texts:
        spans = named_in(text, names)
        if spans:
            is_current = _is_first(text, spans, others)
        elif _first_word(text) in others:
            is_current = False
        if not spans and is_current:
            spans = _pronouns(text)
        found.append(spans if spans or is_current else None)
        others |= _names(text, company)
    return found


def _is_first(text: str, spans: Sequence[Span], others: set[str]) -> bool:
    """Whether no other company stands in front of the company in a sentence."""
    return not any(fold(each.text) in others for each in tokens(text[: spans[0][0]]))


def _first_word(text: str) -> str:
    return next((fold(each.text) for each in tokens(text)), "")


def _names(text: str, company: NamedCompany) -> set[str]:
    """The first words of the names of others in a sentence."""
    spans = (each for each in companies_in(text, company) if each[0] > 0)
    return {fold(text[start:end]).partition(" ")[0] for start, end in spans} - {"the"}


def _pronouns(text: str) -> list[Span]:
    """Where "the company" stands, or "it" at the beginning."""
    words = list(tokens(text))
    found = [
        (word.start, word.end)
        for before, word in pairwise(words)
        if fold(word.text) in ITSELF and fold(before.text) == "the"
    ]
    if words and words[0].text == "It":
        found.insert(0, (words[0].start, words[0].end))
    return found
