"""Scheduled jobs over organizations, each isolated: a failure is counted and the others still run."""

from collections.abc import Awaitable, Callable, Collection, Iterable
from uuid import UUID

import structlog

from sightline.domain.callers import OrganizationId
from sightline.store.database import Connection, Database, DatabaseIsBusy
from sightline.store.organizations import all_organizations
from sightline.store.work import FenceIsLost

log = structlog.get_logger()

Visit = Callable[[OrganizationId], Awaitable[None]]


async def each_organization(database: Database, name: str, visit: Visit) -> None:
    """Visit every organization; failures are counted under the pass's name.

    Raises DatabaseIsBusy when the database is away, which is no organization's fault.
    """
    async with database.connection() as connection:
        organizations = await all_organizations(connection)
    await visit_all(database, name, organizations, visit)


async def visit_all(
    database: Database, name: str, organizations: Iterable[OrganizationId], visit: Visit
) -> list[Exception]:
    """The same for some organizations; returns what went wrong. Raises FenceIsLost at once."""
    failures: list[Exception] = []
    for organization_id in organizations:
        try:
            await visit(organization_id)
        except FenceIsLost:
            raise
        except Exception as error:
            if isinstance(error, DatabaseIsBusy):
                # A statement of this organization that took too long, or the database itself?
                async with database.connection() as connection:
                    await connection.execute("SELECT 1")
            failures.append(error)
            log.error("pass_failed", name=name, organization=str(organization_id), exc_info=error)
    if failures:
        async with database.connection() as connection:
            await _count(connection, name, len(failures))
    return failures


async def _count(connection: Connection, name: str, failures: int) -> None:
    await connection.execute(
        """
        INSERT INTO pass_failures AS p (name, failures, last_at) VALUES ($1, $2, now())
        ON CONFLICT (name) DO UPDATE SET failures = p.failures + excluded.failures, last_at = now()
        """,
        name,
        failures,
    )


async def failed_visits(connection: Connection) -> dict[str, int]:
    """Visits of organizations that failed since the installation was made, by pass."""
    rows = await connection.fetch("SELECT name, failures FROM pass_failures ORDER BY name")
    return {row["name"]: row["failures"] for row in rows}


async def organizations_with(
    connection: Connection, company_ids: Collection[UUID]
) -> list[OrganizationId]:
    """The organizations that have one of the companies as an account: one statement for all of them.
    For the worker's connections."""
    rows = await connection.fetch("SELECT organizations_with($1::uuid[]) AS id", list(company_ids))
    return [OrganizationId(row["id"]) for row in rows]
