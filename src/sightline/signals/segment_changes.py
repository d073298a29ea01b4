"""What a company reports differently than a year before: segments and product lines that are new,
renamed, split, merged or gone between two annual reports.

Both reports give figures of the same past year. A line that has another name and the same revenue in
that year was renamed; one whose revenue is nowhere to be found left the company's accounts.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final
from uuid import UUID

from sightline.domain.mentions import FactSeen, Mention, NamedCompany
from sightline.domain.names import fold
from sightline.domain.signals import SignalType
from sightline.reading.dates import iso_day
from sightline.signals.contract import mention_of_fact, name_keys, noon

AXES: Final = {"business": "segment", "product": "product line"}
_YEAR: Final = range(340, 385)
_APART: Final = (timedelta(days=300), timedelta(days=430))
_SAME: Final = 0.005  # relative difference of two amounts that are one
_REST: Final = frozenset({"other", "all other", "corporate", "eliminations", "corporate and other"})


@dataclass(slots=True)
class _Report:
    """Yearly revenue by last day of the year and folded name of a line, as one annual report gives it."""

    years: dict[date, dict[str, float]] = field(default_factory=lambda: defaultdict(dict))
    facts: dict[str, FactSeen] = field(default_factory=dict)

    @property
    def end(self) -> date:
        return max(self.years)

    def listed(self, keys: Sequence[str]) -> str:
        names = [str(self.facts[key].value["name"]) for key in keys]
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def read(facts: Sequence[FactSeen], company: NamedCompany) -> list[Mention]:
    """Changes of segments and of product lines between the newest two annual reports."""
    found: list[Mention] = []
    for axis, word in AXES.items():
        newer, older = (*_reports(facts, axis), None, None)[:2]
        if newer and older and _APART[0] <= newer.end - older.end <= _APART[1]:
            for kind, title, report, key, confidence in _compare(newer, older, word, company.name):
                name = report.listed([key])
                found.append(mention_of_fact(
                    kind, title, report.facts[key], words=name, source_kind="filing",
                    summary=f"{title}, according to the figures of two annual reports.",
                    occurred_at=noon(report.end), confidence=confidence, counterparty=name_keys([name]),
                    parties=(("company", company.name), ("business", name)),
                ))  # fmt: skip
    return found


def _reports(facts: Sequence[FactSeen], axis: str) -> list[_Report]:
    """The reports that have yearly revenue of two lines or more, newest first, one a year."""
    reports: dict[UUID, _Report] = defaultdict(_Report)
    for fact in facts:
        value = fact.value
        if fact.field != "segment" or value.get("axis") != axis or value.get("metric") != "revenue":
            continue
        start, end = iso_day(value.get("period_start")), iso_day(value.get("period_end"))
        key = fold(str(value["name"]))
        if start and end and (end - start).days in _YEAR and key not in _REST:
            report = reports[fact.document_id]
            report.years[end][key] = float(value["amount"])
            report.facts[key] = fact
    by_end = {each.end: each for each in reports.values() if len(each.years[each.end]) >= 2}
    return [by_end[end] for end in sorted(by_end, reverse=True)]


def _compare(
    newer: _Report, older: _Report, word: str, name: str
) -> Iterable[tuple[SignalType, str, _Report, str, float]]:
    """Type, title, report and line of each change, with its confidence."""
    now, was = list(newer.years[newer.end]), older.years[older.end]
    then = {key: amount for key, amount in newer.years[older.end].items() if key in now}
    added = [key for key in now if key not in was]
    gone = [key for key in was if key not in now]
    for old, new in _renamed(gone, added, was, then):
        title = f"{name} renames its {word} {older.listed([old])} to {newer.listed([new])}"
        yield SignalType.REBRANDS, title, newer, new, 0.75
        added.remove(new)
        gone.remove(old)
    if added and gone and _same(_total(then, added), _total(was, gone)):
        new, old = newer.listed(added), older.listed(gone)
        title = f"{name} now reports {new} in place of {old} among its {word}s"
        if len(gone) == 1:
            title = f"{name} breaks its {word} {old} down into {new}"
        yield SignalType.STRATEGIC_PRIORITY_STATED, title, newer, added[0], 0.7
        return
    for key in added:
        title = f"{name} reports a new {word}: {newer.listed([key])}"
        yield SignalType.EXPANDS_TO, title, newer, key, 0.65
    # Gone from the accounts of the past year too: sold or given up. Otherwise it is part of another.
    if _total(then, now) < _total(was, was) * (1 - _SAME):
        for key in gone:
            title = f"{name} no longer reports its {word} {older.listed([key])}"
            yield SignalType.DIVESTS, title, older, key, 0.6


def _renamed(
    gone: Sequence[str], added: Sequence[str], was: Mapping[str, float], then: Mapping[str, float]
) -> list[tuple[str, str]]:
    """Pairs of lines with the same revenue in the same year, each line once."""
    pairs: dict[str, str] = {}
    for old in gone:
        same = (key for key in added if key in then and _same(then[key], was[old]))
        if new := next((key for key in same if key not in pairs.values()), None):
            pairs[old] = new
    return list(pairs.items())


def _total(amounts: Mapping[str, float], keys: Iterable[str]) -> float:
    return sum(amounts.get(key, 0.0) for key in keys)


def _same(left: float, right: float) -> bool:
    return right > 0 and abs(left - right) <= _SAME * right
