"""The single walk over a page's tree that fills the tables of `document.Page`."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from lxml.html import HtmlElement

from sightline.domain.evidence import Body
from sightline.sources.website.document import (
    Anchor,
    Line,
    Page,
    Picture,
    Region,
    absolute_url,
    squeeze,
)
from sightline.sources.website.opening import Opened

_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small"
    " span strike strong sub sup time tt u var wbr img picture source svg object".split()
)
_SKIPPED = frozenset(
    "script style noscript template svg math iframe object embed head select textarea canvas audio video"
    " map datalist".split()
)
_REGION_TAGS: dict[str, Region] = {
    "header": "header", "nav": "nav", "footer": "footer", "aside": "aside",
}  # fmt: skip
_REGION_ROLES: dict[str, Region] = {
    "banner": "header", "navigation": "nav", "contentinfo": "footer", "complementary": "aside",
}  # fmt: skip
_REGION_NAME = re.compile(
    r"(?:^|[\s_-])(?:(site-?|page-?|global-?|main-?)?(footer|colophon|imprint-?bar)"
    r"|((?:main-?|top-?|site-?|primary-?|mobile-?|off-?canvas-?)?(?:nav|navbar|navigation|menu)))"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
MAX_ELEMENTS = 50_000
"""Elements read of one page; the most crowded of ordinary pages has a fifth of it."""
MAX_DEPTH = 2000
"""libxml2 drops what lies a little deeper than this."""
_MAX_LINE = 20_000


def take_apart(body: Body, opened: Opened) -> Page:
    """Walk the tree once."""
    page = Page(
        url=body.url,
        base=_base(body.url, opened.tree),
        headers={name.lower(): value for name, value in body.headers.items()},
        opened=opened,
        notes=list(opened.notes),
    )
    _read_head(page)
    _Walk(page).run()
    return page


def _base(url: str, tree: HtmlElement) -> str:
    for element in tree.iter("base"):
        return absolute_url(url, element.get("href")) or url
    return url


def _read_head(page: Page) -> None:
    for element in page.tree.iter("meta", "link", "script", "iframe", "form", "time", "img"):
        page.elements += 1
        tag = element.tag
        if tag == "meta":
            _meta(page, element)
        elif tag == "link":
            for rel in (element.get("rel") or "").lower().split():
                page.rels.setdefault(rel, []).append(element)
            _resource(page, element.get("href"))
        elif tag == "script":
            _script(page, element)
        elif tag == "form":
            page.forms.append(page.absolute(element.get("action")) or page.url)
        elif tag == "time":
            page.times.append(element)
        else:
            for name in ("src", "data-src", "data-lazy-src", "data-cookieblock-src"):
                _resource(page, element.get(name))


def _meta(page: Page, element: HtmlElement) -> None:
    names = f"{element.get('name') or ''} {element.get('property') or ''}".lower().split()
    other = (element.get("http-equiv") or element.get("itemprop") or "").lower()
    for name in names or [other]:
        page.metas.setdefault(name, []).append(squeeze(element.get("content") or ""))


def _script(page: Page, element: HtmlElement) -> None:
    kind = (element.get("type") or "").lower()
    if "ld+json" in kind:
        page.json_ld.append(element)
    elif element.get("src"):
        _resource(page, element.get("src"))
    elif element.text and "json" not in kind and "template" not in kind:
        page.inline_scripts.append(element.text)


def _resource(page: Page, address: str | None) -> None:
    if address and not address.startswith("data:"):
        url = page.absolute(address)
        if url:
            page.resources.append(url)


class _Walk:
    """The visible text in reading order. No recursion: pages are nested thousands deep."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.parts: list[str] = []
        self.block: HtmlElement = page.tree
        self.region: Region = "main"
        self.order = 0
        self.depth = 0
        self.level = 0
        self.open_anchor: HtmlElement | None = None

    def run(self) -> None:
        body = self.page.tree.find("body")
        root = self.page.tree if body is None else body
        stack: list[tuple[HtmlElement, Region, bool]] = [(root, "main", False)]
        while stack:
            if self.page.elements > MAX_ELEMENTS:
                self.page.notes.append(f"Only the first {MAX_ELEMENTS:,} elements were read.")
                break
            element, region, leaving = stack.pop()
            if leaving:
                self._leave(element, region)
                continue
            tag = element.tag
            if not isinstance(tag, str) or tag in _SKIPPED or self._is_hidden(element, tag):
                self._tail(element)
                continue
            region = _region(element, tag, region)
            stack.append((element, region, True))
            self._enter(element, tag, region)
            stack.extend((child, region, False) for child in reversed(element))
        self._flush(root, "main")
        if self.page.depth > MAX_DEPTH:
            self.page.notes.append(f"What lies deeper than {MAX_DEPTH:,} elements was not read.")

    def _enter(self, element: HtmlElement, tag: str, region: Region) -> None:
        self.page.elements += 1
        self.depth += 1
        self.page.depth = max(self.page.depth, self.depth)
        if tag not in _INLINE:
            self._flush(element, region)
            if tag[0] == "h" and len(tag) == 2 and tag[1].isdigit():
                self.level = int(tag[1])
        if tag == "a":
            self.open_anchor = element
        elif tag == "img":
            self._picture(element, region)
        if element.text:
            self.parts.append(element.text)

    def _leave(self, element: HtmlElement, region: Region) -> None:
        tag = element.tag
        self.depth -= 1
        if tag not in _INLINE:
            self._flush(element, region)
            if tag[0] == "h" and len(tag) == 2:
                self.level = 0
            parent = element.getparent()
            self.block = element if parent is None else parent
        elif tag == "a":
            self._anchor(element, region)
            self.open_anchor = None
        self._tail(element)

    def _tail(self, element: HtmlElement) -> None:
        if element.tail:
            self.parts.append(element.tail)

    def _flush(self, element: HtmlElement, region: Region) -> None:
        if self.parts:
            text = squeeze("".join(self.parts))[:_MAX_LINE]
            self.parts.clear()
            if text:
                self.order += 1
                self.page.lines.append(Line(text, self.block, self.region, self.level))
        self.block, self.region = element, region

    def _anchor(self, element: HtmlElement, region: Region) -> None:
        href = (element.get("href") or "").strip()
        if not href:
            return
        url = self.page.absolute(href)
        if url is None and not href.lower().startswith(("mailto:", "tel:")):
            return
        text = squeeze("".join(visible_text(element)))[:300]
        text = text or squeeze(element.get("aria-label") or element.get("title") or "")[:300]
        self.page.anchors.append(Anchor(url or href, text, element, region))

    def _picture(self, element: HtmlElement, region: Region) -> None:
        url = ""
        for name in ("data-src", "data-lazy-src", "src"):
            url = url or self.page.absolute(element.get(name)) or ""
        href = "" if self.open_anchor is None else self.open_anchor.get("href") or ""
        alt = squeeze(element.get("alt") or element.get("title") or "")[:300]
        self.page.pictures.append(
            Picture(url, alt, element, region, self.order, self.page.absolute(href) or "")
        )

    @staticmethod
    def _is_hidden(element: HtmlElement, tag: str) -> bool:
        if tag == "body":
            return False
        style = element.get("style")
        if style and _HIDDEN.search(style):
            # Menus that open on a click are hidden too, and they hold the links of the site.
            return tag not in {"nav", "ul", "li", "a"} and next(element.iter("a"), None) is None
        return False


