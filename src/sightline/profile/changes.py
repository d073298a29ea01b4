"""Dated changes at a company: signals, figures, postings, risks.

The reasons, questions and opportunities of a profile are framed around these and nothing else.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final, Literal

from sightline.domain.amounts import percent, up_or_down
from sightline.profile.contract import Built, Statement
from sightline.profile.evidence import Evidence, FactSeen, Quote, Signal, proofs_of
from sightline.profile.risk_factors import Risk, risks
from sightline.profile.segments import LEFT_OVER, year_label, yearly
from sightline.profile.seller import Offering
from sightline.profile.years import newest_quarter, newest_year, years
from sightline.reading.dates import iso_day
from sightline.reading.periods import FRESH_DAYS, is_over, latest_day
from sightline.reading.stated import normalized
from sightline.store.profiles import STALE_MONTHS

Kind = Literal["signal", "threat", "decline", "growth", "loss", "hiring", "risk", "standing"]
TROUBLES: Final[tuple[Kind, ...]] = ("threat", "decline", "loss", "risk")
EVENTS: Final[tuple[Kind, ...]] = ("signal", "threat", "risk")
"""What has a day of its own; a figure sums up a time that is over."""

# Fractions of the year before from which growth or decline is worth a word.
_GROWS, _SHRINKS = 0.05, 0.02
_DIVISION_GROWS, _DIVISION_SHRINKS = 0.15, 0.03
_LEAST_PART: Final = 0.05  # of the revenue of all
_UNUSUAL: Final = 0.1  # points between a change and that of the year before
_FEWEST_POSTINGS: Final = 5
_MOST_PROOFS: Final = 3
# Routine, which moves no budget by itself, and what the risks section shows already.
_ROUTINE: Final = (
    "board_change", "earnings_released", "pays_dividend", "technology_mentioned_in_job", "new_risk_factor",
    "buys_back_shares", "repays_debt", "accountant_change", "headcount_increase",
)  # fmt: skip
_THREATS: Final = ("risk",)  # a family
SETBACKS: Final = (
    "cost_cutting", "layoffs", "closes_offices_in", "discontinues", "ends_agreement", "bankruptcy",
    "restates", "writes_down", "recalls", "defaults", "control_weakness",
)  # fmt: skip
"""Types of signals that are trouble of the company's own."""


@dataclass(frozen=True, slots=True)
class Change:
    """`name` is a phrase, `text` one or more whole sentences, `day` when it happened or was said."""

    kind: Kind
    name: str
    text: str
    day: date
    quotes: tuple[Quote, ...]
    more: Mapping[str, Any] = field(default_factory=dict)  # fields of the rows made of it
    key: tuple[float, date | None] | None = None  # of a figure: its amount and last day
    is_reason: bool = (
        True  # to act: no ordinary figure, no mere count, nothing that has long been so
    )

    @property
    def said(self) -> str:
        """What an offering is compared with."""
        return self.text if self.name in self.text else f"{self.name}. {self.text}"

    def framed(self, name: str, offering: Offering | None, *, text: str | None = None) -> Statement:
        """A row about it, tied to an offering where one is called for."""
        row: Statement = {"name": name, "about": self.name, "date": self.day.isoformat()}
        row |= {"offering": offering.name} if offering is not None else {}
        return row | {**self.more, "description": text or self.text, "sources": self.quotes}

    def statement(self, **more: object) -> Statement:
        row = {"name": self.name, "as_of": self.day.isoformat(), **self.more, **more}
        return row | {"description": self.text, "sources": self.quotes}


def changes(evidence: Evidence) -> list[Change]:
    """What is fresh today, newest first: signals and postings of a year, figures and risks of an annual
    report that is not outdated. A risk that the report before had too is a `standing` one."""
    oldest = evidence.today - timedelta(days=31 * STALE_MONTHS)
    found = [
        *(of_signal(each) for each in fresh_signals(evidence)),
        *(each for each in figures(evidence) if each.day >= oldest),
        *_postings(evidence),
        *(_of_risk(r) for r in risks(evidence) if r.states_fact and r.day >= oldest),
    ]
    return sorted(found, key=lambda each: each.day, reverse=True)


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


def of_signal(signal: Signal) -> Change:
    """A signal as a change, one of risk as a threat, in the document's own words: a title that classifiers
    build may name the wrong side."""
    is_trouble = signal.family in _THREATS or signal.type in SETBACKS
    kind: Kind = "threat" if is_trouble else "signal"
    said = normalized(signal.quote)
    return Change(kind, said, said, signal.day, (signal.proof,))


