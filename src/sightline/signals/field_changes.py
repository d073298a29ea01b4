"""Facts that differ from the earlier value of the same source: a new chief, name, head office, size."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Final

from sightline.domain.mentions import FactSeen, Mention, NamedCompany
from sightline.domain.names import fold, name_key
from sightline.domain.signals import PartyRole, SignalType
from sightline.signals.contract import mention_of_fact, name_keys, noon, person_key

FIELDS: Final = ("ceo", "company_name", "hq_city", "employees")
LEAST_CHANGE: Final = 0.10  # of the headcount
MOST_CHANGE: Final = 2.0  # beyond a tripling two different things were counted
_YEAR: Final = (timedelta(days=300), timedelta(days=430))
LEAST_CONFIDENCE: Final = 0.7
_FEWEST: Final = 20  # people
_KINDS: Final[dict[str, tuple[SignalType, str, PartyRole, PartyRole | None]]] = {
    "ceo": (
        SignalType.HIRES, "{new} is chief executive of {name} in place of {old}", "employer", "person",
    ),
    "company_name": (SignalType.REBRANDS, "{old} is now called {new}", "company", None),
    "hq_city": (
        SignalType.OPENS_NEW_LOCATION, "{name} moves its head office from {old} to {new}", "company",
        "place",
    ),
}  # fmt: skip


def read(facts: Sequence[FactSeen], company: NamedCompany) -> list[Mention]:
    """Changes of the chief executive, the name, the head office and the headcount."""
    sure = [fact for fact in facts if fact.confidence >= LEAST_CONFIDENCE]
    return [
        *_replaced([fact for fact in sure if fact.field in _KINDS], company),
        *_headcount([fact for fact in sure if fact.field == "employees"], company),
    ]


def _replaced(facts: Sequence[FactSeen], company: NamedCompany) -> Iterable[Mention]:
    """A value that its own address has given up for another one, which the same parser reads in another
    document, while no other address still gives the old one."""
    places: dict[tuple[str, str, str], list[FactSeen]] = defaultdict(list)
    for fact in facts:
        places[fact.field, fact.source, fact.url].append(fact)
    found: dict[tuple[str, str], Mention] = {}
    for own in places.values():
        live = [fact for fact in own if fact.withdrawn_at is None]
        past = [fact for fact in own if fact.withdrawn_at is not None]
        if len({_key(fact) for fact in live}) != 1 or not past:
            continue
        new, old = live[0], max(past, key=lambda fact: fact.fetched_at)
        elsewhere = {_key(each) for each in facts if not each.withdrawn_at and each.url != new.url}
        is_read_alike = new.document_id != old.document_id and new.parser == old.parser
        if is_read_alike and _key(old) not in {_key(new), *elsewhere}:
            found.setdefault(_key(new), _replacement(new, old, company))
    return found.values()


def _replacement(new: FactSeen, old: FactSeen, company: NamedCompany) -> Mention:
    kind, title, role, other = _KINDS[new.field]
    value = str(new.value)
    key = person_key(value) if other == "person" else name_keys([value]) if other else ""
    return mention_of_fact(
        kind, title.format(name=company.name, old=old.value, new=value), new, seen_at=new.first_seen_at,
        confidence=min(new.confidence, old.confidence) - 0.1, counterparty=key,
        parties=((role, company.name), *(((other, value),) if other else ())),
        location=value if other == "place" else None,
    )  # fmt: skip


def _headcount(facts: Sequence[FactSeen], company: NamedCompany) -> Iterable[Mention]:
    """The newest two yearly headcounts of one source that differ by a tenth or more."""
    by_source: dict[str, dict[date, FactSeen]] = defaultdict(dict)
    for fact in sorted(facts, key=lambda each: -each.confidence):
        if fact.as_of and isinstance(fact.value, int) and fact.value >= _FEWEST:
            by_source[fact.source].setdefault(fact.as_of, fact)
    for counts in by_source.values():
        newest = max(counts)
        before = [day for day in sorted(counts) if _YEAR[0] <= newest - day <= _YEAR[1]]
        new, old = counts[newest], counts[before[-1]] if before else counts[newest]
        ratio = new.value / old.value
        is_comparable = 1 / (1 + MOST_CHANGE) <= ratio <= 1 + MOST_CHANGE
        if abs(ratio - 1) >= LEAST_CHANGE and is_comparable:
            kind = SignalType.HEADCOUNT_INCREASE if ratio > 1 else SignalType.HEADCOUNT_DECREASE
            said = "more" if ratio > 1 else "fewer"
            change = f"{abs(ratio - 1):.0%} {said} people: {old.value:,} to {new.value:,}"
            yield mention_of_fact(
                kind, f"{company.name} employs {change}", new, occurred_at=noon(newest), confidence=0.85,
                parties=(("employer", company.name),),
            )  # fmt: skip
            return


def _key(fact: FactSeen) -> tuple[str, str]:
    """The same for one value however it is written."""
    value = str(fact.value)
    if fact.field == "ceo":
        return fact.field, person_key(value)
    return fact.field, name_key(value) if fact.field == "company_name" else fold(value)
