"""`list_documents` and `read_document`: which documents are stored, and any part of one by its name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.contract import Source
from sightline.assistant.tools.activity import read_whole_posting
from sightline.assistant.tools.matching import nearness, with_most_words
from sightline.assistant.tools.session import NoAnswer, ToolSession, cut, day, tool
from sightline.reading.orders import without_orders
from sightline.reading.tables import CELL, table_context
from sightline.reading.terms import terms
from sightline.store.profile_evidence import document_heads, document_texts

_MOST: Final = 40
_MOST_HEADINGS: Final = 120
_LONGEST_HEADING: Final = 110
_LONGEST_LIST: Final = 400  # characters
_ENDS: Final = (".", ";", ",", "?")  # of lines that are no titles
_PAGE: Final = 5_000  # characters
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
    evidence = await session.of(company)
    async with evidence.reading() as connection:
        heads = await document_heads(connection, evidence.company_id)
    heads = [
        head
        for head in heads
        if head.kind != "data" and (head.kind != "posting" or evidence.may("jobs:read"))
    ]
    chosen = with_most_words(heads, query, lambda head: f"{head.kind} {head.title} {head.url}")
    if not chosen:
        newest = "; ".join(
            dict.fromkeys(f"{each.kind} {each.title or ''}".strip() for each in heads)
        )
        stored = f"{len(heads)} are stored, the newest first: {cut(newest, _LONGEST_LIST)}"
        raise NoAnswer(f"No document matches. {stored if heads else 'None is stored'}.")
    lines = []
    for head in chosen[:_MOST]:
        title = without_orders(head.title or "") or head.url
        source = Source(head.document_id, head.url, title, None, head.published_at, title)
        text = f"{head.kind} | {title} | {day(head.published_at)}"
        kind = _KINDS.get(head.kind, head.kind)
        lines += session.listed(evidence, [(text, (source,))], kind=kind)
    if len(chosen) > _MOST:
        lines.append(f"… and {len(chosen) - _MOST} older ones; narrow with `query`.")
    return "\n".join(lines)


@tool("reading a document")
async def read_document(
    session: ToolSession, document: str, section: str | None = None, page: int = 1
) -> str:
    """Read a document: its outline where it has one, or with `section` the text under that heading.

    Args:
        document: The id of a source: of list_documents, of a passage that was found, or of a posting.
        section: A heading of the outline, an item number such as "1A", or words of a table's title.
        page: 1 is the first; each page says whether there are more.
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
    source = Source(document_id, head.url, head.title, None, head.published_at)
    return _page(
        session, evidence, source, (chosen, text), page, kind=_KINDS.get(head.kind, head.kind)
    )


def _sections(
    passages: Sequence[tuple[int, int, str | None, str | None]], length: int
) -> list[_Section]:
    """Runs of passages with the same heading, each to where the next begins."""
    starts: list[tuple[int, str | None, str]] = []
    for start, _, item, heading in passages:
        if not starts or (item, heading or "") != starts[-1][1:]:
            starts.append((start, item, heading or ""))
    ends = [start for start, _, _ in starts[1:]] + [length]
    return [
        _Section(item, heading, start, end)
        for (start, item, heading), end in zip(starts, ends, strict=True)
    ]


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
    """The section of an item, that of a heading with all words of the name, or the text from a title of
    them on. Raises NoAnswer, which lists what there is."""
    wanted = name.casefold().removeprefix("item ").strip(" .")
    items = [each for each in sections if (each.item or "").casefold() == wanted]
    if items:
        return _Section(items[0].item, f"Item {items[0].item}", items[0].start, items[-1].end)
    words = set(terms(wanted))
    having = [each for each in sections if words and words <= set(terms(each.heading))]
    if having:
        return min(having, key=lambda each: len(each.heading))
    near = await nearness(wanted, [each.heading for each in sections])
    nearest = sorted(zip(near, sections, strict=True), key=lambda each: -each[0])[:_MOST_NEAR]
    if nearest and nearest[0][0] >= _SAME:
        return nearest[0][1]
    if words and (start := _titled(text, wanted)) is not None:
        return _Section(None, name, start, len(text))
    offered = "; ".join(dict.fromkeys(each.heading for likeness, each in nearest if likeness))
    raise NoAnswer(
        f"There is no section {name!r} in this document. The nearest:"
        f" {without_orders(offered) or 'none'}. {_outline(sections, 1)}"
    )


def _titled(text: str, wanted: str) -> int | None:
    """Where a short line with the words begins, such as a table's title; within a sentence or a row they
    name nothing."""
    start = 0
    for line in text.splitlines(keepends=True):
        is_title = len(line) <= _LONGEST_HEADING and not line.rstrip().endswith(_ENDS)
        if is_title and CELL not in line and wanted in line.casefold():
            return start
        start += len(line)
    return None


def _page(
    session: ToolSession,
    evidence: CompanyEvidence,
    source: Source,
    chosen: tuple[_Section, str],
    page: int,
    *,
    kind: str,
) -> str:
    section, text = chosen
    pages = _pages(text, section)
    if not 1 <= page <= len(pages):
        raise NoAnswer(f"That section has {len(pages)} pages.")
    start, end = pages[page - 1]
    body = cut(without_orders(text[start:end].strip()), session.room)
    if not body:
        raise NoAnswer("That page has nothing about the company.")
    above = "" if body.startswith(section.heading) else section.heading
    before = text[max(0, start - _ABOVE) : start] if page > 1 else ""
    table = without_orders(table_context(before, text[start:end]))
    name = session.put(
        evidence,
        body,
        source,
        kind=kind,
        context="\n".join(filter(None, (above, table))),
    )
    more = f"\n… continues on page {page + 1} of {len(pages)}." if page < len(pages) else ""
    heading = cut(without_orders(section.heading), 200)
    title = " | ".join(part for part in (source.title, heading) if part)
    head = f"{name} | {title} | {day(source.published_at)}"
    return "\n".join(filter(None, (head, table, body))) + more


def _pages(text: str, section: _Section) -> list[tuple[int, int]]:
    """Where the pages of a section begin and end: with a whole line, or a whole word."""
    found, start = [], section.start
    while start < section.end:
        end = min(section.end, start + _PAGE)
        if end < section.end:
            line = text.rfind("\n", start + _PAGE // 2, end)
            end = line + 1 or text.rfind(" ", start, end) + 1 or end
        found.append((start, end))
        start = end
    return found
