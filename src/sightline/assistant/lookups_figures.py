"""Look-ups of fiscal figures: a series of years and the newest quarter, and the parts of the whole."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from sightline.assistant.company_evidence import CompanyEvidence, list_words
from sightline.assistant.contract import Draft, Statement, Sufficiency
from sightline.domain.amounts import money, up_or_down
from sightline.store.facts import Fact

_YEARS: Final = (
    3  # a series shows the year before, too, so that growth and "before that" are answered
)
_MOST_PARTS: Final = 6
_WHOLE_YEAR: Final = 300  # days
_YEAR: Final = re.compile(r"\b(?:FY ?)?((?:19|20)\d\d)\b", re.I)
_QUARTER: Final = re.compile(r"\bQ([1-4])\b", re.I)


async def figure(
    evidence: CompanyEvidence,
    question: str,
    *,
    metric: str,
    called: str,
    earlier: bool = False,
    evidence_is: Sufficiency = "sufficient",
) -> Draft | None:
    """A figure by fiscal period: the years and quarter that the question names, else the newest ones; with
    `earlier` the year before those."""
    facts = [f for f in await evidence.facts("fiscal_period") if f.value["metric"] == metric]
    if not facts:
        return None
    chosen = _chosen(facts, question)
    if earlier and chosen:
        years = [
            f for f in facts if str(f.value["label"]).startswith("FY") and _is_before(f, chosen)
        ]
        chosen = sorted(years, key=_end, reverse=True)[:_YEARS] or chosen
    if not chosen:
        named = list_words([*_YEAR.findall(question), *_quarters(question)])
        text = f"No stored figure gives the {called.lower()} of {evidence.name} for {named}."
        return Draft((), "none", text)
    statements = [_series(evidence, called, chosen)]
    if metric in ("gross_profit", "operating_income", "net_income"):
        statements += await _margins(evidence, called, chosen)
    return Draft(tuple(statements), evidence_is)


def _is_before(fact: Fact, chosen: Sequence[Fact]) -> bool:
    years = [f for f in chosen if str(f.value["label"]).startswith("FY")]
    return _end(fact) < max(map(_end, years or chosen))


def _chosen(facts: Sequence[Fact], question: str) -> list[Fact]:
    newest = sorted(facts, key=lambda f: str(f.value["period_end"]), reverse=True)
    years = [f for f in newest if str(f.value["label"]).startswith("FY")]
    quarters = [f for f in newest if str(f.value["label"]).startswith("Q")]
    asked = {int(year) for year in _YEAR.findall(question)}
    if named := _quarters(question):
        wanted = [f for f in quarters if str(f.value["label"])[:2] in named]
        return [f for f in wanted if not asked or _year_of(f) in asked][:2]
    if asked:
        named_years = [f for f in years if _year_of(f) in asked or _end_year(f) in asked]
        if len(asked) == 1 and named_years:  # "compared with 2023" asks for the year after it, too
            named_years = [
                f for f in years if _year_of(f) == _year_of(named_years[0]) + 1
            ] + named_years
        return named_years
    later = [q for q in quarters if not years or _end(q) > _end(years[0])]
    return [*later[:1], *years[:_YEARS]]


def _quarters(question: str) -> list[str]:
    return [f"Q{number}" for number in _QUARTER.findall(question)]


def _end(fact: Fact) -> str:
    return str(fact.value["period_end"])


def _year_of(fact: Fact) -> int:
    return int(str(fact.value["label"]).rpartition("FY")[2])


def _end_year(fact: Fact) -> int:
    return int(_end(fact)[:4])


def _series(evidence: CompanyEvidence, called: str, facts: Sequence[Fact]) -> Statement:
    """'Revenue of X: $10 billion in FY2025 (period ended 2025-01-26), up 12% on the year before; …'"""
    said = []
    for fact in facts:
        figures = fact.value
        step = _change(figures.get("change")) if figures["amount"] > 0 else ""
        until = "at" if not figures.get("period_start") else "period ended"
        amount = money(figures["amount"], figures.get("currency"))
        said.append(f"{amount} in {figures['label']} ({until} {figures['period_end']}){step}")
    proofs = [evidence.proof(f, title=f"{f.value['tag']} {f.value['label']}") for f in facts]
    return Statement(f"{called} of {evidence.name}: {'; '.join(said)}.", tuple(proofs))


async def _margins(
    evidence: CompanyEvidence, called: str, facts: Sequence[Fact]
) -> list[Statement]:
    """The figures as shares of the revenue of the same periods, with the change in percentage points
    between the two newest years."""
    revenue = {
        _period(f): f
        for f in await evidence.facts("fiscal_period")
        if f.value["metric"] == "revenue"
    }
    pairs = [(f, revenue[_period(f)]) for f in facts if _period(f) in revenue]
    shares = [(f, other, _share(f.value["amount"], other.value["amount"])) for f, other in pairs]
    said = [(f, other, part) for f, other, part in shares if part is not None]
    if not said:
        return []
    words = [f"{part} in {f.value['label']}" for f, _, part in said]
    proofs = [
        evidence.proof(each, title=f"{each.value['tag']} {each.value['label']}")
        for f, other, _ in said
        for each in (f, other)
    ]
    years = [float(part[:-1]) for f, _, part in said if str(f.value["label"]).startswith("FY")]
    text = f"{called} was {list_words(words)} of revenue."
    if len(years) > 1:
        step = round(years[0] - years[1], 1)
        turn = "rose" if step > 0 else "fell" if step < 0 else "did not change"
        by = f" by {abs(step)} percentage points" if step else ""
        text = f"{text[:-1]}; between the two newest years the share {turn}{by}."
    return [Statement(text, tuple(proofs))]


def _period(fact: Fact) -> tuple[str | None, str]:
    return fact.value.get("period_start"), _end(fact)


async def parts(evidence: CompanyEvidence, question: str, *, axis: str) -> Draft | None:
    """Revenue and operating income of divisions, regions or products; of one that the question names,
    the years of that one."""
    stored = [f for f in await evidence.facts("segment") if _is_year(f.value)]
    revenue = [f for f in stored if f.value["metric"] == "revenue"]
    low = question.lower()
    named = [f for f in stored if str(f.value["name"]).lower() in low]
    if named:
        newest = sorted(named, key=_end, reverse=True)
        return Draft(tuple(_part(evidence, fact) for fact in newest[:_MOST_PARTS]))
    for one in dict.fromkeys((axis, "business", "product", "geography")):
        table = [f for f in revenue if f.value["axis"] == one]
        if sum(_end(f) == max(map(_end, table)) for f in table) > 1:  # one row is no split
            return Draft((_table(evidence, table),), "sufficient" if one == axis else "partial")
    return None


def _is_year(figures: dict[str, Any]) -> bool:
    start = figures.get("period_start")
    if not start:
        return False
    days = date.fromisoformat(figures["period_end"]) - date.fromisoformat(start)
    return days.days > _WHOLE_YEAR


def _part(evidence: CompanyEvidence, fact: Fact) -> Statement:
    figures = fact.value
    called = str(figures["metric"]).replace("_", " ").capitalize()
    amount = money(figures["amount"], figures.get("currency"))
    step = _change(figures.get("change")) if figures["amount"] > 0 else ""
    text = f"{called} of {figures['name']}: {amount} in the fiscal year ended {_end(fact)}{step}."
    return Statement(text, (evidence.proof(fact, title=fact.pointer),))


def _table(evidence: CompanyEvidence, facts: Sequence[Fact]) -> Statement:
    """The newest year, the largest part first, each with its change."""
    last = max(map(_end, facts))
    rows = sorted((f for f in facts if _end(f) == last), key=lambda f: -f.value["amount"])
    rows = rows[:_MOST_PARTS]
    said = [
        f"{f.value['name']} {money(f.value['amount'], f.value.get('currency'))}"
        f"{_change(f.value.get('change')) if f.value['amount'] > 0 else ''}"
        for f in rows
    ]
    text = f"Revenue of {evidence.name} in the fiscal year ended {last}: {'; '.join(said)}."
    return Statement(text, tuple(evidence.proof(f, title=f.pointer) for f in rows))


def _change(fraction: float | None) -> str:
    """', up 12.3% on the year before'; "" when it is unknown."""
    return "" if fraction is None else f", {up_or_down(fraction)} on the year before"


def _share(part: Any, whole: Any) -> str | None:
    """A percentage of a positive whole."""
    if not isinstance(part, int | float) or not isinstance(whole, int | float) or whole <= 0:
        return None
    return f"{part / whole * 100:.1f}%"
