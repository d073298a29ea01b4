"""Geographical operations: revenue by region and country, offices, and where it hires. Every name is
that of a place, or a region as the company reports it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from sightline.domain.amounts import percent
from sightline.domain.countries import country, country_name
from sightline.domain.names import fold
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, FactSeen, Job, proofs_of
from sightline.profile.figures import on_year_before, rounded
from sightline.profile.segments import WHOLE, Figures, revenue_of, whole_number, year_label, yearly

_MOST_OFFICES: Final = 12
_MOST_HIRING: Final = 12
_MOST_PROOFS: Final = 3
_MOST_CITIES: Final = 3


def _regions(evidence: Evidence) -> list[Statement]:
    figures, axis = _by_region(evidence)
    newest = [rows[0] for rows in figures.values()]
    if not newest:
        return []
    label = year_label(evidence, newest[0].end)
    reported = sum(each.amount for each in newest if each.amount > 0)
    total = _revenue(evidence, newest[0])
    whole = total or (reported if len(newest) > 1 else None)
    of: str | None = "the company's revenue" if total else "the revenue reported by region"
    if total is not None and reported > total * WHOLE:
        of = None
    return [_region(each, label, axis=axis, whole=whole, of=of) for each in newest]


def _region(
    figure: FactSeen, label: str, *, axis: str, whole: float | None, of: str | None
) -> Statement:
    """A region with its share of the whole; `of` is None where regions overlap."""
    share = figure.amount / whole if whole else None
    said = f", {percent(share)} of {of}" if share is not None else ""
    text = f"Revenue of {figure.size} in {label}{on_year_before(figure.change)}"
    return {
        "name": figure.name,
        "description": f"{text}{said if of else '; regions overlap'}.",
        "basis": axis,
        "revenue": whole_number(figure.amount),
        "currency": figure.value.get("currency") or "USD",
        "share": rounded(share),
        "sources": (figure.proof,),
    }


def _by_region(evidence: Evidence) -> tuple[Figures, str]:
    """Yearly revenue by region; by division where every division is a region."""
    if figures := yearly(evidence, "geography"):
        return figures, "geography"
    divisions = yearly(evidence, "business")
    if len(divisions) > 1 and all(country(name) for name in divisions):
        return divisions, "segments"
    return {}, "geography"


def _revenue(evidence: Evidence, newest: FactSeen) -> float | None:
    """The company's revenue of the same year; None when it is not known or less than a region's."""
    total = revenue_of(evidence, newest.end)
    return total.amount if total is not None and total.amount >= newest.amount else None


def _offices(evidence: Evidence) -> list[Statement]:
    """Offices with their addresses; the head office where no other is known."""
    found: dict[str, Statement] = {}
    for fact in evidence.members("office"):
        value = fact.value
        place, said = _joined(value, "city", "region"), _joined(value, "name", "address")
        text = f"Office: {said}." if said else f"Office in {place}."
        row = {
            "name": place,
            "description": text,
            "country": country_name(value.get("country_code")),
        }
        if value.get("city"):
            found.setdefault(place, row | {"sources": (fact.proof,)})
    return list(found.values())[:_MOST_OFFICES] or _head_office(evidence)


def _joined(value: Mapping[str, Any], *parts: str) -> str:
    return ", ".join(str(value[part]) for part in parts if value.get(part))


def _head_office(evidence: Evidence) -> list[Statement]:
    won = {
        name: fact
        for name in ("hq_address", "hq_city", "hq_state")
        if (fact := evidence.won(name)) is not None and (fact.value or name == "hq_city")
    }
    if "hq_city" not in won:
        return []
    values = {name: fact.value for name, fact in won.items()}
    place = _joined(values, "hq_city", "hq_state")
    text = f"Head office: {_joined(values, *won)}."
    country = country_name(evidence.record.get("country_code"))
    row = {"name": place, "description": text, "country": country}
    order = ("hq_city", "hq_state", "hq_address")
    return [row | {"sources": tuple(won[name].proof for name in order if name in won)}]


def _hiring(evidence: Evidence, named: Iterable[str]) -> list[Statement]:
    """Countries in which it has open postings, most first; none that has a row already."""
    shown = {fold(name) for name in named}
    by_country: dict[str, list[Job]] = defaultdict(list)
    for job in evidence.open_jobs:
        for code in {code for _, code in job.places if code}:
            by_country[code].append(job)
    rows: list[Statement] = []
    for code, jobs in sorted(by_country.items(), key=lambda item: (-len(item[1]), item[0])):
        name = country_name(code)
        if name is not None and fold(name) not in shown:
            rows.append(_hiring_row(name, code, jobs, len(evidence.open_jobs)))
    return rows[:_MOST_HIRING]


def _hiring_row(name: str, code: str, jobs: list[Job], all_jobs: int) -> Statement:
    cities = [city for job in jobs for city, of in dict.fromkeys(job.places) if of == code and city]
    spelled = {fold(city): city for city in reversed(cities)}
    most = [spelled[city] for city, _ in Counter(map(fold, cities)).most_common(_MOST_CITIES)]
    text = f"{len(jobs)} of {all_jobs} open {'posting' if all_jobs == 1 else 'postings'}"
    # One posting of each city that is named.
    shown = [proofs_of(j for j in jobs if (city, code) in j.places) for city in most]
    proofs = [found[0] for found in shown if found] or proofs_of(jobs)
    return {
        "name": name,
        "description": f"{text}: {', '.join(most)}." if most else f"{text}.",
        "open_postings": len(jobs),
        "all_open_postings": all_jobs,
        "sources": tuple(dict.fromkeys(proofs[:_MOST_PROOFS])),
    }


def build(evidence: Evidence) -> list[Statement]:
    regions = _regions(evidence)
    return [*regions, *_offices(evidence), *_hiring(evidence, [str(r["name"]) for r in regions])]


SECTION = Section(
    "geographical_operations",
    "Geographical operations",
    kinds=("filing", "data", "page", "posting"),
    build=build,
)
