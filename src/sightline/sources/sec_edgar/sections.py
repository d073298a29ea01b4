"""The spans of a filing's text that are its items.

Headings are weighed (`candidates`), the entries of contents tables set aside, and of the rest the
chain in the form's own order that weighs most is taken. What the chain lacks is looked up through the
contents table or cross-reference index: by its links, by the title, by printed page numbers.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from sightline.sources.sec_edgar.candidates import PART, Candidate, find_candidates
from sightline.sources.sec_edgar.contents import set_contents_aside
from sightline.sources.sec_edgar.cross_reference import Resolved, resolve
from sightline.sources.sec_edgar.forms import ItemKind
from sightline.sources.sec_edgar.text import CELL, DocumentText, Line


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a filing: characters `start` up to `end` of its text, heading included.

    `omitted`: the filing gives it as not applicable, reserved or none. `incorporated_by_reference`:
    its content is in another document, which the text here names. `also` holds further spans when
    an index sends the reader to several places; `with_items` those that share the span.
    """

    item: str
    title: str
    start: int
    end: int
    incorporated_by_reference: bool = False
    omitted: bool = False
    also: tuple[tuple[int, int], ...] = ()
    with_items: tuple[str, ...] = ()


_ENOUGH: Final = 0.3
"""With headings for fewer of the items that its index names, a filing goes by the index."""
_MOST: Final = 0.8
"""With the titles of so many of them in their order, it has headings, if without numbers."""
_NUMBERED: Final = 5
_NEVER_LEFT_OUT: Final = frozenset({"1", "1A", "7", "8", "part1item1", "part1item2"})
_REPORTS: Final = frozenset({"1B", "4A", "part1item1"})
"""An item that only annual and quarterly reports have."""
_SHORT: Final = frozenset(
    {"1B", "4", "6", "9", "9B", "9C", "16"} | {f"part2item{number}" for number in (3, 4, 5)}
)
"""Items that say a page at most; one that holds a third of the text has swallowed others."""
_PAGE_COSTS: Final = 1.5
"""A heading with a page number behind it is rather an entry that was not seen as one."""
_STRONG: Final = 3.7
_NAMED: Final = 3.0  # number and title: enough in a current report, whose items stand in any order
"""The weight of an item's number, its title and capitals or bold type together."""
_SHORT_BODY: Final = 2_500
_BY_INDEX: Final = "The items are given by a cross-reference index, not by headings."
_PREFACE_LINES: Final = 8
"""A part may have so many lines of its own before its first item."""
_OMITTED = re.compile(
    r"\b(?:not applicable|inapplicable|none|omitted|reserved|not required|removed|n/a|"
    r"no(?:thing)? to report|does not apply|no such|intentionally left blank|"
    r"not (?:being )?(?:called for|presented|provided)|smaller reporting compan)",
    re.I,
)
_INCORPORATED = re.compile(
    r"incorporat\w+\s+(?:herein\s+|in(?:to)?\s+this\s+[\w\s-]{3,30}\s+|here\s*in\s+|by\s+)?"
    r"(?:by\s+(?:this\s+)?)?reference|"
    r"(?:(?:is|are|will be|be)\s+(?:set forth|included|contained|found|presented|furnished)|appears?)\s+"
    r"(?:in|on|under)\b[^.]{0,150}(?:annual report to (?:share|stock)|proxy statement|exhibit 13)",
    re.I,
)
_SHARED = re.compile(r"\bthese items\b|\brequired by (?:part III|items\b)", re.I)
_SIGNATURES = re.compile(r"^\W*signatures?\W*$", re.I)


def find_items(
    document: DocumentText, kinds: tuple[ItemKind, ...]
) -> tuple[tuple[Item, ...], tuple[str, ...]]:
    """The items found, in the order of their place, and notes on what was unusual.

    Of a report the notes name the items whose text could not be separated. A current report's
    number stands for an event, whatever its text.
    """
    candidates = find_candidates(document, kinds)
    contents = set_contents_aside(document, candidates)
    body = [each for each in candidates if not each.contents]
    named = {rank for each in contents if each.numbered for rank in each.ranks}
    chain = _without_namesakes(_best_chain(document, body, kinds), named, kinds)
    is_report = any(kind.item in _REPORTS for kind in kinds)
    least = _STRONG if is_report else _NAMED
    chain = sorted([*chain, *_out_of_order(body, chain, least)], key=lambda each: each.line)
    by_index = _goes_by_index(chain, named)
    found = [Resolved(c.line, None, c.ranks, c.title) for c in chain]
    if by_index:
        found = resolve(document, [each for each in contents if each.numbered], kinds)
    items = _items(document, _listed(document, _stacked(document, found)), kinds)
    items = _without_tail(document, items)
    notes = [_BY_INDEX] if by_index else []
    if is_report:
        items, lost = _without_implausible(document, items, kinds, named)
        notes += [f"The text of these items could not be located: {lost}."] if lost else []
    return items, tuple(notes)


