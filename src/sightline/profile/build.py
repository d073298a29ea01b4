"""Builds sections from evidence and proves them before anything is written. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from sightline.profile.checker import Checker, Verdict
from sightline.profile.contract import EXTRACTIVE, OrganizationSection, Section, SectionBody
from sightline.profile.evidence import Evidence, Quote
from sightline.profile.printing import Address, dated, moment_of, print_body, print_plain, quotes_of
from sightline.profile.registry import SECTIONS
from sightline.profile.seller import Seller
from sightline.store.profiles import StoredSection


@dataclass(frozen=True, slots=True)
class Draft:
    """A section as built, before it is proven. `writing` is how its writing by a model stands, `leads` what
    a model is shown besides the statements."""

    name: str
    body: SectionBody
    evidence: bytes
    kinds: tuple[str, ...] = ()
    method: str = EXTRACTIVE
    writing: Mapping[str, Any] | None = None
    leads: tuple[Quote, ...] = ()


def draft(evidence: Evidence, sections: Sequence[tuple[Section, bytes]]) -> list[Draft]:
    """Build sections; each comes with the fingerprint of its evidence."""
    said = (each.document.quote(each.text) for each in evidence.leads if not each.document.pointer)
    leads = tuple(dict.fromkeys(said))  # of all sections, which are written together: one has them
    return [
        Draft(s.name, s.build(evidence), mark, s.kinds, leads=leads if s is SECTIONS[0] else ())
        for s, mark in sections
    ]


def draft_for(
    evidence: Evidence,
    built: Mapping[str, SectionBody],
    seller: Seller,
    sections: Sequence[OrganizationSection],
    *,
    mark: bytes,
    leads: tuple[Quote, ...] = (),
) -> list[Draft]:
    """Build the sections of an organization; one may use those before it. `leads`: what a model is shown
    for the offers."""
    known = dict(built)
    drafts = []
    for section in sections:
        body = list(section.build(evidence, known, seller))
        known[section.name] = body
        is_for_offer = section.plan is not None and section.plan.is_for_offer
        drafts.append(Draft(section.name, body, mark, leads=leads if is_for_offer else ()))
    return drafts


def prove(drafts: Sequence[Draft], check: Checker) -> list[tuple[Draft, Verdict]]:
    """The drafts without what cannot be proven, and what was dropped."""
    proven = [(each, *check.prove(each.body)) for each in drafts]
    return [(replace(each, body=body), verdict) for each, body, verdict in proven]


def stored(each: Draft, addresses: Mapping[UUID, Address]) -> StoredSection:
    """A proven draft as it is written. `addresses` say where the quoted documents are."""
    cited = (addresses.get(quote.document_id, {}) for quote in quotes_of(each.body))
    days = sorted(moment for address in cited if (moment := moment_of(address)) is not None)
    body = dated(each.body, addresses)
    return StoredSection(
        section=each.name,
        state="ready" if _says_something(each.body) else "insufficient_evidence",
        method=each.method,
        body=print_body(body, addresses),
        plain=print_plain(body),
        statements=1 if isinstance(each.body, dict) else len(each.body),
        evidence=each.evidence,
        window_from=days[0] if days else None,
        window_until=days[-1] if days else None,
        kinds=each.kinds,
        writing=each.writing,
    )


def _says_something(body: SectionBody) -> bool:
    """Whether there is a statement that is not itself an answer of "unknown"."""
    if isinstance(body, dict):
        return bool(body)
    return any(
        row.get("state") != "insufficient_evidence"
        and ("score" not in row or row["score"] is not None)
        for row in body
    )
