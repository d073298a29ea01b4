"""Items that a filing names only in its cross-reference index, by printed page numbers."""

import re
from dataclasses import dataclass, replace
from typing import Final

from sightline.sources.sec_edgar.candidates import Candidate, has_title_words
from sightline.sources.sec_edgar.forms import ItemKind
from sightline.sources.sec_edgar.text import CELL, EMPHASIS, DocumentText, Line


@dataclass(frozen=True, slots=True)
class Resolved:
    """Where items are: the line they begin at, or spans of characters, the longest first."""

    line: int
    spans: tuple[tuple[int, int], ...] | None
    ranks: tuple[int, ...]
    title: str
    elsewhere: bool = False
    listed_as_omitted: bool = False
    titles: tuple[str, ...] = ()  # of each rank, where they differ


_RANGE = re.compile(
    r"(?<![\w.$])(?P<low>(?:[A-Z]{1,2}-)?\d{1,3})(?:\s*(?:[-–—]|to|through)\s*(?P<high>(?:[A-Z]{1,2}-)?\d{1,3}))?(?![\w%]|\.\d)"
)
_NOWHERE = re.compile(r"\b(?:none|not applicable|n/?a|omitted|reserved)\b", re.I)
_FOOTNOTE = re.compile(r"\((?P<mark>[a-z0-9])\)|(?P<star>\*+)")
_ELSEWHERE = re.compile(r"incorporated\s+(?:herein\s+)?by\s+reference|proxy statement", re.I)
_ENTRY_LINES: Final = 25
_FOOTNOTE_LINES: Final = 60
_FIRST_PAGE_LINES: Final = 60
_FIRST_PAGE_CHARACTERS: Final = 6_000
_TITLE_LENGTH: Final = 150
_UNNUMBERED_PAGES: Final = 4


def resolve(
    document: DocumentText, entries: list[Candidate], kinds: tuple[ItemKind, ...]
) -> list[Resolved]:
    """The pages that the rows of an index name, or the row itself where it says that there are none."""
    found: dict[tuple[int, ...], Resolved] = {}
    ranged = any(_is_ranged(each.pages) for each in entries)
    lines = sorted({each.line for each in entries})
    for each in reversed(entries):  # a contents table stands before the index, and says less
        following = next((line for line in lines if line > each.line), each.line + 4)
        said = _pages_said(document, each, min(following, each.line + _ENTRY_LINES))
        resolved = _by_pages(document, each, said, kinds, ranged=ranged)
        resolved = resolved or _without_text(document, each, said) or _linked(document, each)
        if resolved is not None:
            found.setdefault(each.ranks, resolved)
    return sorted(found.values(), key=lambda each: each.line)


def _pages_said(document: DocumentText, entry: Candidate, end: int) -> list[str]:
    """What a row of the index names as its pages, and the rows below it up to the next item."""
    if entry.pages and _NOWHERE.search(entry.pages):
        return []
    return [entry.pages] + [
        line.text.rpartition(CELL)[2]
        for line in document.lines[entry.line + 1 : end]
        if line.row or len(line.text) < 60
    ]


def _by_pages(
    document: DocumentText,
    entry: Candidate,
    said: list[str],
    kinds: tuple[ItemKind, ...],
    *,
    ranged: bool,
) -> Resolved | None:
    """The pages that the entry names, where the filing has them."""
    spans = _page_spans(document, said)
    if not spans:
        return None
    spans = _snapped(document, spans, [kinds[rank] for rank in entry.ranks])
    if not ranged:  # the pages are where items begin
        return Resolved(document.line_at(min(spans)[0]), None, entry.ranks, entry.title)
    elsewhere = _is_elsewhere(document, entry.line)
    first = document.line_at(spans[0][0])
    return Resolved(first, spans, entry.ranks, entry.title, elsewhere=elsewhere)


def _without_text(document: DocumentText, entry: Candidate, said: list[str]) -> Resolved | None:
    """The entry itself, where it says that the item is in another document or nowhere."""
    line = document.lines[entry.line]
    elsewhere = _is_elsewhere(document, entry.line)
    if not elsewhere and not _NOWHERE.search(" ".join((line.text, *said))):
        return None
    here = ((line.start, line.end),)
    return Resolved(entry.line, here, entry.ranks, entry.title, elsewhere=elsewhere)


