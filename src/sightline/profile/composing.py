"""What the composed sections share: evidence put beside what the organization sells.

Composed by plain rules; what is not a quote are fixed words, names of sections and the
organization's own words. A company of which nothing is known gets nothing.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from sightline.profile.asking import stem
from sightline.profile.contract import SectionBody, Statement
from sightline.profile.seller import Offering, Seller

_KEYWORD: Final = 3
_PAIR: Final = 2
_LEAST_FIT: Final = 3
_WORD = re.compile(r"[^\W_]+")
_MOVED = re.compile(
    r"\b(?:loss(?:es)?|increas\w+|decreas\w+|declin\w+|rose|fell|higher|lower|restructuring|impairment"
    r"|severance|deficit)\b",
    re.I,
)
_SMALL_WORDS: Final = """
a an and are as at be by can for from has have in into is it its may more not of on or our that
the their them these they this to us we were which who will with you your
"""
_SMALL: Final = frozenset(_SMALL_WORDS.split())
# What every filing and every offer is full of.
_ANY_WORDS: Final = """
ability access across any area around based better build business businesses capabilities
capability change chief client companies company cost costs create customer customers deliver
design develop development drive during each efficiency efficient employee enable every
executive expand experience fast faster first four global grow growth half head help high
improve increase industry information large leader leading less level long make manage
management manager market markets month months need new offer officer one operate operation
operations organization people performance place plan platform platforms president process
processes product products program provide quality quarter reduce result results sale sales save
seller service services software solution solutions strategic strategy support system systems
team technology third time tool tools two use user users value vice week weeks within without
work world year years
"""
_ANY: Final = frozenset(stem(word) for word in _ANY_WORDS.split())


def rows_of(built: Mapping[str, SectionBody], *names: str) -> list[Statement]:
    """The statements of the named sections."""
    return [row for name in names for row in built.get(name) or () if isinstance(row, dict)]


def fitting(offerings: Sequence[Offering], row: Statement) -> Offering | None:
    """The offering that a statement calls for: by a keyword, or by several words of what it is.

    Words that any company's filing is full of tell nothing.
    """
    said = f"{row.get('name', '')} {row.get('description', '')}"
    best = max(offerings, key=lambda offering: _fit(offering, said), default=None)
    return best if best is not None and _fit(best, said) >= _LEAST_FIT else None


def _fit(offering: Offering, said: str) -> int:
    """Points: a keyword, a pair of words of the description, a word of it."""
    stems = _stems(said)
    held, pairs = set(stems), set(pairwise(stems))
    keys = [tuple(_stems(keyword)) for keyword in offering.keywords]
    points = _KEYWORD * sum(bool(key) and _follows(key, stems) for key in keys)
    told = [offering.name, offering.description, *offering.value_propositions]
    own = [_stems(text) for text in told]
    points += _PAIR * len({pair for words in own for pair in pairwise(words)} & pairs)
    return points + len({word for words in own for word in words if word not in _ANY} & held)


def _stems(text: str) -> list[str]:
    return [stem(word) for word in _WORD.findall(text.casefold()) if word not in _SMALL]


def _follows(key: tuple[str, ...], stems: Sequence[str]) -> bool:
    """Whether the words of a keyword stand one after another."""
    size = len(key)
    return any(tuple(stems[at : at + size]) == key for at in range(len(stems) - size + 1))


def ranked(rows: list[Statement], seller: Seller) -> list[tuple[Statement, Offering | None]]:
    """Statements that an offering speaks to come first, those that call for it most before others."""
    paired = [(row, fitting(seller.offerings, row)) for row in rows]

    def points(pair: tuple[Statement, Offering | None]) -> int:
        row, offering = pair
        text = f"{row.get('name', '')} {row.get('description', '')}"
        return 0 if offering is None else -_fit(offering, text)

    return sorted(paired, key=points)


def persona_for(seller: Seller, row: Statement, offering: Offering | None) -> str | None:
    """Whom to ask: the persona whose title shares a word with the statement, else with the offering,
    else the first."""
    said = set(_stems(f"{row.get('name', '')} {row.get('description', '')}")) - _ANY
    offered = set(_stems(f"{offering.name} {offering.description}")) - _ANY if offering else set()
    for words in (said & offered or said, offered):
        for persona in seller.personas:
            if (set(_stems(persona)) - _ANY) & words:
                return persona
    return seller.personas[0] if seller.personas else None


def troubles(built: Mapping[str, SectionBody]) -> list[Statement]:
    """What stands in its way: risks, and costs that moved. Of what costs are made up is no trouble."""
    moved = [
        row
        for row in rows_of(built, "how_they_lose_money")
        if _MOVED.search(str(row.get("name") or ""))
    ]
    return [*rows_of(built, "risks"), *moved]


def said(row: Statement) -> str:
    """What a statement says."""
    return str(row.get("description") or row.get("name") or "")


def answer_to(offering: Offering | None, seller: Seller) -> str:
    """What the organization offers to it, in its own words."""
    if offering is not None:
        promise = next(iter(offering.value_propositions), offering.description)
        return f" Our {offering.name}: {promise}" if promise else f" We offer {offering.name}."
    if seller.value_propositions:
        return f" We offer: {seller.value_propositions[0]}"
    return ""


def composed(name: str, description: str, row: Statement, **more: object) -> Statement:
    """A statement made of another, with its proof, and the model that wrote it if one did."""
    made = {"name": name, **more, "description": description, "sources": row.get("sources", ())}
    return made | ({"method": row["method"]} if "method" in row else {})
