"""The evidence about a company that sections read: record, facts, documents, postings, signals.

Pure: `gather` reads it out of the store.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from itertools import islice
from typing import Any, Final
from uuid import UUID

from sightline.domain.amounts import money, signed_percent
from sightline.domain.countries import country_name
from sightline.domain.signals import Precision
from sightline.profile.sentences import Judged, Scope, Sentence, sentences_of
from sightline.reading.dates import iso_day, periods_in
from sightline.reading.periods import is_over, latest_day
from sightline.reading.prose import Words, words_of
from sightline.store.profiles import STALE_MONTHS


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

    @property
    def element(self) -> str:
        """The tag of a figure: another one means another thing."""
        return (self.pointer or "").partition(" ")[0]

    @property
    def amount(self) -> float:
        """Of a figure, as all that follows."""
        return float(self.value["amount"])

    @property
    def size(self) -> str:
        """The amount without its sign, as people say it: "$3.1 billion"."""
        return money(abs(self.amount), self.value.get("currency") or "USD")

    @property
    def name(self) -> str:
        return str(self.value.get("name") or "")

    @property
    def label(self) -> str:
        return str(self.value.get("label") or "")

    @property
    def year(self) -> int | None:
        """Of a figure of a fiscal year, its number."""
        return int(self.label[2:]) if self.label.startswith("FY") else None

    @property
    def change(self) -> float | None:
        change: float | None = self.value.get("change")
        return change

    @property
    def signed_change(self) -> str | None:
        """ "+12.5%", "-3%"; None when it is not known."""
        return signed_percent(self.change) if self.change is not None else None

    @property
    def end(self) -> date | None:
        return iso_day(self.value.get("period_end"))

    @property
    def key(self) -> tuple[float, date | None]:
        """What it says, whichever axis tags it."""
        return self.amount, self.end


@dataclass(frozen=True, slots=True)
class Span:
    """A passage: characters of the document's text."""

    start: int
    end: int
    section: str | None
    heading: str | None


