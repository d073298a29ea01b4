"""Decides which observed values form the company record, by declared rules.

Every value's support is the sum of evidence for it: each source speaks once, with the weight of the
source for that field, the parser's confidence and the age of what it says. Values that mean the
same (two spellings of one name) support each other. The best supported value wins; all others stay
visible as alternatives.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from sightline.domain.bands import employee_band, revenue_band
from sightline.domain.countries import country
from sightline.domain.fields import FIELDS
from sightline.domain.industries import industry_from_text
from sightline.domain.names import name_key
from sightline.domain.same_person import group_people
from sightline.domain.websites import domain_of
from sightline.enrich.rules import (
    DEFAULT_WEIGHT,
    GIVEN_UP,
    HALF_LIFE_DAYS,
    METHOD_WEIGHTS,
    OVER_AFTER_DAYS,
    SOURCE_WEIGHTS,
    UNSETTLED_HALF_LIFE_DAYS,
)
from sightline.store.facts import Fact

# Parts of one address: read from one document together or not at all.
PLACE_FIELDS = ("hq_address", "hq_city", "hq_state", "hq_postcode", "country_code")
# Fields whose values are spelled in several ways, and the spelling is no other value.
SPELLED_FIELDS = ("company_name", "legal_name")
# Record field -> the observed field that it is made from.
MADE_FROM: dict[str, str] = {
    "hq_country_name": "country_code",
    "region": "country_code",
    "sector": "industry",
    "revenue_range": "revenue",
    "revenue_usd": "revenue",
    "full_time_employees": "employees",
    "employee_count_range": "employees",
    "alternative_domains": "alternative_domain",
    "alternative_names": "alternative_name",
    "tags": "tag",
}
_MOST_NAMES = 25
_MOST_TAGS = 20


@dataclass(frozen=True, slots=True)
class Standing:
    """A distinct value of a field with the facts that say so, best first. `support` is 0-1."""

    member: str
    value: Any
    support: float
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The company record by field, the facts that made it, and every field's values in order."""

    record: dict[str, Any]
    winners: frozenset[UUID]
    standings: Mapping[str, Sequence[Standing]]


def survive(facts: Iterable[Fact], *, now: datetime | None = None) -> Verdict:
    """Weigh the facts of one company. Needs at least one company_name among them."""
    now = now or datetime.now(UTC)
    by_field: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        if (fact.field, fact.method) not in GIVEN_UP:
            by_field[fact.field].append(fact)
    standings = {field: rank(field, held, now=now) for field, held in by_field.items()}
    _keep_places_together(standings)
    chosen: dict[str, Any] = {}
    winners: set[UUID] = set()
    for field, ordered in standings.items():
        if not ordered:
            continue
        if FIELDS[field].many:
            present = _present(field, ordered)
            chosen[field] = [standing.value for standing in present]
            winners.update(standing.facts[0].fact_id for standing in present)
        else:
            chosen[field] = ordered[0].value
            winners.add(ordered[0].facts[0].fact_id)
    return Verdict(_record(chosen), frozenset(winners), standings)


def _present(field: str, ordered: Sequence[Standing]) -> Sequence[Standing]:
    """The members of a set that are not over: some source gives them in its newest account."""
    days = OVER_AFTER_DAYS.get(field)
    if days is None:
        return ordered
    newest: dict[str, date] = {}
    for fact in (fact for standing in ordered for fact in standing.facts):
        newest[fact.source] = max(newest.get(fact.source, date.min), _said_on(fact))
    return [
        standing
        for standing in ordered
        if any((newest[f.source] - _said_on(f)).days <= days for f in standing.facts)
    ]


def _said_on(fact: Fact) -> date:
    return fact.as_of or fact.observed_at.date()


def rank(field: str, facts: Sequence[Fact], *, now: datetime) -> list[Standing]:
    """The distinct values of a field, best supported first; of a set, its members by support."""
    groups: defaultdict[str, list[tuple[float, Fact]]] = defaultdict(list)
    for fact in facts:
        key = fact.member if FIELDS[field].many else sameness(field, fact.value)
        groups[key].append((weight(fact, now=now), fact))
    if field == "ceo" and len(groups) > 1:
        groups = _by_person(groups)
    standings = []
    for key, weighed in groups.items():
        weighed.sort(key=lambda pair: (-pair[0], pair[1].fact_id))
        best_by_source: dict[str, float] = {}
        for support, fact in weighed:
            best_by_source.setdefault(fact.source, support)
        doubt = math.prod(1 - support for support in best_by_source.values())
        ordered = tuple(fact for _, fact in weighed)
        if field in SPELLED_FIELDS:
            # One name however it is spelled: who knows the spelling best shows it, of whatever age.
            ordered = tuple(sorted(ordered, key=lambda fact: -fact.confidence))
        standings.append(Standing(key, ordered[0].value, round(1 - doubt, 4), ordered))
    standings.sort(key=lambda s: (-s.support, _newest(s), s.facts[0].fact_id))
    return standings


