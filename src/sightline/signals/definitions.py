"""Parties and terms that a document defines: "Borealis, Inc., a Delaware corporation (“Borealis”)"."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sightline.domain.mentions import NamedCompany
from sightline.domain.names import fold
from sightline.reading.legal_forms import LEGAL_FORM
from sightline.reading.named import ITSELF, Span, named_in
from sightline.signals.contract import is_company
from sightline.signals.names import is_legal_form, names_in

_DEFINED: Final = re.compile(
    r"\((?P<lead>[^()“”\"]{0,40})[“\"](?P<term>[^()“”\"]{2,60}?),?[”\"][^()]{0,80}\)"
)
_DESCRIBED: Final = re.compile(r"[,\s]*\ban?\s[^;:]*")  # ", a Delaware corporation "
_OWNER: Final = re.compile(r",?\s+an?\s+(?:[\w-]+\s+){0,4}subsidiary\s+of\s+")
_BEFORE: Final = 220  # characters in front of a definition that may hold the name
_LONGEST: Final = 80  # characters of a party's name
_OWNED: Final = ("subsidiary", "affiliate")


@dataclass(frozen=True, slots=True)
class Definitions:
    """`parties` are full names by folded term and name, the company and its subsidiaries left out; `terms`
    is whatever else is defined, folded."""

    parties: Mapping[str, str]
    terms: frozenset[str]

    def resolve(self, name: str) -> str | None:
        """The full name of a party; None of what is defined as something else, and of a legal form alone."""
        key = _key(name)
        is_none = key in self.terms or is_legal_form(name)
        return None if is_none else self.parties.get(key, name)

    def knows(self, name: str) -> bool:
        """Whether a name is a party's, or has a legal form."""
        return _key(name) in self.parties or LEGAL_FORM.search(name) is not None

    @property
    def only(self) -> str | None:
        """The one party that is defined; None where there are several, or none."""
        names = set(self.parties.values())
        return next(iter(names)) if len(names) == 1 else None


def definitions_of(text: str, company: NamedCompany) -> Definitions:
    """What a text defines in brackets."""
    parties: dict[str, str] = {}
    terms: set[str] = set()
    for match in _DEFINED.finditer(text):
        term, name, described = _key(match["term"]), *_explained(text, match.start())
        is_own = term in ITSELF or is_company(name.removeprefix("The "), company)
        is_thing = "the" in match["lead"].split() and not LEGAL_FORM.search(name)
        if is_own or _is_owned(text, match.end(), company):
            terms |= {term, _key(name)} if name else {term}
        elif is_legal_form(name) or is_thing or any(word in described for word in _OWNED):
            terms.add(term)
        else:
            # With its legal form, if it has it once.
            name = max(name, parties.get(term, ""), key=len)
            parties[term] = parties[_key(name)] = name
    kept = {key: name for key, name in parties.items() if key not in terms}
    return Definitions(kept, frozenset(terms))


def _is_owned(text: str, at: int, company: NamedCompany) -> bool:
    """Whether what follows a definition says that it is a subsidiary of the company."""
    found = _OWNER.match(text, at)
    if found is None:
        return False
    owner = named_in(
        text[found.end() : found.end() + _LONGEST], (company.name, *company.names), speaks=True
    )
    return bool(owner) and owner[0][0] <= len("the ")


def _explained(text: str, at: int) -> tuple[str, str]:
    """The name in front of a bracket, and the description between both; empty where there is none."""
    before = text[max(0, at - _BEFORE) : at]
    before = before[before.rfind(")") + 1 :]
    span = _named(before)
    start, end = span or (len(before), len(before))
    return " ".join(before[start:end].split()), before[end:].casefold()


def _named(before: str) -> Span | None:
    """The name that a bracket explains: the one just before it, or before its description."""
    last: Span | None = None
    for start, end in names_in(before):
        rest = before[end:]
        if end - start <= _LONGEST:
            if _DESCRIBED.fullmatch(rest) and LEGAL_FORM.search(before[start:end]):
                return start, end
            if not rest.strip(" ."):
                last = (start, end)
    return last


def _key(name: str) -> str:
    return fold(name.removeprefix("the ").removeprefix("The "))
