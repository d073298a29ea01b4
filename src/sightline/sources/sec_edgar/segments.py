"""Divisions and regions from tagged figures: one amount per member, metric and period.

Filings tag the same revenue along several axes, with totals, eliminations and headings among the
members, under elements of the company's choice. What is kept is one element per axis, the members
that do not consist of other members, and nothing that is not a part of the business.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from typing import Literal

from sightline.sources.sec_edgar.inline_facts import InlineFact
from sightline.sources.sec_edgar.member_names import member_name

Axis = Literal["business", "geography", "product"]
Metric = Literal["revenue", "operating_income"]

_AXES: dict[str, Axis] = {
    "StatementBusinessSegmentsAxis": "business",
    "StatementGeographicalAxis": "geography",
    "ProductOrServiceAxis": "product",
    # IFRS and older taxonomies
    "SegmentsAxis": "business",
    "GeographicalAreasAxis": "geography",
    "ProductsAndServicesAxis": "product",
    "StatementSegmentsAxis": "business",
    "StatementProductsAndServicesAxis": "product",
}
# Axes that say how a figure was gathered, not of what it is.
_NEUTRAL_AXES = frozenset({"ConcentrationRiskByTypeAxis", "ConcentrationRiskBenchmarkAxis"})
_NEUTRAL_MEMBERS = frozenset({"OperatingSegmentsMember", "ReportableSegmentsMember"})
# Members that are no part of the business but totals, differences and head office.
_NO_PART = re.compile(
    r"(?:Elimination|Intersegment|InterSegment|Reconcil|Unallocated|CorporateNonSegment|Adjustment"
    r"|ReportableSegmentAggregation|OperatingSegmentsMember|ReportableSegmentsMember"
    r"|Hedg(?:e|ing)(?:GainLoss|Gains)|^Corporate(?:And\w*)?(?:Segment)?Member$|^Total|TotalMember$"
    r"|ConsolidatedEntities|GeographicConcentration|OfficerMember$)",
)
_REVENUE = re.compile(
    r"^(?:(?:Sales)?Revenues?(?:Net)?(?:OfInterestExpense)?|Revenue(?:s)?FromContracts?WithCustomers?"
    r"(?:(?:Ex|In)cludingAssessedTax)?|SalesRevenueNet|NetSales|NetRevenues?|TotalRevenues?"
    r"|RevenueFromExternalCustomers?|SegmentReportingInformationRevenue|OperatingRevenues?"
    r"|RegulatedAndUnregulatedOperatingRevenue|RevenuesExcludingInterestAndDividends"
    r"|SalesRevenueGoodsNet|SegmentRevenues?|RevenueFromSaleOfGoods|HealthCareOrganizationRevenue)$"
)
_INCOME = re.compile(
    r"^(?:OperatingIncomeLoss|ProfitLossFromOperatingActivities|\w*Segment\w*(?:OperatingIncome|Profit"
    r"|EarningsBefore|OperatingProfit|Contribution|Margin|IncomeLoss)\w*|OperatingProfit(?:Loss)?"
    r"|IncomeLossFromContinuingOperationsBeforeIncomeTaxes\w*|EarningsBeforeInterestAndTaxes)$"
)
_INCOME_ORDER = ("OperatingIncomeLoss", "OperatingProfit", "Segment", "")
_MOST_MEMBERS = 60
_MOST_TRIED = 14
_READABLE = 12
_ROUNDING = 0.002
_OVERLAP = 0.02


@dataclass(frozen=True, slots=True)
class SegmentFigure:
    """One amount of one member. `member` is its tagged name, `element` what was tagged; `change` the
    fraction over the same period a year before; `of` the one division that a line is reported of, None where
    it is the company's. Amounts are whole units of `currency`."""

    axis: Axis
    name: str
    metric: Metric
    amount: float
    currency: str
    start: date
    end: date
    member: str
    element: str
    change: float | None
    of: str | None = None


@dataclass(frozen=True, slots=True)
class _Value:
    member: str
    amount: float
    fact: InlineFact
    others: frozenset[str] = frozenset()  # members of another axis, over which it is added up


Table = dict[tuple[date, date], dict[str, _Value]]  # period → member → value, in document order


