"""Sub-headings inside a filing's text: sections of the business, captions of risk factors."""

import re
from dataclasses import dataclass
from itertools import takewhile, zip_longest
from typing import Final

from sightline.sources.sec_edgar.text import BOLD, CENTER, EMPHASIS, ITALIC, DocumentText, Line


@dataclass(frozen=True, slots=True)
class Heading:
    """Characters `start` up to `end` of the text. `level` is 1 for the outermost of the span that was
    searched; a heading that a paragraph begins with ("Competition. We…") counts as one."""

    start: int
    end: int
    level: int
    text: str


_LONGEST: Final = 450
_LONGEST_CAPTION: Final = 700  # a risk factor's caption, when its text follows
_PLAIN_LONGEST: Final = 90
_LARGER: Final = 3  # quarter points
_MOSTLY: Final = 0.6  # where so much of the text is emphasised, emphasis means nothing
_RUN_IN_ENDS = re.compile(r"[.:?!—–]\s*[\"”’)]?$|\s-$")
_RUN_IN_CAPITALS = re.compile(
    r"^(?P<heading>[A-Z][A-Z0-9 ,'’&/()–-]{5,110}?)(?:[.:]|\s?[–—]|\s--?)\s+[A-Z\"“(]\S*\s"
)
_NOT_ONE = re.compile(
    r"^(?:[•●▪■◦]|\(?(?:in|dollars|amounts|unaudited|continued|table of contents|page)\b[^a-z]|"
    r"\(?in (?:thousands|millions|billions)|\(?(?:amounts|dollars|shares) in |_{3}|[\d\W]+$)|^\(.*\)$",
    re.I,
)
_ITEM_LINE = re.compile(r"^\W*(?:part\s+[IV]+\W+)?items?\s*\d{1,2}\s*[.:A-K(–—-]", re.I)
_SMALL_WORDS: Final = frozenset(
    "a an and as at by for from in into of on or our the to with its their we that is are may".split()
)


def find_headings(document: DocumentText, start: int, end: int) -> tuple[Heading, ...]:
    """The headings between two offsets, in order. The heading of an item itself is not among them."""
    lines = _lines_between(document, start, end)
    text = [line for line in lines if not line.row]
    styled = _emphasis_means(text)
    ordinary = _ordinary_size(text)
    found: list[tuple[Line, int, int]] = []
    for line, following in zip_longest(lines, lines[1:]):
        larger = line.size - ordinary if ordinary and line.size > ordinary + _LARGER else 0
        one = _heading(line, following, styled=styled, larger=larger)
        if one is not None and (line is not lines[0] or not _ITEM_LINE.match(line.text)):
            found.append((line, *one))
    levels = {depth: at for at, depth in enumerate(sorted({one[2] for one in found}), start=1)}
    return tuple(
        Heading(line.start, line.start + length, levels[depth], line.text[:length].strip())
        for line, length, depth in found
    )


def _lines_between(document: DocumentText, start: int, end: int) -> list[Line]:
    lines = takewhile(lambda line: line.start < end, document.lines[document.line_at(start) :])
    return [line for line in lines if line.start >= start]


def _emphasis_means(text: list[Line]) -> bool:
    """Whether little enough of the text is emphasised."""
    strong = sum(len(line.text) for line in text if line.style & EMPHASIS)
    return strong < sum(len(line.text) for line in text) * _MOSTLY


def _ordinary_size(lines: list[Line]) -> int:
    """The font size of most of the text; 0 when it is not known."""
    sizes: dict[int, int] = {}
    for line in lines:
        sizes[line.size] = sizes.get(line.size, 0) + len(line.text)
    return max(sizes, key=lambda size: (sizes[size], size)) if sizes else 0


def _heading(
    line: Line, following: Line | None, *, styled: bool, larger: int
) -> tuple[int, int] | None:
    """(length, depth) when the line is a heading or begins with one; `larger` by so many quarter
    points than the text around it."""
    text = line.text
    if line.row or _NOT_ONE.match(text) or not any(map(str.isalpha, text)):
        return None
    if larger and len(text) <= _LONGEST:
        return len(text), -larger
    if not styled:
        return _plain_heading(line, following)
    if line.style & EMPHASIS:
        body = following is not None and not following.style & EMPHASIS
        fits = len(text) <= (_LONGEST_CAPTION if body else _LONGEST)
        return (len(text), _depth_of(line.style, text)) if fits else None
    if _leads(line):
        return line.lead, _depth_of(line.lead_style, text[: line.lead]) + 10
    return _plain_heading(line, following)


def _leads(line: Line) -> bool:
    """Whether a paragraph begins with emphasised words that are a heading of their own."""
    if not 3 <= line.lead < len(line.text) or line.lead > _LONGEST_CAPTION:
        return False
    lead, after = line.text[: line.lead], line.text[line.lead :].lstrip()
    ends = _RUN_IN_ENDS.search(lead) is not None or after[:1] in ("—", "–", "-", ":")
    return ends and sum(map(str.isalpha, lead)) >= 3


def _plain_heading(line: Line, following: Line | None) -> tuple[int, int] | None:
    """Headings without emphasis: capitals, centred lines, a short title over a longer paragraph."""
    text = line.text
    left = not line.style & CENTER
    if text.isupper() and len(text) <= 160 and (" " in text or len(text) > 4):
        return len(text), 5 + left
    if found := _RUN_IN_CAPITALS.match(text):
        return found.end("heading"), 18
    if not _could_be_title(text) or not _is_longer(following, text):
        return None
    if not left or _has_capitals(text):
        return len(text), 7 + left
    return (len(text), 9) if len(text.split()) <= 8 else None


def _could_be_title(text: str) -> bool:
    return len(text) <= _PLAIN_LONGEST and text[-1] not in ".,;:" and text[0].isupper()


def _is_longer(following: Line | None, text: str) -> bool:
    least = max(120, 2 * len(text))
    return following is not None and not following.row and len(following.text) >= least


def _has_capitals(text: str) -> bool:
    """Whether all words but the small ones begin with a capital."""
    large = [word for word in text.split() if word.casefold() not in _SMALL_WORDS]
    return bool(large) and all(word[0].isupper() or not word[0].isalpha() for word in large)


def _depth_of(style: int, text: str) -> int:
    """0 for the strongest: bold capitals or bold and centred; then bold, bold italic, the rest."""
    if style & BOLD:
        if text.isupper() or style & CENTER:
            return 0
        return 2 if style & ITALIC else 1
    if text.isupper() or style & CENTER:
        return 1 if style & CENTER and text.isupper() else 3
    return 4 if style & ITALIC else 3