def figures(evidence: Evidence) -> Iterator[Change]:
    """Growth, decline and loss of the last fiscal year and of a quarter after it, and growth and decline of
    the divisions and regions in that year."""
    income, year = newest_year(evidence, "net_income"), newest_year(evidence, "revenue")
    before = next((y.facts.get("revenue") for y in years(evidence)[1:2]), None)
    for revenue, then in ((newest_quarter(evidence), year), (year, before)):
        if revenue is not None:
            yield from _moved(evidence, "Revenue", revenue, then, (-_SHRINKS, _GROWS))
    if income is not None and income.amount < 0:
        text = f"The net loss was {income.size} in {income.label}."
        name, said = f"Net loss of {income.size} in {income.label}", _ended(income)
        yield Change("loss", name, text, said, (income.proof,))
    for part, then in _parts(evidence):
        usual = (-_DIVISION_SHRINKS, _DIVISION_GROWS)
        yield from _moved(evidence, f"{part.name} revenue", part, then, usual)


def _moved(
    evidence: Evidence,
    name: str,
    fact: FactSeen,
    then: FactSeen | None,
    usual: tuple[float, float],
) -> Iterator[Change]:
    """A figure that grew or fell by more than is usual, on the last day of its time. It is a reason to act
    where it turned, or moved otherwise than in the time before."""
    change, before = fact.change, then.change if then is not None else None
    if change is None or usual[0] < change < usual[1]:
        return
    label = fact.label or year_label(evidence, fact.end)
    text = f"{name} was {fact.size} in {label}, {up_or_down(change)} from the prior year"
    proofs: tuple[Quote, ...] = (fact.proof,)
    is_unusual = before is not None and (change * before < 0 or abs(change - before) >= _UNUSUAL)
    if is_unusual and then is not None and before is not None:
        text += f"; in {year_label(evidence, then.end)} it was {up_or_down(before)}"
        proofs += (then.proof,)
    yield Change(
        "growth" if change > 0 else "decline",
        f"{name} {'grew' if change > 0 else 'fell'} {percent(abs(change))} in {label}",
        f"{text}.",
        _ended(fact),
        proofs,
        key=fact.key,
        is_reason=is_unusual,
    )


def _ended(fact: FactSeen) -> date:
    return fact.end or fact.observed_at.date()


def _parts(evidence: Evidence) -> Iterator[tuple[FactSeen, FactSeen | None]]:
    """The newest revenue of each region and division that makes some of it, each name and figure once, with
    that of the year before."""
    parts: dict[str, Sequence[FactSeen]] = {}
    for axis in ("geography", "business"):
        found = yearly(evidence, axis)
        least = _LEAST_PART * sum(max(rows[0].amount, 0.0) for rows in found.values())
        if len(found) > 1:
            parts |= {name: rows for name, rows in found.items() if rows[0].amount >= least}
    named = [rows for name, rows in parts.items() if not LEFT_OVER.search(name)]
    for rows in {rows[0].key: rows for rows in named}.values():
        yield rows[0], next(iter(rows[1:2]), None)


def _postings(evidence: Evidence) -> Iterator[Change]:
    """The department with most open postings, seen within a year."""
    jobs = evidence.open_jobs
    counts = Counter(job.department for job in jobs if job.department not in (None, "other"))
    department, count = next(iter(counts.most_common(1)), (None, 0))
    of_it = [job for job in jobs if job.department == department]
    proofs = tuple(proofs_of(of_it)[:_MOST_PROOFS])
    if count < _FEWEST_POSTINGS or not proofs:
        return
    seen = max(job.last_seen_at for job in of_it).date()
    if (evidence.today - seen).days <= FRESH_DAYS:
        where = str(department).replace("_", " ")
        text = f"{count} of {len(jobs)} open postings are in {where}."
        more = {"open_postings": count, "all_open_postings": len(jobs)}
        name = f"{count} open postings in {where}"
        yield Change("hiring", name, text, seen, proofs, more, is_reason=False)


def _of_risk(risk: Risk) -> Change:
    is_new, row = risk.change is not None, risk.row
    kind: Kind = "risk" if is_new else "standing"
    said = str(row["name"]), str(row["description"])
    return Change(kind, *said, risk.day, row["sources"], is_reason=is_new)


def planned(evidence: Evidence, built: Built, *sections: str) -> Iterator[Change]:
    """The rows of sections about what it has set out to do, none whose time is over."""
    for row in (row for section in sections for row in built.get(section, ())):
        if isinstance(row, dict) and not evidence.is_over(f"{row['name']} {row['description']}"):
            said = str(row["name"]), str(row["description"])
            day = iso_day(row.get("as_of")) or evidence.today
            more = {"method": row["method"]} if "method" in row else {}
            yield Change("growth", *said, day, tuple(row.get("sources", ())), more)
