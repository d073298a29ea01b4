"""What happened at a company of late: its signals, and what its profile says in typed, dated fields: what
reasons and questions are framed around."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final, Literal

from sightline.profile.contract import Built, Statement
from sightline.profile.evidence import Evidence, Signal
from sightline.profile.seller import Offering
from sightline.reading.dates import iso_day
from sightline.reading.periods import FRESH_DAYS, is_over, latest_day
from sightline.reading.stated import normalized
from sightline.store.profiles import STALE_MONTHS

Kind = Literal["event", "setback", "growth", "loss", "postings"]

# Routine, which moves no budget by itself, and what the risks section shows already.
_ROUTINE: Final = (
    "board_change", "earnings_released", "pays_dividend", "technology_mentioned_in_job", "new_risk_factor",
    "buys_back_shares", "repays_debt", "accountant_change", "headcount_increase",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """A statement of the profile that is not outdated. `day` is when it was said."""

    kind: Kind
    row: Statement
    day: date

    @property
    def name(self) -> str:
        return str(self.row["name"])

    @property
    def text(self) -> str:
        return str(self.row["description"])

    @property
    def said(self) -> str:
        """What an offering is compared with."""
        return self.text if self.name in self.text else f"{self.name}. {self.text}"

    def framed(self, name: str, offering: Offering | None) -> Statement:
        """A row about it with its amounts, tied to an offering where one is called for."""
        row = {key: value for key, value in self.row.items() if key not in ("type", "as_of")}
        row |= {"name": name, "about": self.name, "date": self.day.isoformat()}
        return row | ({"offering": offering.name} if offering is not None else {})


def changes(evidence: Evidence, built: Built) -> list[Change]:
    """The figures, signals and counts of a profile that are of late and name their time, events first."""
    oldest = evidence.today - timedelta(days=31 * STALE_MONTHS)
    found = []
    for section in ("swot_analysis", "how_they_lose_money", "digital_strategies"):
        for row in (each for each in built.get(section, ()) if isinstance(each, dict)):
            kind, day = _kind(section, row), iso_day(row.get("as_of"))
            is_dated = kind == "postings" or latest_day(f"{row['name']} {row['description']}")
            if kind is not None and is_dated and day is not None and day >= oldest:
                found.append(Change(kind, row, day))
    return sorted(found, key=lambda each: each.kind not in ("event", "setback"))


def _kind(section: str, row: Statement) -> Kind | None:
    """What a statement is; None for a sentence of use, of which nothing says for whom it speaks."""
    if section == "digital_strategies":
        return "postings" if "open_postings" in row else None
    is_bad = section == "how_they_lose_money" or row["type"] in ("WEAKNESS", "THREAT")
    if any(quote.text for quote in row["sources"]):
        return "setback" if is_bad else "event"
    return "loss" if is_bad else "growth"


def fresh_signals(evidence: Evidence) -> Iterator[Signal]:
    """Signals of the last year, newest first; none whose quote speaks of a time before, or is of a report,
    which tells of many years, and names no time."""
    since = evidence.today - timedelta(days=FRESH_DAYS)
    reports = {d.document_id for d in evidence.documents if d.form not in (None, "8-K")}
    for each in sorted(evidence.signals, key=lambda signal: signal.day, reverse=True):
        is_dated = each.document_id not in reports or latest_day(each.quote) is not None
        is_fresh = since <= each.day and is_dated and not is_over(each.quote, since)
        if is_fresh and each.type not in _ROUTINE:
            yield each


def of_signal(signal: Signal, **more: Any) -> Statement:
    """A signal as a statement, in the document's own words: a title that classifiers build may name the wrong
    side."""
    said = normalized(signal.quote)
    row = {"name": said, "as_of": signal.day.isoformat(), **more}
    return row | {"description": said, "sources": (signal.proof,)}
