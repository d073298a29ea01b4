"""News feeds: RSS 0.9x, 1.0 and 2.0, Atom, RDF and JSON Feed, even if malformed.

Well-formed or not, wrongly declared, compressed or with junk before them: what can be read is read,
and `notes` says what was wrong. A page that is not a feed gives no items.
"""

import hashlib
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit
from xml.parsers import expat

import feedparser

from sightline.domain.evidence import Body
from sightline.reading.times import parse_time
from sightline.sources.bodies import read_json, read_text, unpacked
from sightline.sources.plain_text import one_line, plain_text
from sightline.sources.posting_build import language_code
from sightline.sources.values import at, markup, rows, text

MAX_ITEMS = 1000
"""Items of one feed that are read; a feed that lists more is cut, and says so."""
MAX_TEXT = 100_000
"""Characters of one item's text that are kept."""

_ROOT = re.compile(r"<(?:[\w-]+:)?(rss|feed|rdf|channel)(?=[\s>/])", re.IGNORECASE)
_WRAPPING = 3000
"""Characters of a web page that may stand around a feed: some templates put one into their frame."""
_DOCTYPE = re.compile(
    r"<!DOCTYPE\b[^>\[]{0,500}+(?:\[[^\]]{0,20000}+\])?[^>]{0,100}+>", re.IGNORECASE
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)", re.DOTALL)
_LONGEST_LEAD = 50_000  # characters of declarations before a feed; what is longer is none
_ITEM_END = re.compile(r"</(?:[\w-]+:)?(?:item|entry)\s*>", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_BARE_AMPERSAND = re.compile(r"&(?!#\d{1,7};|#[xX][0-9a-fA-F]{1,6};|[A-Za-z][A-Za-z0-9]{1,31};)")
_CDATA = re.compile(r"(<!\[CDATA\[.*?(?:\]\]>|\Z))", re.DOTALL)
_HTML = re.compile(r"<(?:!doctype\s+html|html|body)\b", re.IGNORECASE)
_FORMATS = {
    "rss090": "RSS 0.90", "rss091n": "RSS 0.91", "rss091u": "RSS 0.91", "rss092": "RSS 0.92",
    "rss093": "RSS 0.93", "rss094": "RSS 0.94", "rss10": "RSS 1.0", "rss20": "RSS 2.0", "rss": "RSS",
    "atom01": "Atom 0.1", "atom02": "Atom 0.2", "atom03": "Atom 0.3", "atom10": "Atom 1.0",
    "atom": "Atom", "cdf": "CDF",
}  # fmt: skip
_DATE_NAMES = ("published", "pubdate", "dc_date", "date", "issued", "created", "dcterms_issued")
_CHANGE_NAMES = ("updated", "modified", "dcterms_modified", "lastbuilddate")


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One entry. `id` is stable within the feed; `text` is plain, the longest that the feed gives."""

    id: str
    url: str
    title: str
    published_at: datetime | None
    updated_at: datetime | None
    author: str | None
    text: str
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed as read. `format` is None for what is not a feed; `sound` says it was without a fault."""

    format: str | None
    title: str | None
    url: str | None  # the site's page that the feed belongs to
    language: str | None
    items: tuple[FeedItem, ...]
    notes: tuple[str, ...] = ()
    next_url: str | None = None
    well_formed: bool = False  # the bytes are XML or JSON without a fault

    @property
    def sound(self) -> bool:
        """Whether nothing had to be repaired or left out."""
        return self.format is not None and not self.notes


def parse(body: Body) -> Feed:
    """The feed of an answer. Addresses are made absolute with the feed's own base, else its address."""
    source = read_text(body.content, body.charset)
    body = replace(body, content=unpacked(body.content).value)
    start = source.value.lstrip("\ufeff \t\r\n\x00")
    if not start:
        return _no_feed(*source.notes, "The body is empty.")
    if start[0] in "{[" and not _ROOT.search(start[:2000]):
        return _json_feed(body)
    feed = _xml_feed(start, body.url, list(source.notes))
    return replace(feed, well_formed=_fault(body.content) is None)


def _fault(content: bytes) -> str | None:
    """What a strict XML parser says against the bytes as they are; None when nothing."""
    parser = expat.ParserCreate(namespace_separator=" ")
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, LookupError, ValueError) as error:
        return str(error)
    return None


def _no_feed(*notes: str) -> Feed:
    return Feed(None, None, None, None, (), tuple(dict.fromkeys(notes)))


def _xml_feed(source: str, url: str, notes: list[str]) -> Feed:
    root, page = _ROOT.search(source), _HTML.search(source)
    wrapped = root is not None and page is not None and page.start() < root.start()
    if root is None or (wrapped and root.start() > _WRAPPING):
        return _no_feed(*notes, f"The body is {'a web page' if page else 'no feed'}.")
    found = _read(_mended(_shortened(_cut_out(source, root, notes), notes)), url)
    if found.get("bozo") and (reason := _reason(found.get("bozo_exception"))):
        notes.append(reason)
    if not found.get("entries") and (wrapped or not found.get("version")):
        return _no_feed(*notes, "The body is no feed.")
    return _feed(found, url, notes, is_atom=root[1].lower() == "feed")