def segment_figures(
    facts: Sequence[InlineFact],
    *,
    wanted: Callable[[date, date], bool],
    total: Callable[[tuple[date, date]], float | None],
) -> tuple[SegmentFigure, ...]:
    """Figures along the business, geography and product axes of the periods that `wanted` accepts.

    `total` gives the company's revenue of a period, to choose the element that covers an axis best.
    """
    usable = [
        fact
        for fact in facts
        if fact.context.start is not None
        and len(fact.unit) == 3
        and fact.unit.isupper()
        and wanted(fact.context.start, fact.context.end)
    ]
    figures: list[SegmentFigure] = []
    divisions: dict[str, str] = {}
    for axis in ("business", "geography", "product"):
        kept = _revenue(usable, axis, total)
        parts = {member for values in kept.values() for member in values}
        income = _income(usable, axis, parts) if axis == "business" else {}
        names = _names((kept, income))
        divisions = divisions or names  # of the first axis
        figures += _rows(kept, axis, "revenue", names=names, divisions=divisions)
        figures += _rows(income, axis, "operating_income", names=names, divisions=divisions)
    return tuple(figures)


def _names(tables: Iterable[Table]) -> dict[str, str]:
    """One name per member, so that all its figures have the same."""
    facts: dict[str, list[InlineFact]] = defaultdict(list)
    for table in tables:
        for values in table.values():
            for member, value in values.items():
                facts[member].append(value.fact)
    return {member: member_name(member, found) for member, found in facts.items()}


def _revenue(
    facts: Iterable[InlineFact], axis: Axis, total: Callable[[tuple[date, date]], float | None]
) -> Table:
    """The table of the element that comes nearest to the company's revenue in its newest period."""
    tables = _tables(facts, axis, _REVENUE)
    best: tuple[float, int, Table] | None = None
    for table in tables.values():
        parts = {period: _parts(values) for period, values in table.items()}
        parts = {period: values for period, values in parts.items() if values}
        if not parts:
            continue
        newest = max(parts, key=lambda period: period[1])
        whole = total(newest)
        parts[newest] = _without_sums(parts[newest], whole)
        covered = sum(value.amount for value in parts[newest].values())
        miss = abs(1 - covered / whole) if whole else 1.0
        candidate = (-round(miss, 2), len(parts[newest]), _of_newest(parts, newest))
        if best is None or candidate[:2] > best[:2]:
            best = candidate
    return best[2] if best else {}


def _income(facts: Iterable[InlineFact], axis: Axis, members: set[str]) -> Table:
    """Operating income of the members that have revenue, else of all that are parts."""
    tables = _tables(facts, axis, _INCOME)

    def rank(name: str) -> int:
        local = name.rpartition(":")[2]
        return next(i for i, start in enumerate(_INCOME_ORDER) if start in local)

    for name in sorted(tables, key=rank):
        table = {
            period: {m: v for m, v in _parts(values).items() if not members or m in members}
            for period, values in tables[name].items()
        }
        table = {period: values for period, values in table.items() if values}
        if table and max(len(values) for values in table.values()) > 1:
            return table
    return {}


def _of_newest(parts: Table, newest: tuple[date, date]) -> Table:
    """Members that only earlier periods have are renamed or sold ones: kept out of the comparison."""
    kept = {
        period: {member: value for member, value in values.items() if member in parts[newest]}
        for period, values in parts.items()
    }
    return {period: values for period, values in kept.items() if values}


def _tables(facts: Iterable[InlineFact], axis: Axis, names: re.Pattern[str]) -> dict[str, Table]:
    """Per element: members by period. Where an axis stands only beside another one (products by
    segment), the members of the other are added up."""
    bare: dict[str, Table] = defaultdict(lambda: defaultdict(dict))
    crossed: dict[str, Table] = defaultdict(lambda: defaultdict(dict))
    counted: set[tuple[object, ...]] = set()
    for fact in facts:
        if fact.context.start is None or not names.match(fact.local_name):
            continue
        rest = [d for d in fact.context.dimensions if not _is_neutral(d)]
        of_axis = [member for name, member in rest if _AXES.get(name) == axis]
        if len(of_axis) != 1:
            continue
        period, member = (fact.context.start, fact.context.end), of_axis[0]
        if len(rest) == 1:
            _add_bare(bare[fact.name][period], member, fact)
            continue
        other = _crossing(rest, axis)
        key = (fact.name, period, member, other)
        if other is not None and key not in counted:
            counted.add(key)
            _add_crossed(crossed[fact.name][period], member, fact, other[1])
    return {name: _fuller(bare[name], crossed[name]) for name in {**bare, **crossed}}


def _fuller(bare: Table, crossed: Table) -> Table:
    """A lone bare member beside a crossed table is a remark in the text."""
    return crossed if crossed and max(map(len, bare.values()), default=0) < 2 else bare


def _add_bare(values: dict[str, _Value], member: str, fact: InlineFact) -> None:
    """Without further dimensions it is what customers paid; first mention counts."""
    known = values.get(member)
    dimensions = len(fact.context.dimensions)
    if known is None or dimensions == 1 < len(known.fact.context.dimensions):
        values[member] = _Value(member, fact.value, fact)


