"""The end of an enrichment: record, account and charge in one transaction.

Also what follows from a changed record: every organization's copy of it is made again on the queue.
"""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.domain.names import name_key
from sightline.enrich.rules import DECIDE_AGAIN, rules_version
from sightline.enrich.survivorship import survive
from sightline.kit.clock import now
from sightline.kit.ids import new_id
from sightline.store import catalogue, credits, events, operations, work
from sightline.store.account_writes import (
    AccountState,
    Wanted,
    find_accounts_by,
    point_account,
    write_accounts,
)
from sightline.store.companies import all_ids
from sightline.store.database import Connection, Database, Tenant
from sightline.store.enrichment_requests import REGISTERS, known_company
from sightline.store.facts import mark_winners, read_facts
from sightline.store.operations import CREDIT, Operation, OperationStatus
from sightline.store.passes import organizations_with, visit_all

# Asked for by name: what other rooms do once a company's evidence has changed.
FOLLOW_UPS: tuple[str, ...] = ("read_signals", "index_passages", "refresh_profile")


async def settle_company(connection: Connection, company_id: UUID) -> dict[str, int] | None:
    """Decide the record of a company if anything may have changed it; None when it stands.

    What follows a decision is put on the queue in the transaction of the decision, so it need not be
    asked for again either.
    """
    company_id = await catalogue.hold_company(connection, company_id)
    due = await catalogue.decision_is_due(
        connection, company_id, rules=rules_version(), within=DECIDE_AGAIN
    )
    if due:
        return await write_company(connection, company_id)
    await catalogue.note_enriched(connection, company_id)
    return None


async def write_company(connection: Connection, company_id: UUID) -> dict[str, int]:
    """Decide the record of a company from its facts and store it; answers counts for the step.

    A changed record puts the work on the queue that shows it to everybody.
    """
    identity = await catalogue.find_company(connection, company_id)
    if identity is None:
        return {"facts": 0}
    company_id = identity.company_id
    facts = await read_facts(connection, company_id)
    if not facts:
        return {"facts": 0}
    verdict = survive(facts, now=now())
    record = {"company_name": identity.name} | verdict.record
    if identity.domain is not None:
        record.setdefault("website_domain", identity.domain)
    await mark_winners(connection, company_id, verdict.winners)
    domains = {record["website_domain"]} if record.get("website_domain") else set()
    await catalogue.add_domains(
        connection, company_id, domains | set(record.get("alternative_domains", ()))
    )
    changed = await catalogue.write_record(connection, company_id, record)
    await catalogue.note_enriched(connection, company_id)
    await catalogue.note_decided(connection, company_id, rules=rules_version())
    if changed:
        await work.put(connection, "refresh_accounts", str(company_id))
    await _follow_up(connection, company_id)
    return {"fields": len(record), "facts": len(facts), "winners": len(verdict.winners)}


async def finish_operation(
    tenant: Tenant,
    operation: Operation,
    *,
    status: OperationStatus,
    company_id: UUID | None,
    error: Mapping[str, Any] | None,
    decided: bool = False,
) -> None:
    """Settle or give back the credit, make the company an account, and end the operation.

    `decided` says that the company's record was decided again, so that the account has to show it.
    """
    reference = operations.charge_reference(operation.operation_id)
    charge = operation.charge
    if company_id is not None:
        await _adopt(tenant, company_id, asked=operation.input, decided=decided)
    if charge == "reserved":
        settles = company_id is not None and await operations.note_charge(
            tenant, company_id=company_id, operation_id=operation.operation_id
        )
        close = credits.settle if settles else credits.release
        await close(tenant, credit=CREDIT, operation=reference)
        charge = "settled" if settles else "released"
    await operations.finish(tenant, operation, status=status, charge=charge, error=error)