def _feed(found: Mapping[str, Any], url: str, notes: list[str], *, is_atom: bool) -> Feed:
    """A feed of what feedparser found."""
    version, head = str(found.get("version") or ""), found.get("feed", {})
    atom = is_atom or version.startswith("atom")
    base = _site(head, url)
    items = [_item(each, base or url, atom=atom) for each in found.get("entries", [])[:MAX_ITEMS]]
    return Feed(
        format=_FORMATS.get(version, "Atom" if atom else "RSS"),
        title=one_line(head.get("title")) or None,
        url=base,
        language=language_code(str(head.get("language") or head.get("xml_lang") or "")),
        items=_usable(items, notes),
        notes=tuple(dict.fromkeys(notes)),
        next_url=_related(head, "next", url),
    )


def _cut_out(source: str, root: re.Match[str], notes: list[str]) -> str:
    """The root element without what stands around it."""
    junk = _COMMENT.sub("", source[: root.start()])
    if len(junk) > _LONGEST_LEAD or _DOCTYPE.sub("", junk, count=1).strip():
        notes.append("There is text before the feed; it was left out.")
    end = source.lower().rfind(f"</{root[0][1:].lower()}>")
    return source[root.start() : end + len(root[0]) + 2 if end > 0 else None]


def _shortened(source: str, notes: list[str]) -> str:
    """The feed without the items after the first thousand: parsing them is most of the work."""
    ends = [found.end() for found in _ITEM_END.finditer(source)]
    if len(ends) <= MAX_ITEMS:
        return source
    notes.append(f"Only the first {MAX_ITEMS} of {len(ends)} items were read.")
    return source[: ends[MAX_ITEMS - 1]] + source[ends[-1] :]


def _mended(source: str) -> str:
    """The root element, without characters and references that no XML parser takes."""
    source = _CONTROL.sub("", source)
    parts = _CDATA.split(source)
    return "".join(
        part if part.startswith("<![CDATA[") else _BARE_AMPERSAND.sub("&amp;", part)
        for part in parts
    )


def _read(source: str, url: str) -> Mapping[str, Any]:
    # The declaration was cut off with what stood before it: what is left is text in UTF-8.
    data = b'<?xml version="1.0" encoding="utf-8"?>' + source.encode("utf-8", errors="replace")
    headers = {"content-type": "application/xml; charset=utf-8", "content-location": url}
    found: Mapping[str, Any] = feedparser.parse(
        io.BytesIO(data), response_headers=headers, sanitize_html=False, resolve_relative_uris=True
    )
    return found


def _reason(error: object) -> str | None:
    """Why the XML was not well-formed; None for what is no fault of the feed."""
    if error is None or type(error).__name__ in {"CharacterEncodingOverride", "NonXMLContentType"}:
        return None
    get = getattr(error, "getMessage", None)
    said = get() if callable(get) else str(error)
    return f"The XML is not well-formed ({said}); it was read all the same."


def _site(head: Mapping[str, Any], url: str) -> str | None:
    link = _related(head, "alternate", url) or str(head.get("link") or "")
    return _absolute(url, link) or None


def _related(entry: Mapping[str, Any], relation: str, base: str) -> str | None:
    for link in entry.get("links") or ():
        if link.get("rel") == relation and link.get("href"):
            kind = link.get("type") or "text/html"
            if relation != "alternate" or "html" in kind:
                return _absolute(base, link["href"]) or None
    return None


def _item(entry: Mapping[str, Any], base: str, *, atom: bool) -> FeedItem | None:
    given = str(entry.get("id") or entry.get("guid") or "").strip()
    contents = (part.get("value") for part in entry.get("content") or ())
    published, updated = _time(entry, _DATE_NAMES), _time(entry, _CHANGE_NAMES)
    return _made(
        id=given,
        url=_item_url(entry, given, base),
        title=one_line(entry.get("title")),
        # RSS has one date; dc:date is its other name.
        published_at=published if atom else published or updated,
        updated_at=updated,
        author=_author(entry),
        text=_longest(*contents, entry.get("summary"), entry.get("description")),
        categories=[tag.get("term") or tag.get("label") for tag in entry.get("tags") or ()],
    )


def _made(
    *, id: str, url: str, title: str, published_at: datetime | None, updated_at: datetime | None,
    author: str | None, text: str, categories: Iterable[object],
) -> FeedItem | None:  # fmt: skip
    """An item with an id and a title of its own; None for one that says nothing."""
    if not (title or url or text):
        return None
    id, named = id or url or _fingerprint(title, text), title or _opening(text)
    return FeedItem(id, url, named, published_at, updated_at, author, text, _distinct(categories))


