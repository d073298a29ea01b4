"""Sitemaps: lists of pages, lists of sitemaps, plain lists of URLs, even if compressed, broken or
truncated.

Addresses are sought in the text: mending broken XML loses a bare "&" and what follows.
"""

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass

from sightline.domain.evidence import Body
from sightline.sources.bodies import read_text
from sightline.sources.website.document import absolute_url

MAX_URLS = 50_000
"""As many as the format allows; what lies beyond is left out and said so."""

_ROOT = re.compile(r"<((?:\w{1,20}:)?(?:urlset|sitemapindex|rss|feed|rdf))\b", re.IGNORECASE)
_HTML = re.compile(r"<!doctype html|<html\b", re.IGNORECASE)
# Pictures, films and news of a page have addresses of their own.
_LOC = re.compile(
    r"<(?!image:|video:|news:)(?:\w{1,20}:)?loc>\s{0,50}(?:<!\[CDATA\[)?\s{0,50}([^<\]\s]{1,2000})",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"<link(?:>\s{0,50}(?:<!\[CDATA\[)?|\s[^<>]{0,500}?\bhref=[\"'])\s{0,50}([^<\]\s\"']{1,2000})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sitemap:
    """`entries` are addresses of pages, `sitemaps` those of further sitemaps to read."""

    entries: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def _addresses(source: str, *, is_feed: bool) -> Iterable[str]:
    if source.startswith("<"):
        return (_LINK if is_feed else _LOC).findall(source)
    return (line for line in source.splitlines() if line.strip().startswith("http"))


def parse_sitemap(body: Body) -> Sitemap:
    """Read a sitemap of any of its forms; what is none gives no entries and a note."""
    text = read_text(body.content, body.charset)
    source = str(text.value).lstrip("\ufeff \t\r\n\x00")
    root = _ROOT.search(source, 0, 5000)
    name = root[1].lower() if root else ""
    if _HTML.match(source):
        return Sitemap(notes=(*text.notes, "A web page, not a sitemap."))
    found = _addresses(source, is_feed=name.endswith(("rss", "feed", "rdf")))
    read = (absolute_url(body.url, html.unescape(address)) for address in found)
    urls = tuple(dict.fromkeys(filter(None, read)))
    kept, notes = urls[:MAX_URLS], list(text.notes)
    if not urls:
        notes.append("No addresses were found.")
    if root is not None and f"</{name}" not in source[-500:].lower():
        notes.append("The sitemap is cut off.")
    if len(urls) > MAX_URLS:
        notes.append(f"Only the first {MAX_URLS} of {len(urls)} addresses are kept.")
    is_index = name.endswith("sitemapindex")
    return Sitemap(() if is_index else kept, kept if is_index else (), tuple(notes))
