"""Tables of contents and indexes: item headings that are only their entries."""

import re
from typing import Final

from sightline.sources.sec_edgar.candidates import PART, Candidate
from sightline.sources.sec_edgar.text import CELL, DocumentText

_TOC_RESIDUE: Final = 45
_TOC_RUN: Final = 3
_ENTRY_RESIDUE: Final = 400
"""Letters that may stand between two entries of a contents table: its entries of no item."""
_SUBSTANCE = re.compile(
    r"\b(?:none|not applicable|n/?a|omitted|reserved|incorporated|inapplicable)\b", re.I
)

_Entry = tuple[Candidate, bool, int]
"""What may be an entry, whether it names a page, and the letters below it."""


def set_contents_aside(document: DocumentText, candidates: list[Candidate]) -> list[Candidate]:
    """Mark the entries of contents tables and indexes, and answer them.

    A list of items stands before what it lists, at the begin of the filing or of one part: the first
    item of the list comes again behind it.
    """
    order = _strongest(candidates)
    last_lines = {each.ranks: each.line for each in order}
    contents_lines: set[int] = set()
    run: list[_Entry] = []
    for place, each in enumerate(order):
        following = order[place + 1].line if place + 1 < len(order) else len(document.lines)
        residue = _residue(document, each, following)
        begin = next((at for at, one in enumerate(run) if one[0].ranks[0] == each.ranks[0]), None)
        if begin is not None and len(run) - begin > 1:
            contents_lines |= _entries(run[:begin], last_lines)
            contents_lines |= _entries(run[begin:], last_lines, least=2)
            run.clear()
        run.append((each, _names_a_place(document, each), residue))
        if residue > _ENTRY_RESIDUE:
            contents_lines |= _entries(run, last_lines)
            run.clear()
    contents_lines |= _entries(run, last_lines)
    for each in candidates:
        each.contents = each.line in contents_lines
    return [each for each in order if each.contents]


def _strongest(candidates: list[Candidate]) -> list[Candidate]:
    """One candidate a line: "Item 1" of a quarterly report may be of either part, and is of one."""
    found: dict[int, Candidate] = {}
    for each in candidates:
        if each.weight > found.setdefault(each.line, each).weight:
            found[each.line] = each
    return list(found.values())


def _entries(
    run: list[_Entry], last_lines: dict[tuple[int, ...], int], *, least: int = _TOC_RUN
) -> set[int]:
    """The lines of a run of neighbouring candidates that is a contents table: many of them name a page,
    or none has a body and they come again; else it lists items that are left out."""
    members = _without_last_heading(run)
    items = {each.ranks for each, _, _ in members}
    if len(items) < least:
        return set()
    strong = sum(each for _, each, _ in members)
    empty = sum(residue <= _TOC_RESIDUE for _, _, residue in members)
    named_pages = strong >= 2 and strong * 5 >= len(members) * 2
    last_line = members[-1][0].line
    later = sum(last_lines[ranks] > last_line for ranks in items)
    listed = empty * 5 >= len(members) * 4 and 2 * later >= len(items)
    return {each.line for each, _, _ in members} if named_pages or listed else set()


def _without_last_heading(run: list[_Entry]) -> list[_Entry]:
    """The run without candidates at its end that have a body, and so are headings and no entries."""
    members = list(run)
    while members and not members[-1][1] and members[-1][2] > _ENTRY_RESIDUE:
        last = members[-1][0]
        if len(members) > 1 and last.pages and members[-2][1]:
            break
        members.pop()
    return members


def _names_a_place(document: DocumentText, candidate: Candidate) -> bool:
    """Whether the line has a page number or a link ahead, as an entry of a contents table has."""
    if candidate.names_page:
        return True
    ahead = (document.anchors[name] for name in candidate.targets if name in document.anchors)
    return any(line > candidate.line + 3 for line in ahead)


def _residue(document: DocumentText, candidate: Candidate, following: int) -> int:
    """Letters between the title and the next candidate; a sentence such as "None." counts as many."""
    residue = 0
    if len(candidate.title) > 200:
        residue += len(candidate.title)
    elif _SUBSTANCE.search(document.lines[candidate.line].text):
        residue += _TOC_RESIDUE + 1
    for below in document.lines[candidate.line + 1 : following]:
        if PART.match(below.text):
            continue
        text = below.text.replace(CELL, " ")
        if candidate.title and text in candidate.title:
            continue
        if _SUBSTANCE.search(text[:80]):
            residue += _TOC_RESIDUE + 1
        residue += sum(map(str.isalpha, text))
        if residue > _ENTRY_RESIDUE:
            break
    return residue
