"""What is known of a company, as the sections read it: record, facts, documents, postings.

Pure: `gather` reads it out of the store.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from sightline.domain.countries import CountryDoesNotExist, country
from sightline.profile.judging import reporting_year
from sightline.profile.sentences import Sentence, sentences_of, speakers_of
from sightline.sources.website.language import language_of


@dataclass(frozen=True, slots=True)
class Quote:
    """The proof of a statement: words of a stored document, or a place in its data."""

    document_id: UUID
    text: str | None
    pointer: str | None = None


@dataclass(frozen=True, slots=True)
class FactSeen:
    """An observed value; `wins` tells that it makes the company record."""

    field: str
    value: Any
    document_id: UUID
    quote: str | None
    pointer: str | None
    confidence: float
    as_of: date | None
    observed_at: datetime
    wins: bool
    source: str = ""

    @property
    def proof(self) -> Quote:
        return Quote(self.document_id, self.quote, self.pointer)


@dataclass(frozen=True, slots=True)
class Span:
    """A passage: characters of the document's text."""

    start: int
    end: int
    section: str | None
    heading: str | None


@dataclass(frozen=True)
class Document:
    """A stored document with its passages. `said_at` is when it was published, else fetched."""

    document_id: UUID
    kind: str
    source: str
    url: str
    title: str | None
    published_at: datetime | None
    fetched_at: datetime
    text: str = ""
    spans: tuple[Span, ...] = ()

    @property
    def said_at(self) -> datetime:
        return self.published_at or self.fetched_at

    @cached_property
    def form(self) -> str | None:
        """The family of a filing: 10-K, 10-Q, 20-F, 8-K, DEF 14A; None for anything else."""
        return form_of(self) if self.kind in ("filing", "news") else None

    @cached_property
    def language(self) -> str:
        """The language of its text (ISO 639-1); filings are English, and so is what cannot be told."""
        return "en" if self.form is not None else language_of(self.text) or "en"

    @cached_property
    def year(self) -> int:
        """The year that it reports on."""
        return reporting_year(self.text, self.said_at.date())

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Its whole sentences with part and heading, in order, boilerplate left out."""
        spans = self.spans or (Span(0, len(self.text), None, None),)
        speakers = speakers_of(self.text) if self.form == "8-K" else ()
        found: list[Sentence] = []
        for span, part in zip(spans, self._parts(spans), strict=True):
            said = sentences_of(
                self.text,
                span.start,
                span.end,
                document=self,
                part=part,
                section=span.section,
                heading=span.heading,
            )
            found += [s for s in said if not s.text.startswith(speakers)] if speakers else said
        return tuple(found)

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """What each of its passages speaks of: a part of a filing, or the role of a page.

        Older filings tell their risks at the end of another item, under a heading of their own.
        """
        return self._parts(self.spans)

    def _parts(self, spans: Sequence[Span]) -> tuple[str, ...]:
        parts: list[str] = []
        inside: str | None = None  # the item whose passages are risks from here on
        for span in spans:
            part, heading = self.part(span.section), span.heading or ""
            if part not in ("business", "review") or inside != span.section:
                inside = None
            if part in ("business", "review") and _RISKS_BEGIN.search(heading):
                inside = span.section
            elif inside is not None and _RISKS_END.match(heading):
                inside = None
            parts.append("risks" if inside is not None else part)
        return tuple(parts)

    def part(self, section: str | None) -> str:
        """What a passage of it speaks of: a part of a filing, or the role of a page."""
        if self.form is None:
            is_role = self.kind == "page" and section not in (None, "other")
            return section if section and is_role else self.kind
        if self.form == "8-K":
            return "release"
        return _PARTS.get((self.form or "", (section or "").lower()), "other")


# (form, item) → part
_PARTS: Final[dict[tuple[str, str], str]] = {
    ("10-K", "1"): "business",
    ("10-K", "1a"): "risks",
    ("10-K", "7"): "review",
    ("10-K", "2"): "properties",
    ("10-K", "8"): "notes",
    ("10-K", "ex-13"): "review",
    ("10-K", "ex-13.1"): "review",
    ("20-F", "4"): "business",
    ("20-F", "3"): "risks",
    ("20-F", "5"): "review",
    ("10-Q", "part1item2"): "review",
    ("10-Q", "part2item1a"): "risks",
    ("10-Q", "part1item1"): "notes",
}
_RISKS_BEGIN: Final = re.compile(
    r"^(?:(?:certain|additional|important|other|special|cautionary) )*(?:(?:risk|cautionary) factors\b"
    r"|factors (?:that|which) (?:may|could|might) affect\b|risks? and uncertaint)",
    re.I,
)
_RISKS_END: Final = re.compile(
    r"^(?:(?:our )?employees|executive officers\b.*|properties|legal proceedings|backlog|seasonality"
    r"|(?:recent|new) accounting\b.*|liquidity\b.*|results of operations|year 2000\b.*|overview"
    r"|critical accounting\b.*|available information|research and development)$",
    re.I,
)
_FORM: Final = re.compile(
    r"\b(10-?K(?:T|405|SB)?|10-?Q(?:SB)?|20-?F|40-?F|8-?K|6-?K|DEF\s?14A|EX-?99(?:\.\d+)?)\b", re.I
)


def form_of(document: Document) -> str | None:
    """The family of a filing, by its title or the items that its passages name."""
    items = {(span.section or "").lower() for span in document.spans}
    if document.kind == "news":
        return "8-K" if any(item.startswith("ex-99") for item in items) else None
    if found := _FORM.search(document.title or ""):
        form = found[1].upper().replace(" ", "").replace("-", "")
        for family, starts in (
            ("10-K", "10K"),
            ("10-Q", "10Q"),
            ("20-F", ("20F", "40F")),
            ("DEF 14A", "DEF14A"),
            ("8-K", ("8K", "6K", "EX99")),
        ):
            if form.startswith(starts):
                return family
    if any(item.startswith("part1item") for item in items):
        return "10-Q"
    if any(re.fullmatch(r"\d\.\d\d", item) for item in items):
        return "8-K"
    return "10-K" if {"1a", "7"} & items else None


def country_name(code: str | None) -> str | None:
    """The name of a country by its code; None where there is none."""
    try:
        return country(code).name if code else None
    except CountryDoesNotExist:
        return None


@dataclass(frozen=True, slots=True)
class Job:
    """A posting; open when `closed_at` is None."""

    title: str
    department: str | None
    seniority: str | None
    technologies: tuple[str, ...]
    skills: tuple[str, ...]
    url: str
    document_id: UUID | None
    opened_at: datetime
    last_seen_at: datetime
    closed_at: datetime | None
    places: tuple[tuple[str | None, str | None], ...] = ()  # (city, country code)

    @property
    def pointer(self) -> str:
        """The place of the posting in its board."""
        return f"posting {self.url}"

    @property
    def said(self) -> dict[str, Any]:
        """What the posting proves."""
        names = [country_name(code) for _, code in self.places if code]
        places = [*self.places, *names]
        return {"title": self.title, "places": places, "technologies": self.technologies}

    @property
    def proof(self) -> Quote | None:
        """The posting as proof; None when its board was not kept."""
        return Quote(self.document_id, None, self.pointer) if self.document_id else None


@dataclass(frozen=True, slots=True)
class Known:
    """A company of the catalogue, for tying names to it."""

    company_id: UUID
    name: str
    domain: str | None


@dataclass(frozen=True)
class Evidence:
    """Everything a section may read about one company. `now` is the time of the build."""

    company_id: UUID
    name: str
    record: Mapping[str, Any]
    now: datetime
    facts: Sequence[FactSeen] = ()
    documents: Sequence[Document] = ()
    jobs: Sequence[Job] = ()
    signals: Sequence[Mapping[str, Any]] = ()
    directory: Mapping[str, Known] = field(default_factory=dict)  # by name key
    memo: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What several sections need and one of them has made already."""

    @cached_property
    def by_field(self) -> Mapping[str, Sequence[FactSeen]]:
        found: dict[str, list[FactSeen]] = defaultdict(list)
        for fact in self.facts:
            found[fact.field].append(fact)
        return found

    @cached_property
    def by_id(self) -> Mapping[UUID, Document]:
        return {document.document_id: document for document in self.documents}

    def members(self, field_name: str) -> list[FactSeen]:
        """The facts of a set field, the best of each member first."""
        facts = self.by_field.get(field_name, ())
        return sorted(facts, key=lambda f: (not f.wins, -f.confidence))

    @cached_property
    def annual(self) -> Document | None:
        """The newest annual report."""
        return max(self._of("10-K", "20-F"), key=lambda d: d.said_at, default=None)

    @cached_property
    def reading(self) -> tuple[Document, ...]:
        """What statements are taken from: the newest annual report, newer quarterly reports and
        releases, and all that is no filing."""
        annual = self.annual
        since = annual.said_at if annual else None
        newer = [d for d in self._of("10-Q", "8-K") if since is None or d.said_at > since]
        newer = sorted(newer, key=lambda d: d.said_at, reverse=True)
        kinds = ("page", "feed_item", "news", "posting")
        others = [d for d in self.documents if d.kind in kinds and d.form is None]
        return (*((annual,) if annual else ()), *newer, *others)

    def sentences(self, *parts: str) -> Iterable[Sentence]:
        """Sentences of the documents to be read, of these parts only when any is named."""
        for document in self.reading:
            for sentence in document.sentences:
                if not parts or sentence.part in parts:
                    yield sentence

    def _of(self, *forms: str) -> list[Document]:
        return [d for d in self.documents if d.form in forms]
