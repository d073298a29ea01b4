"""Figures from data.sec.gov/api/xbrl/companyfacts: size, results, shares, with a line per period."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from sightline.domain.evidence import Observation
from sightline.sources.bodies import json_object
from sightline.sources.sec_edgar.concepts import concepts
from sightline.sources.sec_edgar.facts import (
    Facts,
    Filed,
    FiscalCalendar,
    Period,
    balance,
    flow,
    is_quarter,
    is_year,
)

# A figure of the cover page that is this much older than the last report is no longer filed.
_STALE = timedelta(days=550)
_ON_COVER = (
    ("employees", "EntityNumberOfEmployees"),
    ("shares_outstanding", "EntityCommonStockSharesOutstanding"),
    ("shares_outstanding", "CommonStockSharesOutstanding"),
    ("public_float", "EntityPublicFloat"),
)
_PREFERRED_METRICS = ("revenue", "net_income")


class NotCompanyFacts(ValueError):
    """The body is not a companyfacts answer."""


@dataclass(frozen=True, slots=True)
class PeriodFigure:
    """One figure of one fiscal period. `amount` is in whole units of the currency; `change` is the
    fraction by which it differs from the same period a year before; `derived` tells that it was
    computed from two filed figures. Balances have no `start`."""

    metric: str
    label: str | None
    start: date | None
    end: date
    amount: int | float
    currency: str
    tag: str
    form: str
    filed: date
    accession: str
    derived: bool
    change: float | None

    @property
    def is_year(self) -> bool:
        """Whether it covers (or closes) a fiscal year."""
        return (self.label or "").startswith("FY")


@dataclass(frozen=True, slots=True)
class CompanyFacts:
    """A company's figures, newest period first, and what they say about its record."""

    cik: str
    name: str
    currency: str | None
    periods: tuple[PeriodFigure, ...]
    observations: tuple[Observation, ...]


def read_companyfacts(content: bytes, *, years: int = 6, quarters: int = 12) -> CompanyFacts:
    """The figures of the last `years` fiscal years and `quarters` quarters.

    Raises NotCompanyFacts.
    """
    data = json_object(content, NotCompanyFacts)
    taxonomies, number = data.get("facts"), str(data.get("cik") or "")
    if not isinstance(taxonomies, dict) or not number.isdigit():
        raise NotCompanyFacts("The JSON object has no cik and facts.")
    facts = Facts(taxonomies)
    currency, every = figures(facts)
    periods = _newest(every, years=years, quarters=quarters)
    cover = _cover(facts, latest=max((figure.filed for figure in every), default=None))
    return CompanyFacts(
        cik=number.zfill(10),
        name=str(data.get("entityName") or ""),
        currency=currency,
        periods=tuple(periods),
        observations=(*figure_observations(every, periods), *cover),
    )


def figures(
    facts: Facts, calendar: FiscalCalendar | None = None
) -> tuple[str | None, list[PeriodFigure]]:
    """The reporting currency, and every figure of every year and quarter.

    `calendar` is for facts without a full year among them.
    """
    flows, balances = concepts("flow"), concepts("balance")
    currency = facts.currency(
        element
        for choices in (flows["net_income"], flows["revenue"], balances["total_assets"])
        for choice in choices
        for element in choice
    )
    return currency, [] if currency is None else list(_figures(facts, currency, calendar))


def figure_observations(
    every: list[PeriodFigure], periods: list[PeriodFigure]
) -> tuple[Observation, ...]:
    """Revenue and net income of the newest year of `every`, and a line for each of `periods`."""
    return (*_annual(every), *(_period(figure) for figure in periods))


def _annual_versions(facts: Facts, currency: str) -> dict[Period, list[Filed]]:
    """All versions of the metrics that every annual report gives."""
    annual: dict[Period, list[Filed]] = {}
    for metric in _PREFERRED_METRICS:
        for choice in concepts("flow")[metric]:
            for period, versions in facts.versions(choice[0], currency).items():
                annual.setdefault(period, []).extend(versions)
    return annual


