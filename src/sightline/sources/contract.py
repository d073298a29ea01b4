"""The interface of a source: a manifest, and a function that gets a context and a company.

`collect` asks the context for documents. The context fetches them politely, keeps them as evidence
and hands back what the source's pure parser found; facts, passages and postings are stored as it
goes. A source that finds nothing simply returns. Two exceptions say more: `RecordIsUnusable` drops
one document and goes on, `SourceIsAway` ends the source for this company and marks it as failing.
"""

import hashlib
import json as jsonlib
import tomllib
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from importlib import resources
from typing import Any, Protocol, TypeVar
from uuid import UUID

from sightline.domain.evidence import Body, Link, Parsed
from sightline.domain.postings import ParsedPosting

T = TypeVar("T")


class RecordIsUnusable(Exception):
    """One document cannot be used; the message says why. The run goes on."""


class SourceIsAway(Exception):
    """The source refuses or fails as a whole; the message says how. The run of it ends.

    `status` and `body` are those of the answer that said so, where there was one.
    """

    def __init__(self, sentence: str, *, status: int | None = None, body: bytes = b"") -> None:
        super().__init__(sentence)
        self.status = status
        self.body = body


@dataclass(frozen=True)
class Manifest:
    """`source.toml` of a source's folder."""

    name: str
    title: str  # as people know it
    category: str  # register, filings, website, jobs, news
    summary: str
    terms: str  # where its rules of use are
    fields: tuple[str, ...]  # of sightline.domain.fields that it can give
    refresh_days: float  # facts are asked for again after this long
    hosts: Mapping[str, float] = field(
        default_factory=dict
    )  # host -> requests a second, over the default
    ignores_robots: bool = False  # an API meant for programs, with rules of its own
    identifier: str | None = None  # scheme of its own ids: cik, lei, wikidata_id
    floors: Mapping[str, float] = field(
        default_factory=dict
    )  # share of answers; see sources/health.py
    max_bytes: int = 5_000_000  # largest decoded answer


def read_manifest(package: str) -> Manifest:
    """The manifest beside a source's code."""
    with resources.files(package).joinpath("source.toml").open("rb") as file:
        raw = tomllib.load(file)
    return Manifest(**{**raw, "fields": tuple(raw["fields"])})


@dataclass(frozen=True)
class Target:
    """The company that is being enriched, and what is known of it so far."""

    company_id: UUID
    name: str
    names: tuple[str, ...] = ()
    domain: str | None = None
    domains: tuple[str, ...] = ()
    country_code: str | None = None
    identifiers: Mapping[str, str] = field(default_factory=dict)  # cik, lei, wikidata_id, ticker
    facts: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # field -> values, best first

    def first(self, field_name: str) -> Any:
        """The best known value of a field; None when there is none."""
        values = self.facts.get(field_name) or ()
        return values[0] if values else None


@dataclass(frozen=True)
class Query:
    """What is known of a company that is to be found. At least one part is there."""

    name: str | None = None
    domain: str | None = None
    country_code: str | None = None
    city: str | None = None
    ticker: str | None = None
    identifiers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Candidate:
    """A company as a source lists it, for `enrich.identify` to compare with the query."""

    source: str
    key: str  # the source's own id of it
    name: str
    names: tuple[str, ...] = ()
    domain: str | None = None
    domains: tuple[str, ...] = ()  # further ones: where a domain leads to
    country_code: str | None = None
    city: str | None = None
    ticker: str | None = None
    identifiers: Mapping[str, str] = field(default_factory=dict)

    @property
    def all_domains(self) -> tuple[str, ...]:
        """Every domain of it, the main one first."""
        first = (self.domain,) if self.domain else ()
        return tuple(dict.fromkeys((*first, *self.domains)))


@dataclass(frozen=True)
class Document:
    """A stored document, as a source goes on from it."""

    document_id: UUID
    url: str  # final address
    changed: bool  # False: the same bytes as last time, and nothing was parsed
    links: tuple[Link, ...]
    parsed: Parsed | None  # None when unchanged
    notes: tuple[str, ...] = ()
    title: str | None = None


Parser = Callable[[Body], Parsed]


def address_key(url: str, json: Any = None) -> str:
    """What an address is remembered under: a POST is another one for each body."""
    if json is None:
        return url
    digest = hashlib.sha256(jsonlib.dumps(json, sort_keys=True).encode()).hexdigest()[:24]
    return f"{url}#{digest}"


class Context(Protocol):
    """What a source may do."""

    async def document(
        self,
        url: str,
        *,
        parse: Parser,
        version: int,
        headers: Mapping[str, str] | None = None,
        json: Any = None,
        fresh_for: timedelta | None = None,
        missing_for: timedelta | None = None,
        about: bool = True,
        always_read: bool = False,
    ) -> Document | None:
        """Fetch, keep and read a document; None when the address has none (404, 410, not archived).

        `version` is the parser's: raising it reads stored bodies again. `fresh_for` skips asking when
        the last answer is younger; `missing_for` skips asking when nothing was there and that is
        not as long ago. `json` makes it a POST. `about=False` keeps the document without
        saying that it is about the company; `always_read` parses stored bytes that have not changed
        as well. Raises RecordIsUnusable when the answer cannot be read,
        SourceIsAway when the host refuses or fails.
        """
        ...

    async def prefetch(self, keys: Collection[str]) -> None:
        """Look up what is known of addresses that will be asked for, by `address_key`, all at once.

        It counts for the next `document` of each: only a round trip is saved.
        """
        ...

    async def known_missing(self, keys: Collection[str], *, within: timedelta) -> set[str]:
        """Those of the addresses, by `address_key`, that had nothing within that time."""
        ...

    async def dataset(
        self, url: str, *, read: Callable[[bytes], T], fresh_for: timedelta
    ) -> T | None:
        """A file about many companies, read once a version and process. None when there is none."""
        ...

    async def pulled(
        self,
        kind: str,
        token: str,
        postings: Sequence[ParsedPosting],
        *,
        complete: bool,
        document_id: UUID | None,
    ) -> None:
        """Hand over what a job board lists now. Only a `complete` pull closes postings."""
        ...

    def note(self, text: str) -> None:
        """Say something about this step to readers of the operation."""
        ...


Collect = Callable[[Context, Target], Awaitable[None]]
Find = Callable[[Context, Query], Awaitable[Sequence[Candidate]]]


@dataclass(frozen=True)
class Source:
    """A row of the registry. `applies` says without I/O whether the source can know the company;
    `find` names the companies of the source that a query may mean, None when it has no register.
    A `last_resort` is asked for companies only when no other source knows the one that is meant."""

    manifest: Manifest
    collect: Collect
    find: Find | None = None
    applies: Callable[[Target], bool] = lambda _: True
    last_resort: bool = False

    @property
    def name(self) -> str:
        return self.manifest.name