def _goes_by_index(chain: list[Candidate], named: set[int]) -> bool:
    """Whether headings stand for too few of the items that an index names."""
    if len(named) < _NUMBERED:
        return False
    numbered = _ranks([each for each in chain if each.numbered])
    titled = _ranks(chain) & named
    return len(numbered) < max(2, _ENOUGH * len(named)) and len(titled) < _MOST * len(named)


def _ranks(found: Iterable[Candidate | Resolved]) -> set[int]:
    return {rank for each in found for rank in each.ranks}


def _without_implausible(
    document: DocumentText, items: tuple[Item, ...], kinds: tuple[ItemKind, ...], named: set[int]
) -> tuple[tuple[Item, ...], str]:
    """The items whose span can be theirs, and the names of those that are stated or due and not found."""
    kept = tuple(each for each in items if _is_plausible(document, each))
    lost = {each.item for each in items} | {kinds[rank].item for rank in named}
    if kept:
        lost |= (_NEVER_LEFT_OUT - {"1A"}) & {kind.item for kind in kinds}  # added in 2005
    lost -= {each.item for each in kept}
    return kept, ", ".join(kind.item for kind in kinds if kind.item in lost)


# choosing


def _best_chain(
    document: DocumentText, body: list[Candidate], kinds: tuple[ItemKind, ...]
) -> list[Candidate]:
    """Of all series of headings in the form's order the one of most weight."""
    best: list[tuple[float, int]] = [(0.0, -1)] * (len(kinds) + 1)  # up to a rank: score, last
    before: list[int] = []
    ends = _ends(document, body)
    for place, each in enumerate(body):
        end = ends[place]
        size = min(2_000, end - document.lines[each.line].end) / 2_000
        weight = each.weight + size * 0.5 - (_PAGE_COSTS if each.names_page else 0)
        low, high = min(each.ranks), max(each.ranks)
        score, last = best[low]
        before.append(last)
        if weight <= 0 or (last >= 0 and body[last].line >= each.line):
            continue
        score += weight
        for rank in range(high + 1, len(best)):
            if score > best[rank][0] + 1e-9:
                best[rank] = (score, place)
    chain = []
    place = best[-1][1]
    while place >= 0:
        chain.append(body[place])
        place = before[place]
    return chain[::-1]


def _without_namesakes(
    chain: list[Candidate], named: set[int], kinds: tuple[ItemKind, ...]
) -> list[Candidate]:
    """Where headings have numbers, a title without one is rather a sub-heading of the same words,
    unless the contents table names the item or it is one that no report leaves out."""
    if sum(each.numbered for each in chain) < _NUMBERED:
        return chain
    return [
        each
        for each in chain
        if each.numbered or set(each.ranks) & named or kinds[each.ranks[0]].item in _NEVER_LEFT_OUT
    ]


def _ends(document: DocumentText, body: list[Candidate]) -> list[int]:
    """Where the text below each heading ends: at the next line that may be one."""
    ends = [len(document.text)] * len(body)
    for place in range(len(body) - 2, -1, -1):
        below = body[place + 1]
        same = below.line == body[place].line
        ends[place] = ends[place + 1] if same else document.lines[below.line].start
    return ends


def _out_of_order(body: list[Candidate], chain: list[Candidate], least: float) -> list[Candidate]:
    """Strong headings of items that the chain lacks, where a filer departs from the form's order."""
    have = {rank for each in chain for rank in each.ranks}
    lines = {each.line for each in chain}
    found = []
    for each in sorted(body, key=lambda c: (-c.weight, c.line)):
        if each.weight >= least and each.numbered and not have & set(each.ranks):
            if each.line in lines:
                continue
            found.append(each)
            have.update(each.ranks)
            lines.add(each.line)
    return found


# spans


def _items(
    document: DocumentText, found: list[Resolved], kinds: tuple[ItemKind, ...]
) -> tuple[Item, ...]:
    lines = document.lines
    found = sorted(found, key=lambda each: (each.line, each.ranks))
    starts = sorted({each.line for each in found})
    items: list[Item] = []
    for each in found:
        start = lines[each.line].start
        if each.spans:
            (start, end), *more = each.spans
            also = tuple(more)
        else:
            later = [line for line in starts if line > each.line]
            end = _end_of(document, each.line, later[0] if later else None)
            also = ()
        names = tuple(kinds[rank].item for rank in each.ranks)
        for rank, title in zip(each.ranks, _titles(each), strict=True):
            item = Item(
                kinds[rank].item,
                _title(title, kinds[rank]),
                start,
                end,
                also=also,
                with_items=tuple(name for name in names if name != kinds[rank].item),
            )
            items.append(_judge(document, item, each))
    return tuple(items)


def _stacked(document: DocumentText, found: list[Resolved]) -> list[Resolved]:
    """Headings of several items on top of each other, with one text for all: one span for them."""
    found = sorted(found, key=lambda each: (each.line, each.ranks))
    out: list[Resolved] = []
    for place in range(len(found) - 1, -1, -1):
        each = found[place]
        below = out[-1] if out else None
        if (
            below is not None
            and not (each.spans or below.spans)
            and below.line - each.line == 1
            and not _OMITTED.search(document.lines[each.line].text)
            and _shares(document, below)
        ):
            titles = (*_titles(each), *_titles(below))
            ranks = (*each.ranks, *below.ranks)
            out[-1] = replace(below, line=each.line, ranks=ranks, titles=titles)
        else:
            out.append(each)
    return out[::-1]


