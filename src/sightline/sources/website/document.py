"""One page, parsed once: meta tags, anchors, resources and visible lines.

Everything that looks for facts reads these tables, so the tree is walked a single time.
"""

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal
from urllib.parse import urljoin, urlsplit

from lxml.html import HtmlElement

from sightline.sources.website.opening import Opened

Region = Literal["main", "header", "nav", "footer", "aside"]


@dataclass(frozen=True, slots=True)
class Line:
    """A run of text that a reader sees as one block. `level` is 1-6 in headings, else 0."""

    text: str
    element: HtmlElement
    region: Region
    level: int


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link. `url` is absolute http(s) for pages, else as written (mailto:, tel:)."""

    url: str
    text: str
    element: HtmlElement
    region: Region


@dataclass(frozen=True, slots=True)
class Picture:
    """An image with what it says about itself; `order` counts the lines before it."""

    url: str
    alt: str
    element: HtmlElement
    region: Region
    order: int
    href: str


@dataclass(frozen=True, slots=True)
class Node:
    """One typed thing of the structured data, in the shape of JSON-LD."""

    data: dict[str, Any]
    method: str  # json_ld or microdata
    pointer: str


@dataclass(slots=True)
class Structured:
    """What a page says about itself to machines."""

    json_ld: list[Any] = field(default_factory=list)
    microdata: list[dict[str, Any]] = field(default_factory=list)
    opengraph: list[tuple[str, str]] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Page:
    """The tables of one page. `base` is what relative addresses are relative to."""

    url: str
    base: str
    headers: dict[str, str]
    opened: Opened
    metas: dict[str, list[str]] = field(default_factory=dict)
    rels: dict[str, list[HtmlElement]] = field(default_factory=dict)
    anchors: list[Anchor] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    resources: list[str] = field(default_factory=list)
    forms: list[str] = field(default_factory=list)
    inline_scripts: list[str] = field(default_factory=list)
    json_ld: list[HtmlElement] = field(default_factory=list)
    times: list[HtmlElement] = field(default_factory=list)
    structured: Structured = field(default_factory=Structured)
    elements: int = 0
    depth: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def tree(self) -> HtmlElement:
        return self.opened.tree

    @property
    def html(self) -> str:
        return self.opened.html

    def meta(self, *names: str) -> str | None:
        """The first non-empty content among meta tags of these names."""
        for name in names:
            for content in self.metas.get(name, ()):
                if content:
                    return content
        return None

    def absolute(self, address: str | None) -> str | None:
        """An absolute http(s) address without fragment; None for anything else."""
        return absolute_url(self.base, address)


def path_of(element: HtmlElement) -> str:
    """Where an element is in its page, as an XPath."""
    return str(element.getroottree().getpath(element))


def read_table(name: str) -> dict[str, Any]:
    """A file of the folder `data`."""
    data = files("sightline.sources.website").joinpath("data", name)
    return tomllib.loads(data.read_text(encoding="utf-8"))


@cache
def vocabulary() -> dict[str, Any]:
    """The words of `vocabulary.toml`."""
    return read_table("vocabulary.toml")


@cache
def words_pattern(*path: str) -> re.Pattern[str]:
    """A pattern of the phrases under one key of the vocabulary, as whole words."""
    table: Any = vocabulary()
    for key in path:
        table = table[key]
    phrases = sorted(table, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)", re.IGNORECASE)


def squeeze(text: str) -> str:
    """One space between words, none outside; invisible characters gone."""
    return " ".join(_UNSEEN.sub("", text).split()) if text else ""


def absolute_url(base: str, address: str | None) -> str | None:
    """An absolute http(s) address without fragment; None for anything else."""
    if not address:
        return None
    address = address.strip().translate(_BREAKS)
    if not address or len(address) > _MAX_URL or address.startswith(_NOT_WEB):
        return None
    plain = _PLAIN.match(address)
    if plain:
        # Most addresses are whole and simple: taking them apart and together again costs more than all else.
        return f"{address}/" if plain[1] is None else address
    try:
        url = urljoin(base, address)
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not host or "." not in host:
        return None
    url = url.partition("#")[0].replace(" ", "%20")
    return url if parts.path else url + "/"


_PLAIN = re.compile(
    r"https?://(?:[a-zA-Z0-9_-]+\.)+[a-zA-Z]{2,24}(/[^\s#?.]*(?:\.[^\s#?./][^\s#?./]*)*(?:\?[^\s#]*)?)?$"
)
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060\ufeff]")
_BREAKS = str.maketrans("", "", "\t\r\n")
_NOT_WEB = ("javascript:", "data:", "mailto:", "tel:", "#", "about:", "blob:", "sms:")
_MAX_URL = 2000
