"""What happened at a company of late: its signals, and the statements of its profile that reasons, questions
and the value pyramid are framed around."""

from collections.abc import Iterator, Mapping
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

Kind = Literal["event", "trouble", "plan"]

# The sections of a profile, in the order in which a seller would take up what they say.
_KINDS: Final[Mapping[str, Kind]] = {
    "strategic_priorities": "event", "risks": "trouble", "swot_analysis": "event",
    "how_they_lose_money": "trouble", "goals": "plan", "digital_strategies": "plan",
}  # fmt: skip
# Routine, which moves no budget by itself, and what the risks section shows already.
_ROUTINE: Final = (
    "board_change", "earnings_released", "pays_dividend", "technology_mentioned_in_job", "new_risk_factor",
    "buys_back_shares", "repays_debt", "accountant_change", "headcount_increase",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """A statement of the profile that is not outdated. `day` is when it was said."""

    kind: Kind
    section: str
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

    @property
    def is_dated(self) -> bool:
        return latest_day(self.text) is not None

    def framed(self, name: str, offering: Offering | None, *, text: str | None = None) -> Statement:
        """A row about it, tied to an offering where one is called for."""
        row: Statement = {"name": name, "about": self.name, "date": self.day.isoformat()}
        row |= {"offering": offering.name} if offering is not None else {}
        row |= {"method": self.row["method"]} if "method" in self.row else {}
        return row | {"description": text or self.text, "sources": self.row.get("sources", ())}


def changes(evidence: Evidence, built: Built) -> list[Change]:
    """The statements of a profile that are of late, by section, in words of others; no plan whose time is
    over."""
    oldest = evidence.today - timedelta(days=31 * STALE_MONTHS)
    found = []
    for section, kind in _KINDS.items():
        for row in (each for each in built.get(section, ()) if isinstance(each, dict)):
            is_bad = row.get("type") in ("WEAKNESS", "THREAT")
            day = iso_day(row.get("as_of"))
            is_past = kind == "plan" and evidence.is_over(f"{row['name']} {row['description']}")
            is_figure = not ("method" in row or any(quote.text for quote in row["sources"]))
            if day is not None and day >= oldest and not (is_past or is_figure):
                found.append(Change("trouble" if is_bad else kind, section, row, day))
    return found


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
