"""What detectors share: where a telling comes from, how long it holds, how it is worded.

A detector is a pure function: evidence in, tellings out. `sightline.signals.run` reads the evidence
and stores what the detectors find.
"""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from sightline.domain.happenings import (
    EvidenceDocument,
    SignalAmount,
    SourceKind,
    Subject,
    Telling,
)
from sightline.domain.names import fold, name_key
from sightline.domain.signals import SignalFamily, SignalType, family_of
from sightline.signals.sentences import word_set

# Raised whenever detectors find more or other things, so that stored documents are read anew.
VERSION: Final = 5

# What tellings of insiders' trades are about, whoever trades: those of one fortnight are one story.
INSIDERS: Final = "insiders"

# How long a happening is worth a seller's attention, in days.
_DAYS: Final[dict[SignalFamily, int]] = {
    SignalFamily.MATERIAL_CHANGES: 365,
    SignalFamily.LEADERSHIP_MOVES: 365,
    SignalFamily.FUNDING: 365,
    SignalFamily.PRODUCT_LAUNCHES: 270,
    SignalFamily.HIRING_TRENDS: 90,
    SignalFamily.TECHNOLOGY_MENTIONS: 180,
    SignalFamily.STRATEGIC_SHIFTS: 365,
    SignalFamily.RISK: 400,
}
_DAYS_OF_TYPE: Final = {SignalType.EARNINGS_RELEASED: 120}

# The telling of the weightiest source gives a signal its title and quote.
SOURCE_WEIGHT: Final[dict[SourceKind, float]] = {
    "filing": 1.0,
    "news": 0.8,
    "web": 0.6,
    "job": 0.5,
    "technology": 0.5,
}
_SYMBOLS: Final = {"USD": "$", "EUR": "€", "GBP": "£"}
_SOURCE_NAMES: Final = {"sec_edgar": "SEC EDGAR"}


def expiry(telling: Telling, *, detected_at: datetime) -> datetime:
    """When a signal stops being news: counted from the happening, else from its detection."""
    days = _DAYS_OF_TYPE.get(telling.type, _DAYS[family_of(telling.type)])
    return (telling.occurred_at or detected_at) + timedelta(days=days)


def source_of(document: EvidenceDocument) -> dict[str, Any]:
    """The `source` object of a telling."""
    host = (urlsplit(document.url).hostname or "").removeprefix("www.")
    name = _SOURCE_NAMES.get(document.source, host or document.source)
    published = document.published_at
    return {
        "name": name,
        "url": document.url,
        "title": document.title,
        "publisher": name,
        "published_at": published.isoformat().replace("+00:00", "Z") if published else None,
    }


def money(amount: SignalAmount | None) -> str:
    """ "$20M", "€1.25B", "CHF 450K"; "" for none."""
    if amount is None or amount.value <= 0:
        return ""
    value, unit = amount.value, ""
    for size, letter in ((1e9, "B"), (1e6, "M"), (1e3, "K")):
        if value >= size * 0.9995:
            value, unit = value / size, letter
            break
    places = 2 if value < 10 else 1 if value < 100 else 0
    digits = f"{value:,.{places}f}"
    digits = digits.rstrip("0").rstrip(".") if places else digits
    currency = amount.currency or ""
    symbol = _SYMBOLS.get(currency, f"{currency} " if currency else "")
    return f"{symbol}{digits}{unit}"


def noon(day: date | None) -> datetime | None:
    """A day as a moment: noon UTC is that day in Europe and the Americas alike."""
    return datetime.combine(day, time(12), tzinfo=UTC) if day else None


def is_subject(name: str, subject: Subject) -> bool:
    """Whether a name in a text is the company's: the same key, or one is the other's beginning."""
    key = name_key(name)
    return any(_same(key, own) for own in own_keys(subject))


def own_keys(subject: Subject) -> tuple[str, ...]:
    """The keys of every name of the company."""
    return tuple(dict.fromkeys(name_key(name) for name in (subject.name, *subject.names)))


def mentions(text: str, subject: Subject) -> bool:
    """Whether a text names the company."""
    folded = f" {fold(text)} "
    for key in own_keys(subject):
        words = key.split()
        # "Acme Widget Holdings" is called "Acme Widget"; a single short word must stand alone.
        for size in range(len(words), 0, -1):
            head = " ".join(words[:size])
            if size < len(words) and (size < 2 or len(head) < 8) and not _distinctive(head):
                break
            if f" {head} " in folded or f" {head}s " in folded:
                return True
    return False


def about_of(names: Iterable[str]) -> str:
    """The `about` of a telling: folded names, the longest legal forms dropped."""
    return "|".join(sorted({key for name in names if (key := name_key(name))}))


_PERSON_PREFIX: Final = re.compile(r"^(?:Mr|Ms|Mrs|Dr|Messrs|General|Sir)\.?\s+")


def person_key(name: str) -> str:
    """First initial and last name, folded: "James A. Rasulo" and "Jim Rasulo" share one mostly."""
    bare = re.sub(
        r",?\s+(?:Jr|Sr|II|III|IV|Ph\.?D|M\.?D|CPA)\.?$", "", _PERSON_PREFIX.sub("", name)
    )
    words = fold(bare).split()
    return f"{words[0][0]} {words[-1]}" if len(words) > 1 else " ".join(words)


def _same(key: str, own: str) -> bool:
    if key == own:
        return True
    short, long = sorted((key, own), key=len)
    return len(short) >= 4 and long.startswith(f"{short} ") and _distinctive(short)


def _distinctive(head: str) -> bool:
    """Whether the beginning of a name can stand for it: no word that many names begin with."""
    return len(head) >= 4 and head not in _COMMON


_COMMON: Final = word_set(
    """
    american first united general national international global new great western eastern northern
    southern central pacific atlantic royal standard universal advanced applied digital smart open
    blue green black white gold golden silver star north south east west world home city state
    union capital health energy data cloud power bank group company alpha beta delta prime best
    next innovative
    """
)
