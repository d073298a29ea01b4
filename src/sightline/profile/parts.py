"""Which segment or product line the paragraphs of a review or release are about, where only a heading above
says so. Pure.

A heading is one of a part if it begins with the name of one, or is the name of a row beside one in a table.
What stands below is about the part up to the next such heading, or up to the first heading that stands below
no other part. In a list of parts headings of one alone end nothing before one that others have too.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple
from uuid import UUID

from sightline.profile.evidence import Document, Evidence
from sightline.profile.segments import LEFT_OVER, short_name
from sightline.profile.sentences import Scope, is_heading

LONGER: Final = 15
"""Characters that a heading may have beside the name of a part."""
_TOLD: Final = ("review", "release")


class _Heading(NamedTuple):
    """A line that is a heading; of a part, if it has an axis."""

    start: int
    text: str
    axis: str
    name: str | None


def mentions(name: str) -> re.Pattern[str]:
    """How a text names a part: its name, with "&" or "and"."""
    words = name.replace("&", " AND ").replace(" and ", " AND ").split()
    pattern = r",?\s+".join("(?:and|&)" if w == "AND" else re.escape(w.strip(",")) for w in words)
    return re.compile(rf"(?<!\w){pattern}(?!\w)", re.I)


def scopes(evidence: Evidence) -> dict[UUID, Sequence[Scope]]:
    """By document what its headings say of the parts of the company."""
    facts = evidence.by_field.get("segment", ())
    known = {
        short_name(fact.name): axis
        for axis in ("product", "business")
        for fact in facts
        if fact.value.get("axis") == axis
    }
    if len(known) < 2:
        return {}
    return {d.document_id: _scopes(d, known) for d in evidence.reading if d.form is not None}


def _scopes(document: Document, known: Mapping[str, str]) -> list[Scope]:
    lines = list(_lines(document))
    rows = [" | " in text for _, text in lines]
    around = zip(lines, [False, *rows], [*rows[1:], False], strict=False)
    # A short line between two rows belongs to their table.
    shown = [line for line, *sides in around if is_heading(line[1]) and not all(sides)]
    counts = Counter(_plain(text) for _, text in shown)
    named = [(mentions(name), len(name) + LONGER, axis, name) for name, axis in known.items()]
    beside = {row: axis for row, axis in _beside(lines, named).items() if counts[row] == 1}
    headings = []
    for start, text in shown:
        axis, name = _known(_plain(text), named) or (beside.get(_plain(text), ""), text)
        is_part = axis and not LEFT_OVER.search(name)
        headings.append(_Heading(start, text, axis, name if is_part else None))
    return _below(headings, document.spans[-1].end if document.spans else 0)


def _lines(document: Document) -> Iterator[tuple[int, str]]:
    """The lines of the review, with their offsets."""
    for span in document.spans:
        place = span.start
        if document.part(span) in _TOLD:
            for raw in document.text[span.start : span.end].split("\n"):
                if raw.strip():
                    yield place, raw.strip()
                place += len(raw) + 1


def _plain(text: str) -> str:
    name, _, note = text.rpartition(" (")
    return (name if name and len(note) <= len("1)") else text).rstrip(" :*").casefold()


_Named = tuple[re.Pattern[str], int, str, str]


def _known(plain: str, named: Sequence[_Named]) -> tuple[str, str] | None:
    """The axis and name of the part that a heading or row begins with."""
    found = ((a, n) for pattern, most, a, n in named if len(plain) <= most and pattern.match(plain))
    return next(found, None)


def _beside(lines: Sequence[tuple[int, str]], named: Sequence[_Named]) -> dict[str, str]:
    """The names of rows in the tables that have a part of the company, with its axis."""
    beside: dict[str, str] = {}
    rows: list[str] = []
    for _, text in (*lines, (0, "")):
        if " | " in text:
            rows.append(_plain(text.partition(" | ")[0]))
            continue
        found = next((own for row in rows if (own := _known(row, named))), None)
        if found is not None and not LEFT_OVER.search(found[1]):
            beside |= {row: found[0] for row in rows if not any(map(str.isdigit, row))}
        rows = []
    return beside


def _below(headings: Sequence[_Heading], end: int) -> list[Scope]:
    """What stands below each heading of a part."""
    starts = [n for n, each in enumerate(headings) if each.axis]
    blocks = [headings[n:following] for n, following in pairwise([*starts, len(headings)])]
    below: dict[str, set[int]] = defaultdict(set)
    for number, block in enumerate(blocks):
        for each in block[1:]:
            below[_plain(each.text)].add(number)
    found: list[Scope] = []
    for block, following in pairwise([*blocks, []]):
        own, *inner = block
        told = {own.name, *(each.name for each in found)}
        shared = [n for n, each in enumerate(inner, 1) if len(below[_plain(each.text)]) > 1]
        apart = [each for n, each in enumerate(inner, 1) if n not in shared]
        if following and following[0].axis == own.axis and following[0].name not in told:
            apart = inner[max(shared, default=0) :]
        stop = [*(each.start for each in (*apart, *following)), end][0]
        found.append(Scope(own.start, stop, own.name, own.text))
    return found


def part_of(evidence: Evidence, document_id: UUID, place: int) -> Scope | None:
    """The part that a place of a document is about."""
    found = evidence.parts.get(document_id, ())
    return next((each for each in found if each.start <= place < each.end and each.name), None)
