"""Figures of one company over time, as its filings tag them: periods, versions and units.

A figure is filed many times: in its own report, as last year's column of the next, in amendments.
The last filed counts. A quarter that is only filed as part of a longer period is the difference of
two such periods, taken from the filings of that time, since later restatements change one of them.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from statistics import median
from typing import Any

from sightline.sources.sec_edgar.concepts import WHOLE_REVENUE, Choice
from sightline.sources.sec_edgar.forms import ANNUAL_FORMS

Period = tuple[date | None, date]  # start (None: at a day) and end, both inclusive

# Days, both ends counted. Quarters have 12 to 17 weeks where the year is cut 12/12/12/16.
_YEAR = range(350, 381)
_QUARTER = range(77, 126)
_CURRENCY = re.compile(r"[A-Z]{3}")
_MISTAKEN_SCALE = 100


@dataclass(frozen=True, slots=True)
class Filed:
    """One value as one filing gives it. `fiscal_year` is that of the filing, not of the value."""

    period: Period
    value: float
    tag: str  # "us-gaap:Revenues"
    accession: str
    form: str
    filed: date
    fiscal_year: int | None
    derived: bool = False


def days(period: Period) -> int:
    """Length of a period in days; 0 for a day's balance."""
    start, end = period
    return 0 if start is None else (end - start).days + 1


def is_year(period: Period) -> bool:
    """A fiscal year of 52 or 53 weeks or 12 months."""
    return days(period) in _YEAR


def is_quarter(period: Period) -> bool:
    """A fiscal quarter, not a cumulative period."""
    return days(period) in _QUARTER


class Facts:
    """The facts of a companyfacts answer, by element. Elements are read when they are asked for."""

    def __init__(self, taxonomies: Mapping[str, Any]) -> None:
        self._taxonomies = taxonomies

    def units(self, element: str) -> Iterator[tuple[str, str, list[Any]]]:
        """(tag, unit, raw facts) of an element in whatever taxonomy has it."""
        for prefix, elements in self._taxonomies.items():
            described = elements.get(element) if isinstance(elements, dict) else None
            units = described.get("units") if isinstance(described, dict) else None
            for unit, raw in (units or {}).items():
                if isinstance(raw, list):
                    yield f"{prefix}:{element}", unit, raw

    def versions(self, element: str, unit: str) -> dict[Period, list[Filed]]:
        """All values of an element in a unit by period, oldest filing first."""
        found: dict[Period, list[Filed]] = defaultdict(list)
        for tag, its_unit, raw in self.units(element):
            if its_unit == unit:
                for fact in filter(None, (_filed(entry, tag) for entry in raw)):
                    found[fact.period].append(fact)
        for versions in found.values():
            versions.sort(key=lambda fact: (fact.filed, fact.accession))
        return dict(found)

    def currency(self, elements: Iterable[str]) -> str | None:
        """The reporting currency: that of most facts of the last two years; convenience
        translations cover one year only."""
        counts: Counter[str] = Counter()
        for element in elements:
            for _, unit, raw in self.units(element):
                if _CURRENCY.fullmatch(unit):
                    ends = [str(f.get("end", "")) for f in raw if isinstance(f, dict)]
                    newest = max(ends, default="")[:4]
                    weight = int(newest) if newest.isdigit() else 0
                    counts[unit] += len(ends) + (weight - 2000) * 1000 if weight > 2000 else 0
        return counts.most_common(1)[0][0] if counts else None


def last_filed(versions: list[Filed]) -> Filed:
    """The newest version, passing over one that is a hundred times off what the others say."""
    middle = median(abs(fact.value) for fact in versions)
    for fact in reversed(versions):
        size = abs(fact.value)
        if not middle or not size or 1 / _MISTAKEN_SCALE < size / middle < _MISTAKEN_SCALE:
            return fact
    return versions[-1]


def flow(facts: Facts, choices: tuple[Choice, ...], unit: str) -> dict[Period, Filed]:
    """Years and quarters of a metric, the best choice of elements for each period."""
    return _merged([_with_derived(_choice(facts, choice, unit)) for choice in choices])


def balance(facts: Facts, choices: tuple[Choice, ...], unit: str) -> dict[Period, Filed]:
    """Values at a day of a metric, the best choice of elements for each day."""
    series = []
    for choice in choices:
        versions = _choice(facts, choice, unit)
        series.append({p: last_filed(found) for p, found in versions.items() if p[0] is None})
    return _merged(series)


def _choice(facts: Facts, choice: Choice, unit: str) -> dict[Period, list[Filed]]:
    """Versions of a choice; of several elements the sum, where one filing has them all."""
    parts = [facts.versions(element, unit) for element in choice]
    if len(parts) == 1:
        return parts[0]
    summed: dict[Period, list[Filed]] = {}
    for period in set.intersection(*(set(part) for part in parts)):
        by_filing = [{fact.accession: fact for fact in part[period]} for part in parts]
        shared = set.intersection(*(set(one) for one in by_filing))
        rows = [
            replace(
                by_filing[0][accession],
                value=sum(one[accession].value for one in by_filing),
                tag=" + ".join(one[accession].tag for one in by_filing),
                derived=True,
            )
            for accession in shared
        ]
        if rows:
            summed[period] = sorted(rows, key=lambda fact: (fact.filed, fact.accession))
    return summed