def _linked(document: DocumentText, entry: Candidate) -> Resolved | None:
    """Where a link of the entry leads."""
    targets = (document.anchors.get(name, 0) for name in entry.targets)
    ahead = next((line for line in targets if line > entry.line + 3), None)
    return None if ahead is None else Resolved(ahead, None, entry.ranks, entry.title)


def _is_ranged(pages: str) -> bool:
    return any(found["high"] for found in _RANGE.finditer(pages))


def _page_spans(document: DocumentText, said: list[str]) -> tuple[tuple[int, int], ...]:
    """The spans of the printed pages that the entry names, joined where they touch."""
    named = [found for text in said for found in _RANGE.finditer(text)]
    spans = (_page_span(document, each["low"], each["high"] or each["low"]) for each in named)
    merged: list[tuple[int, int]] = []
    for begin, end in sorted(span for span in spans if span and span[0] < span[1]):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    trimmed = ((begin, len(document.text[:end].rstrip())) for begin, end in merged)
    return tuple(sorted(trimmed, key=lambda span: (span[0] - span[1], span[0])))


def _page_span(document: DocumentText, low: str, high: str) -> tuple[int, int] | None:
    """From the begin of one printed page to the end of another; a page without a printed number is
    beside one that has it."""
    pages = [(*_page_key(label), offset) for label, offset in document.pages]
    if pages:
        pages.append((pages[-1][0], pages[-1][1] + 1, len(document.text)))
    first, last = _page_key(low), _page_key(high)
    begins = [p for p in pages if p[0] == first[0] and 0 <= first[1] - p[1] <= _UNNUMBERED_PAGES]
    ends = [p for p in pages if p[0] == last[0] and 0 < p[1] - last[1] <= _UNNUMBERED_PAGES]
    return (max(begins)[2], min(ends)[2]) if begins and ends else None


def _page_key(label: str) -> tuple[str, int]:
    """ "F-12" is page 12 of F; a numeral is a name."""
    prefix, _, number = label.rpartition("-")
    return (prefix, int(number)) if number.isdecimal() else (label, 0)


def _snapped(
    document: DocumentText, spans: tuple[tuple[int, int], ...], wanted: list[ItemKind]
) -> tuple[tuple[int, int], ...]:
    """The span that has the item's title on its first page comes first, and begins at the title."""
    longest = spans[0][1] - spans[0][0]
    for place, (begin, end) in enumerate(spans):
        if 4 * (end - begin) < longest:
            break
        first = document.line_at(begin)
        for line in document.lines[first : first + _FIRST_PAGE_LINES]:
            if line.start >= min(end, begin + _FIRST_PAGE_CHARACTERS):
                break
            if line.start >= begin and _is_title(line, wanted):
                return ((line.start, end), *spans[:place], *spans[place + 1 :])
    return spans


def _is_title(line: Line, wanted: list[ItemKind]) -> bool:
    text = line.text.strip(" .:")
    if line.row or len(text) > _TITLE_LENGTH:
        return False
    if any(kind.alone and kind.alone.fullmatch(text) for kind in wanted):
        return True
    specific = [
        replace(kind, words=tuple(each for each in kind.words if len(each) > 1)) for kind in wanted
    ]
    heading = bool(line.style & EMPHASIS) or text.isupper() or len(text) < 90
    return heading and has_title_words(text, specific)


def _is_elsewhere(document: DocumentText, index: int) -> bool:
    """Whether the entry, or the footnote that it refers to, says that it is in another document."""
    text = document.lines[index].text
    if _ELSEWHERE.search(text):
        return True
    marks = _FOOTNOTE.findall(text)
    if not marks:
        return False
    wanted = "(" + marks[-1][0] + ")" if marks[-1][0] else marks[-1][1]
    for line in document.lines[index + 1 : index + _FOOTNOTE_LINES]:
        if line.text.startswith(wanted):
            return bool(_ELSEWHERE.search(line.text))
    return False
