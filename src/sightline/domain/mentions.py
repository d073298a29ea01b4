"""Input and output of signal readers: documents, postings, facts in; mentions out.

A mention is one sentence of a document, or one piece of data, that says that something happened at a
company. Mentions of the same event make one signal (`sightline.signals.clustering`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal
from uuid import UUID

from sightline.domain.signals import PartyRole, Realis, SignalType

SourceKind = Literal["filing", "news", "web", "job", "technology"]


@dataclass(frozen=True, slots=True)
class Span:
    """A passage of a document: characters `start` up to `end` of its text."""

    start: int
    end: int
    section: str | None = None
    heading: str | None = None


@dataclass(frozen=True, slots=True)
class EvidenceDocument:
    """A stored document that is about a company, with its passages in order."""

    document_id: UUID
    url: str
    source: str
    kind: str
    title: str | None
    published_at: datetime | None
    fetched_at: datetime
    parser: int
    text: str
    spans: tuple[Span, ...] = ()

    @property
    def said_at(self) -> datetime:
        """When it was published, else when it was fetched."""
        return self.published_at or self.fetched_at


@dataclass(frozen=True, slots=True)
class NamedCompany:
    """The company that documents are read for. `names` are all it is known by, its own name first."""

    company_id: UUID
    name: str
    names: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FactSeen:
    """One observed value; `withdrawn_at` is set once a newer version of its address says otherwise.

    `parser` and `fetched_at` are those of the document version that it was read in.
    """

    field: str
    member: str
    value: Any
    source: str
    document_id: UUID
    url: str
    quote: str | None
    pointer: str | None
    confidence: float
    as_of: date | None
    first_seen_at: datetime
    withdrawn_at: datetime | None
    parser: int
    fetched_at: datetime


@dataclass(frozen=True, slots=True)
class Version:
    """One version of an address. `checked_at` is set for the newest: when it was last found unchanged."""

    document_id: UUID
    url: str
    final_url: str
    source: str
    parser: int
    fetched_at: datetime
    checked_at: datetime | None


@dataclass(frozen=True, slots=True)
class PostingSeen:
    """A job posting with the times it was seen. `places` are (country code, city)."""

    board: str
    title: str
    seniority: str | None
    department: str | None
    remote: str | None
    places: tuple[tuple[str, str | None], ...]
    technologies: tuple[str, ...]
    description: str
    url: str
    document_id: UUID | None
    posted_at: datetime | None
    first_seen_at: datetime
    closed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Pull:
    """One pull of a board: postings opened and closed by it, active after it."""

    board: str
    pulled_at: datetime
    complete: bool
    active: int
    opened: int
    closed: int


@dataclass(frozen=True, slots=True)
class SignalParty:
    """A party of an event; `title` is the position of a person."""

    role: PartyRole
    name: str
    title: str | None = None


@dataclass(frozen=True, slots=True)
class SignalAmount:
    """Money in whole units of `currency` (ISO 4217), None where the text names no known one."""

    value: float
    currency: str | None


@dataclass(frozen=True, slots=True)
class Mention:
    """One document's account of one event.

    `quote` is `text[start:end]` of the document; where the proof is structured data, start and end
    are None and the quote is the value as the data gives it. `counterparty` is what tells the event
    from others of its type: the folded name of the other party, a person, a place; "" when nothing.
    `occurred_at` is None where the words give no day of the event; `published_at` is when it was reported.
    `details` are what a type has beside: the precision of that day, figures, change, guidance and quote of
    results. `signal_id` is the known signal that a model says it tells of.
    """

    type: SignalType
    title: str
    summary: str
    quote: str
    source_kind: SourceKind
    source: Mapping[str, Any]  # {name, url, title, publisher, published_at}
    document_id: UUID | None = None
    start: int | None = None
    end: int | None = None
    published_at: datetime | None = None
    occurred_at: datetime | None = None
    realis: Realis = "happened"
    confidence: float = 0.5
    parties: tuple[SignalParty, ...] = ()
    amount: SignalAmount | None = None
    location: str | None = None
    counterparty: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    signal_id: UUID | None = None

    @property
    def at(self) -> datetime | None:
        """The day that tells it from other events: when it happened if known, else when it was reported."""
        return self.occurred_at or self.published_at

    @property
    def planned(self) -> bool:
        """Whether it is announced or thinkable, and not done."""
        return self.realis in ("planned", "possible")
