"""Which spans of a filing's text are its items.

Headings are weighed (`candidates`), the entries of contents tables set aside, and of the rest the
chain in the form's own order that weighs most is taken. What the chain lacks is looked up through the
contents table or cross-reference index: by its links, by the title, by printed page numbers.
"""

import re
from dataclasses import dataclass, replace
from typing import Final

from sightline.sources.sec_edgar.candidates import PART, Candidate, find_candidates
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


_TOC_RESIDUE: Final = 45
_ENTRY_RESIDUE: Final = 400
"""Letters that may stand between two entries of a contents table: its entries of no item."""
_TOC_RUN: Final = 3
_ENOUGH: Final = 0.3
"""With headings for fewer of the items that its index names, a filing goes by the index."""
_PAGE_COSTS: Final = 1.5
"""A heading with a page number behind it is rather an entry that was not seen as one."""
_SHORT_BODY: Final = 2_500
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
_PAGE = re.compile(r"^(?:[A-Z]{1,2}-)?\d{1,3}$")
_SIGNATURES = re.compile(r"^\W*signatures?\W*$", re.I)
_SUBSTANCE = re.compile(r"\b(?:none|not applicable|n/?a|omitted|reserved|incorporated|inapplicable)\b", re.I)


def find_items(
    document: DocumentText, kinds: tuple[ItemKind, ...]
) -> tuple[tuple[Item, ...], tuple[str, ...]]:
    """The items found, in the order of their place, and notes on what was unusual."""
    candidates = find_candidates(document, kinds)
    contents = _set_contents_aside(document, candidates, kinds)
    body = [each for each in candidates if not each.contents]
    _favour_linked(document, contents, body)
    chain = _best_chain(document, body, kinds)
    chain += _out_of_order(body, chain)
    chain.sort(key=lambda each: each.line)
    notes: list[str] = []
    named = {rank for each in contents if each.numbered for rank in each.ranks}
    have = {rank for each in chain for rank in each.ranks if each.numbered}
    by_index = len(named) >= 5 and len(have) < max(2, _ENOUGH * len(named))
    found = [] if by_index else [Resolved(c.line, None, c.ranks, c.title) for c in chain]
    missing = named - {rank for each in found for rank in each.ranks}
    if missing:
        found += resolve(
            document,
            [each for each in contents if missing & set(each.ranks)],
            body=body,
            kinds=kinds,
            alone=by_index,
            taken=[each.line for each in found],
        )
        if by_index:
            notes.append("The items are given by a cross-reference index, not by headings.")
            lost = missing - {rank for each in found for rank in each.ranks}
            if lost:
                names = ", ".join(kinds[rank].item for rank in sorted(lost))
                notes.append(f"The index names items that could not be located: {names}.")
    items = _items(document, _listed(document, _stacked(document, found)), kinds)
    return _without_tail(document, items), tuple(notes)


# contents tables


def _set_contents_aside(
    document: DocumentText, candidates: list[Candidate], kinds: tuple[ItemKind, ...]
) -> list[Candidate]:
    """Mark the entries of contents tables and indexes, and answer them."""
    order = [
        each
        for place, each in enumerate(candidates)
        if place == 0 or candidates[place - 1].line != each.line
    ]
    contents_lines: set[int] = set()
    run: list[tuple[Candidate, bool, int]] = []  # candidate, names a page, letters below it
    for place, each in enumerate(order):
        following = order[place + 1].line if place + 1 < len(order) else len(document.lines)
        strong = _names_a_place(document, each)
        residue = _residue(document, each, following)
        if run and _restarts(run, each, kinds):
            _close_run(run, contents_lines, order)
        run.append((each, strong, residue))
        if residue > _ENTRY_RESIDUE:
            _close_run(run, contents_lines, order)
    _close_run(run, contents_lines, order)
    contents = []
    for each in candidates:
        if each.line in contents_lines:
            each.contents = True
            contents.append(each)
    return contents


def _restarts(
    run: list[tuple[Candidate, bool, int]], each: Candidate, kinds: tuple[ItemKind, ...]
) -> bool:
    """Whether the first item comes again, with none of the signs of an entry in between."""
    last = run[-1][0]
    return each.ranks[0] < last.ranks[0] and each.ranks[0] <= 1 and len(run) > len(kinds) // 3


