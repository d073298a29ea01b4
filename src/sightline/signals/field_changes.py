"""Facts that differ from what the same place said before: a new chief, name, head office, size."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from sightline.domain.mentions import FactSeen, Mention, NamedCompany, SignalParty, Version
from sightline.domain.names import fold, name_key
from sightline.domain.signals import PartyRole, SignalType
from sightline.domain.websites import domain_of
from sightline.signals.contract import name_keys, person_key

FIELDS: Final = ("ceo", "company_name", "hq_city", "employees")
LEAST_CHANGE: Final = 0.10  # of the headcount
MOST_CHANGE: Final = 2.0  # beyond a tripling two different things were counted
_YEAR: Final = (timedelta(days=300), timedelta(days=430))
LEAST_CONFIDENCE: Final = 0.7


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
        if fact.field in ("ceo", "company_name", "hq_city") and fact.confidence >= LEAST_CONFIDENCE:
            places[fact.field, fact.source, fact.url].append(fact)
    seen = set()
    for (field, _, _), own in places.items():
        live = [fact for fact in own if fact.withdrawn_at is None]
        past = [fact for fact in own if fact.withdrawn_at is not None]
        if len({_key(field, fact.value) for fact in live}) != 1 or not past:
            continue
        new = live[0]
        old = max(past, key=lambda fact: fact.fetched_at)
        key = (field, _key(field, new.value))
        others = {
            _key(field, fact.value)
            for fact in facts
            if fact.field == field and fact.withdrawn_at is None and fact.url != new.url
        }
        # Same parser, another value, and no other source that still gives the old one or gave the new
        # one before.
        if (
            new.document_id == old.document_id
            or new.parser != old.parser
            or _key(field, new.value) == _key(field, old.value)
            or _key(field, old.value) in others
            or key in seen
        ):
            continue
        seen.add(key)
        yield _replacement(field, new, old, company)


def _replacement(field: str, new: FactSeen, old: FactSeen, company: NamedCompany) -> Mention:
    name = company.name
    parties: tuple[tuple[PartyRole, str], ...]
    match field:
        case "ceo":
            kind, key = SignalType.HIRES, person_key(str(new.value))
            title = f"{new.value} is chief executive of {name} in place of {old.value}"
            parties = (("employer", name), ("person", str(new.value)))
        case "company_name":
            kind, key = SignalType.REBRANDS, ""
            title = f"{old.value} is now called {new.value}"
            parties = (("company", name),)
        case _:
            kind, key = SignalType.OPENS_NEW_LOCATION, name_keys([str(new.value)])
            title = f"{name} moves its head office from {old.value} to {new.value}"
            parties = (("company", name), ("place", str(new.value)))
    return _mention(
        kind, title, new, at=new.first_seen_at, confidence=min(new.confidence, old.confidence) - 0.1,
        parties=parties, counterparty=key, location=str(new.value) if field == "hq_city" else None,
    )  # fmt: skip


def _headcount(facts: Sequence[FactSeen], company: NamedCompany) -> Iterable[Mention]:
    """The newest two yearly headcounts of one source that differ by a tenth or more."""
    by_source: dict[str, dict[date, FactSeen]] = defaultdict(dict)
    for fact in facts:
        if fact.field != "employees" or fact.as_of is None or fact.confidence < LEAST_CONFIDENCE:
            continue
        if not isinstance(fact.value, int) or fact.value < 20:
            continue
        known = by_source[fact.source].get(fact.as_of)
        if known is None or known.confidence < fact.confidence:
            by_source[fact.source][fact.as_of] = fact
    for counts in by_source.values():
        days = sorted(counts)
        if len(days) < 2:
            continue
        newest = days[-1]
        before = [day for day in days if _YEAR[0] <= newest - day <= _YEAR[1]]
        if not before:
            continue
        new, old = counts[newest], counts[before[-1]]
        change = new.value / old.value - 1
        if (
            not abs(change) >= LEAST_CHANGE
            or not 1 / (1 + MOST_CHANGE) <= new.value / old.value <= 1 + MOST_CHANGE
        ):
            continue
        grew = change > 0
        yield _mention(
            SignalType.HEADCOUNT_INCREASE if grew else SignalType.HEADCOUNT_DECREASE,
            f"{company.name} employs {abs(change):.0%} {'more' if grew else 'fewer'} people:"
            f" {old.value:,} to {new.value:,}",
            new, at=datetime.combine(newest, time(12), tzinfo=UTC), confidence=0.85,
            parties=(("employer", company.name),),
        )  # fmt: skip
        return


def _redirects(versions: Sequence[Version], company: NamedCompany) -> Iterable[Mention]:
    """A home page that led to the company's own domain and now leads to another one."""
    by_url: dict[str, list[Version]] = defaultdict(list)
    for version in versions:
        if urlsplit(version.url).path in ("", "/"):
            by_url[version.url].append(version)
    for url, own in by_url.items():
        if len(own) < 2:
            continue
        asked, before, after = (
            domain_of(url),
            domain_of(own[-2].final_url),
            domain_of(own[-1].final_url),
        )
        if asked is None or before != asked or after is None or after == asked:
            continue
        yield Mention(
            type=SignalType.REBRANDS,
            title=f"{company.name}'s site {asked} now leads to {after}",
            summary=f"On {own[-1].fetched_at:%Y-%m-%d} {asked} led to {after}; before, it answered itself.",
            quote=f"{url} → {own[-1].final_url}",
            source_kind="web",
            source=_source(asked, own[-1].final_url),
            document_id=own[-1].document_id,
            occurred_at=own[-1].fetched_at,
            confidence=0.6,
            parties=(SignalParty("company", company.name),),
        )


def _key(field: str, value: Any) -> str:
    if field == "ceo":
        return person_key(str(value))
    return name_key(str(value)) if field == "company_name" else fold(str(value))


def _mention(
    kind: SignalType, title: str, fact: FactSeen, *, at: datetime, confidence: float,
    parties: tuple[tuple[PartyRole, str], ...], counterparty: str = "", location: str | None = None,
) -> Mention:  # fmt: skip
    host = (urlsplit(fact.url).hostname or fact.source).removeprefix("www.")
    return Mention(
        type=kind,
        title=title[:300],
        summary=f"{title}, according to {host}."[:400],
        quote=fact.quote or fact.pointer or str(fact.value),
        source_kind="filing" if fact.source == "sec_edgar" else "web",
        source=_source(host, fact.url),
        document_id=fact.document_id,
        occurred_at=at,
        published_at=None,
        confidence=round(confidence, 3),
        parties=tuple(SignalParty(role, name) for role, name in parties),
        counterparty=counterparty,
        location=location,
    )


def _source(name: str, url: str) -> dict[str, Any]:
    return {"name": name, "url": url, "title": None, "publisher": name, "published_at": None}
