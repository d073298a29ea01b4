"""The name of a tagged member: the words of its table row, or its own identifier split into words."""

import re
from collections.abc import Sequence
from operator import itemgetter

from lxml import etree
from rapidfuzz import fuzz

from sightline.domain.casing import title_words
from sightline.domain.countries import country_name
from sightline.domain.names import fold
from sightline.domain.places import state_from_text
from sightline.sources.sec_edgar.inline_facts import InlineFact, text_under

_KNOWN = {
    "AllOtherSegmentsMember": "All Other",
    "OtherSegmentsMember": "Other",
    "NonUsMember": "Non-US",
    "EMEAMember": "EMEA",
    "AsiaPacificMember": "Asia Pacific",
    "ProductMember": "Products",
    "ServiceMember": "Services",
    "ServiceOtherMember": "Other services",
    "ProductAndServiceOtherMember": "Other products and services",
    "LicenseAndServiceMember": "Licenses and services",
    "LicenseMember": "Licenses",
    "SubscriptionAndCirculationMember": "Subscriptions",
    "TechnologyServiceMember": "Technology services",
}
_MARKS = str.maketrans("", "", "®™©℠")
_SMALL = frozenset({"And", "Of", "The", "For", "In", "To", "Or"})
# "OrchardCareOther", "IPress", "OQS", "Line3Results", "EMEAAndAPAC"
_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]{2,}(?=\d|$)|[A-Z]?[a-z]+|[A-Z]+|\d+")
_NOTE = re.compile(r"\s*(?:\(\s*(?:\d{1,2}|[a-z])\s*\)|\[\d+\]|\*+|†+|(?<=[a-z])\d(?=\s|$))")
_TOTAL = re.compile(r"^total\s+(?:revenues?\s+from\s+)?|\s+total$|\s+segment$", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]{2}")
_LIKE_ENOUGH = 78
_LIKE_RUN_TOGETHER = 68  # for names that cannot be taken apart
_PREFIX = 7
_SHORT = 4  # "EMEA", "AWS"
_LIKE_END = 85
# What such words lead to is another thing than what stands after them.
_TURNING = frozenset("excluding ex non other outside rest of and or except".split())
_LONGEST = 60
_ROW_SEARCH = 6


def member_name(member: str, facts: Sequence[InlineFact]) -> str:
    """A readable name of a member ("orq:OrchardCareMember"), from the tables of its facts."""
    prefix, _, local = member.rpartition(":")
    if prefix == "country":
        return country_name(local) or local
    if prefix == "stpr" and (state := state_from_text(local, "US")):
        return state.name
    split = _KNOWN.get(local) or split_name(local)
    labels = [
        (_likeness(split, label), label)
        for fact in facts[:_ROW_SEARCH]
        for label in (row_label(fact.element), column_label(fact.element))
        if 0 < len(label) <= _LONGEST
    ]
    score, label = max(labels, key=itemgetter(0), default=(0.0, ""))
    least = _LIKE_ENOUGH if " " in split else _LIKE_RUN_TOGETHER
    best = label if score >= least else _spaced_as(split, labels)
    best = title_words(best) if len(best) > _SHORT else best
    # Rows of running text begin small; "iPress" stays.
    return best[:1].upper() + best[1:] if best.split(" ")[0].islower() else best


def _likeness(split: str, label: str) -> float:
    """0-100: the same words, or the same beginning ("PlumTree ads", "Plum Tree Advertising Revenue")."""
    mine, its = _letters(split), _letters(label)
    shared = next(
        (i for i, (a, b) in enumerate(zip(mine, its, strict=False)) if a != b),
        min(len(mine), len(its)),
    )
    begins = 80.0 if shared >= _PREFIX and shared >= 0.7 * len(its) else 0.0
    words = fuzz.token_set_ratio(fold(split), fold(label)) if len(fold(label).split()) > 1 else 0.0
    return max(fuzz.ratio(mine, its), words, begins, _LIKE_END * _ends(split, label))


def _ends(split: str, label: str) -> bool:
    """Whether a label is the end of a name whose first words are its siblings' too: "Hardlines" in a
    table of product lines, of "Major Product Line Hardlines"."""
    words, shown = fold(split).split(), fold(label).split()
    head, tail = words[: -len(shown) or None], words[-len(shown) :]
    return (
        len(head) > 1
        and len(shown) == len(tail)
        and not _TURNING.intersection(head)
        and fuzz.ratio("".join(tail), "".join(shown)) >= _LIKE_END
    )


def _spaced_as(split: str, labels: Sequence[tuple[float, str]]) -> str:
    """A name with the words of a label where its end has the same letters: "Quay Depotand Other" with
    "Depot and Other"."""
    words, shown = split.split(), {_letters(each): each for _, each in labels}
    ends = [(at, shown.get(_letters("".join(words[at:])))) for at in range(len(words))]
    return next((" ".join([*words[:at], end]) for at, end in ends if end), split)


def split_name(local: str) -> str:
    """The words of a member's name: "LowerQuaySegmentMember" gives "Lower Quay"."""
    bare = local.removesuffix("Member")
    shorter = re.sub(r"(?:Reportable|Operating|Business)?Segments?$", "", bare)
    words = _WORDS.findall(shorter or bare)
    joined: list[str] = []
    for index, word in enumerate(words):
        if joined and joined[-1] in {"I", "E"} and len(joined) == 1 and word[:1].isupper():
            joined[-1] = joined[-1].lower() + word  # iPress, eCommerce
        else:
            joined.append(word.lower() if index and word in _SMALL else word)
    return " ".join(joined)


def row_label(element: "etree._Element") -> str:
    """The words that a fact's table row begins with; "" outside of tables."""
    row = _ancestor(element, "tr")
    if row is None:
        return ""
    texts = (_clean(text_under(cell)) for cell in row)
    return next(filter(_LETTER.search, texts), "")


def column_label(element: "etree._Element") -> str:
    """The words above a fact in its table, by its position; "" where there is none."""
    row, cell = _ancestor(element, "tr"), _ancestor(element, "td", "th")
    table = _ancestor(element, "table")
    if row is None or cell is None or table is None:
        return ""
    left, right = _span(row, cell)
    heading = ""
    for other in table.iter("{*}tr"):
        if other is row:
            break
        position = 0
        for head in other:
            width = _width(head)
            if position <= right and position + width > left:
                text = _clean(text_under(head))
                if _LETTER.search(text) and not any(letter.isdigit() for letter in text):
                    heading = text
                    break
            position += width
    return heading


def _span(row: "etree._Element", cell: "etree._Element") -> tuple[int, int]:
    position = 0
    for other in row:
        width = _width(other)
        if other is cell:
            return position, position + width - 1
        position += width
    return 0, 0


def _width(cell: "etree._Element") -> int:
    width = cell.get("colspan", "1")
    return int(width) if width.isdigit() else 1


def _ancestor(element: "etree._Element", *tags: str) -> "etree._Element | None":
    above = element.iterancestors()
    return next((a for a in above if str(a.tag).rpartition("}")[2].lower() in tags), None)


def _clean(text: str) -> str:
    text = text.translate(_MARKS)
    return _TOTAL.sub("", _NOTE.sub("", text)).strip(" :;,—–-$")


def _letters(text: str) -> str:
    return fold(text).replace(" ", "").removesuffix("segment")
