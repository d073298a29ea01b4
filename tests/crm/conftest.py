"""An organization connected to a double of a CRM, and a worker that runs what is on the queue.

Every test that asks for `world` runs over each CRM.
"""

import json
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from sightline.crm.connection import CrmSettings, find_connection, save_settings, save_tokens
from sightline.crm.provider import Tokens
from sightline.crm.registry import PROVIDERS
from sightline.crm.run import Syncing, ask_for_run
from sightline.domain.callers import OrganizationId
from sightline.kit.secrets import SecretBox
from sightline.store import crm_runs as store
from sightline.store.database import Database, open_database
from sightline.store.work import claim
from tests.crm.double import Double
from tests.crm.org import Org
from tests.crm.portal import Portal

DOUBLES: dict[str, type[Double]] = {each.provider: each for each in (Portal, Org)}


@dataclass
class World:
    """One organization, its CRM, and the worker."""

    database: Database
    worker: Database
    organization_id: OrganizationId
    portal: Double
    secrets: SecretBox

    @property
    def provider(self) -> str:
        return self.portal.provider

    @property
    def title(self) -> str:
        return PROVIDERS[self.provider].title

    async def connect(self, tokens: Tokens | None = None) -> None:
        async with self.database.tenant(self.organization_id) as connection:
            tokens = tokens or self.portal.tokens()
            await save_tokens(connection, self.provider, tokens, secrets=self.secrets)

    async def choose(self, **chosen: Any) -> CrmSettings:
        """Change settings; `rules` are (kind, field) -> rule, `directions` likewise."""
        rules, ways = chosen.pop("rules", {}), chosen.pop("directions", {})
        async with self.database.tenant(self.organization_id) as connection:
            _, settings = await find_connection(connection, self.provider)
            mapping = tuple(
                replace(
                    each,
                    rule=rules.get(each.field, each.rule),
                    direction=ways.get(each.field, each.direction),
                )
                for each in chosen.pop("mapping", settings.mapping)
            )
            settings = replace(settings, mapping=mapping, **chosen)
            await save_settings(connection, self.provider, settings)
        return settings

    async def ask(self, **options: bool) -> UUID:
        async with self.database.tenant(self.organization_id) as connection:
            return await ask_for_run(connection, self.provider, **options)

    async def work(self) -> None:
        """Run what is ready on the queue."""
        syncing = Syncing(self.worker, self.secrets, self.portal)
        while item := await claim(
            self.worker, [store.WORK_KIND], lease=timedelta(minutes=5), per_organization=5
        ):
            await syncing.sync(item)

    async def sync(self, **options: bool) -> dict[str, Any]:
        """Ask for a run, do it, and answer how it ended."""
        run_id = await self.ask(**options)
        await self.work()
        return await self.run(run_id)

    async def run(self, run_id: UUID) -> dict[str, Any]:
        async with self.database.tenant(self.organization_id) as connection:
            body = await store.read_run(connection, self.provider, run_id)
        assert body is not None
        found: dict[str, Any] = json.loads(body)
        return found

    async def pass_time(self) -> None:
        """Let what waits on the queue be ready."""
        async with self.worker.connection() as connection:
            await connection.execute("UPDATE work SET ready_at = now(), lease_until = NULL")

    async def fetch(self, query: str, *values: Any) -> list[Any]:
        async with self.database.tenant(self.organization_id) as connection:
            return list(await connection.fetch(query, *values))

    async def accounts(self) -> list[dict[str, Any]]:
        rows = await self.fetch("SELECT document FROM account_records ORDER BY account_id")
        return [json.loads(row["document"]) for row in rows]

    async def account(self, name: str) -> dict[str, Any]:
        return next(each for each in await self.accounts() if each["company_name"] == name)

    async def contacts(self) -> list[dict[str, Any]]:
        rows = await self.fetch("SELECT document FROM contacts ORDER BY slot")
        return [json.loads(row["document"]) for row in rows]

    async def log(self, run: dict[str, Any]) -> dict[tuple[str, str], Any]:
        """What a run did: (stage, record) -> row."""
        rows = await self.fetch("SELECT * FROM crm_log WHERE run_id = $1", UUID(run["id"]))
        return {(row["stage"], row["record_id"]): row for row in rows}

    async def actions(self, run: dict[str, Any]) -> dict[str, Counter[str]]:
        found: dict[str, Counter[str]] = {}
        for (stage, _), row in (await self.log(run)).items():
            found.setdefault(stage, Counter())[row["action"]] += 1
        return found


@pytest.fixture
async def worker(database_url: str) -> AsyncIterator[Database]:
    opened = await open_database(database_url, role="sightline_worker", size=6)
    yield opened
    await opened.close()


@pytest.fixture(params=PROVIDERS)
async def world(
    request: pytest.FixtureRequest,
    database: Database,
    worker: Database,
    organization: OrganizationId,
) -> World:
    portal = DOUBLES[request.param]()
    made = World(database, worker, organization, portal, SecretBox(bytes(32)))
    await made.connect()
    return made


def add_company(portal: Double, n: int, **more: Any) -> str:
    """An invented company of the CRM."""
    return portal.put(
        "accounts",
        **{
            "company_name": f"Harbor {_WORDS[n % 10]} {n}",
            "website": f"harbor{n}.example",
            "hq_city": "Lisbon",
            "country": "Portugal",
            "industry": portal.software,
            "full_time_employees": portal.number(100 + n),
        }
        | more,
    )


def add_person(portal: Double, n: int, company: str | None = None, **more: Any) -> str:
    """An invented person of the CRM."""
    return portal.put(
        "contacts",
        **{
            "first_name": "Ana",
            "last_name": f"Prado {n}".replace(" ", "-"),
            "emails": f"ana.prado{n}@harbor{n}.example",
            "current_job_title": "Head of Logistics",
        }
        | ({"employer": company} if company else {})
        | more,
    )


_WORDS = (
    "Analytics", "Robotics", "Marine", "Freight", "Optics", "Foods", "Energy", "Textiles", "Papers",
    "Glass",
)  # fmt: skip