def visible_text(element: HtmlElement) -> Iterator[str]:
    """The pieces of text in an element, a space where a block begins."""
    for piece in element.iter():
        if isinstance(piece.tag, str) and piece.tag not in _SKIPPED:
            if piece is not element and piece.tag not in _INLINE:
                yield " "
            if piece.text:
                yield piece.text
        if piece is not element and piece.tail:
            yield piece.tail


def _region(element: HtmlElement, tag: str, outer: Region) -> Region:
    if outer in {"footer", "nav"} and tag != "footer":
        return outer
    if tag == "header" and _inside_article(element):
        return outer  # the header of an article is part of what it says
    named = _REGION_TAGS.get(tag) or _REGION_ROLES.get(element.get("role") or "")
    if named is None and tag in {"div", "section", "ul"}:
        named = _region_by_name(f"{element.get('id') or ''} {element.get('class') or ''}")
    return named or outer


@lru_cache(maxsize=8192)
def _region_by_name(name: str) -> Region | None:
    found = _REGION_NAME.search(name) if len(name) < 200 else None
    if found is None:
        return None
    return "footer" if found[2] else "nav"


def _inside_article(element: HtmlElement) -> bool:
    around = islice(element.iterancestors(), 10)
    return any(outer.tag in {"article", "main", "section"} for outer in around)
