"""`list_documents` and `read_document`: the stored documents, and any part of one by its name."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Final

from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.contract import Source
from sightline.assistant.tools.activity import read_whole_posting
from sightline.assistant.tools.matching import nearness, with_most_words
from sightline.assistant.tools.session import NoAnswer, ToolSession, cut, day, tool
from sightline.assistant.units import unit_above
from sightline.reading.orders import without_orders
from sightline.reading.stated import normalized
from sightline.reading.tables import CELL, table_context
from sightline.reading.terms import terms
from sightline.search.units import cut as pieces
from sightline.store.profile_evidence import document_heads, document_texts

_MOST_HEADINGS: Final = 120
_LONGEST_HEADING: Final = 110
_LONGEST_LIST: Final = 400  # characters
_LONGEST_TITLES: Final = 2_000
_ENDS: Final = (".", ";", ",", "?")  # of lines that are no titles
_PAGE: Final = 5_000  # characters
_HEADING_OF_NOTES: Final = 600  # characters of a page in which it is, too
_ABOVE: Final = 6_000  # characters in which the head of a page's table is looked for
_KINDS: Final = {"posting": "job", "page": "web"}
_SAME: Final = 0.9  # how near a name comes to a heading that it means without doubt
_MOST_NEAR: Final = 5  # headings that are offered for one that a document has not


@dataclass(frozen=True, slots=True)
class _Section:
    """A run of passages under one heading; `start` and `end` are characters of the document."""

    item: str | None
    heading: str
    start: int
    end: int


@tool("listing documents")
async def list_documents(
    session: ToolSession, query: str | None = None, company: str | None = None
) -> str:
    """List the stored documents, newest first, with form, period and day of publication.

    Args:
        query: Only documents whose title or address has these words, such as "10-Q" or "press".
        company: An account of find_accounts; without it the company of this conversation.
    """
    evidence = session.of(company)
    async with evidence.reading() as connection:
        heads = await document_heads(connection, evidence.company_id)
    hidden = ("data",) if evidence.may("jobs:read") else ("data", "posting")
    heads = [head for head in heads if head.kind not in hidden]
    chosen = with_most_words(heads, query, lambda head: f"{head.kind} {head.title} {head.url}")
    if not chosen:
        newest = dict.fromkeys(f"{each.kind} {each.title or ''}".strip() for each in heads)
        listed = cut("; ".join(newest), _LONGEST_LIST)
        stored = f"{len(heads)} are stored, the newest first: {listed}"
        raise NoAnswer(f"No document matches. {stored if heads else 'None is stored'}.")
    rows = []
    for head in chosen:
        title = without_orders(head.title or "") or head.url
        source = Source(head.document_id, head.url, title, None, head.published_at, title)
        rows.append((f"{head.kind} | {title} | {day(head.published_at)}", (source,)))
    kinds = [_KINDS.get(head.kind, head.kind) for head in chosen]
    return "\n".join(session.listed(evidence, rows, kind=kinds))


@tool("reading a document")
async def read_document(
    session: ToolSession, document: str, section: str | None = None, page: int = 1
) -> str:
    """Read a document: its outline where it has one, or with `section` the text under that heading.

    Args:
        document: The id of a source: of list_documents, of a passage that was found, or of a posting.
        section: A heading of the outline or within the text, or an item number such as "1A".
        page: 1 is the first; each page says how many there are, and which titles stand on the others.
    """
    evidence, shown = session.source(document)
    if shown.kind == "job":
        return await read_whole_posting(session, document)
    document_id = shown.sources[0].document_id
    if document_id is None:
        raise NoAnswer(f"{document} is a record, not a document.")
    async with evidence.reading() as connection:
        heads = await document_heads(connection, evidence.company_id)
        texts = await document_texts(connection, evidence.company_id, [document_id])
    head = next((each for each in heads if each.document_id == document_id), None)
    if head is None or document_id not in texts or not texts[document_id].text:
        raise NoAnswer("That document has no text to read.")
    text = texts[document_id].text
    sections = _sections(texts[document_id].passages, len(text))
    if section is None:
        if len(text) > _PAGE and len(sections) > 1:
            return _outline(sections, page)
        chosen = _Section(None, "", 0, len(text))
    else:
        chosen = await _named(sections, section, text)
    source = Source(document_id, head.url, head.title, published_at=head.published_at)
    kind = _KINDS.get(head.kind, head.kind)
    return _page(session, evidence, source, chosen, text, page, kind)


def _sections(
    passages: Sequence[tuple[int, int, str | None, str | None]], length: int
) -> list[_Section]:
    """Runs of passages with the same heading, each to where the next begins."""
    runs = [next(run) for _, run in groupby(passages, key=lambda each: (each[2], each[3] or ""))]
    ends = [*(start for start, *_ in runs[1:]), length]
    spans = zip(runs, ends, strict=False)
    return [_Section(item, heading or "", start, end) for (start, _, item, heading), end in spans]


def _outline(sections: Sequence[_Section], page: int) -> str:
    first = (max(1, page) - 1) * _MOST_HEADINGS
    listed = sections[first : first + _MOST_HEADINGS]
    if not listed:
        raise NoAnswer("The outline has no such page.")
    lines = [
        f"{f'Item {each.item} | ' if each.item else ''}"
        f"{cut(without_orders(each.heading), _LONGEST_HEADING)} ({each.end - each.start} characters)"
        for each in listed
    ]
    if first + _MOST_HEADINGS < len(sections):
        lines.append(f"… more headings on page {max(1, page) + 1}.")
    return "\n".join(["Outline; pass a heading as `section`:", *lines])


async def _named(sections: Sequence[_Section], name: str, text: str) -> _Section:
    """What a name means, the surest first: all under just this heading or the whole item, a title within the
    text, a heading with all words of the name, one that is like it, a title with them. Raises NoAnswer, which
    lists what there is."""
    wanted, titles = _plain(name), [*_titles(text, 0, len(text)), (len(text), "")]
    if sure := _run(sections, wanted) or _titled(sections, name, titles) or _having(sections, name):
        return sure
    near = await nearness(wanted, [each.heading for each in sections])
    nearest = sorted(zip(near, sections, strict=True), key=lambda each: -each[0])[:_MOST_NEAR]
    if nearest and nearest[0][0] >= _SAME:
        return nearest[0][1]
    if start := next((start for start, title in titles if wanted and wanted in _plain(title)), 0):
        return _under(sections, name, start, len(text))
    offered = "; ".join(dict.fromkeys(each.heading for likeness, each in nearest if likeness))
    raise NoAnswer(
        f"There is no section {name!r} in this document. The nearest:"
        f" {without_orders(offered) or 'none'}. {_outline(sections, 1)}"
    )


def _having(sections: Sequence[_Section], name: str) -> _Section | None:
    """That with the shortest heading which has all words of a name."""
    words = set(terms(name))
    having = [each for each in sections if words and words <= set(terms(each.heading))]
    return min(having, key=lambda each: len(each.heading), default=None)


def _run(sections: Sequence[_Section], wanted: str) -> _Section | None:
    """All under just a heading, or the whole of an item."""
    item = wanted.removeprefix("item ")
    of_item = [replace(each, heading=f"Item {each.item}") for each in sections
               if (each.item or "").casefold() == item]  # fmt: skip
    run = [each for each in sections if wanted and _plain(each.heading) == wanted] or of_item
    return replace(run[0], end=run[-1].end) if run else None


def _titled(
    sections: Sequence[_Section], name: str, titles: Sequence[tuple[int, str]]
) -> _Section | None:
    """Of the places of one title that with most text below: the others stand in lists of contents."""
    same = [(after[0] - start, -start) for (start, title), after in pairwise(titles)
            if _plain(title) == _plain(name)]  # fmt: skip
    return _under(sections, name, -max(same)[1], titles[-1][0]) if same else None


def _plain(name: str) -> str:
    """A heading as it is compared: "Item 1A. Risk Factors:" as "item 1a. risk factors"."""
    return normalized(name).casefold().strip(" .:-–—•*")


def _titles(text: str, start: int, end: int) -> list[tuple[int, str]]:
    """The short lines of a text that may be titles, and where they begin; no rows, no sentences."""
    found = []
    for line in text[start:end].splitlines(keepends=True):
        title = line.strip()
        is_title = len(line) <= _LONGEST_HEADING and not title.endswith(_ENDS)
        if is_title and CELL not in line and title[:1].isupper():
            found.append((start, title))
        start += len(line)
    return found


def _under(sections: Sequence[_Section], title: str, start: int, length: int) -> _Section:
    """From a title on to the end of the section that it stands in."""
    end = next((each.start for each in sections if each.start > start), length)
    return _Section(None, title, start, end)


def _page(
    session: ToolSession,
    evidence: CompanyEvidence,
    source: Source,
    section: _Section,
    text: str,
    page: int,
    kind: str,
) -> str:
    pages = [(section.start + first, section.start + last)
             for first, last in pieces(text[section.start : section.end], _PAGE)]  # fmt: skip
    if not 1 <= page <= len(pages):
        raise NoAnswer(f"That section has {len(pages)} pages.")
    start, end = pages[page - 1]
    body = cut(without_orders(text[start:end].strip()), session.room)
    if not body:
        raise NoAnswer("That page has nothing about the company.")
    above = "" if body.startswith(section.heading) else section.heading
    before = text[max(0, start - _ABOVE) : start] if page > 1 else ""
    table = without_orders(table_context(before, text[start:end]))
    table = "\n".join(filter(None, (unit_above(text[: start + _HEADING_OF_NOTES], body), table)))
    context = "\n".join(filter(None, (above, table)))
    name = session.put(evidence, body, source, kind=kind, context=context)
    heading = cut(without_orders(section.heading), 200)
    place = f"page {page} of {len(pages)}" if len(pages) > 1 else ""
    title = " | ".join(filter(None, (source.title, heading, day(source.published_at), place)))
    more = _more(text, pages, page) if len(pages) > 1 else ""
    return "\n".join(filter(None, (f"{name} | {title}", table, body, more)))


def _more(text: str, pages: Sequence[tuple[int, int]], page: int) -> str:
    """How to go on in a section, and on which of its other pages titles stand."""
    on = f"… continues on page {page + 1} of {len(pages)}." if page < len(pages) else ""
    titled: dict[str, int] = {}
    for number, (start, end) in enumerate(pages, start=1):
        for _, title in _titles(text, start, end) if number != page else ():
            titled.setdefault(title, number)
    listed = "; ".join(f"{without_orders(title)} ({number})" for title, number in titled.items())
    titles = f"Titles on other pages: {cut(listed, _LONGEST_TITLES)}" if listed else ""
    return " ".join(filter(None, (on, titles)))
