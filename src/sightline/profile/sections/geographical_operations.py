"""Geographical operations: revenue by region and country, where the text says it works, offices, and
where it hires. Every name is that of a place, or a region as the company reports it."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, Final

from sightline.domain.names import fold
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, Job, country_name
from sightline.profile.money import money, percent, signed_percent
from sightline.profile.patterns import words
from sightline.profile.places_named import is_worldwide, places_in
from sightline.profile.sections.divisions import (
    WHOLE,
    Figure,
    about,
    revenue_of,
    year_labels,
    yearly,
)
from sightline.profile.select import Candidate, choose, cues, find
from sightline.profile.sentences import Sentence, cut

_MOST_TEXT: Final = 6
_MOST_OFFICES: Final = 12
_MOST_PLACES: Final = 4
_MOST_HIRING: Final = 12
_MOST_PROOFS: Final = 3
_MOST_CITIES: Final = 3
_WORLDWIDE: Final = "Worldwide"
_IN = r".{0,110}?\b(?:in|throughout|across|outside|within|from|at|en|dans|à)\b"
_SHARE: Final = r"\d% of (?:\w+ ){0,4}(?:revenues?|sales)\b"
_CUES = cues(
    (
        r"\bheadquarter\w*|\bprincipal (?:executive )?offices?\b|\bhauptsitz\b|\bsiège\b|\bsede\b",
        1.3,
    ),
    (
        r"\b(?:operat(?:e|es|ions|ing)|offices?|locations?|stores?|restaurants?|facilit(?:y|ies)|presence"
        r"|plants?|factor(?:y|ies)|warehouses?|branches|data centers?|manufactur(?:e|es|ing)|properties"
        r"|subsidiaries|distribution centers?|laborator(?:y|ies)|sites?|centers)\b" + _IN,
        1.2,
    ),
    (_SHARE + _IN, 1.1),
    (
        r"\b(?:sold|available|customers|clients|do(?:es)? business|serv(?:es?|ing)|markets?|people)\b"
        r".{0,60}?\b(?:in|throughout|across)\b",
        0.9,
    ),
    (
        r"\b(?:standort\w*|werke?n?|niederlassung\w*|büros?|usines?|bureaux|oficinas|plantas)\b"
        r".{0,60}?\b(?:in|à|en|dans|au)\b",
        1.2,
    ),
)
_OURS: Final = r"\b(?:we|our|us|the company|wir|uns\w*|nous|nos|notre|nuestr\w+|{first})\b"
_NOT = words(
    r"\b(?:tax|risks?|laws?|regulat|currenc|adverse|harm|could|may|litigation|courts?|earnings"
    r"|employees (?:are|were)|dividend|hedg|indefinitely|unrecogni[sz]ed|valuation|director|officers?\b"
    r"|server|data breach|patents?|trademarks?|copyrights?|tariffs?|export|licens|governments?|sanction"
    r"|agreement to acquire|announced|prior to|previously|formerly|founded|not (?:currently )?have|compet"
    r"|increased|decreased|grew|declined|impressions|mineral|insurance products|telephone|outlook"
    r"|customers? (?:accounted|outside|span)|legislation|war\b|conflict|privacy|ended|denominated"
    r"|contributed|decade|expect|growth|opened a|joined|Mr\.|Ms\.|collaborat|emerging|costs|backlog"
    r"|exchange rates?|clos(?:ed|ure)|we sold|segments:|exited|sale of|credit|cash|fines?\b"
    r"|incorporated|re-?evaluate|strategy|drill|assay|audit)",
)


def _regions(evidence: Evidence) -> list[Statement]:
    figures, axis = _by_region(evidence)
    if not figures:
        return []
    end = next(iter(figures.values()))[0].end
    reported = sum(rows[0].amount for rows in figures.values() if rows[0].amount > 0)
    total = _revenue(evidence, figures)
    nested = total is not None and reported > total * WHOLE
    whole = total or (reported if len(figures) > 1 else None)
    labels = year_labels(evidence)
    found = []
    for name, rows in figures.items():
        newest = rows[0]
        label = labels.get(end) or f"FY{end.year}"
        currency = newest.fact.value.get("currency") or "USD"
        text = f"Revenue of {money(newest.amount, currency)} in {label}"
        if newest.change is not None:
            text += f" ({signed_percent(newest.change)} on the year before)"
        share = newest.amount / whole if whole else None
        if share is not None and not nested:
            text += f", {percent(share)} of " + (
                "the company's revenue" if total else "the revenue reported by region"
            )
        if nested:
            text += "; regions overlap"
        described = choose(_described(evidence, name), most=1, named=False)
        proofs = (newest.fact.proof, *(described[0].quotes if described else ()))
        text = f"{text}. {described[0].description}" if described else f"{text}."
        found.append(
            {
                "name": name,
                "description": text,
                "revenue": int(newest.amount) if newest.amount.is_integer() else newest.amount,
                "currency": currency,
                "share": round(share, 4) if share is not None else None,
                "basis": axis,
                "sources": proofs,
            }
        )
    return found


def _by_region(evidence: Evidence) -> tuple[dict[str, list[Figure]], str]:
    """Yearly revenue by region; by division where every division is a region."""
    if figures := yearly(evidence, "geography"):
        return figures, "geography"
    divisions = yearly(evidence, "business")
    if len(divisions) > 1 and all(places_in(name) for name in divisions):
        return divisions, "segments"
    return {}, "geography"


def _revenue(evidence: Evidence, figures: dict[str, list[Figure]]) -> float | None:
    """The company's revenue of the same year; None when it is not known or less than a region's."""
    newest = next(iter(figures.values()))[0]
    total = revenue_of(evidence, newest.end)
    amount = float(total.value["amount"]) if total is not None else 0.0
    return amount if amount >= newest.amount else None


def _described(evidence: Evidence, name: str) -> list[Candidate]:
    """Sentences that say what the company does in a region."""
    outside = re.compile(rf"\boutside (?:of )?(?:the )?{re.escape(name)}", re.I)
    return [
        c
        for c in about(evidence, name, parts=("business", "properties"))
        if not _NOT.search(c.description)
        and not outside.search(c.description)
        and any(cue.pattern.search(c.description) for cue in _CUES)
        and _names_region(name, c.description)
    ]


def _names_region(name: str, text: str) -> bool:
    """Whether a text speaks of the place, not of a longer name that begins with it."""
    return not places_in(name) or bool(set(places_in(name)) & set(places_in(text)))


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


def _said(evidence: Evidence, offices: Iterable[Statement]) -> list[Candidate]:
    """Sentences about where the company works, named by the places in them."""
    cities = [str(row["name"]).split(",")[0] for row in offices]
    first = re.escape(re.split(r"[\s,.]+", evidence.name)[0]) or "we"
    ours = re.compile(_OURS.format(first=first), re.I)

    def fits(sentence: Sentence) -> bool:
        text = sentence.text
        owned = sentence.part in ("home", "about", "contact", "properties") or ours.search(text)
        shared = sentence.part != "review" or re.search(_SHARE, text)
        return bool(owned and shared) and not _NOT.search(text) and bool(_where(text, cities))

    parts = {
        "properties": 1.3,
        "business": 1.2,
        "about": 1.0,
        "contact": 0.8,
        "home": 0.8,
        "review": 0.7,
    }
    best: dict[str, Candidate] = {}
    for each in find(evidence, _CUES, parts=parts, accept=fits):
        first_end = cut(each.description)[0][1]
        places = _where(each.description[:first_end], cities) or _where(each.description, cities)
        each.name = _list_of(places)
        each.score *= 1.0 + 0.1 * min(len(places), _MOST_PLACES)
        if each.name not in best or best[each.name].score < each.score:
            best[each.name] = each
    names = {each.description: name for name, each in best.items()}
    chosen = choose(best.values(), most=_MOST_TEXT)
    for each in chosen:  # a name that is like another is no reason for one that is no place
        each.name = names[each.description]
    # A sentence that names no place beyond those told before it tells nothing new.
    told: set[str] = set()
    new = []
    for each in chosen:
        named = {part for place in _where(each.description, cities) for part in place.split(", ")}
        if not named <= told:
            new.append(each)
        told |= named
    return new


def _where(text: str, cities: list[str]) -> list[str]:
    """The places that a text names, a city with its state or country once; else that it is worldwide."""
    places = places_in(text, known=cities)
    told = {part for place in places if ", " in place for part in place.split(", ")}
    return [p for p in places if p not in told] or ([_WORLDWIDE] if is_worldwide(text) else [])


def _list_of(places: list[str]) -> str:
    shown = places[:_MOST_PLACES]
    between = "; " if any(", " in place for place in shown) else ", "
    return between.join(shown) + (" and others" if len(places) > len(shown) else "")


def _hiring(evidence: Evidence, named: Iterable[str]) -> list[Statement]:
    """Countries in which it has open postings, most first; none that is told of already."""
    told = {fold(name) for name in named}
    open_jobs = [job for job in evidence.jobs if job.closed_at is None]
    by_country: dict[str, list[Job]] = defaultdict(list)
    for job in open_jobs:
        for code in {code for _, code in job.places if code}:
            by_country[code].append(job)
    rows: list[Statement] = []
    for code, jobs in sorted(by_country.items(), key=lambda item: (-len(item[1]), item[0])):
        name = country_name(code)
        if name is not None and fold(name) not in told:
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
    regions, offices = _regions(evidence), _offices(evidence)
    said = [each.statement() for each in _said(evidence, offices)]
    names = [str(row["name"]) for row in (*regions, *said)]
    if not evidence.members("office"):  # the head office alone: left out where the text tells of it
        told = " ".join(names)
        offices = [row for row in offices if str(row["name"]).split(",")[0] not in told]
    return [*regions, *said, *offices, *_hiring(evidence, names)]


SECTION = Section("geographical_operations", ("filing", "data", "page", "posting"), build)
