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
from sightline.signals.contract import mention_of_fact, name_keys, noon

AXES: Final = {"business": "segment", "product": "product line"}
_YEAR: Final = range(340, 385)
_APART: Final = (timedelta(days=300), timedelta(days=430))
_SAME: Final = 0.005  # relative difference of two amounts that are one
_REST: Final = frozenset({"other", "all other", "corporate", "eliminations", "corporate and other"})


@dataclass(slots=True)
class _Report:
    """Yearly revenue by line and last day of the year, as one annual report gives it."""

    document_id: UUID
    amounts: dict[str, dict[date, float]] = field(default_factory=lambda: defaultdict(dict))
    names: dict[str, FactSeen] = field(default_factory=dict)

    @property
    def end(self) -> date:
        return max(end for years in self.amounts.values() for end in years)

    def current(self) -> list[str]:
        """Keys of the lines that the newest year has."""
        return list(self.of_year(self.end))

    def of_year(self, year: date) -> dict[str, float]:
        """Amounts by the keys of the lines that have this year."""
        return {key: years[year] for key, years in self.amounts.items() if year in years}

    def name(self, key: str) -> str:
        return str(self.names[key].value["name"])


def read(facts: Sequence[FactSeen], company: NamedCompany) -> list[Mention]:
    """Changes of segments and of product lines between the newest two annual reports."""
    found: list[Mention] = []
    for axis, word in AXES.items():
        reports = _reports(facts, axis)
        if len(reports) < 2:
            continue
        newer, older = reports[0], reports[1]
        if _APART[0] <= newer.end - older.end <= _APART[1]:
            found += _compare(newer, older, word, company)
    return found


def _reports(facts: Sequence[FactSeen], axis: str) -> list[_Report]:
    """The reports that have yearly revenue of two lines or more, newest first, one a year."""
    reports: dict[UUID, _Report] = {}
    for fact in facts:
        value = fact.value
        if fact.field != "segment" or value.get("axis") != axis or value.get("metric") != "revenue":
            continue
        start, end = _day(value.get("period_start")), _day(value.get("period_end"))
        if start is None or end is None or (end - start).days not in _YEAR:
            continue
        key = fold(str(value["name"]))
        if key in _REST:
            continue
        report = reports.setdefault(fact.document_id, _Report(fact.document_id))
        report.amounts[key][end] = float(value["amount"])
        report.names[key] = fact
    by_end: dict[date, _Report] = {}
    for report in reports.values():
        if len(report.current()) >= 2:
            by_end[report.end] = report
    return [by_end[end] for end in sorted(by_end, reverse=True)]


def _compare(newer: _Report, older: _Report, word: str, company: NamedCompany) -> Iterable[Mention]:
    now = newer.current()
    then = {key: amount for key, amount in newer.of_year(older.end).items() if key in now}
    was = older.of_year(older.end)
    added = [key for key in now if key not in was]
    gone = [key for key in was if key not in now]
    name = company.name
    for old, new in _renamed(gone, added, was, then):
        title = f"{name} renames its {word} {older.name(old)} to {newer.name(new)}"
        yield _mention(SignalType.REBRANDS, title, newer, new, company, 0.75)
        added.remove(new)
        gone.remove(old)
    if added and gone and _same(_total(then, added), _total(was, gone)):
        new, old = _listed(newer, added), _listed(older, gone)
        title = f"{name} now reports {new} in place of {old} among its {word}s"
        if len(gone) == 1:
            title = f"{name} breaks its {word} {old} down into {new}"
        yield _mention(SignalType.STRATEGIC_PRIORITY_STATED, title, newer, added[0], company, 0.7)
        return
    for key in added:
        title = f"{name} reports a new {word}: {newer.name(key)}"
        yield _mention(SignalType.EXPANDS_TO, title, newer, key, company, 0.65)
    # Gone from the accounts of the past year too: sold or given up. Otherwise it is part of another.
    if _total(then, now) >= _total(was, was) * (1 - _SAME):
        return
    for key in gone:
        title = f"{name} no longer reports its {word} {older.name(key)}"
        yield _mention(SignalType.DIVESTS, title, older, key, company, 0.6)


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


def _listed(report: _Report, keys: Sequence[str]) -> str:
    names = [report.name(key) for key in keys]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _mention(
    kind: SignalType,
    title: str,
    report: _Report,
    key: str,
    company: NamedCompany,
    confidence: float,
) -> Mention:
    name = report.name(key)
    return mention_of_fact(
        kind, title, report.names[key], words=name, source_kind="filing",
        summary=f"{title}, according to the figures of two annual reports.",
        at=noon(report.end), confidence=confidence, counterparty=name_keys([name]),
        parties=(("company", company.name), ("business", name)),
    )  # fmt: skip


def _day(text: object) -> date | None:
    try:
        return date.fromisoformat(str(text)[:10])
    except ValueError:
        return None
