"""Technologies that a company's site begins or ceases to show, between versions of the same page."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from sightline.domain.mentions import FactSeen, Mention, NamedCompany, SignalParty, Version
from sightline.domain.names import fold
from sightline.domain.signals import SignalType

# Two versions nearer than this are one visit: pages differ between two servers of one site.
APART: Final = timedelta(hours=20)
CONFIRMATIONS: Final = 2


def read(
    facts: Sequence[FactSeen], versions: Sequence[Version], company: NamedCompany
) -> list[Mention]:
    """Technologies added and removed.

    Added: a version of a page shows one, and the version before, read by the same parser, did not, nor
    did any other page. Removed: all pages that showed it were visited twice since and showed it no more.
    """
    by_url: dict[str, list[Version]] = defaultdict(list)
    for version in versions:
        by_url[version.url].append(version)
    by_name: dict[str, list[FactSeen]] = defaultdict(list)
    for fact in facts:
        if (
            fact.field == "technology"
            and isinstance(fact.value, Mapping)
            and fact.value.get("name")
        ):
            by_name[fold(str(fact.value["name"]))].append(fact)
    found = []
    for own in by_name.values():
        mention = _added(own, by_url, company) or _removed(own, by_url, company)
        if mention is not None:
            found.append(mention)
    return found


def _added(
    facts: Sequence[FactSeen], by_url: Mapping[str, Sequence[Version]], company: NamedCompany
) -> Mention | None:
    first = min(facts, key=lambda fact: (fact.fetched_at, str(fact.document_id)))
    before = [
        version
        for version in by_url.get(first.url, ())
        if version.fetched_at <= first.fetched_at - APART
    ]
    if not before or before[-1].parser != first.parser or first.confidence < 0.6:
        return None
    if all(fact.withdrawn_at for fact in facts):
        return None
    return _mention(
        SignalType.TECHNOLOGY_ADDED, first, company, at=first, confidence=first.confidence
    )


def _removed(
    facts: Sequence[FactSeen], by_url: Mapping[str, Sequence[Version]], company: NamedCompany
) -> Mention | None:
    if not all(fact.withdrawn_at for fact in facts):
        return None
    showing: dict[str, set[UUID]] = defaultdict(set)
    for fact in facts:
        showing[fact.url].add(fact.document_id)
    last = max(facts, key=lambda fact: fact.fetched_at)
    gone = None
    for url, documents in showing.items():
        versions = by_url.get(url, ())
        shown = [version for version in versions if version.document_id in documents]
        if not shown:
            return None
        later = [v for v in versions if v.fetched_at >= shown[-1].fetched_at + APART]
        if not later or later[0].parser != shown[-1].parser:
            return None
        seen = len(later)
        checked = later[-1].checked_at
        if checked is not None and checked >= later[-1].fetched_at + APART:
            seen += 1
        if seen < CONFIRMATIONS:
            return None
        if gone is None or later[0].fetched_at > gone.fetched_at:
            gone = later[0]
    if gone is None:
        return None
    return _mention(
        SignalType.TECHNOLOGY_REMOVED, last, company, at=gone, confidence=last.confidence * 0.85
    )


def _mention(
    kind: SignalType,
    fact: FactSeen,
    company: NamedCompany,
    *,
    at: FactSeen | Version,
    confidence: float,
) -> Mention:
    name = str(fact.value["name"])
    host = (urlsplit(fact.url).hostname or "").removeprefix("www.")
    added = kind == SignalType.TECHNOLOGY_ADDED
    verb = "begins" if added else "ceases"
    return Mention(
        type=kind,
        title=f"{company.name} {'starts to use' if added else 'stops using'} {name}",
        summary=f"{host} {verb} to show {name} between two visits, the later one on"
        f" {at.fetched_at:%Y-%m-%d}.",
        quote=fact.quote or fact.pointer or name,
        source_kind="technology",
        source={
            "name": host,
            "url": fact.url,
            "title": None,
            "publisher": host,
            "published_at": None,
        },
        document_id=fact.document_id,
        occurred_at=at.fetched_at,
        confidence=round(confidence, 3),
        parties=(SignalParty("company", company.name), SignalParty("technology", name)),
        counterparty=fold(name),
    )
