"""Look-ups of fiscal figures: a series of years, the newest quarter, and the parts of a total."""

from collections.abc import Sequence
from typing import Final

from sightline.assistant.company_evidence import Asked, CompanyEvidence
from sightline.assistant.contract import Draft, Statement, Sufficiency
from sightline.assistant.tools.figures import end_of, figure_rows, is_of
from sightline.domain.amounts import signed_percent
from sightline.reading.periods import years_in
from sightline.store.facts import Fact

_YEARS: Final = 3  # a series shows the years before, too
_MOST_PARTS: Final = 6
_QUARTERS: Final = ("Q1", "Q2", "Q3", "Q4")
# What a share of revenue is said of.
_OF_REVENUE: Final = ("gross_profit", "operating_income", "net_income")


async def figure(
    asked: Asked, *, metric: str, evidence_is: Sufficiency = "sufficient"
) -> Draft | None:
    """A figure by fiscal period: the years and quarters that the question names, else the newest ones, or
    the years before those; what changed over these years, and their share of revenue."""
    evidence = asked.evidence
    stored = sorted(await evidence.facts("fiscal_period"), key=end_of, reverse=True)
    facts = [f for f in stored if f.value["metric"] == metric]
    if not facts:
        return None
    chosen = chosen_periods(facts, asked.question)
    if asked.earlier and chosen:
        last = max(map(end_of, chosen))
        chosen = [f for f in _annual(facts) if end_of(f) < last][:_YEARS] or chosen
    if not chosen:
        said = metric.replace("_", " ")
        text = f"No stored figure gives the {said} of {evidence.name} for that period."
        return Draft((), "none", text)
    statements = [*_rows(evidence, chosen), *_change(evidence, _annual(chosen))]
    if metric in _OF_REVENUE:
        revenue = {_period(f): f for f in stored if f.value["metric"] == "revenue"}
        statements += _shares(evidence, [(f, revenue[_period(f)]) for f in chosen
                                         if _period(f) in revenue])  # fmt: skip
    known = {year for f in chosen for year in (_year(f), int(end_of(f)[:4]))}
    is_whole = asked.earlier or years_in(asked.question) <= known
    return Draft(tuple(statements), evidence_is if is_whole else "partial")


def chosen_periods(newest: Sequence[Fact], question: str) -> list[Fact]:
    """The periods that a question names, of facts that stand newest first: of several years all between
    them. Else the newest quarter, where it is later than the newest year, and the newest years."""
    asked, annual = years_in(question), _annual(newest)
    quarters = [f for f in newest if str(f.value["label"])[:2] in _QUARTERS]
    if named := _quarters(question):
        wanted = [f for f in quarters if str(f.value["label"])[:2] in named]
        return [f for f in wanted if not asked or _year(f) in asked][:2]
    if not asked:
        last = max(map(end_of, annual), default="")
        return [*(f for f in quarters[:1] if end_of(f) > last), *annual[:_YEARS]]
    within = range(min(asked), max(asked) + 1)
    found = [f for f in annual if _year(f) in within or int(end_of(f)[:4]) in within]
    if len(asked) == 1 and found:  # "compared with 2023" asks for the year after it, too
        return [f for f in annual if _year(f) == _year(found[0]) + 1] + found
    return found


def _quarters(question: str) -> set[str]:
    words = {word.strip("?!.,;:'’").upper().removesuffix("’S") for word in question.split()}
    return words.intersection(_QUARTERS)


def _annual(facts: Sequence[Fact]) -> list[Fact]:
    return [fact for fact in facts if is_of(fact.value, "annual")]


def _year(fact: Fact) -> int:
    return int(str(fact.value["label"]).rpartition("FY")[2])


def _period(fact: Fact) -> tuple[str | None, str]:
    return fact.value.get("period_start"), end_of(fact)


def _rows(evidence: CompanyEvidence, facts: Sequence[Fact]) -> list[Statement]:
    """'Revenue of the whole company FY2025 (2024-09-29 to 2025-09-27): 416,161 million USD.'"""
    rows = figure_rows(evidence, facts)
    return [Statement(f"{text[0].upper()}{text[1:]}.", sources) for text, sources in rows]


def _change(evidence: CompanyEvidence, years: Sequence[Fact]) -> list[Statement]:
    """'From FY2024 to FY2025: +50%.': of some years over all of them."""
    if len(years) < 2 or years[-1].value["amount"] <= 0:
        return []
    first, last = years[-1], years[0]
    change = round(last.value["amount"] / first.value["amount"] - 1, 4)  # as facts have it
    labels = first.value["label"], last.value["label"]
    text = "From {} to {}: {}.".format(*labels, signed_percent(change))
    return [Statement(text, (evidence.proof(first), evidence.proof(last)))]


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
    evidence, low = asked.evidence, asked.question.lower()
    stored = sorted(_annual(await evidence.facts("segment")), key=end_of, reverse=True)
    if named := [f for f in stored if str(f.value["name"]).lower() in low]:
        return Draft(tuple(_rows(evidence, named[:_MOST_PARTS])))
    for one in dict.fromkeys((axis, "business", "product", "geography")):
        table = [f for f in stored if (f.value["axis"], f.value["metric"]) == (one, "revenue")]
        rows = [f for f in table if end_of(f) == end_of(table[0])]
        if len(rows) > 1:  # one row is no split
            rows.sort(key=lambda f: -f.value["amount"])
            said = tuple(_rows(evidence, rows[:_MOST_PARTS]))
            return Draft(said, "sufficient" if one == axis else "partial")
    return None
