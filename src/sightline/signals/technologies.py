"""Technologies that appear on or disappear from a company's site, between versions of the same page."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from sightline.domain.mentions import FactSeen, Mention, NamedCompany, Version
from sightline.domain.names import fold
from sightline.domain.signals import SignalType
from sightline.signals.contract import host_of, mention_of_fact

# Two versions nearer than this are one visit: pages differ between two servers of one site.
APART: Final = timedelta(hours=20)
CONFIRMATIONS: Final = 2

Pages = Mapping[str, Sequence[Version]]


def read(
    facts: Sequence[FactSeen], versions: Sequence[Version], company: NamedCompany
) -> list[Mention]:
    """Technologies added and removed.

    Added: a version of a page shows one, and the version before, read by the same parser, did not, nor
    did any other page. Removed: all pages that showed it were visited twice since and showed it no more.
    """
    pages: dict[str, list[Version]] = defaultdict(list)
    for version in versions:
        pages[version.url].append(version)
    by_name: dict[str, list[FactSeen]] = defaultdict(list)
    for fact in facts:
        if fact.field == "technology":
            by_name[fold(str(fact.value["name"]))].append(fact)
    found = [_change(own, pages, company) for own in by_name.values()]
    return [each for each in found if each is not None]


def _change(facts: Sequence[FactSeen], pages: Pages, company: NamedCompany) -> Mention | None:
    """What became of a technology, if anything is sure."""
    if all(fact.withdrawn_at for fact in facts):
        kind, does, verb = SignalType.TECHNOLOGY_REMOVED, "stops using", "ceases"
        fact = max(facts, key=lambda each: each.fetched_at)
        confidence = fact.confidence * 0.85
        at: FactSeen | Version | None = _gone_since(facts, pages)
    else:
        kind, does, verb = SignalType.TECHNOLOGY_ADDED, "starts to use", "begins"
        fact = min(facts, key=lambda each: (each.fetched_at, str(each.document_id)))
        confidence = fact.confidence
        at = fact if _is_added(fact, pages) else None
    if at is None:
        return None
    name, day = str(fact.value["name"]), f"{at.fetched_at:%Y-%m-%d}"
    return mention_of_fact(
        kind, f"{company.name} {does} {name}", fact, words=fact.pointer or name,
        summary=f"{host_of(fact.url)} {verb} to show {name} between two visits, the later one on {day}.",
        source_kind="technology", seen_at=at.fetched_at, confidence=confidence, counterparty=fold(name),
        parties=(("company", company.name), ("technology", name)),
    )  # fmt: skip


def _is_added(first: FactSeen, pages: Pages) -> bool:
    """Whether an earlier version of the page, read by the same parser, did not show it."""
    last = first.fetched_at - APART
    before = [each for each in pages.get(first.url, ()) if each.fetched_at <= last]
    return bool(before) and before[-1].parser == first.parser and first.confidence >= 0.6


def _gone_since(facts: Sequence[FactSeen], pages: Pages) -> Version | None:
    """The last of the versions from which on the pages that showed it do not, if that is sure of all."""
    showing: dict[str, set[UUID]] = defaultdict(set)
    for fact in facts:
        showing[fact.url].add(fact.document_id)
    gone = [_gone(pages.get(url, ()), documents) for url, documents in showing.items()]
    since = [each for each in gone if each is not None]
    is_sure = len(since) == len(gone)
    return max(since, key=lambda each: each.fetched_at) if is_sure else None


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
