"""Sub-headings inside a filing's text: sections of the business, captions of risk factors."""

import re
from dataclasses import dataclass
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
_MOSTLY: Final = 0.6
"""Where so much of the text is emphasised, emphasis means nothing."""
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
    {
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "into",
        "of",
        "on",
        "or",
        "our",
        "the",
        "to",
        "with",
        "its",
        "their",
        "we",
        "that",
        "is",
        "are",
        "may",
    }
)


def find_headings(document: DocumentText, start: int, end: int) -> tuple[Heading, ...]:
    """The headings between two offsets, in order. The heading of an item itself is not among them."""
    first = document.line_at(start)
    lines = []
    for line in document.lines[first:]:
        if line.start >= end:
            break
        if line.start >= start:
            lines.append(line)
    whole = sum(len(line.text) for line in lines if not line.row)
    strong = sum(len(line.text) for line in lines if not line.row and line.style & EMPHASIS)
    styled = strong < whole * _MOSTLY
    ordinary = _ordinary_size(lines)
    found: list[tuple[int, int, int, str]] = []
    for place, line in enumerate(lines):
        following = lines[place + 1] if place + 1 < len(lines) else None
        larger = line.size - ordinary if ordinary and line.size > ordinary + _LARGER else 0
        one = _heading(line, following, styled=styled, larger=larger)
        if one is None or (place == 0 and _ITEM_LINE.match(line.text)):
            continue
        length, depth = one
        text = line.text[:length].strip()
        found.append((line.start, line.start + length, depth, text))
    depths = sorted({depth for _, _, depth, _ in found})
    levels = {depth: level for level, depth in enumerate(depths, start=1)}
    return tuple(Heading(begin, stop, levels[depth], text) for begin, stop, depth, text in found)


def _ordinary_size(lines: list[Line]) -> int:
    """The font size of most of the text; 0 when it is not known."""
    sizes: dict[int, int] = {}
    for line in lines:
        if not line.row:
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
    if styled and line.style & EMPHASIS:
        body = following is not None and not following.style & EMPHASIS
        if len(text) <= (_LONGEST_CAPTION if body else _LONGEST):
            return len(text), _depth(line, text)
        return None
    if styled and 3 <= line.lead < len(text) and line.lead <= _LONGEST_CAPTION:
        lead = text[: line.lead]
        ends = _RUN_IN_ENDS.search(lead) or text[line.lead :].lstrip()[:1] in ("—", "–", "-", ":")
        if ends and sum(map(str.isalpha, lead)) >= 3:
            return line.lead, _depth_of(line.lead_style, lead) + 10
    return _plain_heading(line, following)


def _plain_heading(line: Line, following: Line | None) -> tuple[int, int] | None:
    """Headings without emphasis: capitals, centred lines, a short title over a longer paragraph."""
    text = line.text
    words = text.split()
    if text.isupper() and len(text) <= 160 and (len(words) > 1 or len(text) > 4):
        return len(text), 5 if line.style & CENTER else 6
    if found := _RUN_IN_CAPITALS.match(text):
        return found.end("heading"), 18
    if len(text) > _PLAIN_LONGEST or text[-1] in ".,;:" or not text[0].isupper():
        return None
    if following is None or following.row or len(following.text) < max(120, 2 * len(text)):
        return None
    large = [word for word in words if word.casefold() not in _SMALL_WORDS]
    capital = sum(word[0].isupper() or not word[0].isalpha() for word in large)
    if line.style & CENTER or (large and capital == len(large)):
        return len(text), 7 if line.style & CENTER else 8
    return (len(text), 9) if len(words) <= 8 else None


def _depth(line: Line, text: str) -> int:
    return _depth_of(line.style, text)


def _depth_of(style: int, text: str) -> int:
    """0 for the strongest: bold capitals or bold and centred; then bold, bold italic, the rest."""
    if style & BOLD:
        if text.isupper() or style & CENTER:
            return 0
        return 2 if style & ITALIC else 1
    if text.isupper() or style & CENTER:
        return 1 if style & CENTER and text.isupper() else 3
    return 4 if style & ITALIC else 3
