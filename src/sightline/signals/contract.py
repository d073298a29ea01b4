"""Shared by readers and detectors: the source of a mention, how long it is current, and its wording.

All of them are functions: evidence in, mentions out. `sightline.signals.run` fetches the evidence and
stores what is found.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from sightline.domain.contacts import bare_name
from sightline.domain.mentions import (
    EvidenceDocument,
    FactSeen,
    Mention,
    NamedCompany,
    SignalParty,
    SourceKind,
)
from sightline.domain.names import fold, name_key
from sightline.domain.signals import KINDS, PartyRole, SignalFamily, SignalType, family_of
from sightline.reading.named import named_in

# Raised whenever more or other things are found, so that stored documents are read again.
VERSION: Final = 26

# The counterparty of insiders' trades, by whatever name: trades of one fortnight are one signal.
INSIDERS: Final = "insiders"

# How long an event is worth a seller's attention, in days, where it is not a year.
_YEAR: Final = 365
_DAYS: Final[dict[SignalFamily | SignalType, int]] = {
    SignalType.EARNINGS_RELEASED: 120,
    SignalFamily.PRODUCT_LAUNCHES: 270,
    SignalFamily.HIRING_TRENDS: 90,
    SignalFamily.TECHNOLOGY_MENTIONS: 180,
    SignalFamily.RISK: 400,
}
# Days that an event of a month or year alone may be later than its `occurred_at`.
_OPEN: Final = {"month": 30, "year": 364}

# The mention of the weightiest source gives a signal its title and quote.
SOURCE_WEIGHT: Final[dict[SourceKind, float]] = {
    "filing": 1.0, "news": 0.8, "web": 0.6, "job": 0.5, "technology": 0.5,
}  # fmt: skip
LONGEST_TITLE: Final = 300  # characters
_LONGEST_QUOTE: Final = 4_000  # characters of what is looked for
_SOURCE_NAMES: Final = {"sec_edgar": "SEC EDGAR"}


def expiry(mention: Mention, *, detected_at: datetime) -> datetime:
    """When a signal stops being news: counted from the last day that the event may have been on, else from
    its report or detection."""
    days = _DAYS.get(mention.type) or _DAYS.get(family_of(mention.type), _YEAR)
    days += _OPEN.get(str(mention.details.get("precision")), 0)
    return (mention.at or detected_at) + timedelta(days=days)


def is_background(mention: Mention) -> bool:
    """Whether the event of a mention had stopped being news when it was reported."""
    said = mention.published_at
    return said is not None and expiry(mention, detected_at=said) <= said


def is_departure(type: SignalType) -> bool:
    """Whether people go by events of a type, rather than come."""
    return KINDS[type].actor == "person"


def source_row(
    name: str, url: str | None, *, title: str | None = None, published_at: datetime | None = None
) -> dict[str, Any]:
    """The `source` object of a mention."""
    published = published_at.isoformat().replace("+00:00", "Z") if published_at else None
    return {"name": name, "url": url, "title": title, "publisher": name, "published_at": published}


def proof_in(document: EvidenceDocument, start: int, end: int) -> dict[str, Any]:
    """What a mention has of the document whose words prove it."""
    name = _SOURCE_NAMES.get(document.source, host_of(document.url) or document.source)
    at = document.published_at
    return {
        "quote": document.text[start:end],
        "source": source_row(name, document.url, title=document.title, published_at=at),
        "document_id": document.document_id,
        "start": start,
        "end": end,
        "published_at": at,
    }


def mention_of_fact(
    kind: SignalType, title: str, fact: FactSeen, *,
    confidence: float, parties: Sequence[tuple[PartyRole, str]],
    occurred_at: datetime | None = None, seen_at: datetime | None = None,
    summary: str | None = None, words: str | None = None, source_kind: SourceKind | None = None,
    counterparty: str = "", location: str | None = None,
) -> Mention:  # fmt: skip
    """A mention that a fact proves, by its quote, else by `words`."""
    host = host_of(fact.url) or fact.source
    return Mention(
        kind, title[:300], (summary or f"{title}, according to {host}.")[:400],
        quote=fact.quote or words or fact.pointer or str(fact.value),
        source_kind=source_kind or ("filing" if fact.source == "sec_edgar" else "web"),
        source=source_row(host, fact.url), document_id=fact.document_id, published_at=seen_at,
        occurred_at=occurred_at, confidence=round(confidence, 3), counterparty=counterparty,
        parties=tuple(SignalParty(role, name) for role, name in parties), location=location,
    )  # fmt: skip


def host_of(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")


def noon(day: date | None) -> datetime | None:
    """A day as a moment: noon UTC is that day in Europe and the Americas alike."""
    return datetime.combine(day, time(12), tzinfo=UTC) if day else None


def is_company(name: str, company: NamedCompany) -> bool:
    """Whether a name in a text is the company's: the same, or the beginning of it."""
    start, end = next(iter(named_in(name, (company.name, *company.names))), (-1, 0))
    # But for a legal form nothing follows.
    return start == 0 and name_key(name) == name_key(name[:end])


def name_keys(names: Iterable[str]) -> str:
    """The `counterparty` of a mention: folded names without legal forms."""
    return "|".join(sorted({key for name in names if (key := name_key(name))}))


def person_key(name: str) -> str:
    """First initial and last name, folded: "James A. Rasulo" and "Jim Rasulo" share one mostly."""
    words = fold(bare_name(name)).split()
    return f"{words[0][0]} {words[-1]}" if len(words) > 1 else " ".join(words)


_DEFINITION: Final = re.compile(r"\s*\([^()]{0,60}[\"“”'’][^()]{1,120}\)")
_PARAGRAPH: Final = re.compile(r"^\s*\((?:[a-z]|[ivx]+|\d)\)(?:\s+and\s+\([a-z]\))?\s+")


def plain(text: str, *, longest: int = 360) -> str:
    """A sentence as it can be shown: one line, without the letter of its paragraph and brackets that define
    terms, and not too long."""
    line = " ".join(_DEFINITION.sub("", _PARAGRAPH.sub("", text)).split())
    if line.endswith("..") and not line.endswith("..."):  # what a definition leaves behind "Inc."
        line = line[:-1]
    if len(line) > longest:
        line = line[: longest - 1].rsplit(" ", 1)[0].rstrip(",;") + "…"
    return line


def place_of(
    quote: str, text: str, start: int = 0, end: int | None = None
) -> tuple[int, int] | None:
    """Where the words of a quote stand in a text, whatever space is between them."""
    pattern = r"\s+".join(map(re.escape, quote.split()))
    if not 0 < len(pattern) < _LONGEST_QUOTE:
        return None
    found = re.compile(pattern).search(text, start, len(text) if end is None else end)
    return found.span() if found else None
