"""The interface of a CRM; one folder implements it for each."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Final, Literal, Protocol

Kind = Literal["accounts", "contacts"]
_MARK: Final = re.compile(r"\[sightline ([0-9a-z:-]{1,120})\]")
KINDS: tuple[Kind, ...] = ("accounts", "contacts")


class CrmIsBusy(Exception):
    """It asks to be left alone, or does not answer; `seconds` where it says for how long."""

    def __init__(self, reason: str, seconds: float | None = None) -> None:
        super().__init__(reason)
        self.seconds = seconds


class CrmRefuses(Exception):
    """It does not take what was asked, and would not take it later; the message is for a person."""


class ConnectionIsOver(CrmRefuses):
    """Its tokens are no longer taken; a person has to connect again."""


@dataclass(frozen=True)
class App:
    """An app of the operator's own at a CRM. `site` is where people sign in, where there are several."""

    client_id: str
    secret: str
    redirect_uri: str
    site: str | None = None


@dataclass(frozen=True)
class Tokens:
    """What opens a CRM: a token alone, or tokens of OAuth with the app that got them. `site` is where they
    are taken, where there are several."""

    access: str
    refresh: str | None = None
    client_id: str | None = None
    client_secret: str | None = None
    site: str | None = None

    def text(self) -> str:
        """As it is sealed and kept."""
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, text: str) -> "Tokens":
        return cls(**json.loads(text))


Save = Callable[[Tokens], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Property:
    """A field of the CRM. `options` are value -> label of one with a fixed set of values."""

    name: str
    label: str
    read_only: bool = False
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Record:
    """A company or a person of the CRM. `company` is the record of a person's company."""

    record_id: str
    values: Mapping[str, str]
    changed_at: datetime | None
    company: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """`after` asks for the page behind this one, None behind the last. `total` counts all pages."""

    records: Sequence[Record]
    after: str | None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition on records; all of several hold."""

    property: str
    operator: str
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a batch: record ids by the key that was given, and why others failed."""

    done: Mapping[str, str]
    failed: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Note:
    """A note on a company, as HTML and as text; `mark` stands at the end of both and tells it from all
    others."""

    mark: str
    record_id: str
    title: str
    html: str
    text: str
    at: datetime


def mark_of(text: str) -> str | None:
    """The mark that a note's text bears."""
    found = _MARK.search(text)
    return found[1] if found else None


class Crm(Protocol):
    """One connected CRM. Every method may raise CrmIsBusy and CrmRefuses."""

    @property
    def batch(self) -> int:
        """How many records it reads, updates or creates at once."""

    async def now(self) -> datetime:
        """The CRM's own time."""

    async def properties(self, kind: Kind) -> Mapping[str, Property]:
        """Its fields, by name."""

    async def changed(
        self,
        kind: Kind,
        names: Sequence[str],
        *,
        filters: Sequence[Filter],
        since: datetime | None,
        after: str | None,
    ) -> Page:
        """Records that fit the filters and changed since, each once, however many and whatever changes
        meanwhile."""

    async def removed(self, kind: Kind, after: str | None) -> Page:
        """Records that were deleted, without values."""

    async def read(self, kind: Kind, names: Sequence[str], ids: Sequence[str]) -> Sequence[Record]:
        """Those of the records that exist; at most a batch."""

    async def with_site(
        self, names: Sequence[str], property: str, domains: Sequence[str]
    ) -> Sequence[Record]:
        """Companies whose website, kept in `property`, may be one of these; at most a batch of domains."""

    async def update(self, kind: Kind, values: Mapping[str, Mapping[str, str]]) -> Written:
        """Set values of records by id; at most a batch."""

    async def create(self, kind: Kind, values: Mapping[str, Mapping[str, str]]) -> Written:
        """Make records by our own ids, or find those that were made before; at most a batch."""

    async def write_notes(self, notes: Sequence[Note]) -> Written:
        """Make notes; the ids by mark. Not repeatable: see `find_notes`."""

    async def find_notes(self, record_ids: Sequence[str]) -> Mapping[str, str]:
        """The ids of notes on these companies that bear a mark of ours, by mark."""

    async def update_notes(self, notes: Mapping[str, Note]) -> Written:
        """Replace the texts of notes by id."""