def _titles(found: Resolved) -> tuple[str, ...]:
    return found.titles or (found.title,) * len(found.ranks)


def _shares(document: DocumentText, found: Resolved) -> bool:
    """Whether the text below a heading is meant for the headings above it too."""
    following = document.lines[found.line + len(found.ranks) : found.line + len(found.ranks) + 2]
    text = " ".join(line.text for line in following)
    return bool(_INCORPORATED.search(text) or _SHARED.search(text))


def _listed(document: DocumentText, found: list[Resolved]) -> list[Resolved]:
    """Mark the headings without body under a sentence that says the items are left out."""
    marked: list[Resolved] = []
    for each in sorted(found, key=lambda one: one.line):
        before = document.lines[each.line - 1].text if each.line else ""
        follows = bool(marked) and marked[-1].line == each.line - 1 and marked[-1].listed_as_omitted
        listed = follows or (before.endswith(":") and _OMITTED.search(before) is not None)
        marked.append(replace(each, listed_as_omitted=listed))
    return marked


def _without_tail(document: DocumentText, items: tuple[Item, ...]) -> tuple[Item, ...]:
    """A last item that says "None." does not own the financial pages behind it: the exhibits do."""
    if len(items) < 2 or items[-1].item != "16":
        return items
    *rest, last = items
    first = document.line_at(last.start)
    for line in document.lines[first : first + 4]:
        if (
            line.start > last.start
            and _OMITTED.search(line.text[:80])
            and line.end + 400 < last.end
        ):
            tail = (document.lines[document.line_at(line.end) + 1].start, last.end)
            last = replace(last, end=line.end, omitted=True)
            rest = [
                replace(each, also=(*each.also, tail)) if each.item == "15" else each
                for each in rest
            ]
            break
    return (*rest, last)


def _end_of(document: DocumentText, first: int, following: int | None) -> int:
    """Where the span that begins at a line ends: before the next item, its part heading left out."""
    lines = document.lines
    if following is None:
        signed = (i for i in range(first + 1, len(lines)) if _SIGNATURES.match(lines[i].text))
        last = next(signed, len(lines)) - 1
    else:
        last = following - 1
        for index in range(last, max(first, last - _PREFACE_LINES), -1):
            if _is_part_heading(lines[index]):
                last = index - 1
                break
    return lines[max(last, first)].end


def _is_plausible(document: DocumentText, item: Item) -> bool:
    """Whether a span can be the item by its length: neither its heading alone nor most of the text."""
    if item.omitted or item.incorporated_by_reference or item.with_items:
        return True
    spans = ((item.start, item.end), *item.also)
    size = sum(end - start for start, end in spans)
    if item.item in _SHORT and 3 * size > len(document.text) > _SHORT_BODY:
        return False
    letters = sum(map(str.isalpha, document.text[item.start : item.end])) if size < 400 else size
    return letters > sum(map(str.isalpha, item.title)) + len("part ii item")


def _is_part_heading(line: Line) -> bool:
    heading = PART.match(line.text) if len(line.text) < 80 else None
    if heading is None:
        return False
    return bool(line.style) or line.text.isupper() or not heading["rest"].strip(" .,:|–—-")


def _judge(document: DocumentText, item: Item, found: Resolved) -> Item:
    """Say when an item is left out or is found elsewhere."""
    text = document.text[item.start : item.end]
    body = _below_heading(text, found.title or item.title)
    exhibits = "exhibit" in item.title.lower()
    said = f"{item.title} {body or text[-60:]}"
    short = len(body) < (60 if exhibits else 300)
    if found.elsewhere:
        return replace(item, incorporated_by_reference=True)
    if (found.listed_as_omitted and not body) or (short and _OMITTED.search(said)):
        return replace(item, omitted=True)
    by_reference = not exhibits and _is_by_reference(body, text)
    return replace(item, incorporated_by_reference=True) if by_reference else item


def _is_by_reference(body: str, text: str) -> bool:
    """Whether a short text says early that its content is in another document."""
    first = _INCORPORATED.search(body or text) if len(body) < _SHORT_BODY else None
    return first is not None and (len(body) < 900 or first.start() < len(body) / 3)


def _below_heading(text: str, heading: str) -> str:
    at = text.find(heading[-20:])
    body = text[at + len(heading[-20:]) :] if 0 <= at < 400 else text.partition("\n")[2] or text
    return body.strip(" .\n|:")


def _title(text: str, kind: ItemKind) -> str:
    """The title as the filing has it, without the text that runs on behind it."""
    title = " ".join(text.replace(CELL, " ").split()).strip(" .:;–—-")
    if len(title) > 150:
        title = re.split(r"(?<=[a-z)])[.:]\s|\s[–—-]{1,2}\s", title, maxsplit=1)[0]
    return title if 3 <= len(title) <= 250 else kind.title
