"""The logo of a site: the candidates on its home page, and whether one is a usable picture."""

from typing import Final

from lxml.html import HtmlElement

from sightline.domain.evidence import Body, Link, Parsed
from sightline.kit.pictures import picture_type
from sightline.sources.contract import RecordIsUnusable
from sightline.sources.website.document import Page
from sightline.sources.website.metadata import is_home

VERSION: Final = 1
LONGEST: Final = 64_000
"""Bytes of a logo. Ten times what an icon of 180 pixels takes."""
_MOST: Final = 4


def logo_links(page: Page, logo_url: str | None) -> tuple[Link, ...]:
    """Where the logo may be, the likeliest first: the square icon for home screens, the picture of the
    header, the icon of the browser, the picture for sharing. SVG is left out."""
    if not is_home(page):
        return ()
    addresses = (
        *_icons(page, "apple-touch-icon", "apple-touch-icon-precomposed"),
        logo_url,
        *_icons(page, "icon"),
        page.absolute(page.meta("og:image")),
    )
    pictures = (
        url
        for url in dict.fromkeys(addresses)
        if url and url.startswith(("https://", "http://")) and ".svg" not in url.lower()
    )
    return tuple(Link(url, "logo") for url in pictures)[:_MOST]


def _icons(page: Page, *rels: str) -> list[str | None]:
    """The largest icon of each kind that the head of the page names."""
    named = (max(page.rels[rel], key=_side) for rel in rels if rel in page.rels)
    return [page.absolute(element.get("href")) for element in named]


def _side(icon: HtmlElement) -> int:
    width = (icon.get("sizes") or "").lower().partition("x")[0].strip()
    return int(width) if width.isdecimal() and len(width) < 5 else 0


def parse_logo(body: Body) -> Parsed:
    """A picture as evidence without text. Raises RecordIsUnusable for what is none, or is too large."""
    if len(body.content) > LONGEST:
        raise RecordIsUnusable(f"The logo has {len(body.content):,} bytes, more than {LONGEST:,}.")
    if picture_type(body.content) is None:
        raise RecordIsUnusable("The logo is not a PNG, JPEG, WebP or ICO picture.")
    return Parsed(kind="logo", text="")
