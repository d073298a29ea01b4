"""A fetched filing, in any wrapping, as form, text, items and headings."""

import re
import zlib
from dataclasses import dataclass, field
from typing import Final

from sightline.sources.sec_edgar.forms import family_of, items_of
from sightline.sources.sec_edgar.html_text import html_lines
from sightline.sources.sec_edgar.plain_text import text_lines
from sightline.sources.sec_edgar.sections import Item, find_items
from sightline.sources.sec_edgar.submission import (
    SubmissionDocument,
    documents_of,
    form_stated,
    is_submission,
    main_document,
)
from sightline.sources.sec_edgar.text import DocumentText, assemble


@dataclass(frozen=True, slots=True)
class Filing:
    """A filing's main document as text, with its items. `form` is None when nothing names it;
    `content` are its own bytes, `documents` all of a full submission."""

    form: str | None
    text: str
    items: tuple[Item, ...]
    notes: tuple[str, ...]
    document: DocumentText = field(repr=False)
    content: bytes = field(repr=False)
    documents: tuple[SubmissionDocument, ...] = field(default=(), repr=False)


class NotAFiling(ValueError):
    """The bytes cannot be read as a filing: empty, binary, or too large."""


MAX_BYTES: Final = 400_000_000  # decompressed; the largest submissions are about half of this
_BLOCK_TAG = re.compile(rb"<(?:p|div|br|td|tr|font|span|li|h[1-6])\b", re.I)
_SAMPLE: Final = 200_000
_COVER: Final = 12_000
_COVER_FORM = re.compile(
    r"\bform\s*:?\s*(?P<form>(?:10|20|40|8|6)\s*[-–—‑]?\s*[KQF](?:SB|T|405)?(?:\s*/\s*A)?|"
    r"S-\d{1,2}|DEF\s*14A|D|SD|11-K|CB|N-CSR|10-12[BG])(?![\w-])",
    re.I,
)
_XML_FORM = re.compile(
    rb"<(?:documentType|submissionType)>\s*(?:<value>)?\s*(?P<form>[A-Z0-9][A-Z0-9/ -]{0,11})<"
)
_FORM_LINE: Final = 70
_SERIES = re.compile(r"^(\d+)[-–—‑]?([KQF])")
_TRUE: Final = frozenset({"true", "☑", "yes"})
_NAMED = re.compile(
    r"(?<![a-z0-9])(?P<form>10-?k405|10-?kt|10-?ksb|10-?k|10-?qsb|10-?q|20-?f|40-?f|8-?k|6-?k|def-?14a)"
    r"(?![a-z0-9])",
    re.I,
)


def read_filing(content: bytes, *, name: str | None = None, form: str | None = None) -> Filing:
    """Read a filing document or a full submission, compressed or not.

    `name` is its file name or address, `form` the form where the caller knows it; both only help
    when the document does not say. Raises `NotAFiling`.
    """
    content = _opened(content)
    notes: list[str] = []
    documents: tuple[SubmissionDocument, ...] = ()
    if is_submission(content):
        documents = documents_of(content)
        main, form = _main_of(content, documents, form)
        content = main.content if main else content
    document = document_text(content)
    if not document.text:
        raise NotAFiling("The file has no text.")
    form = form or _xml_form(content) or form_of(document, name=name)
    if form is None:
        notes.append("Nothing in the file names the form.")
    items, more = _items_of(document, form)
    notes.extend(more)
    exhibit = next((each for each in documents if each.type.upper().startswith("EX-13")), None)
    if exhibit is not None and any(each.incorporated_by_reference for each in items):
        named = exhibit.filename or exhibit.type
        notes.append(f"The submission has the annual report as exhibit: {named}.")
    return Filing(form, document.text, items, tuple(notes), document, content, documents)


def _main_of(
    content: bytes, documents: tuple[SubmissionDocument, ...], form: str | None
) -> tuple[SubmissionDocument | None, str | None]:
    """The document of a submission that is the filing itself, and the form. Raises `NotAFiling`."""
    stated = form_stated(content)
    main = main_document(documents, stated or form)
    if main is None and (documents or stated):
        raise NotAFiling("The submission has no document with text.")
    return main, form or (main and (stated or main.type)) or None


