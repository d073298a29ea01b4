"""Merges companies of the catalogue that share an identifier, a website, or a job board and a name.

Two enrichments that begin with different knowledge (a name, a domain) each make a company, and find
out later that both are entry 1234 of a register. They are merged then, with the note of how to undo it,
unless something speaks against it; what is left apart is named in a note as well. Sharing nothing but a
name makes no two companies one.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from uuid import UUID

import structlog

from sightline.domain.names import name_key
from sightline.enrich.merge import merge_within
from sightline.enrich.target import IDENTIFIERS
from sightline.store import catalogue
from sightline.store.catalogue import Identity
from sightline.store.database import Connection
from sightline.store.merges import shared_boards, was_undone

log = structlog.get_logger()

# Fields of a record that name the company.
_NAMES = ("company_name", "legal_name")


@dataclass
class Union:
    """The company after the attempt; what to tell; and whether another one was left beside it."""

    company_id: UUID
    notes: list[str] = field(default_factory=list)
    is_contested: bool = False


async def unite(
    connection: Connection,
    company_id: UUID,
    *,
    domains: Collection[str] = (),
    identifiers: Mapping[str, str] | None = None,
    proved: bool = False,
) -> Union:
    """Merge the companies that hold one of the domains or identifiers, or one of the company's own job
    boards, into one, the oldest.

    `proved` says that something besides the name ties the company to them. Runs in the caller's
    transaction, which is bound to no organization.
    """
    await catalogue.begin_making(connection)
    mine = await catalogue.find_company(connection, company_id)
    if mine is None:
        return Union(company_id)
    union = Union(mine.company_id)
    holders = await catalogue.find_companies(connection, domains=domains, identifiers=identifiers)
    known = {each.company_id for each in holders}
    beside = await catalogue.find_companies_of_boards(connection, mine.company_id)
    for other in [*holders, *(each for each in beside if each.company_id not in known)]:
        if other.company_id == mine.company_id:
            continue
        if other.company_id in known:
            shared = _shared(other, domains, identifiers or {})
            against = contradiction(mine, other, sites=domains, proved=proved)
        else:
            shared = "one job board"
            against = await _against_board(connection, mine, other, sites=domains)
        if against is None and await was_undone(connection, mine.company_id, other.company_id):
            against = "an earlier merge of the two was undone"
        if against is not None:
            union.is_contested = True
            union.notes.append(_left_apart(mine, other, shared, against))
            log.warning("companies_may_be_one", company=str(mine.company_id), against=against)
            continue
        kept, merged = sorted((mine.company_id, other.company_id))
        made = await merge_within(connection, kept=kept, merged=merged)
        log.info("companies_merged", kept=str(kept), merged=str(merged), shared=shared)
        union.notes.append(
            f"{other.name} in the catalog is the same company, by {shared}, and was merged with "
            f"it. To undo the merge: sightline companies undo {made.merge_id}"
        )
        mine = await catalogue.find_company(connection, kept) or mine
        union.company_id = mine.company_id
    return union


def contradiction(
    one: Identity, other: Identity, *, sites: Collection[str] = (), proved: bool = False
) -> str | None:
    """What speaks against two companies that share an identifier or a domain being one. `sites` are
    domains that the first has beside those of the catalogue."""
    for scheme in IDENTIFIERS:
        values = {each.identifiers[scheme] for each in (one, other) if scheme in each.identifiers}
        if len(values) > 1:
            return f"their register entries differ ({scheme} {' and '.join(sorted(values))})"
    mine = {one.domain, *one.domains, *sites} - {None}
    others = {other.domain, *other.domains} - {None}
    if mine and others and mine.isdisjoint(others):
        return "their websites differ"
    if not proved and _name_keys(one).isdisjoint(_name_keys(other)):
        return "their names differ"
    return None


async def _against_board(
    connection: Connection, one: Identity, other: Identity, *, sites: Collection[str]
) -> str | None:
    """What speaks against two companies being one that have a job board in common and nothing else."""
    return (
        contradiction(one, other, sites=sites)
        or _abroad(one, other)
        or await _unproved_site(connection, one, other, sites=sites)
    )


def _abroad(one: Identity, other: Identity) -> str | None:
    """A board is taken for a company's by its name, and in another country that may be a namesake."""
    countries = {each.record.get("country_code") for each in (one, other)} - {None}
    return "their countries differ" if len(countries) > 1 else None


async def _unproved_site(
    connection: Connection, one: Identity, other: Identity, *, sites: Collection[str]
) -> str | None:
    """Why the board that two companies have in common does not tie the site that one of them has to the
    other. Anybody's site may call itself by a company's name and link to its board; the board has to
    lead back: by an address or a word of a posting, or by a token that is the company's whole name and
    the site's under .com."""
    mine = {one.domain, *one.domains, *sites} - {None}
    others = {other.domain, *other.domains} - {None}
    if bool(mine) == bool(others):
        return None
    names = {key.replace(" ", "") for key in _name_keys(one) & _name_keys(other)}
    for domain in sorted(filter(None, mine | others)):
        boards = await shared_boards(connection, one.company_id, other.company_id, domain=domain)
        if any(
            leads or (token.lower() in names and domain == f"{token.lower()}.com")
            for token, leads in boards
        ):
            return None
    return f"nothing on the board links to {' or '.join(sorted(filter(None, mine | others)))}"


def _name_keys(identity: Identity) -> set[str]:
    names = [
        identity.name,
        *(identity.record.get(each) for each in _NAMES),
        *identity.record.get("alternative_names", ()),
    ]
    return {key for name in names if name and (key := name_key(name))}


def _shared(other: Identity, domains: Collection[str], identifiers: Mapping[str, str]) -> str:
    entries = [f"{k} {v}" for k, v in identifiers.items() if other.identifiers.get(k) == v]
    return ", ".join([*entries, *sorted({*domains} & {other.domain, *other.domains})])


def _left_apart(mine: Identity, other: Identity, shared: str, against: str) -> str:
    return (
        f"{other.name} in the catalog may be the same company ({shared}), but {against}. To merge"
        f" it: sightline companies merge {mine.company_id} {other.company_id}"
    )
