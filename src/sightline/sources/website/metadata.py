"""What a page says about itself in its head: title, canonical address, feeds, pictures."""

import re
from urllib.parse import urlsplit

from sightline.domain.evidence import Link
from sightline.sources.website.document import Page, squeeze

_FEED_TYPES = ("rss+xml", "atom+xml", "feed+json", "rdf+xml")
_FEED_PATH = re.compile(
    r"(?:/(?:feed|rss|atom)(?:/(?:atom|rss2?))?/?|\.(?:rss|atom|rdf)|/(?:rss|feed|atom|index)\.xml"
    r"|/feed\.json|[?&]feed=(?:rss2?|atom))$",
    re.IGNORECASE,
)
_COMMENT_FEED = re.compile(r"comments?(?:/|$|\b)|kommentar|commentaires|/oembed", re.IGNORECASE)
# A language, with a region or a script: "en-us", but not "om-oss".
_HOME = re.compile(r"/?(?:[a-z]{2}(?:[-_](?:[a-zA-Z]{2}|[A-Z][a-z]{3}))?/?)?(?:index\.\w+)?")
_MAX_TITLE = 500


def title_of(page: Page) -> str | None:
    """The title element; else what sharing tags or the first headline give."""
    for element in page.tree.iter("title"):
        parent = element.getparent()
        if parent is not None and parent.tag in {"svg", "symbol", "g"}:
            continue
        text = squeeze(element.text_content())
        if text:
            return text[:_MAX_TITLE]
    title = page.meta("og:title", "twitter:title")
    if title:
        return title[:_MAX_TITLE]
    headline = next((line.text for line in page.lines if line.level == 1), None)
    return headline[:_MAX_TITLE] if headline else None


def canonical_url(page: Page) -> str | None:
    """The address that the page names as its own; None when it names none."""
    for element in page.rels.get("canonical", ()):
        url = page.absolute(element.get("href"))
        if url:
            return url
    return page.absolute(page.meta("og:url"))


def feed_links(page: Page) -> tuple[Link, ...]:
    """Feeds that the page announces, then those that its links look like; comment feeds left out."""
    found: dict[str, Link] = {}
    for element in page.rels.get("alternate", ()):
        kind = (element.get("type") or "").lower()
        url = page.absolute(element.get("href"))
        title = squeeze(element.get("title") or "")
        if url and kind.endswith(_FEED_TYPES) and not _COMMENT_FEED.search(f"{url} {title}"):
            found.setdefault(url, Link(url, "feed", title[:200]))
    for anchor in page.anchors:
        is_feed = anchor.url.startswith("http") and _FEED_PATH.search(anchor.url)
        if is_feed and not _COMMENT_FEED.search(anchor.url):
            found.setdefault(anchor.url, Link(anchor.url, "feed", anchor.text[:200]))
    return tuple(found.values())[:20]


def sitemap_links(page: Page) -> tuple[Link, ...]:
    """XML sitemaps that the page links to."""
    urls = [page.absolute(element.get("href")) for element in page.rels.get("sitemap", ())]
    urls += [anchor.url for anchor in page.anchors if re.search(r"sitemap[\w-]*\.xml", anchor.url)]
    return tuple(
        Link(url, "sitemap") for url in dict.fromkeys(urls) if url and url.startswith("http")
    )[:5]


def declared_language(page: Page) -> str | None:
    """The language that markup or header declare."""
    declared = page.tree.get("lang") or page.tree.get("{http://www.w3.org/XML/1998/namespace}lang")
    return (
        declared
        or page.tree.get("xml:lang")
        or page.meta("content-language", "og:locale", "language")
        or page.headers.get("content-language")
    )


def is_home(page: Page) -> bool:
    """Whether the page is the front page of its site, or of one language of it."""
    return is_home_path(page.url)


def is_home_path(url: str) -> bool:
    """Whether an address is that of a front page, or of one language of it."""
    return _HOME.fullmatch(urlsplit(url).path) is not None
