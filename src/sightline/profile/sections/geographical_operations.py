"""Geographical operations: revenue by region and country, offices, and where the text says it works."""

import re
from typing import Final

from sightline.domain.countries import CountryDoesNotExist, country
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.money import money, percent, signed_percent
from sightline.profile.sections.divisions import about, year_labels, yearly
from sightline.profile.select import Candidate, choose, cues, find
from sightline.profile.sentences import Sentence

_MOST_TEXT: Final = 5
_MOST_OFFICES: Final = 12
_MOST_PLACES: Final = 3
_CUES = cues(
    (
        r"\b(?:operat(?:e|es|ions)|offices?|locations?|stores?|facilit\w+|presence"
        r"|headquarter\w*)\b.{0,90}\bin\b",
        1.2,
    ),
    (r"\b(?:\d[\d,]* )?(?:countries|states|regions|continents)\b", 1.1),
    (
        r"\b(?:outside (?:of )?the united states|international(?:ly)? (?:sales|revenues?"
        r"|operations|markets))",
        1.2,
    ),
    (r"\bheadquarter", 1.3),
)
_PLACE = re.compile(
    r"\b(?:countries|worldwide|globally|international|headquarter\w*|Europe|Asia|Americas?"
    r"|Africa|China|India"
    r"|Japan|Canada|Mexico|Germany|France|United (?:States|Kingdom)|U\.S\.|EMEA|APAC|Latin"
    r"|Middle East|states)\b"
)
_NOT = re.compile(
    r"\b(?:tax|risk|law|regulat|currenc|adverse|harm|could|may|litigation|court|earnings"
    r"|employees (?:are|were)"
    r"|dividend|hedg|indefinitely|unrecogni[sz]ed|valuation|director|officer|server|data breach)",
    re.I,
)


def _regions(evidence: Evidence) -> list[Statement]:
    figures = yearly(evidence, "geography")
    labels = year_labels(evidence)
    total = sum(rows[0].amount for rows in figures.values() if rows[0].amount > 0)
    found = []
    for name, rows in figures.items():
        newest = rows[0]
        label = labels.get(newest.end) or f"FY{newest.end.year}"
        currency = newest.fact.value.get("currency") or "USD"
        text = f"Revenue of {money(newest.amount, currency)} in {label}"
        if newest.change is not None:
            text += f" ({signed_percent(newest.change)} on the year before)"
        if len(figures) > 1 and total > 0:
            text += f", {percent(newest.amount / total)} of the revenue reported by region"
        described = choose(about(evidence, name, parts=("business", "review")), most=1)
        proofs = (newest.fact.proof, *(described[0].quotes if described else ()))
        if described:
            text += f". {described[0].description}"
        found.append(
            {
                "name": name,
                "description": text if described else f"{text}.",
                "revenue": newest.amount,
                "currency": currency,
                "share": round(newest.amount / total, 4) if total > 0 else None,
                "sources": proofs,
            }
        )
    return found


def _country(code: str | None) -> str | None:
    try:
        return country(code).name if code else None
    except CountryDoesNotExist:
        return None


def _offices(evidence: Evidence) -> list[Statement]:
    found, seen = [], set()
    for fact in evidence.members("office"):
        value = fact.value
        code = value.get("country_code")
        place = ", ".join(str(p) for p in (value.get("city"), value.get("region")) if p)
        if not value.get("city") or place in seen:
            continue
        seen.add(place)
        said = ", ".join(str(p) for p in (value.get("name"), value.get("address")) if p)
        found.append(
            {
                "name": place,
                "description": f"Office: {said}." if said else f"Office in {place}.",
                "country": _country(code),
                "sources": (fact.proof,),
            }
        )
    return found[:_MOST_OFFICES]


def _said(evidence: Evidence) -> list[Candidate]:
    def fits(sentence: Sentence) -> bool:
        return bool(_PLACE.search(sentence.text)) and not _NOT.search(sentence.text)

    parts = {
        "properties": 1.3,
        "business": 1.2,
        "about": 1.0,
        "contact": 0.8,
        "home": 0.8,
        "review": 0.7,
    }
    found = find(evidence, _CUES, parts=parts, accept=fits)
    for each in found:
        each.name = _place_name(each.description) or each.name
    return choose(found, most=_MOST_TEXT)


def _place_name(text: str) -> str | None:
    """What a sentence about places is called: its buildings, or the places it names."""
    if re.search(r"\bheadquarter|\bsquare (?:feet|met(?:er|re)s)\b", text, re.I):
        return "Headquarters and facilities"
    places = [place for place in _PLACE.findall(text) if place[0].isupper()]
    return ", ".join(dict.fromkeys(places[:_MOST_PLACES])) or None


def build(evidence: Evidence) -> list[Statement]:
    return [*_regions(evidence), *(c.statement() for c in _said(evidence)), *_offices(evidence)]


SECTION = Section("geographical_operations", ("filing", "data", "page"), build)
