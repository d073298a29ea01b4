"""Inline XBRL: the tagged facts of an HTML filing, with periods, units and dimensions.

Inline filings are well-formed XHTML, so they are parsed as XML in one go: some 0.1 s and 60 MB for a
report of 3 MB, growing with its size.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache

from lxml import etree

from sightline.reading.dates import iso_day

_IX = re.compile(r"\{http://www\.xbrl\.org/(?:2008|2013)/inlineXBRL\}(\w+)$")
_is_inline = lru_cache(maxsize=64)(_IX.match)  # a few tags, some ten thousand times
_XBRLI = "{http://www.xbrl.org/2003/instance}"
_XBRLDI = "{http://xbrl.org/2006/xbrldi}"
_MEMBERS = (f"{_XBRLDI}explicitMember", f"{_XBRLDI}typedMember")
_DAYS = (f"{_XBRLI}startDate", f"{_XBRLI}endDate", f"{_XBRLI}instant")
_PARTING = frozenset({"br", "div", "p", "td", "th", "tr", "li"})
_SCALE = re.compile(r"-?\d{1,2}")
_NUMBER = re.compile(r"\d+(?:\.\d+)?|\.\d+")
_NO_SPACES = str.maketrans("", "", "\u00a0 ")
_WORDS_OF_NUMBERS = {"no": 0, "none": 0, "nil": 0, "zero": 0, "one": 1, "two": 2, "three": 3}


@dataclass(frozen=True, slots=True)
class Context:
    """When and of what a fact holds. `dimensions` are (axis, member) without prefixes of the axis;
    the member keeps its prefix ("country:US")."""

    start: date | None
    end: date
    dimensions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class InlineFact:
    """One tagged number, scaled and signed: whole units. `order` counts facts in the document."""

    name: str  # "us-gaap:Revenues"
    value: float
    unit: str  # "USD", "shares", "pure"
    context: Context
    order: int
    element: "etree._Element"

    @property
    def local_name(self) -> str:
        """The element's name without its prefix."""
        return self.name.rpartition(":")[2]


@dataclass(frozen=True, slots=True)
class InlineText:
    """One tagged text. `dimensions` as in Context."""

    name: str
    text: str
    dimensions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class InlineDocument:
    """All facts of one document in document order."""

    facts: tuple[InlineFact, ...]
    texts: tuple[InlineText, ...]  # of the cover page (dei) only


def read_inline_document(content: bytes) -> InlineDocument | None:
    """The tagged facts of an inline XBRL document; None when nothing is tagged.

    Broken markup is read as far as it goes.
    """
    root = _root(content) if b"ix:" in content or b"inlineXBRL" in content else None
    if root is None:
        return None
    units = dict(_units(root))
    facts: list[InlineFact] = []
    texts: list[InlineText] = []
    for order, element, context in _tagged(root):
        name, is_number = element.get("name", ""), str(element.tag).endswith("nonFraction")
        value = _value(element) if is_number else None
        if value is not None:
            unit = units.get(element.get("unitRef", ""), "")
            facts.append(InlineFact(name, value, unit, context, order, element))
        elif not is_number and name.startswith("dei:"):
            texts.append(InlineText(name, text_under(element), context.dimensions))
    return InlineDocument(tuple(facts), tuple(texts)) if facts or texts else None


def _tagged(root: "etree._Element") -> Iterator[tuple[int, "etree._Element", Context]]:
    """The tags of inline XBRL that have a name and a context."""
    contexts = dict(_contexts(root))
    for order, element in enumerate(root.iter("{*}nonFraction", "{*}nonNumeric")):
        context = contexts.get(element.get("contextRef", ""))
        if context is not None and element.get("name") and _is_inline(element.tag):
            yield order, element, context


def _root(content: bytes) -> "etree._Element | None":
    parser = etree.XMLParser(
        recover=True, huge_tree=True, resolve_entities=False, no_network=True, remove_comments=True
    )
    with suppress(etree.XMLSyntaxError):
        return etree.fromstring(content.lstrip(b"\xef\xbb\xbf \r\n\t"), parser)
    return None


def text_under(element: "etree._Element") -> str:
    """All text below an element on one line; line breaks and blocks part words."""
    return " ".join("".join(_pieces(element)).split())


def _pieces(element: "etree._Element") -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if str(child.tag).rpartition("}")[2] in _PARTING:
            yield " "
        yield from _pieces(child)
        yield child.tail or ""


def _text_of(element: "etree._Element") -> str:
    """All text inside an element. Most hold nothing else."""
    return "".join(map(str, element.itertext("*"))) if len(element) else element.text or ""


def _contexts(root: "etree._Element") -> Iterator[tuple[str, Context]]:
    for element in root.iter(f"{_XBRLI}context"):
        dimensions = []
        days: dict[str, date | None] = {}
        for part in element.iter(*_MEMBERS, *_DAYS):
            if part.tag in _DAYS:
                days.setdefault(str(part.tag), iso_day(part.text))
            else:
                axis = part.get("dimension", "").rpartition(":")[2]
                dimensions.append((axis, _text_of(part).strip()))
        start, end, instant = map(days.get, _DAYS)
        if (until := end or instant) is not None:
            yield element.get("id", ""), Context(start, until, tuple(sorted(dimensions)))


def _units(root: "etree._Element") -> Iterator[tuple[str, str]]:
    for element in root.iter(f"{_XBRLI}unit"):
        measures = [m.text or "" for m in element.iter(f"{_XBRLI}measure")]
        if len(measures) == 1:
            yield element.get("id", ""), measures[0].strip().rpartition(":")[2]


def _value(element: "etree._Element") -> float | None:
    """The number that a tag shows, by its format, scale and sign; None for nil and for words."""
    if element.get("{http://www.w3.org/2001/XMLSchema-instance}nil") in ("true", "1"):
        return None
    text = _text_of(element).strip().translate(_NO_SPACES)
    number = _number(text.lower(), element.get("format", "").rpartition(":")[2].lower())
    if number is None:
        return None
    scale = element.get("scale") or "0"
    factor = int(scale) if _SCALE.fullmatch(scale) else 0
    scaled = float(number.scaleb(factor))
    return -scaled if element.get("sign") == "-" else scaled


def _number(text: str, form: str) -> Decimal | None:
    if "zero" in form or "nocontent" in form or text in {"-", "—", "–"}:
        return Decimal(0)
    if text in _WORDS_OF_NUMBERS:
        return Decimal(_WORDS_OF_NUMBERS[text])
    plain = text.replace(",", "")
    if form in {"num-comma-decimal", "numdotcomma", "numspacecomma", "numcomma"}:
        plain = text.replace(".", "").replace(",", ".")
    found = _NUMBER.search(plain)
    return Decimal(found[0]) if found else None