def document_text(content: bytes) -> DocumentText:
    """One document, HTML or plain, as text. Raises `NotAFiling` for binary content."""
    if b"\0" in content[:4096] and content[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise NotAFiling("The file is binary, not a filing.")
    if _is_html(content):
        lines, facts = html_lines(_decoded(content).encode())
        return assemble(lines, facts)
    return assemble(text_lines(_decoded(content)), wrapped=True)


def form_of(document: DocumentText, *, name: str | None = None) -> str | None:
    """The form: from inline XBRL, the cover page or the file's name, in this order."""
    tagged = document.facts.get("dei:DocumentType", "").strip().upper()
    if tagged and len(tagged) < 12:
        amended = document.facts.get("dei:AmendmentFlag", "").strip().lower() in _TRUE
        return tagged + "/A" if amended and not tagged.endswith("/A") else tagged
    titles = (line for line in document.text[:_COVER].split("\n") if len(line) < _FORM_LINE)
    found = next(filter(None, map(_COVER_FORM.search, titles)), None) or _NAMED.search(name or "")
    return _spelled(found["form"]) if found else None


def _spelled(form: str) -> str:
    """A form as the SEC spells it: "10K" is "10-K"."""
    joined = "".join(form.upper().split()).replace("DEF-14A", "DEF14A")
    return _SERIES.sub(r"\1-\2", joined).replace("DEF14A", "DEF 14A")


def _xml_form(content: bytes) -> str | None:
    """The form that an XML filing (Forms 3 to 5, D) names in its own element."""
    found = _XML_FORM.search(content[:_COVER])
    return found["form"].decode("ascii") if found else None


def _items_of(document: DocumentText, form: str | None) -> tuple[tuple[Item, ...], tuple[str, ...]]:
    family = family_of(form) if form else None
    if form is None:
        # Whichever form explains most headings.
        best = max(
            ("10-K", "10-Q", "20-F", "8-K"),
            key=lambda each: len(find_items(document, items_of(each))[0]),
        )
        return find_items(document, items_of(best))
    if family is None:
        return (), (f"Form {form} has no numbered items.",)
    items, notes = find_items(document, items_of(family))
    if family == "8-K" and not items:
        items, notes = find_items(document, items_of("8-K (before 2004)"))
    if not items:
        notes = (*notes, "No item heading was found.")
    return items, notes


def _opened(content: bytes) -> bytes:
    """Gunzipped as often as need be, within the size that is read."""
    for _ in range(2):
        if content[:2] != b"\x1f\x8b":
            break
        reader = zlib.decompressobj(wbits=31)
        try:
            opened = reader.decompress(content, MAX_BYTES)
        except zlib.error as error:
            raise NotAFiling("The compressed file is damaged.") from error
        if reader.unconsumed_tail:
            raise NotAFiling(f"The file is larger than {MAX_BYTES // 1_000_000} MB.")
        content = opened
    if len(content) > MAX_BYTES:
        raise NotAFiling(f"The file is larger than {MAX_BYTES // 1_000_000} MB.")
    if not content.strip():
        raise NotAFiling("The file is empty.")
    return content


def _is_html(content: bytes) -> bool:
    """Whether tags, not line ends, lay the document out; plain text is often wrapped in <html>."""
    middle = max(0, len(content) // 2 - _SAMPLE // 2)
    sample = content[:_SAMPLE] + content[middle : middle + _SAMPLE] + content[-_SAMPLE:]
    tags = len(_BLOCK_TAG.findall(sample))
    newlines = sample.count(b"\n") + sample.count(b"\r") // 2
    return tags > 0 and tags * 25 > newlines


def _decoded(content: bytes) -> str:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        # As browsers do: the five bytes that windows-1252 leaves open are control characters.
        return content.translate(None, b"\x81\x8d\x8f\x90\x9d").decode("cp1252")
