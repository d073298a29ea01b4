"""What happened or is under way at a company, each with its day: a signal, a figure, postings, a risk.

The reasons, questions and opportunities of a profile are framed around these and nothing else.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final, Literal

from sightline.domain.amounts import percent, up_or_down
from sightline.profile.contract import Statement
from sightline.profile.evidence import Evidence, FactSeen, Quote, Signal, proofs_of
from sightline.profile.risk_factors import Risk, risks
from sightline.profile.segments import LEFT_OVER, year_label, yearly
from sightline.profile.seller import Offering
from sightline.profile.years import newest_quarter, newest_year
from sightline.reading.periods import FRESH_DAYS, is_over
from sightline.store.profiles import STALE_MONTHS

Kind = Literal["signal", "threat", "decline", "growth", "loss", "hiring", "risk", "standing"]
TROUBLES: Final[tuple[Kind, ...]] = ("threat", "decline", "loss", "risk", "standing")
OPENINGS: Final[tuple[Kind, ...]] = ("signal", "hiring", "growth")

# Fractions of the year before from which growth or decline is worth a word.
_GROWS, _SHRINKS = 0.05, 0.02
_DIVISION_GROWS, _DIVISION_SHRINKS = 0.15, 0.03
_LEAST_PART: Final = 0.05  # of the revenue of all
_FEWEST_POSTINGS: Final = 5
_MOST_PROOFS: Final = 3
# Routine, which moves no budget by itself, and what the risks section shows already.
_ROUTINE: Final = (
    "board_change", "earnings_released", "technology_mentioned_in_job", "new_risk_factor",
)  # fmt: skip
THREATS: Final = ("risk",)


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

    @property
    def said(self) -> str:
        """What an offering is compared with."""
        return f"{self.name}. {self.text}"

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
    """Signals of the last year, the newest first."""
    since = evidence.today - timedelta(days=FRESH_DAYS)
    for each in sorted(evidence.signals, key=lambda signal: signal.day, reverse=True):
        if since <= each.day and each.type not in _ROUTINE:
            yield each


def of_signal(signal: Signal) -> Change:
    """A signal as a change, one of risk as a threat."""
    kind: Kind = "threat" if signal.family in THREATS else "signal"
    return Change(kind, signal.title, signal.quote, signal.day, (signal.proof,))


def figures(evidence: Evidence) -> Iterator[Change]:
    """Growth, decline and loss of the last fiscal year and of a quarter after it, and growth and decline of
    the divisions and regions in that year."""
    income = newest_year(evidence, "net_income")
    for revenue in (newest_quarter(evidence), newest_year(evidence, "revenue")):
        change = revenue.change if revenue is not None else None
        if revenue is not None and change is not None and not -_SHRINKS < change < _GROWS:
            yield _moved("Revenue", change, revenue, revenue.label)
    if income is not None and income.amount < 0:
        text = f"The net loss was {income.size} in {income.label}."
        name, said = f"Net loss of {income.size} in {income.label}", _ended(income)
        yield Change("loss", name, text, said, (income.proof,))
    for part in _parts(evidence):
        change = part.change
        if change is not None and not -_DIVISION_SHRINKS < change < _DIVISION_GROWS:
            yield _moved(f"{part.name} revenue", change, part, year_label(evidence, part.end))


def _moved(name: str, change: float, fact: FactSeen, label: str) -> Change:
    """A figure that grew or fell, on the last day of its time."""
    return Change(
        "growth" if change > 0 else "decline",
        f"{name} {'grew' if change > 0 else 'fell'} {percent(abs(change))} in {label}",
        f"{name} was {fact.size} in {label}, {up_or_down(change)} on the year before.",
        _ended(fact),
        (fact.proof,),
        key=fact.key,
    )


def _ended(fact: FactSeen) -> date:
    return fact.end or fact.observed_at.date()


def _parts(evidence: Evidence) -> Iterator[FactSeen]:
    """The newest revenue of each region and division that makes some of it, each name and figure once."""
    parts: dict[str, FactSeen] = {}
    for axis in ("geography", "business"):
        found = [rows[0] for rows in yearly(evidence, axis).values()]
        least = _LEAST_PART * sum(max(each.amount, 0.0) for each in found)
        if len(found) > 1:
            parts |= {each.name: each for each in found if each.amount >= least}
    named = [each for name, each in parts.items() if not LEFT_OVER.search(name)]
    return iter({each.key: each for each in named}.values())


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
        yield Change("hiring", f"{count} open postings in {where}", text, seen, proofs, more)


def _of_risk(risk: Risk) -> Change:
    kind: Kind = "risk" if risk.change is not None else "standing"
    row = risk.row
    return Change(kind, str(row["name"]), str(row["description"]), risk.day, row["sources"])


def current(rows: list[Statement], today: date) -> list[Statement]:
    """Rows that speak of nothing that is over."""
    return [row for row in rows if not is_over(f"{row['name']} {row['description']}", today)]