def _close_run(
    run: list[tuple[Candidate, bool, int]], contents_lines: set[int], order: list[Candidate]
) -> None:
    """A run of neighbouring candidates is a contents table when many of them name a page, or when
    none has a body and they come again; else it lists items that are left out."""
    members = list(run)
    run.clear()
    while members and not members[-1][1] and members[-1][2] > _ENTRY_RESIDUE:
        last = members[-1][0]
        tail_of_entries = (
            len(members) > _TOC_RUN
            and last.numbered
            and not last.title[90:]
            and last.line - members[-2][0].line <= 2
            and sum(strong for _, strong, _ in members) == 0
        )
        if tail_of_entries:
            break
        members.pop()
    items = {each.ranks for each, _, _ in members}
    strong = sum(each for _, each, _ in members)
    empty = sum(residue <= _TOC_RESIDUE for _, _, residue in members)
    if len(items) < _TOC_RUN:
        return
    named_pages = strong >= 2 and strong * 5 >= len(members) * 2
    last_line = members[-1][0].line
    later = {each.ranks for each in order if each.line > last_line}
    if named_pages or (empty * 5 >= len(members) * 4 and 2 * len(items & later) >= len(items)):
        contents_lines.update(each.line for each, _, _ in members)


def _names_a_place(document: DocumentText, candidate: Candidate) -> bool:
    """Whether the line has a page number or a link ahead, as an entry of a contents table has."""
    if candidate.pages:
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
        if PART.match(below.text) or _is_entry(below):
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


def _is_entry(line: Line) -> bool:
    """Whether a line is an entry of a contents table, of an item or not."""
    if len(line.text) > _ENTRY_RESIDUE:
        return False
    name, _, last = line.text.rpartition(CELL)
    return bool(line.targets) or (bool(name) and CELL not in name and bool(_PAGE.match(last)))


def _favour_linked(
    document: DocumentText, contents: list[Candidate], body: list[Candidate]
) -> None:
    """A heading that the contents table links to is more likely to be the right one."""
    linked: dict[int, set[int]] = {}
    for each in contents:
        for name in each.targets:
            if name in document.anchors:
                linked.setdefault(document.anchors[name], set()).update(each.ranks)
    for each in body:
        near = set().union(*(linked.get(each.line - back, set()) for back in range(3)))
        if near & set(each.ranks):
            each.weight += 1.5


# choosing


def _best_chain(
    document: DocumentText, body: list[Candidate], kinds: tuple[ItemKind, ...]
) -> list[Candidate]:
    """Of all series of headings in the form's order the one of most weight."""
    best: list[tuple[float, int]] = [(0.0, -1)] * (len(kinds) + 1)  # up to a rank: score, last
    before: list[int] = []
    for place, each in enumerate(body):
        following = next((c.line for c in body[place + 1 :] if c.line > each.line), None)
        end = document.lines[following].start if following else len(document.text)
        size = min(2_000, end - document.lines[each.line].end) / 2_000
        weight = each.weight + size * 0.5 - (_PAGE_COSTS if each.pages else 0)
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


def _out_of_order(body: list[Candidate], chain: list[Candidate]) -> list[Candidate]:
    """Strong headings of items that the chain lacks, where a filer departs from the form's order."""
    have = {rank for each in chain for rank in each.ranks}
    lines = {each.line for each in chain}
    found = []
    for each in sorted(body, key=lambda c: (-c.weight, c.line)):
        if each.weight >= 4 and each.numbered and not have & set(each.ranks):
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
    marked = []
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
        if line.start > last.start and _OMITTED.search(line.text[:80]) and line.end + 400 < last.end:
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


def _is_part_heading(line: Line) -> bool:
    heading = PART.match(line.text) if len(line.text) < 80 else None
    if heading is None:
        return False
    return bool(line.style) or line.text.isupper() or not heading["rest"].strip(" .,:|–—-")


def _judge(document: DocumentText, item: Item, found: Resolved) -> Item:
    """Say when an item is left out or is found elsewhere."""
    text = document.text[item.start : item.end]
    heading = found.title or item.title
    at = text.find(heading[-20:])
    body = text[at + len(heading[-20:]) :] if 0 <= at < 400 else text.partition("\n")[2] or text
    body = body.strip(" .\n|:")
    if found.elsewhere:
        return replace(item, incorporated_by_reference=True)
    exhibits = "exhibit" in item.title.lower()
    if not body and found.listed_as_omitted:
        return replace(item, omitted=True)
    if (len(body) < 60 if exhibits else len(body) < 300) and _OMITTED.search(body or text[-60:]):
        return replace(item, omitted=True)
    if len(body) < _SHORT_BODY and not exhibits:
        first = _INCORPORATED.search(body)
        if first and (len(body) < 900 or first.start() < len(body) / 3):
            return replace(item, incorporated_by_reference=True)
    return item


def _title(text: str, kind: ItemKind) -> str:
    """The title as the filing has it, without the text that runs on behind it."""
    title = " ".join(text.replace(CELL, " ").split()).strip(" .:;–—-")
    if len(title) > 150:
        title = re.split(r"(?<=[a-z)])[.:]\s|\s[–—-]{1,2}\s", title, maxsplit=1)[0]
    return title if 3 <= len(title) <= 250 else kind.title
