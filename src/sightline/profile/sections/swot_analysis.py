"""SWOT: figures and what happened first, then new and changed risks and the company's own sentences."""

from collections.abc import Iterator
from typing import Final, Literal

from sightline.profile.changes import THREATS, figures, fresh_signals, of_signal
from sightline.profile.choosing import statement_of, without_repeats
from sightline.profile.contract import SIGNALS, Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.money import last_year_end, money, newest_year
from sightline.profile.risk_factors import Risk, risks
from sightline.profile.shapes import SwotEntry
from sightline.profile.written_plans import Plan, SwotEntries
from sightline.reading.periods import is_over

Side = Literal["STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"]
PER_SIDE: Final = 5
_MOST_SIGNALS: Final = 3
_PROFITS: Final = 0.1  # of the revenue
_MUCH_DEBT: Final = 4  # times the cash
# Signals that open something; hiring and moves of people are shown elsewhere.
_OPENINGS: Final = ("product_launches", "strategic_shifts", "material_changes", "funding")


def _balance(evidence: Evidence) -> Iterator[tuple[Side, Statement]]:
    """A tenth or more of the revenue as income; more cash than debt, or far less."""
    revenue, income = newest_year(evidence, "revenue"), newest_year(evidence, "net_income")
    cash, debt = newest_year(evidence, "cash"), newest_year(evidence, "debt")
    if revenue and income and revenue.value["label"] == income.value["label"]:
        kept, whole = (money(f.value["amount"], f.value["currency"]) for f in (income, revenue))
        label = income.value["label"]
        if income.value["amount"] >= _PROFITS * revenue.value["amount"] > 0:
            text = f"Net income was {kept} in {label}, of {whole} revenue."
            name = f"Net income of {kept} in {label}"
            yield "STRENGTH", _row(name, text, (income.proof, revenue.proof))
    if cash and debt and cash.value["label"] == debt.value["label"]:
        held, owed = (money(f.value["amount"], f.value["currency"]) for f in (cash, debt))
        label, proofs = cash.value["label"], (cash.proof, debt.proof)
        text = f"Cash and cash equivalents were {held} and debt {owed} at the end of {label}."
        if cash.value["amount"] > debt.value["amount"]:
            yield "STRENGTH", _row(f"More cash than debt in {label}", text, proofs)
        elif debt.value["amount"] > _MUCH_DEBT * cash.value["amount"]:
            yield "WEAKNESS", _row(f"Debt well over cash in {label}", text, proofs)


def _row(name: str, text: str, proofs: tuple[object, ...]) -> Statement:
    return {"name": name, "description": text, "sources": proofs}


def _rows(evidence: Evidence) -> Iterator[tuple[Side, Statement]]:
    """Everything that may stand, each side in the order in which it is shown."""
    yield from _balance(evidence)
    for each in figures(evidence):
        yield ("STRENGTH" if each.kind == "growth" else "WEAKNESS"), each.statement()
    happened = list(fresh_signals(evidence))
    opening = [of_signal(each) for each in happened if each.family in _OPENINGS]
    threats = [of_signal(each) for each in happened if each.family in THREATS]
    yield from (("OPPORTUNITY", each.statement()) for each in opening[:_MOST_SIGNALS])
    yield from (("THREAT", each.statement()) for each in threats[:_MOST_SIGNALS])
    new = (risk for risk in risks(evidence) if risk.change is not None and risk.states_fact)
    yield from (("THREAT", _of_risk(risk)) for risk in new)
    for label, side in _SIDES:
        for insight in evidence.labelled(label):
            if not is_over(insight.sentence.text, last_year_end(evidence)):
                yield side, statement_of(insight.sentence)


_SIDES: Final[tuple[tuple[str, Side], ...]] = (
    ("strength", "STRENGTH"),
    ("weakness", "WEAKNESS"),
    ("opportunity", "OPPORTUNITY"),
    ("threat", "THREAT"),
)


def _of_risk(risk: Risk) -> Statement:
    return {"name": risk.name, "description": risk.description, "sources": risk.quotes}


def _said(row: Statement) -> str:
    """What tells a row from others: of figures, whose sentences are alike, the name."""
    is_quoted = any(quote.text for quote in row["sources"])
    return str(row["description"] if is_quoted else row["name"])


def build(evidence: Evidence) -> list[Statement]:
    rows = list(_rows(evidence))
    found: list[Statement] = []
    for side in ("STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"):
        own = [row for of, row in rows if of == side]
        chosen = without_repeats(
            own,
            _said,
            most=PER_SIDE,
            beside=[_said(row) for row in found],
        )
        found += [{"name": row["name"], "type": side, **row} for row in chosen]
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
    kinds=("filing", "data", "page", "feed_item", "news", SIGNALS),
    build=build,
    labels=("strength", "weakness", "opportunity", "threat"),
)
