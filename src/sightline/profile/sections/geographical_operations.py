"""Geographical operations: revenue by region and country, offices, and where it hires. Every name is
that of a place, or a region as the company reports it."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, Final

from sightline.domain.amounts import up_or_down
from sightline.domain.countries import CountryDoesNotExist, country
from sightline.domain.names import fold
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, Job, country_name
from sightline.profile.money import money, percent
from sightline.profile.segments import WHOLE, Figure, revenue_of, whole_number, year_label, yearly

_MOST_OFFICES: Final = 12
_MOST_HIRING: Final = 12
_MOST_PROOFS: Final = 3
_MOST_CITIES: Final = 3


def _regions(evidence: Evidence) -> list[Statement]:
    figures, axis = _by_region(evidence)
    if not figures:
        return []
    end = next(iter(figures.values()))[0].end
    reported = sum(rows[0].amount for rows in figures.values() if rows[0].amount > 0)
    total = _revenue(evidence, figures)
    nested = total is not None and reported > total * WHOLE
    whole = total or (reported if len(figures) > 1 else None)
    found = []
    for name, rows in figures.items():
        newest = rows[0]
        label = year_label(evidence, end)
        currency = newest.fact.value.get("currency") or "USD"
        text = f"Revenue of {money(newest.amount, currency)} in {label}"
        if newest.change is not None:
            text += f" ({up_or_down(newest.change)} on the year before)"
        share = newest.amount / whole if whole else None
        if share is not None and not nested:
            text += f", {percent(share)} of " + (
                "the company's revenue" if total else "the revenue reported by region"
            )
        if nested:
            text += "; regions overlap"
        text += "."
        found.append(
            {
                "name": name,
                "description": text,
                "revenue": whole_number(newest.amount),
                "currency": currency,
                "share": round(share, 4) if share is not None else None,
                "basis": axis,
                "sources": (newest.fact.proof,),
            }
        )
    return found


def _by_region(evidence: Evidence) -> tuple[dict[str, list[Figure]], str]:
    """Yearly revenue by region; by division where every division is a region."""
    if figures := yearly(evidence, "geography"):
        return figures, "geography"
    divisions = yearly(evidence, "business")
    if len(divisions) > 1 and all(_is_country(name) for name in divisions):
        return divisions, "segments"
    return {}, "geography"


def _is_country(name: str) -> bool:
    try:
        return bool(country(name))
    except CountryDoesNotExist:
        return False


def _revenue(evidence: Evidence, figures: dict[str, list[Figure]]) -> float | None:
    """The company's revenue of the same year; None when it is not known or less than a region's."""
    newest = next(iter(figures.values()))[0]
    total = revenue_of(evidence, newest.end)
    amount = float(total.value["amount"]) if total is not None else 0.0
    return amount if amount >= newest.amount else None


def _offices(evidence: Evidence) -> list[Statement]:
    """Offices with their addresses; the head office where no other is known."""
    found, seen = [], set()
    for fact in evidence.members("office"):
        value = fact.value
        place = ", ".join(str(p) for p in (value.get("city"), value.get("region")) if p)
        if not value.get("city") or place in seen:
            continue
        seen.add(place)
        said = ", ".join(str(p) for p in (value.get("name"), value.get("address")) if p)
        found.append(
            {
                "name": place,
                "description": f"Office: {said}." if said else f"Office in {place}.",
                "country": country_name(value.get("country_code")),
                "sources": (fact.proof,),
            }
        )
    return found[:_MOST_OFFICES] or _head_office(evidence)


def _head_office(evidence: Evidence) -> list[Statement]:
    won = {
        name: next((f for f in evidence.by_field.get(name, ()) if f.wins), None)
        for name in ("hq_city", "hq_state", "hq_address")
    }
    city = won["hq_city"]
    if city is None:
        return []
    parts = [f for f in (city, won["hq_state"]) if f is not None and f.value]
    address = won["hq_address"]
    place = ", ".join(str(f.value) for f in parts)
    said = f"{address.value}, {place}" if address is not None and address.value else place
    return [
        {
            "name": place,
            "description": f"Head office: {said}.",
            "country": country_name(evidence.record.get("country_code")),
            "sources": tuple(f.proof for f in (*parts, address) if f is not None),
        }
    ]


def _hiring(evidence: Evidence, named: Iterable[str]) -> list[Statement]:
    """Countries in which it has open postings, most first; none that has a row already."""
    shown = {fold(name) for name in named}
    open_jobs = [job for job in evidence.jobs if job.closed_at is None]
    by_country: dict[str, list[Job]] = defaultdict(list)
    for job in open_jobs:
        for code in {code for _, code in job.places if code}:
            by_country[code].append(job)
    rows: list[Statement] = []
    for code, jobs in sorted(by_country.items(), key=lambda item: (-len(item[1]), item[0])):
        name = country_name(code)
        if name is not None and fold(name) not in shown:
            rows.append(_hiring_row(name, code, jobs, len(open_jobs)))
    return rows[:_MOST_HIRING]


def _hiring_row(name: str, code: str, jobs: list[Job], all_jobs: int) -> dict[str, Any]:
    cities = [city for job in jobs for city, of in dict.fromkeys(job.places) if of == code and city]
    spelled = {fold(city): city for city in reversed(cities)}
    counts = Counter(map(fold, cities))
    most = [spelled[city] for city, _ in counts.most_common(_MOST_CITIES)]
    text = f"{len(jobs)} of {all_jobs} open {'posting' if all_jobs == 1 else 'postings'}"
    proofs = []
    for city in most:  # one posting of each city that is named
        of_city = (job for job in jobs if (city, code) in job.places)
        proofs += [proof for job in of_city if (proof := job.proof) is not None][:1]
    proofs = proofs or [proof for job in jobs if (proof := job.proof) is not None]
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
