"""Keeps territory members current after imports and enrichments."""

from uuid import UUID

import structlog

from sightline.domain.callers import OrganizationId
from sightline.domain.errors import RulesAreCircular
from sightline.domain.filters import Filter, FilterIsWrong, read_filter
from sightline.store import territories
from sightline.store.database import Database, Tenant
from sightline.store.lists import ListIsMissing, resolve
from sightline.store.membership_refreshes import TERRITORIES, outdated
from sightline.store.passes import each_organization
from sightline.store.territories import Membership, ScoreRule
from sightline.store.work import Work, finish

log = structlog.get_logger()


async def refresh_territories(database: Database) -> None:
    """Bring the members of every territory up to date with the accounts that changed."""

    async def refresh(organization_id: OrganizationId) -> None:
        async with database.tenant(organization_id) as connection:
            found = await outdated(connection, TERRITORIES)
        for territory_id, among in found:
            async with database.tenant(organization_id) as connection:
                await _refresh(connection, territory_id, among)

    await each_organization(database, "refresh_territories", refresh)


async def fill_territory(database: Database, item: Work) -> None:
    """Work: decide the members of a territory that a request left to the worker."""
    organization_id = OrganizationId(item.organization_id)
    async with database.tenant(organization_id) as connection:
        await _refresh(connection, str(item.payload["territory_id"]), None)
        await finish(connection, item)


async def _refresh(tenant: Tenant, territory_id: str, among: list[UUID] | None) -> None:
    stored = await territories.read_territory(tenant, territory_id)
    if stored is None:
        return
    try:
        rules = await _usable(tenant, stored["rules"])
        scores = [
            ScoreRule(
                await _usable(tenant, rule["filter"]),
                rule["points"],
                rule["why"],
            )
            for rule in stored["score_rules"]
        ]
    except (FilterIsWrong, ListIsMissing, RulesAreCircular) as error:
        # A list that the rules name is gone: the members stay as they were until the rules are corrected.
        log.warning("territory_rules_unusable", territory=territory_id, reason=str(error))
        return
    await territories.compute_members(
        tenant,
        territory_id,
        membership=Membership(rules, stored["include"], stored["exclude"]),
        scores=scores,
        among=among,
    )


async def _usable(tenant: Tenant, rules: dict[str, object]) -> Filter:
    return await resolve(tenant, read_filter(rules).filter)