def _by_person(
    groups: Mapping[str, list[tuple[float, Fact]]],
) -> defaultdict[str, list[tuple[float, Fact]]]:
    """Groups of one name each put together where they name one person."""
    keys = list(groups)
    joined: defaultdict[str, list[tuple[float, Fact]]] = defaultdict(list)
    for same in group_people([(str(groups[key][0][1].value), key) for key in keys]):
        for n in same:
            joined[keys[same[0]]] += groups[keys[n]]
    return joined


def weight(fact: Fact, *, now: datetime) -> float:
    """How much one fact counts for its value, 0-1."""
    by_source = SOURCE_WEIGHTS.get(fact.field, {})
    trust = by_source.get(fact.source, SOURCE_WEIGHTS["*"].get(fact.source, DEFAULT_WEIGHT))
    trust *= METHOD_WEIGHTS.get(fact.method, 1.0)
    if fact.as_of is not None:
        said = datetime(fact.as_of.year, fact.as_of.month, fact.as_of.day, tzinfo=UTC)
    else:
        said = fact.observed_at
    age = max(0.0, (now - said).total_seconds() / 86_400)
    half_life = HALF_LIFE_DAYS.get(fact.field, UNSETTLED_HALF_LIFE_DAYS)
    freshness: float = 0.5 ** (age / half_life)
    return min(0.999, trust * fact.confidence * freshness)


def sameness(field: str, value: Any) -> str:
    """Values with the same key are one value said in several ways."""
    if field in ("company_name", "legal_name", "ceo"):
        return name_key(str(value))
    if field == "website_domain":
        return domain_of(str(value)) or str(value)
    if field in ("employees", "shares_outstanding", "market_cap", "public_float"):
        # Within a few per cent is the same count, stated at another time.
        return str(round(math.log(max(float(value), 1.0)) * 20))
    if isinstance(value, dict):
        return "\x1f".join(f"{key}={value[key]}" for key in sorted(value) if value[key] is not None)
    return " ".join(str(value).casefold().split()).rstrip("/")


def _newest(standing: Standing) -> float:
    return -max(fact.observed_at.timestamp() for fact in standing.facts)


def _keep_places_together(standings: dict[str, list[Standing]]) -> None:
    """Let one document give the whole address: the best one among those that name most of it."""
    chosen = _best_address(standings)
    if chosen is None:
        return
    for field in PLACE_FIELDS:
        ordered = standings.get(field)
        if not ordered:
            continue
        here = [s for s in ordered if any(f.document_id == chosen for f in s.facts)]
        if here:
            standings[field] = here[:1] + [s for s in ordered if s is not here[0]]
        elif field != "country_code":
            # The chosen document leaves this part out; another address's part would be nonsense.
            standings[field] = []


def _best_address(standings: Mapping[str, Sequence[Standing]]) -> UUID | None:
    """The document whose parts of an address have the most support, the city counting twice."""
    totals: defaultdict[UUID, float] = defaultdict(float)
    for field in PLACE_FIELDS:
        for standing in standings.get(field, ()):
            for fact in standing.facts:
                totals[fact.document_id] += standing.support * (2.0 if field == "hq_city" else 1.0)
    return max(totals, key=lambda each: (totals[each], each.int), default=None)


def _record(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The record's fields out of the winning values."""
    record = {
        field: chosen.get(field)
        for field in (
            "company_name", "website_domain", "public_company", "country_code",
            "profile_network_url", "hq_city", "hq_state", "hq_address", "hq_postcode", "ceo",
            "industry", "description", "stock_ticker", "stock_currency", "stock_exchange_name",
            "stock_exchange_symbol", "market_cap",
        )
    }  # fmt: skip
    record |= _country_fields(chosen.get("country_code"))
    industry = industry_from_text(chosen.get("industry"))
    record["industry"] = industry.name if industry else None
    record["sector"] = industry.sector if industry else None
    employees = chosen.get("employees")
    record["full_time_employees"] = employees
    record["employee_count_range"] = (
        employee_band(employees) if employees else chosen.get("employee_range")
    )
    record |= _revenue_fields(chosen.get("revenue") or {})
    domain = record["website_domain"]
    others = [d for d in chosen.get("alternative_domain", ()) if d != domain]
    own_key = name_key(str(chosen.get("company_name", "")))
    names = [n for n in chosen.get("alternative_name", ()) if name_key(n) != own_key]
    record["alternative_domains"] = others[:_MOST_NAMES] or None
    record["alternative_names"] = names[:_MOST_NAMES] or None
    record["tags"] = list(chosen.get("tag", ()))[:_MOST_TAGS] or None
    return {field: value for field, value in record.items() if value is not None}


def _revenue_fields(revenue: Mapping[str, Any]) -> dict[str, Any]:
    amount = revenue.get("amount", -1)
    if revenue.get("currency") != "USD" or amount < 0:
        return {}
    return {"revenue_usd": amount, "revenue_range": revenue_band(amount)}


def _country_fields(code: str | None) -> dict[str, Any]:
    if code is None:
        return {}
    found = country(code)
    if found is None:
        return {"country_code": None}
    return {
        "country_code": found.alpha2,
        "hq_country_name": found.name,
        "region": found.region,
    }