async def _adopt(
    tenant: Tenant, company_id: UUID, *, asked: Mapping[str, Any], decided: bool
) -> None:
    """Make a company an account of the organization, or show its new record in the one there is.

    `asked` is the operation's input: its external id becomes a cross-reference.
    """
    company = await catalogue.find_company(tenant, company_id)
    if company is None:
        raise LookupError(f"The catalog has no company {company_id}.")
    reference = None
    if asked.get("external_id"):
        reference = (asked.get("source_system") or "external", asked["external_id"])
    states = await find_accounts_by(tenant, Wanted(company_ids=[company.company_id]))
    state = next(iter(states), None)
    if state is None:
        state = await _asked_for(tenant, asked)
        state = state or await _on_their_list(tenant, company)
        if state is not None:
            await _point_at(tenant, state, company)
            decided = True
    if state is None:
        state = AccountState(
            account_id=new_id(),
            company_id=company.company_id,
            name_key=name_key(company.name),
            own={},
            own_sources={},
            catalogue=company.record,
            domains=set(company.domains),
            references=set(),
            is_new=True,
            added_domains=set(company.domains),
        )
    else:
        state.added_domains = set(company.domains) - state.domains
    if reference is not None:
        state.added_references = {reference} - state.references
    state.is_changed = decided or bool(state.added_domains or state.added_references)
    await write_accounts(tenant, [state])
    if not await events.is_monitored(tenant, company.company_id):
        # Nothing is new of a company that stands as it is; from here on, it is to this organization.
        await _follow_up(tenant, company.company_id)


async def _follow_up(connection: Connection, company_id: UUID) -> None:
    for kind in FOLLOW_UPS:
        await work.put(connection, kind, str(company_id))


async def _asked_for(tenant: Tenant, asked: Mapping[str, Any]) -> AccountState | None:
    """The account that an input means by whatever names it, so that no second one is made beside it."""
    named = await known_company(tenant, asked)
    if named is None:
        return None
    states = await find_accounts_by(tenant, Wanted(company_ids=[named]))
    return next((state for state in states if state.company_id == named), None)


async def _on_their_list(tenant: Tenant, company: catalogue.Identity) -> AccountState | None:
    """The account of a company that only the organization knew so far and that proves to be this one: by
    its website or its entry in a register, else as the only one of the name."""
    references = {
        (system, company.identifiers[scheme])
        for system, scheme in REGISTERS.items()
        if scheme in company.identifiers
    }
    states = await find_accounts_by(
        tenant,
        Wanted(domains=company.domains, references=references, name_keys=[name_key(company.name)]),
    )
    fitting = [s for s in states if not s.catalogue and _may_be(s, company, references)]
    proved = [
        s
        for s in fitting
        if not (s.domains.isdisjoint(company.domains) and s.references.isdisjoint(references))
    ]
    chosen = proved or fitting
    return chosen[0] if proved or len(chosen) == 1 else None


def _may_be(
    state: AccountState, company: catalogue.Identity, references: Collection[tuple[str, str]]
) -> bool:
    """Whether nothing that the account says speaks against its being the company's."""
    if state.domains and company.domains and state.domains.isdisjoint(company.domains):
        return False
    systems = {system for system, _ in references}
    if any(r[0] in systems and r not in references for r in state.references):
        return False
    countries = {state.own.get("country_code"), company.record.get("country_code")} - {None}
    return len(countries) <= 1


async def refresh_accounts(database: Database, item: work.Work) -> None:
    """Work: show a company's new record in the account of every organization that has it, under whichever
    of its ids."""
    async with database.connection() as connection:
        wanted = Wanted(company_ids=await all_ids(connection, UUID(item.subject)))
        concerned = await organizations_with(connection, wanted.company_ids)

    async def refresh(organization_id: OrganizationId) -> None:
        async with database.tenant(organization_id) as connection:
            states = await find_accounts_by(connection, wanted)
            for state in states:
                state.is_changed = True
            if states:
                await write_accounts(connection, states)

    if failures := await visit_all(database, "refresh_accounts", concerned, refresh):
        raise failures[0]  # the queue tries again
    async with database.connection() as connection, connection.transaction():
        await work.hold(connection, item)
        # Reading signals ends with publishing them: a first baseline is not taken before that, or
        # everything that ever happened to a new account would raise alerts.
        if not await work.is_under_way(connection, "read_signals", item.subject):
            await work.put(connection, "publish_events", item.subject)
        await work.finish(connection, item)


async def _point_at(tenant: Tenant, state: AccountState, company: catalogue.Identity) -> None:
    """Point an account, so far of a company that only its organization knew, at the catalogue's.

    The old company id goes on answering, as that of a merged company.
    """
    await catalogue.leave_alias(tenant, state.company_id, company.company_id)
    await point_account(tenant, state.account_id, company_id=company.company_id)
    state.company_id = company.company_id
    state.catalogue = company.record
