"""One organization's fault stays its own: in every scheduled job, and in publishing a company's events."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.kit.fetch.client import FetcherConfig
from sightline.monitor.publish import WORK_KIND, publish
from sightline.store.database import Connection, Database, DatabaseIsBusy
from sightline.store.passes import each_organization, failed_visits, organizations_with
from sightline.store.work import Work, claim, put
from sightline.worker import WorkerConfig, schedules
from tests.api.accounts_data import add_accounts, add_catalogue_company
from tests.conftest import MakeTenant
from tests.monitor.conftest import add_signal

# What is on the clock and is no pass over organizations.
OF_THE_CATALOGUE = {"expire_evidence", "index_missing"}
CONFIG: dict[str, Any] = {
    "url": "", "pool_size": 1, "wait_seconds": 1, "fetcher": FetcherConfig(), "slots": 1,
    "organization_slots": 1, "evidence_days": 1,
}  # fmt: skip


@dataclass(frozen=True)
class Faulty(Database):
    """The worker's database, in which nothing can be done for one organization."""

    faulty: UUID | None = None
    error: type[Exception] = RuntimeError
    visited: list[UUID] = field(default_factory=list)

    @asynccontextmanager
    async def tenant(
        self, organization_id: UUID, *, repeatable: bool = False
    ) -> AsyncIterator[Connection]:
        self.visited.append(organization_id)
        if organization_id == self.faulty:
            raise self.error("a fault of the organization's")
        async with super().tenant(organization_id, repeatable=repeatable) as connection:
            yield connection


@dataclass(frozen=True)
class Away(Faulty):
    """A database that goes away when the first organization is visited."""

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        if self.visited:
            raise DatabaseIsBusy
        async with super().connection() as connection:
            yield connection


def test_the_catalogue_s_schedules_are_on_the_clock(services: Services) -> None:
    assert OF_THE_CATALOGUE <= set(schedules(WorkerConfig(**CONFIG, secrets=services.secrets)))


@pytest.mark.parametrize("error", [RuntimeError, DatabaseIsBusy])
async def test_no_pass_ends_at_a_faulty_organization(
    services: Services, make_tenant: MakeTenant, worker: Database, error: type[Exception]
) -> None:
    tenants = [(await make_tenant(f"t{n}")).organization_id for n in range(3)]
    table = schedules(WorkerConfig(**CONFIG, secrets=services.secrets))
    for name, schedule in table.items():
        database = Faulty(worker.pool, worker.wait_seconds, faulty=tenants[1], error=error)
        await schedule.run(database)
        if name in OF_THE_CATALOGUE:
            assert database.visited == []
            continue
        assert set(database.visited) == set(tenants), f"{name} skipped an organization"
        async with worker.connection() as connection:
            assert (await failed_visits(connection))[name] == 1


async def test_a_database_that_is_away_ends_a_pass(
    make_tenant: MakeTenant, worker: Database
) -> None:
    for n in range(3):
        await make_tenant(f"t{n}")
    away = Away(worker.pool, worker.wait_seconds)

    async def visit(organization_id: UUID) -> None:
        away.visited.append(organization_id)
        raise DatabaseIsBusy

    with pytest.raises(DatabaseIsBusy):
        await each_organization(away, "test", visit)
    assert len(away.visited) == 1


async def test_failures_are_in_the_metrics(
    anonymous: httpx.AsyncClient, make_tenant: MakeTenant, worker: Database
) -> None:
    for n in range(3):
        await make_tenant(f"t{n}")

    async def visit(organization_id: UUID) -> None:
        raise RuntimeError

    await each_organization(worker, "mail_digests", visit)
    text = (await anonymous.get("/metrics")).text
    assert 'sightline_pass_failures_total{name="mail_digests"} 3' in text.splitlines()
    assert "# TYPE sightline_pass_failures_total counter" in text


@pytest.fixture
async def concerned(
    make_tenant: MakeTenant, owner: Database, database: Database, worker: Database
) -> tuple[UUID, list[UUID], Work]:
    """A company about which there is news, the two organizations of six that have it, and the work."""
    tenants = [(await make_tenant(f"t{n}")).organization_id for n in range(6)]
    company_id = await add_catalogue_company(owner, {"company_name": "Harbor"})
    for organization_id in tenants[2:4]:
        await add_accounts(
            database, organization_id, [{"company_name": "Harbor"}], company_id=company_id
        )
    await add_signal(worker, company_id)
    async with worker.connection() as connection:
        await put(connection, WORK_KIND, str(company_id))
    item = await claim(worker, [WORK_KIND], lease=timedelta(hours=1), per_organization=5)
    assert item is not None
    return company_id, list(tenants[2:4]), item


async def test_only_who_has_the_company_is_told(
    concerned: tuple[UUID, list[UUID], Work], worker: Database
) -> None:
    company_id, organizations, item = concerned
    database = Faulty(worker.pool, worker.wait_seconds)
    await publish(database, item)
    assert database.visited == organizations
    for organization_id in organizations:
        async with worker.tenant(organization_id) as connection:
            assert await connection.fetchval("SELECT count(*) FROM events") == 1
            # It leaves the transaction's own organization as it was.
            assert await organizations_with(connection, [company_id]) == organizations
            assert await connection.fetchval("SELECT count(*) FROM events") == 1


async def test_who_cannot_be_told_holds_up_nobody(
    concerned: tuple[UUID, list[UUID], Work], worker: Database
) -> None:
    _, (first, second), item = concerned
    with pytest.raises(RuntimeError):
        await publish(Faulty(worker.pool, worker.wait_seconds, faulty=first), item)
    async with worker.tenant(second) as connection:
        assert await connection.fetchval("SELECT count(*) FROM events") == 1
    await publish(worker, item)
    for organization_id in (first, second):
        async with worker.tenant(organization_id) as connection:
            assert await connection.fetchval("SELECT count(*) FROM events") == 1