def _figures(facts: Facts, currency: str, given: FiscalCalendar | None) -> Iterator[PeriodFigure]:
    series: dict[str, dict[Period, Filed]] = {}
    for metric, choices in concepts("flow").items():
        series[metric] = flow(facts, choices, currency)
    calendar = FiscalCalendar(_annual_versions(facts, currency))
    if given is not None and not calendar.is_known:
        calendar = given
    closing = {p[1] for metric in _PREFERRED_METRICS for p in series[metric]}
    for metric, choices in concepts("balance").items():
        days = balance(facts, choices, currency)
        series[metric] = {p: fact for p, fact in days.items() if p[1] in closing}
    for metric, found in series.items():
        for period, fact in found.items():
            yield PeriodFigure(
                metric=metric,
                label=calendar.label(period),
                start=period[0],
                end=period[1],
                amount=_plain(fact.value),
                currency=currency,
                tag=fact.tag,
                form=fact.form,
                filed=fact.filed,
                accession=fact.accession,
                derived=fact.derived,
                change=_change(found, period),
            )


def _change(found: Mapping[Period, Filed], period: Period) -> float | None:
    """Growth over the same period a year before; None when that was zero, negative or not filed.

    Balances are compared within one choice of elements only: with another, another thing is meant.
    """
    same = is_year if is_year(period) else is_quarter
    earlier = ((p, fact) for p, fact in found.items() if 357 <= (period[1] - p[1]).days <= 372)
    before = next(
        (fact for p, fact in earlier if (p[0] is None) == (period[0] is None)
         and (same(p) if period[0] else fact.tag == found[period].tag)), None,
    )  # fmt: skip
    if before is None or before.value <= 0:
        return None
    return round(found[period].value / before.value - 1, 4)


def _newest(figures: list[PeriodFigure], *, years: int, quarters: int) -> list[PeriodFigure]:
    kept: list[PeriodFigure] = []
    for count, wanted in ((years, True), (quarters, False)):
        of_kind = [f for f in figures if f.label is not None and f.is_year is wanted]
        ends = sorted({figure.end for figure in of_kind}, reverse=True)[:count]
        kept += [figure for figure in of_kind if figure.end in ends]
    return sorted(kept, key=lambda f: (f.end, f.is_year, f.metric), reverse=True)


def _annual(figures: list[PeriodFigure]) -> Iterator[Observation]:
    for field in _PREFERRED_METRICS:
        yearly = [f for f in figures if f.metric == field and f.is_year and f.start is not None]
        if not yearly:
            continue
        newest = max(yearly, key=lambda figure: figure.end)
        value = {
            "amount": newest.amount,
            "currency": newest.currency,
            "fiscal_year": int((newest.label or "FY0")[2:]),
            "period_end": newest.end.isoformat(),
        }
        sure = 0.85 if newest.derived else 0.95
        yield Observation(field, value, "xbrl", sure, pointer=_pointer(newest), as_of=newest.end)


def _period(figure: PeriodFigure) -> Observation:
    value = {
        "label": figure.label,
        "period_start": figure.start.isoformat() if figure.start else None,
        "period_end": figure.end.isoformat(),
        "metric": figure.metric,
        "tag": figure.tag,
        "amount": figure.amount,
        "currency": figure.currency,
        "change": figure.change,
        "derived": figure.derived,
    }
    sure = 0.85 if figure.derived else 0.95
    return Observation(
        "fiscal_period", value, "xbrl", sure, pointer=_pointer(figure), as_of=figure.end
    )


def _pointer(figure: PeriodFigure) -> str:
    start = f"{figure.start.isoformat()}/" if figure.start else ""
    return f"{figure.tag} {start}{figure.end.isoformat()} {figure.currency} in {figure.accession}"


def _cover(facts: Facts, *, latest: date | None) -> Iterator[Observation]:
    """Employees, shares and float of the cover page, where they are still filed."""
    said: set[str] = set()
    for field, element in _ON_COVER:
        newest = _newest_cover(facts, element)
        if newest is None or newest[0].value <= 0 or field in said:
            continue
        fact, unit = newest
        is_stale = latest is not None and latest - fact.filed > _STALE
        if is_stale or (field == "public_float" and unit != "USD"):
            continue
        said.add(field)
        day = fact.period[1]
        pointer = f"{fact.tag} {day.isoformat()} {unit} in {fact.accession}"
        yield Observation(field, int(fact.value), "xbrl", 0.9, pointer=pointer, as_of=day)


def _newest_cover(facts: Facts, element: str) -> tuple[Filed, str] | None:
    found: list[tuple[Filed, str]] = []
    for _, unit, _raw in facts.units(element):
        for versions in facts.versions(element, unit).values():
            found.append((versions[-1], unit))
    return max(found, key=lambda one: (one[0].period[1], one[0].filed), default=None)


def _plain(value: float) -> int | float:
    return int(value) if value.is_integer() else value
