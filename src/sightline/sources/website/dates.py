"""The date when a page was first published, with its own UTC offset if it gives one.

Asked in this order: structured data of the article, meta tags, time elements, the address, the lines
about the headline. A page that names no day of its own has none; dates of other things do not count.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from sightline.reading.times import parse_time
from sightline.sources.json_ld import inner_nodes, text_of, types_of
from sightline.sources.website.document import Line, Page, Structured, words_pattern

_META_NAMES = (
    "article:published_time", "article:published", "og:published_time", "og:article:published_time",
    "datepublished", "published_time", "publish-date", "publishdate", "parsely-pub-date", "sailthru.date",
    "citation_publication_date", "dcterms.created", "dcterms.date", "dc.date", "dc.date.issued", "pubdate",
    "date", "created",
)  # fmt: skip
_ARTICLES = re.compile(r"Article|Posting|Report|Review|Recipe|HowTo|CreativeWork$")
_PAGES = re.compile(r"^WebPage$")
# Most stand inside a page that is about something else, and are older.
_MEDIA = re.compile(r"VideoObject|PodcastEpisode")
_PUBLISHED = re.compile(
    r"publi|pubdate|created|posted|entry-date|post-date|article-?date|byline|issued", re.I
)
_CHANGED = re.compile(r"modif|updat|aktualis|changed|revis|mis[- ]à[- ]jour|actualiz", re.I)
_URL_DAY = re.compile(r"/((?:19|20)\d{2})[/-](\d{1,2})[/-](\d{1,2})(?=[/_.-]|$)")
_URL_PLAIN = re.compile(r"[/_-]((?:19|20)\d{2})-?(\d{2})-?(\d{2})(?=[/_.-]|$)")
_URL_DAY_FIRST = re.compile(r"/(\d{2})-(\d{2})-((?:19|20)\d{2})(?=[/_.-])")
_DAY = re.compile(
    r"\b(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}"
    r"|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2}"
    r"|\d{1,2}(?:st|nd|rd|th|er|\.|º)?[\s-](?:de |of |d')?[^\W\d_]{3,12}\.?,?[\s-](?:de |del"
    r" )?(?:19|20)\d{2}"
    r"|[^\W\d_]{3,12}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s(?:19|20)\d{2}"
    r"|(?:19|20)\d{2}\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일])"
)
_MARKS = ("class", "itemprop", "property", "id", "rel")
_AROUND_HEADLINE = (6, 14)
_MAX_DATED_LINE = 160


def published_at(page: Page, *, now: datetime) -> datetime | None:
    """The first publication; None when the page does not say. A day after `now` does not count."""
    latest = now + timedelta(days=2)
    by_address = _from_address(page.url)
    for moment in _moments(page):
        if moment is not None and moment <= latest:
            # An address is written in the publisher's own day, a time often in UTC.
            if by_address and timedelta(0) < abs(moment - by_address) < timedelta(hours=36):
                return moment if moment.date() == by_address.date() else by_address
            return moment
    return None


def _moments(page: Page) -> Iterator[datetime | None]:
    data = page.structured
    yield from _from_nodes(data, _ARTICLES)
    for name in _META_NAMES:
        for content in page.metas.get(name, ()):
            yield read_moment(content)
    yield from _from_times(page, marked=True)
    yield _from_address(page.url)
    yield from _from_nodes(data, _PAGES)
    yield _near_headline(page)
    yield from _from_nodes(data, _MEDIA)
    yield from _from_times(page, marked=False)


def read_moment(text: str | None) -> datetime | None:
    """A time with the offset it is written with; UTC when it names none."""
    if not text:
        return None
    text = text.strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return parse_time(text)
    if not 1990 <= moment.year <= 2099:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _from_nodes(data: Structured, kinds: re.Pattern[str]) -> Iterator[datetime | None]:
    for found in data.nodes:
        for node in inner_nodes(found.data):
            if _kind_of(node) is not kinds:
                continue
            for key in ("datePublished", "dateCreated", "uploadDate"):
                moment = read_moment(text_of(node.get(key)))
                if moment:
                    yield moment
            if kinds is _ARTICLES and found.data is node:
                continue
            break


def _kind_of(node: dict[str, Any]) -> re.Pattern[str] | None:
    """Which of the kinds a node is of; an article before anything else that it is called."""
    names = types_of(node)
    kinds = (_ARTICLES, _MEDIA, _PAGES)
    return next((kind for kind in kinds if any(kind.search(name) for name in names)), None)


def _from_address(url: str) -> datetime | None:
    path = urlsplit(url).path
    if found := _URL_DAY.search(path) or _URL_PLAIN.search(path):
        return _day(found[1], found[2], found[3])
    found = _URL_DAY_FIRST.search(path)
    return _day(found[3], found[2], found[1]) if found else None


def _day(year: str, month: str, day: str) -> datetime | None:
    try:
        moment = datetime(int(year), int(month), int(day), tzinfo=UTC)
    except ValueError:
        return None
    return moment if moment.year >= 1990 else None


def _from_times(page: Page, *, marked: bool) -> Iterator[datetime | None]:
    """Time elements: those marked as the publication, or one that stands alone."""
    stated: list[str] = []
    unmarked: list[str] = []
    for element in page.times[:200]:
        about = _named(element)
        text = (element.get("datetime") or element.text_content())[:60]
        if _PUBLISHED.search(about):
            stated.append(text)
        elif not _CHANGED.search(about):
            unmarked.append(text)
    alone = unmarked if len(unmarked) == 1 else []
    yield from map(read_moment, stated if marked else alone)


def _named(element: HtmlElement) -> str:
    """What an element and the one around it are called."""
    parent = element.getparent()
    names = [element.get(name) or "" for name in _MARKS]
    names += ["pubdate"] if element.get("pubdate") is not None else []
    return " ".join([*names, (parent.get("class") or "") if parent is not None else ""])


def _near_headline(page: Page) -> datetime | None:
    """A date in the short lines about the headline; "updated" ones only when no other is there."""
    headline = next((index for index, line in enumerate(page.lines) if line.level == 1), None)
    if headline is None:
        return None
    before, after = _AROUND_HEADLINE
    near = page.lines[max(headline - before, 0) : headline + after]
    later: datetime | None = None
    for line in [*near[before:], *reversed(near[:before])] if headline >= before else near:
        moment = _dated(line, page)
        if moment is None:
            continue
        if not words_pattern("dates", "changed").search(line.text):
            return moment
        later = later or moment
    return later


def _dated(line: Line, page: Page) -> datetime | None:
    if len(line.text) > _MAX_DATED_LINE or line.region in {"nav", "footer"}:
        return None
    found = _DAY.search(line.text)
    # A date inside a sentence is about something else.
    if not found or len(line.text) - len(found[0]) > 90:
        return None
    us = (page.tree.get("lang") or "").lower() in {"en-us", "en"}
    return parse_time(found[0], month_first=us)
