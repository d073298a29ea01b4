"""Facts that differ from the earlier value of the same source: a new chief, name, head office, size."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Final
from urllib.parse import urlsplit

from sightline.domain.mentions import FactSeen, Mention, NamedCompany, SignalParty, Version
from sightline.domain.names import fold, name_key
from sightline.domain.signals import PartyRole, SignalType
from sightline.domain.websites import domain_of
from sightline.signals.contract import mention_of_fact, name_keys, noon, person_key, source_row

FIELDS: Final = ("ceo", "company_name", "hq_city", "employees")
LEAST_CHANGE: Final = 0.10  # of the headcount
MOST_CHANGE: Final = 2.0  # beyond a tripling two different things were counted
_YEAR: Final = (timedelta(days=300), timedelta(days=430))
LEAST_CONFIDENCE: Final = 0.7
_FEWEST: Final = 20  # people


def read(
    facts: Sequence[FactSeen], versions: Sequence[Version], company: NamedCompany
) -> list[Mention]:
    """Changes of the chief executive, the name, the head office, the headcount and the web address."""
    return [
        *_replaced(facts, company),
        *_headcount(facts, company),
        *_redirects(versions, company),
    ]


def _replaced(facts: Sequence[FactSeen], company: NamedCompany) -> Iterable[Mention]:
    """A value that its own address has given up for another one."""
    places: dict[tuple[str, str, str], list[FactSeen]] = defaultdict(list)
    for fact in facts:
        if fact.field in _KINDS and fact.confidence >= LEAST_CONFIDENCE:
            places[fact.field, fact.source, fact.url].append(fact)
    seen = set()
    for own in places.values():
        live = [fact for fact in own if fact.withdrawn_at is None]
        past = [fact for fact in own if fact.withdrawn_at is not None]
        if len({_key(fact) for fact in live}) != 1 or not past:
            continue
        new, old = live[0], max(past, key=lambda fact: fact.fetched_at)
        if _key(new) not in seen and _is_replaced(old, new, facts):
            seen.add(_key(new))
            yield _replacement(new, old, company)


def _is_replaced(old: FactSeen, new: FactSeen, facts: Sequence[FactSeen]) -> bool:
    """Whether the same parser reads another value in another document, and no other address still gives
    the old one."""
    others = {_key(fact) for fact in facts if fact.withdrawn_at is None and fact.url != new.url}
    is_read_alike = new.document_id != old.document_id and new.parser == old.parser
    return is_read_alike and _key(new) != _key(old) and _key(old) not in others


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


def _replacement(new: FactSeen, old: FactSeen, company: NamedCompany) -> Mention:
    kind, title, role, other = _KINDS[new.field]
    value = str(new.value)
    key = person_key(value) if other == "person" else name_keys([value]) if other else ""
    return mention_of_fact(
        kind, title.format(name=company.name, old=old.value, new=value), new, at=new.first_seen_at,
        confidence=min(new.confidence, old.confidence) - 0.1, counterparty=key,
        parties=((role, company.name), *(((other, value),) if other else ())),
        location=value if other == "place" else None,
    )  # fmt: skip


def _headcount(facts: Sequence[FactSeen], company: NamedCompany) -> Iterable[Mention]:
    """The newest two yearly headcounts of one source that differ by a tenth or more."""
    by_source: dict[str, dict[date, FactSeen]] = defaultdict(dict)
    for fact in facts:
        if fact.as_of is None or not _is_headcount(fact):
            continue
        known = by_source[fact.source].get(fact.as_of)
        if known is None or known.confidence < fact.confidence:
            by_source[fact.source][fact.as_of] = fact
    for counts in by_source.values():
        newest = max(counts)
        before = [day for day in sorted(counts) if _YEAR[0] <= newest - day <= _YEAR[1]]
        if not before:
            continue
        new, old = counts[newest], counts[before[-1]]
        ratio = new.value / old.value
        is_change = abs(ratio - 1) >= LEAST_CHANGE
        if not is_change or not 1 / (1 + MOST_CHANGE) <= ratio <= 1 + MOST_CHANGE:
            continue
        kind, said = (
            (SignalType.HEADCOUNT_INCREASE, "more")
            if ratio > 1
            else (SignalType.HEADCOUNT_DECREASE, "fewer")
        )
        title = (
            f"{company.name} employs {abs(ratio - 1):.0%} {said} people:"
            f" {old.value:,} to {new.value:,}"
        )
        yield mention_of_fact(
            kind,
            title,
            new,
            at=noon(newest),
            confidence=0.85,
            parties=(("employer", company.name),),
        )
        return


def _is_headcount(fact: FactSeen) -> bool:
    is_sure = fact.field == "employees" and fact.confidence >= LEAST_CONFIDENCE
    return is_sure and isinstance(fact.value, int) and fact.value >= _FEWEST


def _redirects(versions: Sequence[Version], company: NamedCompany) -> Iterable[Mention]:
    """A home page that led to the company's own domain and now leads to another one."""
    by_url: dict[str, list[Version]] = defaultdict(list)
    for version in versions:
        if urlsplit(version.url).path in ("", "/"):
            by_url[version.url].append(version)
    for url, own in by_url.items():
        if len(own) < 2:
            continue
        asked = domain_of(url)
        before, after = (domain_of(each.final_url) for each in own[-2:])
        if asked is None or before != asked or after is None or after == asked:
            continue
        yield Mention(
            type=SignalType.REBRANDS,
            title=f"{company.name}'s site {asked} now leads to {after}",
            summary=f"On {own[-1].fetched_at:%Y-%m-%d} {asked} led to {after}; before, it answered itself.",
            quote=f"{url} → {own[-1].final_url}",
            source_kind="web",
            source=source_row(asked, own[-1].final_url),
            document_id=own[-1].document_id,
            occurred_at=own[-1].fetched_at,
            confidence=0.6,
            parties=(SignalParty("company", company.name),),
        )


def _key(fact: FactSeen) -> tuple[str, str]:
    """The same for one value however it is written."""
    value = str(fact.value)
    if fact.field == "ceo":
        return fact.field, person_key(value)
    return fact.field, name_key(value) if fact.field == "company_name" else fold(value)
