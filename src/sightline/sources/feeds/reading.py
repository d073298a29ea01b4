"""A feed as one document: its items in order, each a passage of news. Pure."""

from datetime import datetime

from sightline.domain.evidence import Body, Link, Observation, Parsed, Passage
from sightline.sources.contract import RecordIsUnusable
from sightline.sources.feeds.parse import Feed, FeedItem, parse

VERSION = 2
"""Raised whenever the parser finds more or other things, so that stored feeds are read again."""

MOST_ITEMS = 100
_MOST_ITEM_TEXT = 8_000


def read_feed(body: Body) -> Parsed:
    """The newest items of a feed, newest first. Raises RecordIsUnusable for what is not a feed."""
    feed = parse(body)
    if feed.format is None:
        reason = feed.notes[0] if feed.notes else "It has no items."
        raise RecordIsUnusable(f"{body.url.partition('?')[0]} is no feed. {reason}")
    items = sorted(feed.items, key=_newest_first)[:MOST_ITEMS]
    text, passages = _listing(items)
    return Parsed(
        kind="feed_item",
        text=text,
        title=feed.title,
        language=feed.language,
        published_at=next((each for item in items if (each := date_of(item))), None),
        observations=_feed_url(body, feed),
        passages=passages,
        links=tuple(Link(item.url, "news", _dated(item)) for item in items if item.url),
        notes=feed.notes,
    )


def date_of(item: FeedItem) -> datetime | None:
    """When an item came out; when it was changed, if it says only that."""
    return item.published_at or item.updated_at


def _feed_url(body: Body, feed: Feed) -> tuple[Observation, ...]:
    if not feed.items:
        return ()
    return (
        Observation("feed_url", body.url, "api", 0.95, pointer=f"{feed.format}: final address"),
    )


def _listing(items: list[FeedItem]) -> tuple[str, tuple[Passage, ...]]:
    parts: list[str] = []
    passages = []
    at = 0
    for item in items:
        entry = _entry(item)
        passages.append(Passage(at, at + len(entry), "news", item.title))
        parts.append(entry)
        at += len(entry) + 2
    return "\n\n".join(parts), tuple(passages)


def _entry(item: FeedItem) -> str:
    moment = date_of(item)
    lines = [item.title, *([moment.date().isoformat()] if moment else [])]
    body = item.text.removeprefix(item.title).strip()[:_MOST_ITEM_TEXT]
    return "\n".join([*lines, body]).strip()


def _dated(item: FeedItem) -> str:
    """Date and title, so that a feed that has not changed still says how old its items are."""
    moment = date_of(item)
    return f"{moment.date().isoformat() if moment else ''} {item.title}".strip()


def _newest_first(item: FeedItem) -> float:
    moment = date_of(item)
    return -moment.timestamp() if moment else 0.0
