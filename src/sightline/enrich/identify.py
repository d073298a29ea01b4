"""Identifies the company of an input: by what is known already, then its website, then the registers.

A domain is believed before a name. A name that fits several companies equally well is ambiguous and
makes nothing; the candidates say why. What an organization itself holds about a company leads the
search and never enters the catalogue: a company is made only of what a source says of it.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.domain.errors import IdentifiersAreContradictory
from sightline.domain.names import name_key
from sightline.enrich.likeness import PROOFS, Likeness, Verdict, decide, likeness
from sightline.enrich.reasons import SYSTEMS, told_apart, why_none
from sightline.enrich.submit import refuse_contradiction
from sightline.enrich.target import IDENTIFIERS
from sightline.enrich.ties import fits
from sightline.enrich.unite import unite
from sightline.sources.context import EvidenceContext
from sightline.sources.contract import (
    Candidate,
    Query,
    RecordIsUnusable,
    Source,
    SourceIsAway,
    Target,
)
from sightline.sources.fenced import fenced
from sightline.store import catalogue
from sightline.store.account_writes import Wanted, find_accounts_by
from sightline.store.database import Connection, Database, Tenant
from sightline.store.enrichment_requests import (
    REGISTERS,
    Hint,
    hint_of,
    only_account_of_name,
    referred_company,
)
from sightline.store.work import Work, hold

Status = Literal["matched", "created", "ambiguous", "not_found"]
MOST_CANDIDATES = 10
_REFERENCES = ("id", "external_id", "domain")
# Scores of a company of which only the name is like the domain that was asked for; more for the one
# listed company of a whole name that is a .com's, since namesakes seldom have both.
_LIKE_DOMAIN = 0.5
_LISTED_LIKE_DOMAIN = 0.9
_CATALOGUE = "catalogue"
# A register that does not know a company is not searched for it again within this time: about as
# long as the registers' own answers count as fresh.
_SEARCH_AGAIN = timedelta(days=7)


@dataclass(frozen=True)
class Found:
    """How an input was understood. `candidates` are the companies it may mean, best first."""

    status: Status
    company_id: UUID | None
    score: float | None = None
    features: Mapping[str, float] = field(default_factory=dict)
    candidates: Sequence[Likeness] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "score": self.score,
            "features": dict(self.features),
            "candidates": [each.as_json() for each in self.candidates[:MOST_CANDIDATES]],
        }


MakeContext = Callable[[Source], EvidenceContext]


async def identify(
    database: Database,
    organization_id: OrganizationId,
    asked: Mapping[str, Any],
    *,
    sources: Sequence[Source],
    context: MakeContext,
    work: Work,
) -> Found:
    """Find or make the company of an operation's input."""
    async with database.tenant(organization_id) as tenant:
        try:
            await refuse_contradiction(tenant, asked)
        except IdentifiersAreContradictory as error:  # an item of a bulk is checked here alone
            return Found("not_found", None, reason=error.message)
        company_id, by = await _own_company(tenant, asked)
        known = await catalogue.find_company(tenant, company_id) if company_id else None
        hint = None
        if company_id is not None and known is None:
            hint = await hint_of(tenant, company_id)
    if known is not None:
        return Found("matched", known.company_id, 1.0, {by: 1.0})
    query = _query(asked, hint)
    notes: list[str] = []
    search = await _search(database, query, sources, context, notes)
    if search.verdict.chosen is None:
        return _unfound(query, search, notes)
    async with database.connection() as connection, connection.transaction():
        await hold(connection, work)
        await catalogue.begin_making(connection)
        search = await search.current(connection)
        chosen = search.verdict.chosen
        if chosen is None:
            return _unfound(query, search, notes)
        made, identity = await _find_or_make(connection, chosen, hint)
        union = await unite(
            connection, identity, domains=chosen.domains, identifiers=chosen.identifiers
        )
        identity = union.company_id
        notes += union.notes
    if company_id is not None and company_id != identity:
        async with database.tenant(organization_id) as tenant:
            notes += await _same_accounts(tenant, company_id, identity)
    status: Status = "created" if made else "matched"
    score, ranked = search.verdict.score, search.ranked
    return Found(status, identity, score, chosen.features, ranked, notes=tuple(notes))


async def _own_company(tenant: Tenant, asked: Mapping[str, Any]) -> tuple[UUID | None, str]:
    """The company that the organization's own ids or accounts name, and the feature that it matched by."""
    company_id = await referred_company(tenant, asked)
    if company_id is not None:
        return company_id, next((f"same_{each}" for each in _REFERENCES if asked.get(each)), "")
    company_id = await only_account_of_name(tenant, asked)
    return company_id, "only_account_of_name"


