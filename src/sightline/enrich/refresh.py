"""Accounts enriched again on their own: daily, weekly or monthly, as their organization wishes."""

import structlog

from sightline.domain.callers import OrganizationId
from sightline.store import operations
from sightline.store.account_refreshes import take_due
from sightline.store.database import Database
from sightline.store.operations import Asker
from sightline.store.passes import each_organization

log = structlog.get_logger()

MOST_AT_ONCE = 500
PRIORITY = 20  # after everything that someone asked for


async def submit_due_refreshes(database: Database) -> None:
    """Queue the enrichment of every account whose time has come.

    The next time is spread by a tenth of the interval, so that a list imported at once is not
    refreshed at once for ever. A refresh is free: the organization has paid for the company.
    """

    async def submit(organization_id: OrganizationId) -> None:
        async with database.tenant(organization_id) as connection:
            due = await take_due(connection, organization_id, limit=MOST_AT_ONCE)
            if due:
                await operations.add_operations(
                    connection,
                    organization_id,
                    [{"id": str(company_id), "refresh": True} for company_id in due],
                    amounts=[0] * len(due),
                    asker=Asker(None, None, None),
                    priority=PRIORITY,
                )
                log.info("refreshes_due", organization=str(organization_id), companies=len(due))

    await each_organization(database, "submit_due_refreshes", submit)
