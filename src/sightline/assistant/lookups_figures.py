"""Look-ups of fiscal figures: a series of years, the newest quarter, and the parts of a total."""

from collections.abc import Sequence
from typing import Final

from sightline.assistant.company_evidence import Asked, CompanyEvidence
from sightline.assistant.contract import Draft, Statement, Sufficiency
from sightline.assistant.tools.figures import end_of, figure_rows, is_of, segments
from sightline.reading.periods import years_in
from sightline.reading.terms import terms
from sightline.store.facts import Fact

_YEARS: Final = 3
_MOST_PARTS: Final = 6
_QUARTERS: Final = ("Q1", "Q2", "Q3", "Q4")
# What a share of revenue is said of.
_OF_REVENUE: Final = ("gross_profit", "operating_income", "net_income")


async def figure(
    asked: Asked, *, metric: str, evidence_is: Sufficiency = "sufficient"
) -> Draft | None:
    """A figure by fiscal period: the years and quarters that the question names, or else the question
    before it, and the years beside these; or the newest. Of profits also their share of revenue."""
    evidence = asked.evidence
    stored = sorted(await evidence.facts("fiscal_period"), key=end_of, reverse=True)
    facts = [f for f in stored if f.value["metric"] == metric]
    if not facts:
        return None
    texts = (asked.question, *asked.wordings)
    question = next((text for text in texts if years_in(text)), asked.question)
    chosen = chosen_periods(facts, question)
    if not chosen:
        text = f"No stored figure gives the {metric.replace('_', ' ')} of {evidence.name} for that period."
        return Draft((), "none", text)
    statements = _rows(evidence, chosen)
    if metric in _OF_REVENUE:
        revenue = {f.value["label"]: f for f in stored if f.value["metric"] == "revenue"}
        pairs = [(f, revenue.get(f.value["label"])) for f in chosen]
        statements += _shares(evidence, [(part, whole) for part, whole in pairs if whole])
    known = {year for f in chosen for year in _years(f)}
    return Draft(tuple(statements), evidence_is if years_in(question) <= known else "partial")


def chosen_periods(newest: Sequence[Fact], question: str) -> list[Fact]:
    """The periods that a question names, of facts that stand newest first: of years all between them, and
    those beside, which they may be compared with. Else the newest quarter, where it is later than the newest
    year, and the newest years."""
    asked, annual = years_in(question), [f for f in newest if is_of(f.value, "annual")]
    quarters = [f for f in newest if f not in annual]
    if named := {term.upper() for term in terms(question)}.intersection(_QUARTERS):
        wanted = [f for f in quarters if str(f.value["label"])[:2] in named]
        return [f for f in wanted if not asked or asked & _years(f)][:2]
    if not asked:
        last = max(map(end_of, annual), default="")
        return [*(f for f in quarters[:1] if end_of(f) > last), *annual[:_YEARS]]
    if not any(asked & _years(f) for f in annual):
        return []
    beside = range(min(asked) - 1, max(asked) + 2)
    return [f for f in annual if not _years(f).isdisjoint(beside)]


def _years(fact: Fact) -> set[int]:
    """The fiscal year of a figure, and the year in which that ends."""
    return {int(str(fact.value["label"]).rpartition("FY")[2]), int(end_of(fact)[:4])}


def _rows(evidence: CompanyEvidence, facts: Sequence[Fact]) -> list[Statement]:
    """'Revenue of the whole company FY2025 (2024-09-29 to 2025-09-27): 416,161 million USD.'"""
    rows = figure_rows(evidence, facts)
    return [Statement(f"{text[0].upper()}{text[1:]}.", sources) for text, sources in rows]


def _shares(evidence: CompanyEvidence, pairs: Sequence[tuple[Fact, Fact]]) -> list[Statement]:
    """'Share of revenue: 40.0% in FY2025, 38.5% in FY2024.': of figures with the revenue of their periods."""
    said = [
        f"{part.value['amount'] / whole.value['amount']:.1%} in {part.value['label']}"
        for part, whole in pairs
        if whole.value["amount"] > 0
    ]
    sources = tuple(evidence.proof(fact) for pair in pairs for fact in pair)
    return [Statement(f"Share of revenue: {', '.join(said)}.", sources)] if said else []


async def parts(asked: Asked, *, axis: str) -> Draft | None:
    """Revenue of divisions, regions or products in the newest year; of those that the question names, what
    is stored of them."""
    stored = [f for f in await asked.evidence.facts("segment") if is_of(f.value, "annual")]
    if named := segments(stored, asked.question.casefold()):
        return Draft(tuple(_rows(asked.evidence, named[:_MOST_PARTS])))
    for one in dict.fromkeys((axis, "business", "product", "geography")):
        table = [f for f in stored if (f.value["axis"], f.value["metric"]) == (one, "revenue")]
        last = max(map(end_of, table), default="")
        rows = [f for f in table if end_of(f) == last]
        if len(rows) > 1:  # one row is no split
            rows.sort(key=lambda f: -f.value["amount"])
            said = tuple(_rows(asked.evidence, rows[:_MOST_PARTS]))
            return Draft(said, "sufficient" if one == axis else "partial")
    return None
