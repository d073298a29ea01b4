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
from sightline.profile.names import is_title
from sightline.profile.seller import Offering, Seller
from sightline.profile.sentences import cut

_KEYWORD: Final = 3
_LATER: Final = 2  # a keyword behind the first sentence
_PAIR: Final = 2
_LEAST_FIT: Final = 3
_WORD = re.compile(r"[^\W_]+")
# What a company does for its own customers is no need of its own.
_SELLS = re.compile(
    r"\b(?:we|the company|and) (?:also )?(?:offer|provide|sell|deliver|help|enable|introduced"
    r"|launched|announced)s?\b"
    r"|\bour (?:\w+ ){0,4}?(?:platforms?|products?|services|solutions|portfolio|software|tools"
    r"|applications)"
    r" (?:\w+ly )?(?:leverage|enable|help|allow|provide|offer|include|are designed|combine"
    r"|deliver)s?\b"
    r"|\bour (?:\w+ ){0,3}?portfolio\b|\bpartnered\b|\b(?:help(?:s|ing)?|enabl\w+"
    r"|allow\w*) (?:our )?(?:customers"
    r"|clients|organi[sz]ations|developers|enterprises|users)\b",
    re.I,
)
_NAMES = re.compile(
    r"(?<=[a-z,;–—(] )[A-Z][\w’-]+(?:(?:,| &| and| of)? [A-Z][\w’-]+)+(?! (?:could|may|is|are)\b)"
)
_MOVED = re.compile(
    r"\b(?:loss(?:es)?|increas\w+|decreas\w+|declin\w+|rose|fell|higher|lower|restructuring"
    r"|impairment"
    r"|severance|deficit)\b",
    re.I,
)
# What those are about whose titles have these words or letters.
_DUTIES: Final = {
    "security": "cyber attacks intruders breach privacy",
    "ciso": "cyber security attacks intruders breach privacy",
    "technology": "cloud infrastructure software platform",
    "it": "cloud infrastructure software",
    "cio": "it cloud infrastructure software",
    "cto": "engineering software architecture",
    "finance": "cash budget accounting",
    "cfo": "finance cash budget accounting",
    "supply": "logistics inventory warehouse forecast",
    "cpo": "procurement purchasing suppliers",
    "coo": "production supply logistics",
    "cmo": "marketing brand advertising",
    "chro": "employees talent hiring workforce",
    "cdo": "data analytics",
}
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
    best = max(offerings, key=lambda offering: fit(offering, row), default=None)
    return best if best is not None and fit(best, row) >= _LEAST_FIT else None


def fit(offering: Offering, row: Statement) -> int:
    """How much a statement calls for an offering, in points: a keyword, less where it comes up later,
    a pair of words of the description, a word of it. What the company itself sells calls for nothing."""
    if is_own_offer(row):
        return 0
    stems = _stems(_told(row))
    held, pairs = set(stems), set(pairwise(stems))
    first = {"name": row.get("name"), "description": said(row)[slice(*_first_sentence(row))]}
    at_once = len(keywords_in(offering, first))
    points = _KEYWORD * at_once + _LATER * (len(keywords_in(offering, row)) - at_once)
    told = [offering.name, offering.description, *offering.value_propositions]
    own = [_stems(text) for text in told]
    points += _PAIR * len({pair for words in own for pair in pairwise(words)} & pairs)
    return points + len({word for words in own for word in words if word not in _ANY} & held)


def is_own_offer(row: Statement) -> bool:
    """Whether a statement tells what the company does for its customers."""
    return _SELLS.search(said(row)) is not None


def _first_sentence(row: Statement) -> tuple[int, int]:
    return next(iter(cut(said(row))), (0, 0))


def keywords_in(offering: Offering, row: Statement) -> list[str]:
    """The keywords of an offering that a statement holds; in names of others they tell nothing."""
    stems = _stems(_told(row))
    keys = [(keyword, tuple(_stems(keyword))) for keyword in offering.keywords]
    return [keyword for keyword, key in keys if key and _follows(key, stems)]


def _told(row: Statement) -> str:
    """What a statement says, without names of several words such as "Safety & Security"."""
    name, text = str(row.get("name") or ""), str(row.get("description") or "")
    return f"{name if is_plain(name) else _NAMES.sub(' ', name)} {_NAMES.sub(' ', text)}"


def is_plain(name: str) -> bool:
    """Whether a name is in small letters but for its first, or else in capitals throughout."""
    words = [word for word in _WORD.findall(name)[1:] if word not in _SMALL]
    return not words or all(w[0].isupper() for w in words) or not any(w[0].isupper() for w in words)


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
        return 0 if offering is None else -fit(offering, row)

    return sorted(paired, key=points)


def persona_for(seller: Seller, row: Statement, offering: Offering | None) -> str | None:
    """Whom to ask: the persona whose title shares a word with the statement, else with the offering;
    None when none does and there are several."""
    said = set(_stems(f"{row.get('name', '')} {row.get('description', '')}")) - _ANY
    offered = set(_stems(f"{offering.name} {offering.description}")) - _ANY if offering else set()
    for words in (said & offered or said, offered):
        for persona in seller.personas:
            if (set(_stems(_spelled_out(persona))) - _ANY) & words:
                return persona
    return seller.personas[0] if len(seller.personas) == 1 else None


def _spelled_out(title: str) -> str:
    """A title with what its bearer is concerned with: a "CISO" with security."""
    words = _WORD.findall(title.casefold())
    return " ".join([*words, *(_DUTIES[word] for word in words if word in _DUTIES)])


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


def answer_to(offering: Offering, row: Statement) -> str:
    """What the organization offers to a statement, in its own words; "" when it has said nothing."""
    promise = next(iter(offering.value_propositions), offering.description)
    name = str(row.get("name") or "")
    what = f"“{name}”" if name and is_title(name) else "this"
    return f"For {what} we bring {offering.name}: {promise}" if promise else ""


def composed(name: str, description: str, row: Statement, **more: object) -> Statement:
    """A statement made of another, with its proof, and the model that wrote it if one did."""
    made = {"name": name, **more, "description": description, "sources": row.get("sources", ())}
    return made | ({"method": row["method"]} if "method" in row else {})