class _Search:
    """What the sources and the catalogue know of a query, weighed."""

    def __init__(
        self, query: Query, gathered: Sequence[Candidate], held: Sequence[Candidate]
    ) -> None:
        self.query, self.gathered, self.held = query, gathered, held
        self.ranked = likeness(query, [*gathered, *held])
        self.verdict = decide(query, self.ranked)

    async def current(self, connection: Connection) -> "_Search":
        """The search after another operation made or merged a company that may be meant, or this one."""
        held = await _from_catalogue(connection, self.query)
        if {each.key for each in held} == {each.key for each in self.held}:
            return self
        return _Search(self.query, self.gathered, held)


async def _search(
    database: Database,
    query: Query,
    sources: Sequence[Source],
    context: MakeContext,
    notes: list[str],
) -> _Search:
    async with database.connection() as connection:
        held = await _from_catalogue(connection, query)
    gathered: list[Candidate] = []
    search = _Search(query, gathered, held)
    for last_resort in (False, True):
        for source in sources:
            if source.last_resort == last_resort:
                gathered += await _ask(source, context(source), query, notes)
        search = _Search(query, gathered, held)
        if search.verdict.chosen is not None or search.verdict.ambiguous:
            return search
    if query.domain and not query.name:
        alike = await _called_like(query.domain, database, sources, context, notes)
        if alike:
            best = alike[0]
            is_sure = best.score >= _LISTED_LIKE_DOMAIN
            search.ranked = alike
            search.verdict = Verdict(best if is_sure else None, not is_sure, best.score)
            if is_sure:
                notes.append(
                    f"{query.domain} was matched to the listed company {told_apart(best)} by its "
                    "name: the site does not say who owns it."
                )
    return search


async def _called_like(
    domain: str,
    database: Database,
    sources: Sequence[Source],
    context: MakeContext,
    notes: list[str],
) -> list[Likeness]:
    """Companies of the catalogue and the registers whose whole name is the label of a domain that no
    source knows. They are listed as what may be meant; the only one, if it is listed, is taken for it."""
    label = domain.partition(".")[0]
    query = Query(name=label.replace("-", " "))
    async with database.connection() as connection:
        candidates = await _from_catalogue(connection, query)
    for source in sources:
        if source.manifest.identifier is not None:
            candidates += await _ask(source, context(source), query, notes)
    closed = {label.replace("-", ""), domain.replace(".", "")}
    named = [
        each
        for each in candidates
        if not each.all_domains  # it is known to be elsewhere
        and not closed.isdisjoint(
            name_key(name).replace(" ", "") for name in (each.name, *each.names)
        )
    ]
    found = likeness(query, named)
    listed = len(found) == 1 and domain == f"{label}.com" and any(each.ticker for each in named)
    score = _LISTED_LIKE_DOMAIN if listed else _LIKE_DOMAIN
    return [replace(each, score=score, features={"name_like_domain": score}) for each in found]


def _unfound(query: Query, search: _Search, notes: Sequence[str]) -> Found:
    verdict = search.verdict
    status: Status = "ambiguous" if verdict.ambiguous else "not_found"
    reason = why_none(query, search.ranked, notes, ambiguous=verdict.ambiguous)
    return Found(status, None, verdict.score, {}, search.ranked, reason, tuple(notes))


async def link(context: EvidenceContext, source: Source, target: Target) -> Target:
    """Find the company in a source that keeps a register, unless its id there is known already.

    Only an unmistakable candidate is linked: the identifiers of another company would bring all of
    that company's facts with them. If the catalogue has a company of the candidate's already, the two
    become one; if something speaks against that, nothing is linked.
    """
    scheme = source.manifest.identifier
    if source.find is None or scheme is None or scheme in target.identifiers:
        return target
    query = Query(
        name=target.name,
        domain=target.domain,
        country_code=target.country_code,
        city=target.first("hq_city"),
        ticker=target.identifiers.get("ticker"),
        identifiers=target.identifiers,
    )
    search = _search_key(source, query, target)
    if await context.known_missing([search], within=_SEARCH_AGAIN):
        return target
    candidates = await source.find(context, query)
    chosen = decide(query, likeness(query, candidates, names=target.names), strict=True).chosen
    if chosen is not None and not _is_tied(target, chosen):
        context.note(
            f"{told_apart(chosen)} has the name, but nothing links it to {target.domain}. If it is"
            f' the company, submit it with external_id and source_system "{SYSTEMS.get(scheme, scheme)}".'
        )
        chosen = None
    if chosen is None:
        await context.remember_missing(search)
        return target
    identifiers = chosen.identifiers
    async with fenced(context.database, context.work) as connection:
        proved = not PROOFS.isdisjoint(chosen.features)
        union = await unite(connection, target.company_id, identifiers=identifiers, proved=proved)
        if not union.is_contested:
            await catalogue.add_identifiers(connection, union.company_id, identifiers)
    for note in union.notes:
        context.note(note)
    if union.is_contested:
        return target
    context.learned = True
    context.note(f"Linked to {chosen.name} ({scheme} {identifiers.get(scheme, '')}).")
    return replace(target, identifiers=dict(identifiers) | dict(target.identifiers))


