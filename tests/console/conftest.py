"""The console inside the whole application, behind real sessions."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import httpx
import pytest
from argon2 import PasswordHasher

from sightline.api.endpoint import Services
from sightline.kit.ids import new_id
from sightline.site import create_site
from sightline.store import alerts, events
from sightline.store.console_sessions import make_link, set_password
from sightline.store.credits import grant
from sightline.store.database import Database
from sightline.store.organizations import create_user
from tests.api.accounts_data import add_accounts
from tests.conftest import MakeTenant, Tenant
from tests.console.pages import PASSWORD, form_token

EVIL = """<script>alert(1)</script>"><img src=x onerror=alert(2)>'"""


@dataclass(frozen=True)
class Workspace:
    """An organization with accounts, an alert, credits and a territory."""

    tenant: Tenant
    slug: str
    companies: list[UUID]
    alert_id: UUID
    link: str
    email: str


async def add_alerts(database: Database, workspace: Workspace, *titles: str) -> None:
    """One more alert of the workspace's watch for each title."""
    organization_id, company_id = workspace.tenant.organization_id, workspace.companies[1]
    async with database.tenant(organization_id) as connection:
        watch_id = await connection.fetchval("SELECT watch_id FROM watches")
        reported = await events.publish_events(
            connection,
            [
                events.NewEvent(
                    story=title, type="acquires", family="material_changes", title=title,
                    company_id=company_id,
                )
                for title in titles
            ]
        )  # fmt: skip
        for event_id in reported.values():
            await alerts.raise_alert(
                connection, event_id=event_id, company_id=company_id, watch_id=watch_id
            )


MakeWorkspace = Callable[[str], Awaitable[Workspace]]


@pytest.fixture
def make_workspace(make_tenant: MakeTenant, database: Database) -> MakeWorkspace:
    async def make(slug: str) -> Workspace:
        tenant = await make_tenant(slug)
        organization_id = tenant.organization_id
        hashed = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
        added = await add_accounts(
            database,
            organization_id,
            [
                {
                    "company_name": EVIL if n == 0 else f"{slug.title()} Company {n:02}",
                    "industry": "Robotics & Drones" if n % 2 else "Commercial Banking",
                    "country_code": "US" if n % 3 else "DE",
                    "hq_country_name": "United States" if n % 3 else "Germany",
                    "full_time_employees": n * 10,
                    "description": EVIL,
                }
                for n in range(30)
            ],
        )
        companies = [each.company_id for each in added]
        async with database.tenant(organization_id) as connection:
            await set_password(connection, tenant.user_id, hashed)
            await grant(connection, credit="company", amount=5, reason="test")
            link = await make_link(connection, tenant.user_id)
            reported = await events.publish_events(
                connection,
                [
                    events.NewEvent(
                        story="one",
                        type="acquires",
                        family="material_changes",
                        title=f"{slug} buys {EVIL}",
                        company_id=companies[1],
                        source={"url": "javascript:alert(3)", "title": EVIL},
                        occurred_at=datetime(2026, 3, 4, tzinfo=UTC),
                    )
                ],
            )
            watch_id = await connection.fetchval(
                """
                INSERT INTO watches (organization_id, watch_id, name, kind)
                VALUES ($1, $2, 'all', 'accounts') RETURNING watch_id
                """,
                organization_id,
                new_id(),
            )
            alert_id = await alerts.raise_alert(
                connection, event_id=reported["one"], company_id=companies[1], watch_id=watch_id
            )
        assert alert_id is not None
        return Workspace(tenant, slug, companies, alert_id, link, f"owner@{slug}.example")

    return make


@pytest.fixture
async def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return await make_workspace("first")


@pytest.fixture
async def visitor(services: Services) -> AsyncIterator[httpx.AsyncClient]:
    """A browser-like client of the whole application that is not signed in."""
    transport = httpx.ASGITransport(app=create_site(services), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://sightline.test") as client:
        yield client


@pytest.fixture
async def member(visitor: httpx.AsyncClient, workspace: Workspace) -> httpx.AsyncClient:
    """The same client, signed in to the first workspace."""
    csrf = form_token((await visitor.get("/console/sign-in")).text)
    answer = await visitor.post(
        "/console/sign-in",
        data={
            "csrf": csrf,
            "workspace": workspace.slug,
            "email": workspace.email,
            "password": PASSWORD,
        },
    )
    assert answer.status_code == 303, answer.text
    return visitor


AddMember = Callable[[str], Awaitable[None]]


@pytest.fixture
def add_member(workspace: Workspace, database: Database) -> AddMember:
    """Adds a user of the first workspace, with the password of all."""

    async def add(email: str) -> None:
        organization_id = workspace.tenant.organization_id
        hashed = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
        async with database.tenant(organization_id) as connection:
            await create_user(connection, email=email, role="member", password_hash=hashed)

    return add
