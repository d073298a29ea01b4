"""A filing's text in passages: a few paragraphs of one item under one heading."""

from typing import Final

from sightline.domain.evidence import Passage
from sightline.reading.sentences import sentences
from sightline.sources.sec_edgar.filing import Filing
from sightline.sources.sec_edgar.headings import Heading, find_headings
from sightline.sources.sec_edgar.text import Line

_SHORTEST: Final = 300
_LONGEST: Final = 1_200
_ITEM_HEADING: Final = 200


def passages(filing: Filing) -> tuple[Passage, ...]:
    """Passages of 300 to 1,200 characters where the paragraphs allow, in order, without overlap.

    `section` is the item (None outside of all), `heading` the sub-heading that the passage begins
    with or stands under, else the item's title.
    """
    out: list[Passage] = []
    sections = _sections(filing)
    titles = {item.item: item.title for item in filing.items}
    lines = filing.document.lines
    place = 0
    while place < len(lines):
        section = sections[place]
        end = place
        while end < len(lines) and sections[end] == section:
            end += 1
        headings = find_headings(filing.document, lines[place].start, lines[end - 1].end)
        title = titles.get(section) if section else None
        out.extend(_cut(filing.text, lines[place:end], section, headings, title))
        place = end
    return tuple(out)


def _sections(filing: Filing) -> list[str | None]:
    """The item of each line; of several that hold it, the shortest."""
    lines = filing.document.lines
    sections: list[str | None] = [None] * len(lines)
    spans = [
        (end - start, start, end, item.item)
        for item in reversed(filing.items)
        for start, end in ((item.start, item.end), *item.also)
    ]
    for _, start, end, name in sorted(spans, key=lambda span: -span[0]):
        index = filing.document.line_at(start)
        while index < len(lines) and lines[index].start < end:
            sections[index] = name
            index += 1
    return sections


def _cut(
    text: str,
    lines: tuple[Line, ...],
    section: str | None,
    headings: tuple[Heading, ...],
    title: str | None,
) -> list[Passage]:
    by_start = {heading.start: heading.text for heading in headings}
    out: list[Passage] = []
    start = end = lines[0].start
    heading = under = by_start.get(start) or title
    for line in lines:
        begins = line.start in by_start
        heading = by_start.get(line.start) or heading
        # Headings alone, and the item's own, wait for their text: the next one says more about it.
        is_bare = text[start:end] == by_start.get(start)
        waits = is_bare or end == lines[0].end < start + _ITEM_HEADING
        if _ends_before(line, start, end, begins=begins, waits=waits):
            out.append(Passage(start, end, section, under))
            start, under = line.start, heading
        elif begins and is_bare:
            under = heading
        end = line.end
        while end - start > _LONGEST:
            border = _border(text, start)
            out.append(Passage(start, border, section, under))
            start = end - len(text[border:end].lstrip())
    return [*out, Passage(start, end, section, under)]


def _ends_before(line: Line, start: int, end: int, *, begins: bool, waits: bool) -> bool:
    """Whether a passage ends before a line: at a heading when it is long enough, or for want of room."""
    full = line.end - start > _LONGEST and not waits
    return start < end and (full or (begins and end - start >= _SHORTEST))


def _border(text: str, start: int) -> int:
    """The last sentence's end within the longest passage, else its last space."""
    window = text[start : start + _LONGEST]
    ends = [end for _, end in sentences(window)[:-1] if end >= _SHORTEST]
    if ends:
        return start + ends[-1]
    space = max(window.rfind(" "), window.rfind("\n"))
    return start + (space if space >= _SHORTEST else len(window))