def _with_derived(versions: dict[Period, list[Filed]]) -> dict[Period, Filed]:
    """Years and quarters of one choice, and the quarters that follow from cumulative periods."""
    found = {
        period: last_filed(filed)
        for period, filed in versions.items()
        if is_quarter(period) or (is_year(period) and any(_is_annual(f) for f in filed))
    }
    ends = {period[1] for period in found if is_quarter(period)}
    cumulative = sorted((p[0], p[1]) for p in versions if p[0] and days(p) <= _YEAR[-1])
    for shorter, longer in pairwise(cumulative):
        if shorter[0] == longer[0] and longer[1] not in ends:
            rest = _rest(versions[shorter], versions[longer])
            found |= {rest.period: rest} if rest is not None else {}
    return found


def _rest(shorter: list[Filed], longer: list[Filed]) -> Filed | None:
    """The quarter that a longer period has more than a shorter one of the same begin."""
    first = shorter[0].period[1] + timedelta(days=1)
    total = _of_its_time(longer)
    before = [fact for fact in shorter if fact.filed <= total.filed]
    period: Period = (first, total.period[1])
    if not before or not is_quarter(period):
        return None
    return replace(total, period=period, value=total.value - before[-1].value, derived=True)


def _of_its_time(versions: list[Filed]) -> Filed:
    """The last version filed before the next year's report could restate it."""
    limit = versions[0].filed + timedelta(days=200)
    return [fact for fact in versions if fact.filed <= limit][-1]


def _merged(series: list[dict[Period, Filed]]) -> dict[Period, Filed]:
    """The first choice that has a period. A total of revenue below half of another is a part."""
    merged: dict[Period, Filed] = {}
    for found in series:
        for period, fact in found.items():
            known = merged.get(period)
            if known is None or (
                _is_whole(known) and _is_whole(fact) and fact.value > 2 * known.value > 0
            ):
                merged[period] = fact
    return merged


def _is_whole(fact: Filed) -> bool:
    return fact.tag.partition(":")[2] in WHOLE_REVENUE


def _is_annual(fact: Filed) -> bool:
    return fact.form.removesuffix("/A") in ANNUAL_FORMS


def _filed(entry: Any, tag: str) -> Filed | None:
    """One raw fact; None when it is broken or from a proxy statement, which tags figures of pay tables."""
    try:
        if "14A" in str(entry.get("form")):
            return None
        start = date.fromisoformat(entry["start"]) if entry.get("start") else None
        return Filed(
            period=(start, date.fromisoformat(entry["end"])),
            value=float(entry["val"]),
            tag=tag,
            accession=str(entry.get("accn") or ""),
            form=str(entry.get("form") or ""),
            filed=date.fromisoformat(entry["filed"]),
            fiscal_year=entry["fy"] if isinstance(entry.get("fy"), int) else None,
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


class FiscalCalendar:
    """Which fiscal year and quarter a day closes, by the company's own counting of years."""

    def __init__(self, annual: Mapping[Period, list[Filed]]) -> None:
        """`annual` holds all versions of a metric that every annual report gives."""
        reports: dict[str, tuple[date, int]] = {}
        ends: set[date] = set()
        for period, versions in annual.items():
            if not is_year(period):
                continue
            for fact in versions:
                if not _is_annual(fact):
                    continue
                ends.add(period[1])
                known = reports.get(fact.accession)
                # A report's own year is the last one in it; the others are for comparison.
                if fact.fiscal_year and (known is None or period[1] > known[0]):
                    reports[fact.accession] = (period[1], fact.fiscal_year)
        self._ends = sorted(ends)
        newest = sorted(reports.values())[-6:]
        offsets = Counter(year - _nominal_year(end) for end, year in newest)
        offset = offsets.most_common(1)[0][0] if offsets else 0
        self._offset = offset if abs(offset) <= 1 else 0

    @classmethod
    def of_cover(cls, closing: date, *, fiscal_year: int, period_end: date) -> "FiscalCalendar":
        """The calendar of a quarterly report: `closing` has the month and day of the year's end,
        `fiscal_year` is what the cover page calls the year that `period_end` is in."""
        calendar = cls({})
        month, day = closing.month, min(closing.day, 28)
        ends = (date(period_end.year + years, month, day) for years in (0, 1))
        last = next(end for end in ends if end >= period_end - timedelta(days=10))
        calendar._ends = [last]
        offset = fiscal_year - _nominal_year(last)
        calendar._offset = offset if abs(offset) <= 1 else 0
        return calendar

    @property
    def is_known(self) -> bool:
        """Whether there was a year to build it on."""
        return bool(self._ends)

    def year(self, end: date) -> int:
        """The fiscal year that ends on a day; retailers call one that ends in January the old year."""
        return _nominal_year(end) + self._offset

    def label(self, period: Period) -> str | None:
        """ "FY2025" or "Q2 FY2025"; None where the calendar is unknown or the length is neither."""
        start, end = period
        closing = self._closing(end)
        if closing is None:
            return None
        if is_year(period) or (start is None and abs((closing - end).days) <= 10):
            return f"FY{self.year(end)}"
        quarter = 4 - round((closing - end).days / 91.3)
        if not 1 <= quarter <= 4 or (start is not None and not is_quarter(period)):
            return None
        return f"Q{quarter} FY{self.year(closing)}"

    def _closing(self, day: date) -> date | None:
        """The end of the fiscal year that a day is in, counted on from known ends if need be."""
        if not self._ends:
            return None
        later = next((end for end in self._ends if end >= day - timedelta(days=10)), self._ends[-1])
        while later < day - timedelta(days=10):
            later += timedelta(days=365)
        while (later - day).days > 372:
            later -= timedelta(days=365)
        return later


def _nominal_year(end: date) -> int:
    """52/53-week years end up to a week late: one that ends on 1 January belongs to the year before."""
    return (end - timedelta(days=10)).year