def _add_crossed(values: dict[str, _Value], member: str, fact: InlineFact, other: str) -> None:
    before = values.get(member, _Value(member, 0.0, fact))
    amount, others = before.amount + fact.value, before.others | {other}
    values[member] = _Value(member, amount, before.fact, others)


def _crossing(rest: Sequence[tuple[str, str]], axis: Axis) -> tuple[str, str] | None:
    """The one other axis of the business that a figure is broken down by, with its member."""
    if len(rest) != 2 or axis == "business" or not all(name in _AXES for name, _ in rest):
        return None
    other = next((d for d in rest if _AXES[d[0]] != axis), None)
    return None if other is None or _NO_PART.search(other[1].rpartition(":")[2]) else other


def _is_neutral(dimension: tuple[str, str]) -> bool:
    return dimension[0] in _NEUTRAL_AXES or dimension[1].rpartition(":")[2] in _NEUTRAL_MEMBERS


def _parts(values: dict[str, _Value]) -> dict[str, _Value]:
    kept = {
        m: v for m, v in values.items() if v.amount and not _NO_PART.search(m.rpartition(":")[2])
    }
    return kept if len(kept) <= _MOST_MEMBERS else {}


def _without_sums(values: dict[str, _Value], total: float | None) -> dict[str, _Value]:
    """Leave out members that are the sum of neighbours, or all of the company beside its parts."""
    kept = _within(values, total) if len(values) > 1 and total else values
    # Twice: a sum of sums shows when the inner one is gone.
    for _ in range(2):
        members = list(kept)
        amounts = [kept[member].amount for member in members]
        sums = {members[i] for i in range(len(members)) if _is_sum(amounts, i)}
        kept = {member: value for member, value in kept.items() if member not in sums}
        if not sums:
            break
    return kept


def _within(values: dict[str, _Value], total: float) -> dict[str, _Value]:
    """Without members that are all of the company; of those that overlap what makes up the whole."""
    slack = abs(total) * _ROUNDING / 10
    kept = {m: v for m, v in values.items() if abs(v.amount - total) > slack} or values
    if sum(value.amount for value in kept.values()) > total * (1 + _OVERLAP):
        return _making_up(kept, total) or kept
    return kept


def _making_up(values: dict[str, _Value], total: float) -> dict[str, _Value] | None:
    """Of members that overlap (a continent and its countries), the most that make up the whole:
    neighbours, or of few members any combination."""
    members = list(values)
    slack = max(2.0, total * _ROUNDING / 10)
    found = [
        members[first:last]
        for first in range(len(members))
        for last in range(first + 2, len(members) + 1)
        if abs(sum(values[member].amount for member in members[first:last]) - total) <= slack
    ]
    sizes = range(len(members), 1, -1) if len(members) <= _MOST_TRIED else ()
    chosen = next(
        (
            list(some)
            for size in sizes
            for some in combinations(members, size)
            if abs(sum(values[member].amount for member in some) - total) <= slack
        ),
        None,
    )
    if chosen:
        found.append(chosen)
    if not found:
        return None
    best = max(found, key=lambda some: (len(some) <= _READABLE, len(some)))
    return {member: values[member] for member in best}


def _is_sum(amounts: Sequence[float], index: int) -> bool:
    """Whether two or more members right before or right after add up to this one."""
    target = amounts[index]
    if target <= 0:
        return False
    for neighbours in (amounts[:index][::-1], amounts[index + 1 :]):
        running = 0.0
        for count, amount in enumerate(neighbours, start=1):
            running += amount
            if count >= 2 and abs(running - target) <= max(2.0, abs(target) * _ROUNDING / 10):
                return True
            if running > target * 1.01:
                break
    return False


def _rows(
    table: Table, axis: Axis, metric: Metric, *, names: dict[str, str], divisions: dict[str, str]
) -> list[SegmentFigure]:
    return [
        SegmentFigure(
            axis=axis,
            name=names[member],
            metric=metric,
            amount=int(value.amount) if value.amount.is_integer() else value.amount,
            currency=value.fact.unit,
            start=start,
            end=end,
            member=member,
            element=value.fact.name,
            change=_change(table, (start, end), member),
            of=divisions.get(*value.others) if len(value.others) == 1 else None,
        )
        for (start, end), values in sorted(table.items(), key=lambda pair: pair[0][1], reverse=True)
        for member, value in values.items()
    ]


def _change(table: Table, period: tuple[date, date], member: str) -> float | None:
    length = (period[1] - period[0]).days
    for (start, end), values in table.items():
        if 357 <= (period[1] - end).days <= 372 and abs((end - start).days - length) <= 8:
            before = values.get(member)
            if before is not None and before.amount > 0:
                return round(table[period][member].amount / before.amount - 1, 4)
    return None
