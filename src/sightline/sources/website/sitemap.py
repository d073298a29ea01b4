"""Sitemaps: lists of pages, lists of sitemaps, plain lists of addresses, packed, broken or cut off."""

import re
from dataclasses import dataclass
from datetime import datetime

from lxml import etree

from sightline.domain.evidence import Body
from sightline.reading.times import parse_time
from sightline.sources.bodies import read_text, read_xml
from sightline.sources.website.document import absolute_url

MAX_URLS = 50_000
"""As many as the format allows; what lies beyond is left out and said so."""

_LOC = re.compile(r"<(?:\w{1,20}:)?loc>\s*(?:<!\[CDATA\[)?\s*([^<\]\s]{1,2000})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """A page as a sitemap names it."""

    url: str
    changed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Sitemap:
    """`entries` are pages, `sitemaps` further sitemaps to read."""

    entries: tuple[SitemapEntry, ...] = ()
    sitemaps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def parse_sitemap(body: Body) -> Sitemap:
    """Read a sitemap of any of its forms; what is none gives no entries and a note."""
    text = read_text(body.content, body.charset)
    source = str(text.value).lstrip("\ufeff \t\r\n\x00")
    notes = list(text.notes)
    if not source:
        return Sitemap(notes=(*notes, "The sitemap is empty."))
    if not source.startswith("<"):
        return _plain(source, body.url, notes)
    if re.match(r"<!doctype html|<html\b", source, re.IGNORECASE):
        return Sitemap(notes=(*notes, "A web page, not a sitemap."))
    read = read_xml(body.content, body.charset)
    notes += [note for note in read.notes if note not in notes]
    root = read.value
    is_index = "sitemapindex" in source[:2000].lower()
    rows: list[SitemapEntry] = []
    feed = root is not None and _local(root.tag) in {"rss", "feed", "rdf"}
    if feed:
        rows = _feed_links(root, body.url)
    elif root is not None:
        for element in root.iter():
            if _local(element.tag) in {"url", "sitemap"}:
                row = _row(element, body.url)
                if row:
                    rows.append(row)
    if not feed and (not rows or not read.whole):
        rows = _searched(source, body.url, rows)
    if not rows:
        notes.append("No addresses were found.")
    distinct = list({row.url: row for row in rows}.values())
    if len(distinct) > MAX_URLS:
        notes.append(f"Only the first {MAX_URLS} of {len(distinct)} addresses are kept.")
        distinct = distinct[:MAX_URLS]
    if is_index:
        return Sitemap((), tuple(row.url for row in distinct), tuple(notes))
    return Sitemap(tuple(distinct), (), tuple(notes))


def _row(element: etree._Element, base: str) -> SitemapEntry | None:
    url = None
    changed = None
    for child in element:
        name = _local(child.tag)
        if name == "loc" and url is None:
            url = _url((child.text or "").strip(), base)
        elif name == "lastmod":
            changed = parse_time((child.text or "").strip())
    return SitemapEntry(url, changed) if url else None


def _searched(source: str, base: str, rows: list[SitemapEntry]) -> list[SitemapEntry]:
    """Addresses by a search of the text: mending broken XML loses a bare "&" and what follows."""
    urls = [url for found in _LOC.findall(source) if (url := _url(found, base))]
    if len(urls) == len(rows):
        return [SitemapEntry(url, row.changed_at) for url, row in zip(urls, rows, strict=True)]
    known = {row.url: row for row in rows}
    return [known.get(url, SitemapEntry(url)) for url in urls] or rows


def _feed_links(root: etree._Element, base: str) -> list[SitemapEntry]:
    rows = []
    for element in root.iter():
        if _local(element.tag) == "link":
            url = _url((element.text or element.get("href") or "").strip(), base)
            if url:
                rows.append(SitemapEntry(url))
    return rows


def _plain(source: str, base: str, notes: list[str]) -> Sitemap:
    urls = [line.strip() for line in source.splitlines()[: MAX_URLS + 1]]
    rows = [
        SitemapEntry(url) for line in urls if line.startswith("http") and (url := _url(line, base))
    ]
    if not rows:
        notes.append("Neither XML nor a list of addresses.")
    return Sitemap(tuple(dict.fromkeys(rows))[:MAX_URLS], (), tuple(notes))


def _url(text: str, base: str) -> str | None:
    return absolute_url(base, text.replace("&amp;", "&"))


def _local(tag: object) -> str:
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""
