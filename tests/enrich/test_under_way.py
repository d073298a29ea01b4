"""Cancelling what workers are at, and what follows from an enrichment, in the right order."""

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest

from sightline.domain.callers import OrganizationId
from sightline.enrich.finish import refresh_accounts
from sightline.enrich.submit import submit_many
from sightline.store import catalogue, operations, work
from sightline.store.credits import grant
from sightline.store.database import Database
from sightline.store.operations import WORK_KIND, Asker
from tests.conftest import Tenant
from tests.waiting import LONGEST_SECONDS, until_blocked

LEASE = timedelta(hours=1)


@pytest.fixture
async def bulk(tenant: Tenant, database: Database) -> UUID:
    """A bulk operation of two items, waiting."""
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="company", amount=9, reason="test")
        made = await submit_many(
            connection,
            [{"company_name": "One"}, {"company_name": "Two"}],
            costs={},
            asker=Asker(None, None, None),
        )
    return made.operation_id


async def _cancel(database: Database, organization_id: OrganizationId, bulk: UUID) -> None:
    async with database.tenant(organization_id) as connection:
        assert await operations.request_cancel(connection, bulk)


async def test_a_cancellation_does_not_wait_for_a_worker_that_notes_progress(
    tenant: Tenant, database: Database, worker_database: Database, bulk: UUID
) -> None:
    """The worker holds its work and then the operation; the other way about would be a deadlock."""
    organization_id = tenant.organization_id
    item = await work.claim(worker_database, [WORK_KIND], lease=LEASE, per_organization=9)
    assert item is not None
    async with worker_database.tenant(organization_id) as connection:
        await work.hold(connection, item)
        await asyncio.wait_for(_cancel(database, organization_id, bulk), LONGEST_SECONDS / 4)
        is_cancelled = await operations.note_progress(
            connection, UUID(item.subject), steps=[], done=0, company_id=None, match=None
        )
    assert is_cancelled
    other = await work.claim(worker_database, [WORK_KIND], lease=LEASE, per_organization=9)
    assert other is not None
    async with worker_database.connection() as connection:
        rows = await connection.fetch("SELECT subject, priority FROM work")
    assert {row["subject"]: row["priority"] for row in rows} == {
        item.subject: 10,  # its worker ends it
        other.subject: -1,
    }


async def test_a_cancellation_takes_items_before_the_whole(
    tenant: Tenant, database: Database, worker_database: Database, bulk: UUID
) -> None:
    """As a worker does that ends an item: one of the two waits for the other, never both."""
    organization_id = tenant.organization_id
    item = await work.claim(worker_database, [WORK_KIND], lease=LEASE, per_organization=9)
    assert item is not None
    async with worker_database.tenant(organization_id) as connection:
        await work.hold(connection, item)
        operation = await operations.load(connection, UUID(item.subject))
        assert operation is not None
        cancelling = asyncio.create_task(_cancel(database, organization_id, bulk))
        await until_blocked(worker_database)
        assert not cancelling.done()
        await operations.finish(
            connection, operation, status="failed", charge="released", error=None
        )
        await work.finish(connection, item)
    await cancelling
    async with database.tenant(organization_id) as connection:
        rows = await connection.fetch(
            "SELECT status, cancel_requested FROM operations ORDER BY parent_id IS NULL, item"
        )
    reported = {(row["status"], row["cancel_requested"]) for row in rows[:2]}
    assert reported == {("failed", False), ("queued", True)}
    assert tuple(rows[2]) == ("running", True)


@pytest.mark.parametrize(("attempts", "waits"), [(None, False), (0, True), (3, True), (4, False)])
async def test_nobody_is_told_of_a_company_before_its_signals_are_read(
    worker_database: Database, attempts: int | None, waits: bool
) -> None:
    """Their reading ends with publishing; what keeps failing is not waited for."""
    async with worker_database.connection() as connection:
        company = await catalogue.make_company(connection, name="Harbor", domain="harbor.example")
        await work.put(connection, "refresh_accounts", str(company))
        if attempts is not None:
            await work.put(connection, "read_signals", str(company))
            await connection.execute(
                "UPDATE work SET attempts = $1 WHERE kind = 'read_signals'", attempts
            )
    item = await work.claim(worker_database, ["refresh_accounts"], lease=LEASE, per_organization=9)
    assert item is not None
    await refresh_accounts(worker_database, item)
    async with worker_database.connection() as connection:
        kinds = {row["kind"] for row in await connection.fetch("SELECT kind FROM work")}
    assert kinds == {"publish_events"} - ({"publish_events"} if waits else set()) | (
        {"read_signals"} if attempts is not None else set()
    )