def _item_url(entry: Mapping[str, Any], given: str, base: str) -> str:
    """The page of an item: what a proxy says it stands for, its link, a permanent id."""
    candidates = [
        entry.get("feedburner_origlink"),
        entry.get("pheedo_origlink"),
        _related(entry, "alternate", base),
        entry.get("link"),
        *(link.get("href") for link in entry.get("links") or () if link.get("rel") != "enclosure"),
        given if given.startswith(("http://", "https://")) else None,
    ]
    found = next((url for each in candidates if each and (url := _absolute(base, str(each)))), "")
    return _unwrapped(found)


def _unwrapped(url: str) -> str:
    """The page behind a redirect of Google Alerts or News, which names it in its query."""
    parts = urlsplit(url)
    if not (parts.path == "/url" and re.fullmatch(r"(?:www\.)?google\.[a-z.]{2,6}", parts.netloc)):
        return url
    query = parse_qs(parts.query)
    named = (query.get("url") or query.get("q") or [""])[0]
    return named if named.startswith(("http://", "https://")) else url


def _time(entry: Mapping[str, Any], names: Iterable[str]) -> datetime | None:
    for name in names:
        # Reading a name that is missing makes feedparser answer with a related one.
        value = dict.get(entry, name) if isinstance(entry, dict) else entry.get(name)
        if isinstance(value, str) and (moment := parse_time(value)) is not None:
            return moment
    return None


def _author(entry: Mapping[str, Any]) -> str | None:
    """The name in "mail@host (Name)" or "Name <mail@host>"; the words as they are without a mail."""
    given = one_line(entry.get("author"))
    found = re.fullmatch(r"\S+@\S+\s+\((.+)\)|(.+?)\s+[<(]\S+@[^\s)>]+[)>]", given)
    return (found[1] or found[2] if found else given) or None


def _longest(*parts: str | None) -> str:
    texts = [plain_text(part) for part in parts if part]
    return max(texts, key=len, default="")[:MAX_TEXT]


def _opening(body: str) -> str:
    """What stands for a title that is missing: the first line, cut at a word."""
    line = body.split("\n", 1)[0]
    return line if len(line) <= 100 else line[:100].rsplit(" ", 1)[0] + "…"


def _fingerprint(title: str, body: str) -> str:
    return hashlib.sha256(f"{title}\n{body}".encode()).hexdigest()[:32]


def _distinct(values: Iterable[object]) -> tuple[str, ...]:
    words = (one_line(str(value)) for value in values if value)
    return tuple(dict.fromkeys(word for word in words if word))


def _absolute(base: str, link: str) -> str:
    """An http(s) address; "" for anything else."""
    if not link.strip():
        return ""
    try:
        joined = urljoin(base, link.strip())
        return joined if urlsplit(joined).scheme in {"http", "https"} else ""
    except ValueError:
        return ""


def _usable(items: Iterable[FeedItem | None], notes: list[str]) -> tuple[FeedItem, ...]:
    """Items in the feed's order, each id once."""
    kept: dict[str, FeedItem] = {}
    empty = 0
    for item in items:
        if item is None:
            empty += 1
        else:
            kept.setdefault(item.id, item)
    if empty:
        notes.append(f"{empty} items have neither title, link nor text.")
    undated = sum(item.published_at is None and item.updated_at is None for item in kept.values())
    if undated:
        notes.append(f"{undated} of {len(kept)} items have no date that can be read.")
    return tuple(kept.values())


def _json_feed(body: Body) -> Feed:
    read = read_json(body.content, body.charset)
    data, notes = read.value, list(read.notes)
    if not isinstance(at(data, "items"), list):
        return _no_feed(*notes, "The JSON is no feed: it has no list of items.")
    base = _absolute(body.url, text(data, "home_page_url") or "") or body.url
    entries = rows(data, "items")
    if len(entries) > MAX_ITEMS:
        notes.append(f"Only the first {MAX_ITEMS} of {len(entries)} items were read.")
    items = [_json_item(entry, base) for entry in entries[:MAX_ITEMS]]
    version = (text(data, "version") or "").rstrip("/").rsplit("/", 1)[-1]
    return Feed(
        format=f"JSON Feed {version}".strip(),
        title=text(data, "title"),
        url=base or None,
        language=language_code(text(data, "language")),
        items=_usable(items, notes),
        notes=tuple(dict.fromkeys(notes)),
        next_url=_absolute(body.url, text(data, "next_url") or "") or None,
        well_formed=read.whole,
    )


def _json_item(entry: Any, base: str) -> FeedItem | None:
    authors = (text(each, "name") for each in (at(entry, "author"), *rows(entry, "authors")))
    bodies = (markup(entry, name) for name in ("content_html", "content_text", "summary"))
    return _made(
        id=text(entry, "id") or "",
        url=_absolute(base, text(entry, "url") or text(entry, "external_url") or ""),
        title=text(entry, "title") or "",
        published_at=parse_time(at(entry, "date_published")),
        updated_at=parse_time(at(entry, "date_modified")),
        author=next(filter(None, authors), None),
        text=_longest(*bodies),
        categories=rows(entry, "tags"),
    )
