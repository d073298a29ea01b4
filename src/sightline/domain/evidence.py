"""The result of parsing one document: plain text, and observations that point into it.

Every source turns a fetched body into a `Parsed`; enrichment stores the document, its passages and
its observations, and survivorship makes the company record of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from sightline.domain.postings import ParsedPosting

DocumentKind = Literal["filing", "page", "feed_item", "posting", "news", "data", "logo"]


@dataclass(frozen=True, slots=True)
class Observation:
    """One value of one field (`sightline.domain.fields`) as one document gives it.

    `quote` occurs verbatim in the document's text, after white space is normalized; `pointer`
    names the place in structured data (a JSON pointer, a taxonomy tag with its period, an XPath, a
    header). At least one of the two is there. `confidence` is 0-1: how sure the parser is that the
    document says this about the company, not whether the document is right.
    """

    field: str
    value: Any  # JSON
    method: str  # json_ld, microdata, opengraph, meta, header, xbrl, table, text, api...
    confidence: float
    quote: str | None = None
    pointer: str | None = None
    as_of: date | None = None  # the day the value holds for, where the document says so


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of a document's text: characters `start` up to `end`."""

    start: int
    end: int
    section: str | None = None  # item of a filing ("1A"), role of a page ("about")
    heading: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """An absolute http(s) address that a document names. `role` says why it matters: `home`, `about`,
    `team`, `products`, `customers`, `careers`, `news`, `contact`, `logo`, `feed`, `sitemap`, `job_board`,
    `posting`, `filing`, `exhibit`, `next`, `other`."""

    url: str
    role: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Parsed:
    """One document as its parser understood it. `notes` says what was wrong or left out, in words."""

    kind: DocumentKind
    text: str
    title: str | None = None
    language: str | None = None  # ISO 639-1
    published_at: datetime | None = None
    observations: tuple[Observation, ...] = ()
    passages: tuple[Passage, ...] = ()
    links: tuple[Link, ...] = ()
    postings: tuple[ParsedPosting, ...] = ()
    notes: tuple[str, ...] = ()
    extra: Any = None  # what else its source goes on from; not stored


@dataclass(frozen=True, slots=True)
class Body:
    """One answer of the web as a parser is given it. `url` is the final address, after redirects."""

    url: str
    content: bytes
    media_type: str  # lower case, without parameters; "" when the server named none
    charset: str | None
    headers: Mapping[str, str]  # lower-case names
    fetched_at: datetime
