"""Technologies that appear on or disappear from a company's site, between versions of the same page."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from sightline.domain.mentions import FactSeen, Mention, NamedCompany, Version
from sightline.domain.names import fold
from sightline.domain.signals import SignalType
from sightline.signals.contract import mention_of_fact

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
    gone = [_gone(by_url.get(url, ()), documents) for url, documents in showing.items()]
    since = [each for each in gone if each is not None]
    if not since or len(since) < len(gone):
        return None
    last = max(facts, key=lambda fact: fact.fetched_at)
    latest = max(since, key=lambda each: each.fetched_at)
    return _mention(
        SignalType.TECHNOLOGY_REMOVED, last, company, at=latest, confidence=last.confidence * 0.85
    )


def _gone(versions: Sequence[Version], documents: set[UUID]) -> Version | None:
    """The first version of a page behind those that showed it, where enough visits confirm that."""
    shown = [version for version in versions if version.document_id in documents]
    if not shown:
        return None
    later = [each for each in versions if each.fetched_at >= shown[-1].fetched_at + APART]
    if not later or later[0].parser != shown[-1].parser:
        return None
    checked = later[-1].checked_at
    is_checked = checked is not None and checked >= later[-1].fetched_at + APART
    return later[0] if len(later) + is_checked >= CONFIRMATIONS else None


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
    does, verb = (
        ("starts to use", "begins")
        if kind == SignalType.TECHNOLOGY_ADDED
        else ("stops using", "ceases")
    )
    return mention_of_fact(
        kind, f"{company.name} {does} {name}", fact, words=fact.pointer or name,
        summary=f"{host} {verb} to show {name} between two visits, the later one on"
        f" {at.fetched_at:%Y-%m-%d}.",
        source_kind="technology", at=at.fetched_at, confidence=confidence, counterparty=fold(name),
        parties=(("company", company.name), ("technology", name)),
    )  # fmt: skip
