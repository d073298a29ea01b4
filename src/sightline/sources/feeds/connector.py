"""A company's own news: its feeds, and the newest articles on its domain."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from urllib.parse import urljoin

from sightline.domain.evidence import Body, Link, Parsed
from sightline.sources.contract import (
    Context,
    Document,
    Parser,
    RecordIsUnusable,
    Source,
    SourceIsAway,
    Target,
    read_manifest,
)
from sightline.sources.feeds.reading import VERSION, read_feed
from sightline.sources.website.links import is_trap, site_of
from sightline.sources.website.page import VERSION as PAGE_VERSION
from sightline.sources.website.site_pages import Owner, as_article, parse_home, parse_page

MOST_FEEDS = 3
MOST_ARTICLES = 10
OLDEST = timedelta(days=548)
"""Articles older than eighteen months are not read."""

# Where feeds are that no page announces, as the common systems place them.
_COMMON_FEEDS = ("/feed/", "/rss.xml", "/feed.xml", "/atom.xml", "/news/feed/", "/blog/feed/")
_NEWSROOMS = ("/news", "/press", "/newsroom", "/aktuelles", "/actualites")
_ARTICLE_FRESH = timedelta(days=30)
_MISSING_FRESH = timedelta(days=7)
_PAGE_FRESH = timedelta(hours=12)
_DAY = re.compile(r"^(\d{4}-\d\d-\d\d) ")


async def collect(context: Context, target: Target) -> None:
    """Feeds, then the newest articles that they, or else the newsroom, lead to."""
    run = _Run(context, target)
    links = await run.read_feeds()
    if not links:
        links = await run.read_newsroom()
    articles = await run.read_articles(links)
    if not run.feeds and not articles:
        if run.failure is not None:
            raise run.failure
        context.note("No feed and no dated news were found.")


class _Run:
    """One company's news; `feeds` are those that were read."""

    def __init__(self, context: Context, target: Target) -> None:
        assert target.domain is not None
        self._context = context
        self._domain = target.domain
        self._owner = Owner(
            target.domains or (target.domain,), tuple(dict.fromkeys((target.name, *target.names)))
        )
        self._named = [url for url in target.facts.get("feed_url") or () if isinstance(url, str)]
        self.feeds: list[Document] = []
        self.failure: Exception | None = None

    async def read_feeds(self) -> list[Link]:
        """The links of the items, newest first. Common places are tried if the site names none."""
        # What a site announces may be elsewhere (a press service); what is guessed is its own.
        for url in self._named[: MOST_FEEDS * 2]:
            if len(self.feeds) < MOST_FEEDS:
                await self._read_feed(url, guessed=False)
        for path in _COMMON_FEEDS if not self.feeds else ():
            if not self.feeds:
                await self._read_feed(f"https://{self._domain}{path}", guessed=True)
        links = [link for feed in self.feeds for link in feed.links if link.role == "news"]
        return sorted(links, key=_day_of, reverse=True)

    async def _read_feed(self, url: str, *, guessed: bool) -> None:
        try:
            found = await self._context.document(
                url, parse=read_feed, version=VERSION, fresh_for=_MISSING_FRESH if guessed else None
            )
        except (RecordIsUnusable, SourceIsAway) as error:
            if not guessed:
                self.failure = self.failure or error
                self._context.note(str(error))
            return
        if found is not None and all(each.url != found.url for each in self.feeds):
            self.feeds.append(found)

    async def read_newsroom(self) -> list[Link]:
        """The articles below the site's page of news, in its order."""
        for url in await self._newsrooms():
            room = await self._page(url, partial(parse_page, owner=self._owner))
            below = _below(room) if room is not None else []
            if below:
                return below
        return []

    async def _newsrooms(self) -> list[str]:
        """Where news may be: what the home page calls so, then the usual places."""
        home = None
        for url in (f"https://{self._domain}/", f"https://www.{self._domain}/"):
            home = home or await self._page(url, partial(parse_home, owner=self._owner))
        if home is None:
            return []
        own = [link.url for link in home.links if link.role == "news"]
        named = [url for url in own if site_of(url) in self._owner.domains and not is_trap(url)]
        named.sort(key=lambda url: url.rstrip("/").count("/"))
        return list(dict.fromkeys([*named[:2], *(urljoin(home.url, path) for path in _NEWSROOMS)]))

    async def _page(self, url: str, parse: Parser) -> Document | None:
        """A page that the website's own crawl has mostly read just before."""
        try:
            return await self._context.document(
                url, parse=parse, version=PAGE_VERSION, fresh_for=_PAGE_FRESH
            )
        except (RecordIsUnusable, SourceIsAway):
            return None

    async def read_articles(self, links: Sequence[Link]) -> int:
        """Read the newest on the company's own domain; returns how many there are."""
        chosen = [
            link
            for link in {link.url: link for link in links}.values()
            if site_of(link.url) in self._owner.domains and not is_trap(link.url)
        ]
        read = 0
        for link in chosen[:MOST_ARTICLES]:
            parse = partial(_parse_article, owner=self._owner, listed=_date_in(link))
            try:
                found = await self._context.document(
                    link.url, parse=parse, version=PAGE_VERSION, fresh_for=_ARTICLE_FRESH
                )
            except SourceIsAway as error:
                self._context.note(f"The articles were read in part. {error}")
                break
            except _IsTooOld:
                break  # what follows is older still
            except RecordIsUnusable as error:
                self._context.note(str(error))
                continue
            read += found is not None
        return read


class _IsTooOld(RecordIsUnusable):
    """The article is older than what is read."""


def _parse_article(body: Body, *, owner: Owner, listed: datetime | None) -> Parsed:
    """An article with its date: its own, else that of the feed. What has none is no news."""
    parsed = parse_page(body, owner)
    moment = parsed.published_at or listed
    if moment is None:
        raise RecordIsUnusable(f"{body.url.partition('?')[0]} has no date.")
    if moment < body.fetched_at - OLDEST:
        raise _IsTooOld(f"{body.url.partition('?')[0]} is of {moment.date()}: too old.")
    if site_of(body.url) not in owner.domains or not parsed.text:
        raise RecordIsUnusable(f"{body.url.partition('?')[0]} is no article of this site.")
    return replace(as_article(parsed), published_at=moment)


def _below(room: Document) -> list[Link]:
    """The links of a page of news that lie below it."""
    base = room.url.rstrip("/") + "/"
    listed = [link for link in room.links if link.role == "news" and link.url.startswith(base)]
    return [link for link in listed if link.url.rstrip("/") != base.rstrip("/")]


def _day_of(link: Link) -> str:
    """The day that a feed's link starts with; "" without one."""
    found = _DAY.match(link.text + " ")
    return found[1] if found else ""


def _date_in(link: Link) -> datetime | None:
    day = _day_of(link)
    if not day:
        return None
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


FEEDS = Source(
    read_manifest("sightline.sources.feeds"),
    collect,
    applies=lambda target: target.domain is not None,
)
