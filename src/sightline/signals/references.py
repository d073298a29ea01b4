"""Whom sentences mean without the company's name: it ("The company said", "It plans"), or another."""

from collections.abc import Sequence
from itertools import pairwise

from sightline.domain.mentions import NamedCompany
from sightline.domain.names import fold
from sightline.reading.named import ITSELF, Span, named_in
from sightline.reading.tokens import Token, tokens
from sightline.signals.names import companies_in
from sightline.signals.units import STOPS


def references(texts: Sequence[str], company: NamedCompany) -> list[list[Span] | None]:
    """For each sentence the spans that mean the company, by its name or in place of it; None where it goes on
    about another company, or none was named yet."""
    names = (company.name, *company.names)
    others: set[str] = set()
    is_current = False
    found: list[list[Span] | None] = []
    for text in texts:
        words = list(tokens(text))
        spans = named_in(text, names)
        if spans:  # and no other company in front
            before = [fold(each.text) for each in words if each.start < spans[0][0]]
            is_current = not others & set(before)
        elif words and fold(words[0].text) in others:
            is_current = False
        elif is_current:
            spans = _pronouns(words)
        found.append(spans if spans or is_current else None)
        named = (text[start:end] for start, end in companies_in(text, company) if start > 0)
        others |= {fold(each).partition(" ")[0] for each in named} - {"the"}
    return found


def of_another(texts: Sequence[str], company: NamedCompany) -> list[bool]:
    """Whether each sentence begins with the name of another, or with "it" behind one that does. A headline
    begins with capitals whomever it is about."""
    found: list[bool] = []
    for text in texts:
        names = text[-1] in STOPS and any(at == 0 for at, _ in companies_in(text, company))
        goes_on = text.startswith(("It ", "Its ")) and found[-1:] == [True]
        found.append(names or goes_on)
    return found


def _pronouns(words: Sequence[Token]) -> list[Span]:
    """Where "the company" stands, or "it" at the beginning."""
    found = [
        (word.start, word.end)
        for before, word in pairwise(words)
        if fold(word.text) in ITSELF and fold(before.text) == "the"
    ]
    if words and words[0].text == "It":
        found.insert(0, (words[0].start, words[0].end))
    return found
