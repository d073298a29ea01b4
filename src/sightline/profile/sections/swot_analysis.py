"""SWOT: figures and what happened first, then the company's own sentences."""

from collections.abc import Iterator
from typing import Final, Literal

from sightline.profile.changes import THREATS, figures, fresh_signals, of_signal
from sightline.profile.choosing import statement_of, without_repeats
from sightline.profile.contract import SIGNALS, Section, Statement
from sightline.profile.evidence import Evidence, Judged, Quote
from sightline.profile.figures import kept, spent, standing
from sightline.profile.money import newest_year
from sightline.profile.segments import revenue_lines
from sightline.profile.shapes import SwotEntry
from sightline.profile.written_plans import Plan, SwotEntries
from sightline.reading.money import sums_in
from sightline.reading.periods import latest_day

Side = Literal["STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"]
PER_SIDE: Final = 5
_MOST_SIGNALS: Final = 3
_PROBABLE: Final = 0.65
_SPECIFIC: Final = 0.8
_SAME: Final = 0.005  # of an amount that a sentence rounds
# Signals that open something; hiring and moves of people are shown elsewhere.
_OPENINGS: Final = ("product_launches", "strategic_shifts", "material_changes", "funding")


def _told_before(evidence: Evidence) -> Iterator[Quote]:
    """The figures of the overview, of how money is made and of how it is lost."""
    if revenue := newest_year(evidence, "revenue"):
        yield revenue.proof
    yield from (rows[0].fact.proof for rows in revenue_lines(evidence).values())
    for row in (*kept(evidence), *spent(evidence)):
        yield from row["sources"]
    for each in figures(evidence):
        yield from each.quotes if each.kind == "loss" else ()


def _rows(evidence: Evidence, told: frozenset[Quote]) -> Iterator[tuple[Side, Statement]]:
    """Everything that may stand, each side in the order in which it is shown; no figures that were `told`."""
    for speaks_for, row in standing(evidence):
        if not told.issuperset(row["sources"]):
            yield ("STRENGTH" if speaks_for else "WEAKNESS"), row
    for each in figures(evidence):
        if not told.issuperset(each.quotes):
            yield ("STRENGTH" if each.kind == "growth" else "WEAKNESS"), each.statement()
    happened = list(fresh_signals(evidence))
    opening = [of_signal(each) for each in happened if each.family in _OPENINGS]
    threats = [of_signal(each) for each in happened if each.family in THREATS]
    yield from (("OPPORTUNITY", each.statement()) for each in opening[:_MOST_SIGNALS])
    yield from (("THREAT", each.statement()) for each in threats[:_MOST_SIGNALS])
    for judged in evidence.chosen.get("swot_analysis", ()):
        yield _SIDES[judged.label], statement_of(judged.sentence, evidence)


_SIDES: Final[dict[str, Side]] = {
    "strength": "STRENGTH", "weakness": "WEAKNESS", "opportunity": "OPPORTUNITY", "threat": "THREAT",
}  # fmt: skip


def _told(evidence: Evidence) -> Iterator[float]:
    """Revenue and income of the last year, and by how much they changed."""
    for metric in ("revenue", "net_income"):
        if fact := newest_year(evidence, metric):
            amount, change = abs(float(fact.value["amount"])), fact.value.get("change") or 0.0
            yield from (amount, abs(amount - amount / (1 + change)) if change > -1 else amount)


def _fits(judged: Judged, evidence: Evidence) -> float:
    """What most probably is of a side, is true of this company alone and of its newest year."""
    sentence = judged.sentence
    if judged.label not in _SIDES or judged.probability < _PROBABLE or judged.specific < _SPECIFIC:
        return 0.0
    sums = [each.amount for each in sums_in(sentence.text)]
    if judged.label == "strength" and len(sums) > 1 and sums[0] < sums[1]:
        return 0.0  # "$12.1 billion, compared to $12.4 billion": it is none
    if any(abs(each - known) < _SAME * known for each in sums for known in _told(evidence)):
        return 0.0  # the figures say so
    is_report = sentence.document.form is not None
    is_new = latest_day(sentence.text) is not None if is_report else True
    return judged.probability if is_new and not evidence.is_past_year(sentence) else 0.0


def _said(row: Statement) -> str:
    """What tells a row from others: of figures, whose sentences are alike, the name."""
    is_quoted = any(quote.text for quote in row["sources"])
    return str(row["description"] if is_quoted else row["name"])


def build(evidence: Evidence) -> list[Statement]:
    # What was told before stands here too only where there is nothing else.
    rows = list(_rows(evidence, frozenset(_told_before(evidence)))) or list(
        _rows(evidence, frozenset())
    )
    found: list[Statement] = []
    for side in ("STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"):
        own = [row for of, row in rows if of == side]
        chosen = without_repeats(
            own,
            _said,
            most=PER_SIDE,
            beside=[_said(row) for row in found],
        )
        found += [row | {"type": side} for row in chosen]
    return found


SECTION = Section(
    "swot_analysis",
    "SWOT",
    SwotEntry,
    Plan(
        "Write its strengths, weaknesses, opportunities and threats: at most five of each, most"
        " weighty first. A threat comes from outside, a weakness is its own.",
        SwotEntries,
        most=20,
    ),
    kinds=("filing", "data", "page", "posting", "feed_item", "news", SIGNALS),
    build=build,
    labels=("strength", "weakness", "opportunity", "threat"),
    fits=_fits,
)