def _is_tied(target: Target, chosen: Likeness) -> bool:
    """Whether more than a name ties a register's company to one that was made of a website. One that
    another register has already is tied by that, or has been refused there."""
    sites = [each for each in (target.domain, *target.domains) if each]
    if not sites or any(scheme in target.identifiers for scheme in IDENTIFIERS):
        return True
    if not PROOFS.isdisjoint(chosen.features):
        return True
    return not chosen.domains and fits(sites, target.names, (target.first("hq_city"), chosen.city))


def _search_key(source: Source, query: Query, target: Target) -> str:
    """What a search in a register is remembered by: another name or place makes it another search."""
    said = json.dumps([vars(query), target.names], sort_keys=True, default=str)
    return f"search:{source.name}#{hashlib.sha256(said.encode()).hexdigest()[:32]}"


async def _ask(
    source: Source, context: EvidenceContext, query: Query, notes: list[str]
) -> list[Candidate]:
    if source.find is None:
        return []
    error = None
    try:
        return list(await source.find(context, query))
    except (SourceIsAway, RecordIsUnusable) as failure:
        error = str(failure)
        notes.append(f"{source.manifest.title}: {error}")
        return []
    finally:
        notes += context.notes
        await context.flush(error=error)


async def _from_catalogue(connection: Connection, query: Query) -> list[Candidate]:
    """Companies of the catalogue that share the name, the domain or an identifier."""
    found = await catalogue.find_companies(
        connection,
        domains=[query.domain] if query.domain else [],
        identifiers=query.identifiers,
        names=[query.name] if query.name and name_key(query.name) else [],
    )
    return [
        Candidate(
            source=_CATALOGUE,
            key=str(each.company_id),
            name=each.name,
            names=tuple(each.record.get("alternative_names") or ()),
            domain=each.domain,
            domains=each.domains,
            country_code=each.record.get("country_code"),
            city=each.record.get("hq_city"),
            ticker=each.record.get("stock_ticker"),
            identifiers=each.identifiers,
        )
        for each in found
    ]


async def _find_or_make(
    connection: Connection, chosen: Likeness, hint: Hint | None
) -> tuple[bool, UUID]:
    """The catalogue's company of a chosen candidate; returns whether it was made."""
    existing = await catalogue.find_companies(
        connection, domains=chosen.domains, identifiers=chosen.identifiers
    )
    if chosen.company_id is not None:
        return False, chosen.company_id
    if existing:
        company_id = existing[0].company_id
    else:
        hinted = hint.company_id if hint else None
        company_id = await catalogue.make_company(
            connection, name=chosen.name, domain=chosen.domain, company_id=hinted
        )
    if not existing or "same_domain" in chosen.features:
        await catalogue.add_domains(connection, company_id, chosen.domains)
    await catalogue.add_identifiers(connection, company_id, chosen.identifiers)
    return not existing, company_id


async def _same_accounts(tenant: Tenant, asked: UUID, found: UUID) -> list[str]:
    """What to say when the account that was asked for and another one are the same company.

    Both stay: they are rows of someone's own list, with references of their own.
    """
    wanted = Wanted(company_ids=[asked, found])
    states = {s.company_id: s for s in await find_accounts_by(tenant, wanted)}
    if len(states) < 2:
        return []
    one, other = (
        states[each].own.get("company_name") or states[each].catalogue.get("company_name")
        for each in (asked, found)
    )
    return [
        f"Two of your accounts, {one} and {other}, are the same company. Both are kept as they "
        f"are; new facts are shown at {other}."
    ]


def _query(asked: Mapping[str, Any], hint: Hint | None) -> Query:
    """The input, with what the organization's own account adds to it."""
    own = hint.values if hint else {}
    references = hint.references if hint else {}
    identifiers = {
        REGISTERS[system]: value for system, value in references.items() if system in REGISTERS
    }
    asked_by = REGISTERS.get(asked.get("source_system") or "")
    if asked_by and asked.get("external_id"):
        identifiers[asked_by] = asked["external_id"]
    return Query(
        name=asked.get("company_name") or own.get("company_name"),
        domain=asked.get("domain") or own.get("website_domain"),
        country_code=own.get("country_code"),
        city=own.get("hq_city"),
        ticker=own.get("stock_ticker"),
        identifiers=identifiers,
    )