@dataclass(frozen=True)
class Document:
    """A stored document with its passages. `said_at` is when it was published, else fetched. `pointer` names
    the place in a stored document's data that holds the text, where that is a posting of a board."""

    document_id: UUID
    kind: str
    source: str
    url: str
    title: str | None
    published_at: datetime | None
    fetched_at: datetime
    text: str = ""
    spans: tuple[Span, ...] = ()
    pointer: str | None = None
    language: str | None = None

    def quote(self, text: str) -> Quote:
        """Words of it as proof."""
        return Quote(self.document_id, text, self.pointer)

    @property
    def said_at(self) -> datetime:
        return self.published_at or self.fetched_at

    @cached_property
    def form(self) -> str | None:
        """The family of a filing: 10-K, 10-Q, 20-F, 8-K; None for anything else."""
        return form_of(self) if self.kind in ("filing", "news") else None

    @cached_property
    def words(self) -> Words:
        """Its words, to tell names from other words in capitals."""
        return words_of(self.text)

    @cached_property
    def folded(self) -> str:
        """Its text in small letters."""
        return self.text.casefold()

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Its whole sentences with part and heading, in order."""
        spans = self.spans or (Span(0, len(self.text), None, None),)
        return tuple(
            sentence
            for span in spans
            for sentence in sentences_of(self, span.start, span.end, self.part(span), span.heading)
        )

    def passages(self, part: str) -> Iterator[Span]:
        """The passages of a part, in order."""
        return (span for span in self.spans if self.part(span) == part)

    def part(self, span: Span) -> str:
        """What a passage speaks of: a part of a filing, or the role of a page."""
        section = span.section
        if self.form is None:
            is_role = self.kind == "page" and section not in (None, "other")
            return section if section and is_role else self.kind
        if self.form == "8-K":
            return "release" if (section or "").lower().startswith("ex-99") else "other"
        return _PARTS.get((self.form, (section or "").lower()), "other")


# (form, item) → part
_PARTS: Final[dict[tuple[str, str], str]] = {
    ("10-K", "1"): "business",
    ("10-K", "1a"): "risks",
    ("10-K", "3"): "legal",
    ("10-K", "7"): "review",
    ("10-K", "ex-13"): "review",
    ("10-K", "ex-13.1"): "review",
    ("20-F", "4"): "business",
    ("20-F", "3"): "risks",
    ("20-F", "5"): "review",
    ("10-Q", "part1item2"): "review",
    ("10-Q", "part2item1"): "legal",
    ("10-Q", "part2item1a"): "risks",
}
# How the titles of filings begin, without hyphens → family.
_FAMILIES: Final = {
    "10K": "10-K", "10Q": "10-Q", "20F": "20-F", "40F": "20-F", "8K": "8-K", "6K": "8-K",
}  # fmt: skip


def form_of(document: Document) -> str | None:
    """The family of a filing, by its title or the items that its passages name."""
    items = {(span.section or "").lower() for span in document.spans}
    is_release = any(item.startswith("ex-99") for item in items)
    title = (document.title or "").upper().replace("-", "")
    named = next((form for start, form in _FAMILIES.items() if title.startswith(start)), None)
    if is_release and (named is None or document.kind == "news"):
        return "8-K"
    if document.kind == "news" or named:
        return None if document.kind == "news" else named
    if any(item.startswith("part1item") for item in items):
        return "10-Q"
    return "10-K" if items & {"1a", "7"} else None


@dataclass(frozen=True, slots=True)
class Job:
    """A posting; open when `closed_at` is None."""

    title: str
    department: str | None
    seniority: str | None
    technologies: tuple[str, ...]
    url: str
    document_id: UUID | None
    opened_at: datetime
    last_seen_at: datetime
    closed_at: datetime | None
    places: tuple[tuple[str | None, str | None], ...] = ()  # (city, country code)
    text: str = ""

    @property
    def pointer(self) -> str:
        """The place of the posting in its board."""
        return f"posting {self.url}"

    @property
    def said(self) -> dict[str, Any]:
        """What the posting proves."""
        places = [*self.places, *(country_name(code) for _, code in self.places if code)]
        said = {"title": self.title, "places": places, "technologies": self.technologies}
        return said | ({"text": self.text} if self.text else {})

    @property
    def proof(self) -> Quote | None:
        """The posting as proof; None when its board was not kept."""
        return Quote(self.document_id, None, self.pointer) if self.document_id else None


def proofs_of(jobs: Iterable[Job]) -> list[Quote]:
    """The postings as proofs, of boards that were kept."""
    return [proof for job in jobs if (proof := job.proof) is not None]


@dataclass(frozen=True, slots=True)
class Signal:
    """What happened at the company, or `is_planned`. `day` is when, as far as `precision` says; `people` are
    (name, title)."""

    family: str
    type: str
    title: str
    quote: str
    document_id: UUID
    day: date
    people: tuple[tuple[str, str | None], ...] = ()
    precision: Precision = "day"
    is_planned: bool = False

    @property
    def proof(self) -> Quote:
        return Quote(self.document_id, self.quote)


@dataclass(frozen=True, slots=True)
class Known:
    """A company of the catalogue."""

    company_id: UUID
    name: str
    domain: str | None

    @property
    def site(self) -> str | None:
        return f"https://{self.domain}" if self.domain else None


@dataclass(frozen=True)
class Evidence:
    """Everything a section may read about one company. `now` is the time of the build; `directory` holds
    companies of the catalogue by name key. `opening` are sentences that say what it does, best first;
    `chosen` are by section those that stand in it."""

    company_id: UUID
    name: str
    record: Mapping[str, Any]
    now: datetime
    facts: Sequence[FactSeen] = ()
    documents: Sequence[Document] = ()
    jobs: Sequence[Job] = ()
    signals: Sequence[Signal] = ()
    directory: Mapping[str, Known] = field(default_factory=dict)
    judged: Sequence[Judged] = ()
    opening: Sequence[Sentence] = ()
    chosen: Mapping[str, Sequence[Judged]] = field(default_factory=dict)
    leads: Sequence[Sentence] = ()  # what a model is shown besides
    parts: Mapping[UUID, Sequence[Scope]] = field(default_factory=dict)  # by document

    @property
    def today(self) -> date:
        return self.now.date()

    @cached_property
    def by_field(self) -> Mapping[str, Sequence[FactSeen]]:
        found: dict[str, list[FactSeen]] = defaultdict(list)
        for fact in self.facts:
            found[fact.field].append(fact)
        return found

    def won(self, field_name: str) -> FactSeen | None:
        """The fact of a field that makes the record."""
        return next((fact for fact in self.by_field.get(field_name, ()) if fact.wins), None)

    def members(self, field_name: str) -> list[FactSeen]:
        """The facts of a set field, the best of each member first."""
        facts = self.by_field.get(field_name, ())
        return sorted(facts, key=lambda f: (not f.wins, -f.confidence))

    @cached_property
    def open_jobs(self) -> Sequence[Job]:
        return [job for job in self.jobs if job.closed_at is None]

    @cached_property
    def annuals(self) -> Sequence[Document]:
        """Annual reports, newest first."""
        return self._of("10-K", "20-F")

    @cached_property
    def annual(self) -> Document | None:
        """The newest annual report."""
        return self.annuals[0] if self.annuals else None

    @cached_property
    def reading(self) -> tuple[Document, ...]:
        """What statements are taken from: releases and quarterly reports since the newest annual report,
        newest first, that report with the release of its results, and all that is no filing."""
        others = [d for d in self.documents if d.kind != "filing" and d.form is None]
        reports = self._of("10-Q", "8-K")
        if self.annual is None:
            return (*reports, *others)
        since = self.annual.said_at
        newer = [d for d in reports if d.said_at >= since]
        # The release of the year's results comes some days before the report.
        released = (d for d in self._of("8-K") if 0 < (since - d.said_at).days <= _RELEASED_BEFORE)
        return (*newer, *islice(released, 1), self.annual, *others)

    @cached_property
    def said_before(self) -> frozenset[str]:
        """The sentences of the annual report before the newest."""
        return frozenset(each.text for report in self.annuals[1:2] for each in report.sentences)

    def year_of(self, document: Document) -> int:
        """The number of the last fiscal year that a report tells of; else the year before it was made."""
        figures = self.by_field.get("fiscal_period", ())
        years = (each.year for each in figures if each.document_id == document.document_id)
        return max(filter(None, years), default=document.said_at.year - 1)

    def is_of_newest_year(self, sentence: Sentence) -> bool:
        """Whether a sentence names the last year of its report or a later one, as below."""
        named = _day_of(sentence)
        return named is not None and named.year >= self.year_of(sentence.document)

    def is_over(self, text: str) -> bool:
        """Whether every time that a text names has passed; a fiscal year is over with the company's own."""
        last, fiscal = latest_day(text), periods_in(text)
        figures = self.by_field.get("fiscal_period", ())
        ended = max((f.year or 0 for f in figures if f.end and f.end < self.today), default=0)
        is_closed = last is not None and any(p.year == last.year <= ended for p in fiscal)
        return is_closed or is_over(text, self.today)

    def is_past_year(self, sentence: Sentence) -> bool:
        """Whether all that a sentence names is of a year before the last one of its report."""
        last = _day_of(sentence)
        return last is not None and last.year < self.year_of(sentence.document)

    def is_history(self, document: Document, *, months: int = STALE_MONTHS) -> bool:
        """Whether a document is so old that what it says may be so no longer."""
        return (self.today - document.said_at.date()).days > 31 * months

    def _of(self, *forms: str) -> list[Document]:
        found = [d for d in self.documents if d.form in forms]
        return sorted(found, key=lambda d: d.said_at, reverse=True)


def _day_of(sentence: Sentence) -> date | None:
    """The last one named by a sentence, its paragraph before it, or the heading above ("2024 and 2023")."""
    before = sentence.document.text[sentence.line : sentence.start]
    return latest_day(sentence.text) or latest_day(before) or latest_day(sentence.heading or "")


_RELEASED_BEFORE: Final = 45  # days
