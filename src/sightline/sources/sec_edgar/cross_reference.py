"""Items that a filing names only in its contents table or cross-reference index."""

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
    document: DocumentText,
    entries: list[Candidate],
    *,
    body: list[Candidate],
    kinds: tuple[ItemKind, ...],
    alone: bool,
    taken: list[int],
) -> list[Resolved]:
    """Find what the entries point at. `alone`: the filing has no item headings, so page ranges count
    as a whole; otherwise an entry only says where an item begins, between the headings `taken`."""
    found: dict[tuple[int, ...], Resolved] = {}
    ranged = any(each.numbered and _is_ranged(each.pages) for each in entries)
    lines_of_entries = sorted({each.line for each in entries if each.numbered})
    # An index is more explicit than a contents table, and stands last.
    for each in reversed(entries) if alone else entries:
        if each.ranks in found or not each.numbered:
            continue
        following = next((line for line in lines_of_entries if line > each.line), None)
        end = min(following or each.line + 4, each.line + _ENTRY_LINES)
        resolved = _resolve_one(
            document, each, end, body=body, kinds=kinds, alone=alone, ranged=ranged
        )
        if resolved is not None and resolved.line not in taken:
            found[each.ranks] = resolved
    return sorted(found.values(), key=lambda each: each.line)


def _resolve_one(
    document: DocumentText,
    entry: Candidate,
    end: int,
    *,
    body: list[Candidate],
    kinds: tuple[ItemKind, ...],
    alone: bool,
    ranged: bool,
) -> Resolved | None:
    lines = document.lines
    said = [entry.pages] + [
        line.text.rpartition(CELL)[2] if line.row else line.text
        for line in lines[entry.line + 1 : end]
        if line.row or len(line.text) < 60
    ]
    if entry.pages and _NOWHERE.search(entry.pages):
        said = []
    own = lines[entry.line].text
    heading = _titled(entry, body)
    if alone:
        heading = heading or _bare_title(document, entry, kinds)
        found = _by_pages(document, entry, said, kinds, ranged=ranged)
        found = found or _without_text(document, entry, [own, *said])
        if found is not None:
            return found
    targets = (document.anchors.get(name) for name in entry.targets)
    ahead = next((line for line in targets if line is not None and line > entry.line + 3), None)
    if ahead is not None:
        heading = _heading_near(document, ahead, entry, kinds)
    return None if heading is None else Resolved(heading, None, entry.ranks, entry.title)


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
    spans = _snapped(document, spans, entry, kinds)
    if not ranged:  # the pages are where items begin
        return Resolved(document.line_at(min(spans)[0]), None, entry.ranks, entry.title)
    elsewhere = _is_elsewhere(document, entry.line, document.lines[entry.line].text)
    first = document.line_at(spans[0][0])
    return Resolved(first, spans, entry.ranks, entry.title, elsewhere=elsewhere)


def _without_text(document: DocumentText, entry: Candidate, said: list[str]) -> Resolved | None:
    """The entry itself, where it says that the item is in another document or nowhere."""
    line = document.lines[entry.line]
    elsewhere = _is_elsewhere(document, entry.line, line.text)
    if not elsewhere and not _NOWHERE.search(" ".join(said)):
        return None
    here = ((line.start, line.end),)
    return Resolved(entry.line, here, entry.ranks, entry.title, elsewhere=elsewhere)


def _is_ranged(pages: str) -> bool:
    return any(found["high"] for found in _RANGE.finditer(pages))


def _titled(entry: Candidate, body: list[Candidate]) -> int | None:
    """The strongest heading that is the entry's title alone."""
    alike = [each for each in body if each.ranks == entry.ranks and each.line != entry.line]
    return max(alike, key=lambda each: (each.weight, -each.line)).line if alike else None


def _bare_title(
    document: DocumentText, entry: Candidate, kinds: tuple[ItemKind, ...]
) -> int | None:
    """The first line that is the item's whole title, however it looks."""
    wanted = [kinds[rank].alone for rank in entry.ranks]
    for index, line in enumerate(document.lines[: entry.line]):
        if line.row or len(line.text) > _TITLE_LENGTH:
            continue
        text = line.text.strip(" .:")
        if any(pattern is not None and pattern.fullmatch(text) for pattern in wanted):
            return index
    return None


def _heading_near(
    document: DocumentText, line: int, entry: Candidate, kinds: tuple[ItemKind, ...]
) -> int:
    """The title just below a link's target, or the target itself."""
    wanted = [kinds[rank] for rank in entry.ranks]
    for index in range(line, min(line + 4, len(document.lines))):
        text = document.lines[index].text
        if len(text) < 200 and has_title_words(text, wanted):
            return index
    return line


def _page_spans(document: DocumentText, said: list[str]) -> tuple[tuple[int, int], ...]:
    """The spans of the printed pages that the entry names, joined where they touch."""
    spans = []
    for text in said:
        for found in _RANGE.finditer(text):
            first = _page_start(document, found["low"])
            last = _page_end(document, found["high"] or found["low"])
            if first is not None and last is not None and first < last:
                spans.append((first, last))
    merged: list[tuple[int, int]] = []
    for begin, end in sorted(spans):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return tuple(
        sorted(((a, _trimmed(document, b)) for a, b in merged), key=lambda s: (s[0] - s[1], s[0]))
    )


def _page_start(document: DocumentText, number: str) -> int | None:
    """Where a page begins; one without a printed number is on the last page numbered before it."""
    exact = next((offset for label, offset in document.pages if label == number), None)
    if exact is not None or not number.isdecimal():
        return exact
    wanted = int(number)
    before = [(int(label), offset) for label, offset in document.pages if label.isdecimal()]
    below = [each for each in before if each[0] < wanted]
    if not below or wanted - max(below)[0] > _UNNUMBERED_PAGES:
        return None
    return max(below, key=lambda each: each[0])[1]


def _page_end(document: DocumentText, number: str) -> int | None:
    """Where a page ends: at the start of the next page that has a number."""
    for place, (label, _) in enumerate(document.pages):
        if label == number:
            rest = document.pages[place + 1 :]
            return rest[0][1] if rest else len(document.text)
    if not number.isdecimal():
        return None
    above = [
        (int(label), offset)
        for label, offset in document.pages
        if label.isdecimal() and int(label) > int(number)
    ]
    nearest = min(above, default=None)
    near = nearest is not None and nearest[0] - int(number) <= _UNNUMBERED_PAGES
    return nearest[1] if nearest is not None and near else None


def _trimmed(document: DocumentText, end: int) -> int:
    return len(document.text[:end].rstrip()) if end < len(document.text) else end


def _snapped(
    document: DocumentText,
    spans: tuple[tuple[int, int], ...],
    entry: Candidate,
    kinds: tuple[ItemKind, ...],
) -> tuple[tuple[int, int], ...]:
    """The span that has the item's title on its first page comes first, and begins at the title."""
    wanted = [kinds[rank] for rank in entry.ranks]
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
    telling = [
        replace(kind, words=tuple(each for each in kind.words if len(each) > 1)) for kind in wanted
    ]
    heading = bool(line.style & EMPHASIS) or text.isupper() or len(text) < 90
    return heading and has_title_words(text, telling)


def _is_elsewhere(document: DocumentText, index: int, text: str) -> bool:
    """Whether the entry, or the footnote that it refers to, says that it is in another document."""
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
