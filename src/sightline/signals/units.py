"""Selects the sentences of a document to read for events, by the structure of filings, releases and news.

Every item of a current report is a unit, every exhibit, every note of a report that tells of events, a
piece of news, and every item of a feed. Pure.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Final
from urllib.parse import urlsplit

from sightline.domain.mentions import EvidenceDocument, NamedCompany, Span
from sightline.domain.names import fold
from sightline.domain.signals import SignalType
from sightline.domain.websites import domain_of
from sightline.reading.dates import days_in, iso_day
from sightline.reading.named import named_in
from sightline.reading.sentences import sentences
from sightline.signals.contract import noon
from sightline.signals.dating import day_of
from sightline.sources.sec_edgar.forms import items_of
from sightline.sources.sec_edgar.press_release import DATELINE

# Sentences that are read of a unit: all of what tells of events, and the top of what a report says.
MOST: Final = {"item": 60, "exhibit": 120, "note": 16, "news": 120, "feed": 8}
_MOST_NOTES: Final = 12  # of a report
_RISKS: Final = ("1A", "part2item1A")
_MOST_FEED_ITEMS: Final = 40
_TOP: Final = 6_000  # characters of an exhibit that a dateline stands in
# Days between an event and the document that tells of it: a report speaks of the whole year.
_SAID_WITHIN, _NOTED_WITHIN = 100, 400
_SHORTEST, _LONGEST = 25, 1_200  # characters of a sentence
_CURRENT: Final = ("8-K", "6-K")
_REPORTS: Final = ("10-K", "10-Q", "20-F", "40-F")

_T = SignalType
# What an item of a current report says by its number: the first type unless its sentences say another one.
ITEM_TYPES: Final[dict[str, tuple[SignalType, ...]]] = {
    "1.01": (
        _T.MATERIAL_AGREEMENT, _T.ACQUIRES, _T.MERGES_WITH, _T.SELLS_ASSETS_TO, _T.DIVESTS,
        _T.SPINS_OFF, _T.RECEIVES_FINANCING, _T.PARTNERS_WITH, _T.SIGNS_NEW_CLIENT, _T.INVESTS_INTO,
    ),
    "1.02": (_T.ENDS_AGREEMENT,),
    "1.03": (_T.BANKRUPTCY,),
    "1.05": (_T.SECURITY_INCIDENT,),
    "2.01": (_T.ACQUIRES, _T.DIVESTS, _T.SELLS_ASSETS_TO, _T.MERGES_WITH, _T.SPINS_OFF),
    "2.02": (_T.EARNINGS_RELEASED,),
    "2.03": (_T.RECEIVES_FINANCING,),
    "2.04": (_T.DEFAULTS,),
    "2.05": (_T.COST_CUTTING, _T.LAYOFFS, _T.CLOSES_OFFICES_IN),
    "2.06": (_T.WRITES_DOWN,),
    "3.01": (_T.REGULATORY_ACTION,),
    "3.02": (_T.RECEIVES_FINANCING,),
    "4.01": (_T.ACCOUNTANT_CHANGE,),
    "4.02": (_T.RESTATES,),
    "5.01": (_T.ACQUIRES,),
    "5.03": (_T.REBRANDS,),
    "5.02": (_T.HIRES, _T.LEAVES, _T.RETIRES_FROM, _T.PROMOTES, _T.BOARD_CHANGE),
}  # fmt: skip
# Items whose number alone does not say which of its types it is; whose every sentence may have one of its
# own; and of what is done.
OPEN_ITEMS: Final = frozenset({"2.01", "5.01", "5.02", "5.03"})
MANY: Final = frozenset({"5.02"})
# Items of one deal, of one in which the company itself is bought, and of one that is agreed on.
ONE_DEAL: Final = frozenset({"1.01", "2.01", "5.01"})
OF_CONTROL: Final = frozenset({"5.01"})
AGREED_ITEMS: Final = frozenset({"1.01"})
RESULTS_ITEM: Final = "2.02"
DONE_ITEMS: Final = frozenset({"1.02", "1.03", "1.05", "2.01", "2.06", "4.01", "4.02"})
# Exhibits, and votes that elect again who is there.
_SILENT_ITEMS: Final = frozenset({"9.01", "5.07"})
# Items that say what the deal of another item, which they refer to, is; and of what follows from a deal.
EXPLAINING: Final = frozenset({"2.03", "3.02"})
_FOLLOWING: Final = {"3.01": frozenset({"2.01", "5.01"})}
_REFERENCE: Final = re.compile(r"\bItems?\s+(\d\.\d\d)\b")
# Before August 2004 items had one number.
_NEW_NUMBERS: Final = {
    "1": "5.01", "2": "2.01", "3": "1.03", "4": "4.01", "5": "8.01", "6": "5.02", "9": "7.01",
    "12": "2.02",
}  # fmt: skip
_TITLES: Final = {kind.item: kind.title for kind in items_of("8-K")}
_EVERY_ITEM: Final = (*items_of("8-K"), *items_of("8-K (before 2004)"))
_HEADINGS: Final = frozenset(fold(kind.title) for kind in _EVERY_ITEM)
_ABOUT: Final = re.compile(r"(?im)^[ \t]*about[ \t]+(?P<name>[^\n]{2,120})")
STOPS: Final = '.!?;:)"”'
DEALS: Final = (_T.ACQUIRES, _T.MERGES_WITH, _T.DIVESTS, _T.SELLS_ASSETS_TO, _T.SPINS_OFF)
DISPUTES: Final = (_T.FILES_SUIT_AGAINST, _T.REGULATORY_ACTION)
# Words of the headings under which annual and quarterly reports tell of events, among other things and alone.
_MIXED_NOTES: Final = (
    "subsequent event", "recent development", "results of operations", "overview",
)  # fmt: skip
_NOTES: Final = (
    "legal proceeding", "litigation", "contingenc", "restructuring", "acquisition", "business combination",
    "divestiture", "discontinued", "merger",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unit:
    """Sentences of a document that stand together. `item` is the number of an item of a current report,
    `speaks` whether the company itself does. `cover` is the day of its event that the cover of a report with
    one item gives; `dateline` are the words that only say when a release was published."""

    document: EvidenceDocument
    kind: str  # of MOST
    heading: str
    spans: tuple[tuple[int, int], ...]
    speaks: bool
    item: str | None = None
    explained: tuple[SignalType, ...] = ()  # by items that only refer to this one
    cover: date | None = None
    dateline: str = ""

    @property
    def said(self) -> date:
        return self.document.said_at.date()

    @property
    def texts(self) -> list[str]:
        return [self.document.text[start:end] for start, end in self.spans]

    def day_in(self, text: str) -> date | None:
        """The day on which words of the unit say that something happened."""
        within = _NOTED_WITHIN if self.kind == "note" else _SAID_WITHIN
        return day_of(self.without_dateline(text), said=self.said, within=within)

    def without_dateline(self, text: str) -> str:
        return text.replace(self.dateline, " ") if self.dateline else text

    @property
    def types(self) -> tuple[SignalType, ...]:
        """The types that the number of an item leaves open; () where it says nothing."""
        return self.explained or ITEM_TYPES.get(self.item or "", ())

    @property
    def is_of_events(self) -> bool:
        """Whether the item's number or the note's heading says that its sentences tell of events."""
        heading = fold(self.heading) if self.kind == "note" else ""
        is_mixed = any(word in heading for word in _MIXED_NOTES)
        return bool(self.types) or (not is_mixed and any(word in heading for word in _NOTES))

    @property
    def is_one_event(self) -> bool:
        """Whether its title and first sentences tell of one event."""
        return self.kind in ("news", "feed", "exhibit") or (self.kind == "item" and not self.types)

    @property
    def is_open(self) -> bool:
        """Whether there may be nothing of its types in it."""
        return self.item in OPEN_ITEMS


def units_of(document: EvidenceDocument, company: NamedCompany) -> list[Unit]:
    """What is read of a document; nothing for forms of other kinds and undated pages."""
    speaks = document.source == "sec_edgar" or domain_of(document.url) in company.domains
    return [replace(each, speaks=speaks) for each in _read(document, company) if each.spans]


def _read(document: EvidenceDocument, company: NamedCompany) -> Iterable[Unit]:
    if document.kind == "filing":
        return _filing(document, company)
    if document.kind == "feed_item" and document.spans:
        return _feed(document)
    if document.kind == "page" and not (document.published_at and _is_article(document)):
        return ()
    is_exhibit = document.kind != "page" and document.source == "sec_edgar"
    kind = "exhibit" if is_exhibit else "news"
    end = _end_of_news(document.text, company)
    dated, dateline = _datelined(document, 0, end)
    return [_unit(dated, kind, document.title or "", 0, end, dateline=dateline)]


def _datelined(document: EvidenceDocument, start: int, end: int) -> tuple[EvidenceDocument, str]:
    """A document as of the day of the dateline in a part of it, and the line from its day on; "" for none."""
    line = DATELINE.search(document.text, start, min(end, start + _TOP))
    first = next(iter(days_in(line[0])), None) if line else None
    if line is None or first is None:
        return document, ""
    if 0 <= (document.said_at.date() - first.day).days <= _SAID_WITHIN:
        document = replace(document, published_at=noon(first.day))
    return document, line[0][first.start :]


def _end_of_news(text: str, company: NamedCompany, start: int = 0, end: int | None = None) -> int:
    """Where a release ends: at the first heading "About Borealis", behind which is what it always says."""
    end = len(text) if end is None else end
    names = (company.name, *company.names)
    for match in _ABOUT.finditer(text, start, end):
        if any(at <= len("the ") for at, _ in named_in(match["name"], names)):
            return match.start()
    return end


def _filing(document: EvidenceDocument, company: NamedCompany) -> Iterable[Unit]:
    title = (document.title or "").upper()
    if title.startswith(_CURRENT):
        return [*_items(document), *_exhibits(document, company)]
    return _notes(document) if title.startswith(_REPORTS) else ()


def _items(document: EvidenceDocument) -> Iterator[Unit]:
    by_number: dict[str, list[Span]] = defaultdict(list)
    for span in document.spans:
        number = _NEW_NUMBERS.get(span.section or "", span.section or "")
        if number in _TITLES and number not in _SILENT_ITEMS:
            by_number[number].append(span)
    units = {
        number: _unit(
            document, "item", f"Item {number}. {_TITLES[number]}", spans[0].start, spans[-1].end,
            item=number, wrapped=True,
        )
        for number, spans in by_number.items()
        if not _FOLLOWING.get(number, frozenset()) & by_number.keys()
    }  # fmt: skip
    for number, unit in list(units.items()):
        referred = _referred(unit) & units.keys()
        if referred:
            del units[number]
        for other in referred if number in EXPLAINING else ():
            units[other] = replace(units[other], explained=ITEM_TYPES[number])
    cover = _cover_day(document) if len(units) == 1 else None
    yield from (replace(each, cover=cover) for each in units.values())


def _cover_day(document: EvidenceDocument) -> date | None:
    """The "date of earliest event reported" of a current report, which its title has; None where the words
    above its items do not give it."""
    day = iso_day((document.title or "").rpartition(" for ")[2])
    above = document.text[: min((each.start for each in document.spans if each.section), default=0)]
    return day if day in {each.day for each in days_in(above)} else None


def _referred(unit: Unit) -> set[str]:
    """The other items that an item says nothing but a reference to; none where it has words of its own."""
    named = [set(_REFERENCE.findall(text)) - {unit.item} for text in unit.texts]
    return set().union(*named) if all(named) else set()


def _exhibits(document: EvidenceDocument, company: NamedCompany) -> list[Unit]:
    by_name: dict[str, list[Span]] = defaultdict(list)
    for span in document.spans:
        if span.section and span.section.upper().startswith("EX-99"):
            by_name[span.section].append(span)
    units = []
    for name, spans in by_name.items():
        start = spans[0].start
        end = _end_of_news(document.text, company, start, spans[-1].end)
        dated, line = _datelined(document, start, end)
        units.append(_unit(dated, "exhibit", name, start, end, wrapped=True, dateline=line))
    # Beside a release there are agreements and transcripts, which it tells of.
    return [each for each in units if each.dateline] or units


def _notes(document: EvidenceDocument) -> Iterator[Unit]:
    """Passages of a report under headings that promise events; each heading once."""
    found: dict[str, Span] = {}
    for span in document.spans:
        heading = fold(span.heading or "")
        is_note = span.section == "3" or any(word in heading for word in (*_MIXED_NOTES, *_NOTES))
        if is_note and span.section not in _RISKS:  # which may happen
            found.setdefault(heading or str(span.section), span)
    for heading, span in list(found.items())[:_MOST_NOTES]:
        yield _unit(document, "note", span.heading or heading, span.start, span.end)


def _feed(document: EvidenceDocument) -> Iterator[Unit]:
    """Each item of a feed, dated by its own first lines (sources/feeds): title, day, text."""
    for span in document.spans[:_MOST_FEED_ITEMS]:
        lines = document.text[span.start : span.end].split("\n", 2)[:2]
        day = next(filter(None, map(iso_day, lines)), None)
        dated = replace(document, published_at=noon(day))
        words = str(day or "")
        yield _unit(dated, "feed", span.heading or "", span.start, span.end, dateline=words)


def _is_article(document: EvidenceDocument) -> bool:
    """Whether a page is one piece of news: "/news" and "/blog" list what is on others."""
    path = urlsplit(document.url).path.strip("/")
    is_one = "/" in path or len(path) > 24
    return is_one and any(span.section == "news" for span in document.spans)


def _unit(
    document: EvidenceDocument, kind: str, heading: str, start: int, end: int, *,
    item: str | None = None, wrapped: bool = False, dateline: str = "",
) -> Unit:  # fmt: skip
    spans = sentences(document.text, start, end, wrapped=wrapped)
    readable = _readable(document.text, spans)
    if kind in ("item", "note"):  # a line without a stop is a heading
        readable = (each for each in readable if document.text[each[1] - 1] in STOPS)
    read = tuple(readable)[: MOST[kind]]
    return Unit(document, kind, heading, read, speaks=False, item=item, dateline=dateline)


def _readable(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Spans that may be sentences: no headings of items, rows of tables, or lines without words."""
    for start, end in spans:
        sentence = text[start:end]
        if not _SHORTEST <= len(sentence) <= _LONGEST or sentence.count(" | ") > 1:
            continue
        words = sentence.split()
        letters = sum(map(str.isalpha, sentence))
        if len(words) >= 4 and letters > 0.45 * len(sentence) and not _is_heading(sentence):
            yield start, end


def _is_heading(sentence: str) -> bool:
    """Whether a sentence is the heading of an item: "Item 2.03", its title, and no day."""
    words = fold(sentence).split()
    is_numbered = words[0] == "item" and words[1][0].isdigit() and not days_in(sentence)
    return is_numbered or " ".join(words) in _HEADINGS
