"""What is asked of the installation while it is shaken, by clients that ask until they are answered."""

import asyncio
import json
import random
from dataclasses import dataclass, field, replace

import httpx

from sightline.api.endpoints import BASE_PATH
from sightline.kit.secrets import SecretBox
from sightline.monitor.webhooks import new_secret
from sightline.store.credits import grant
from sightline.store.database import Database
from sightline.store.keys import create_key
from sightline.store.organizations import create_organization, create_user
from sightline.store.watches import store_watch
from sightline.store.webhooks import create_webhook
from tests.bench.idempotent_kinds import BY_NAME, Kind, Request, World
from tests.bench.idempotent_retries import Report, Sender
from tests.bench.idempotent_world import RATE, Asked
from tests.enrich.kills_world import Named

COMPANIES = 16
CREDITS = 1_000_000
CLIENTS = 4
_MANY = 3  # companies of a bulk
_CANCELLED = 0.1  # of what is enriched


def _company(chance: random.Random) -> dict[str, str]:
    company = Named(chance.randrange(COMPANIES))
    return chance.choice([{"domain": company.domain}, {"company_name": company.name}])


_UNTOUCHED = (
    "create_contact", "import_contacts", "change_contact", "add_suppressions", "erase_person",
    "create_list", "create_watch", "create_key", "create_user", "update_seller_context",
    "create_content_template", "create_agent_session", "submit_dry_run", "search_accounts",
)  # fmt: skip
_ENRICH = Kind(
    "enrich",
    lambda w, m, c: ("/companies", _company(c)),
    total="SELECT count(*) FROM operations WHERE kind = 'company_enrichment' AND parent_id IS NULL"
    " AND coalesce(input ->> 'company_name', '') NOT LIKE 'Nobody%'",
)
_ENRICH_MANY = Kind(
    "enrich_many",
    lambda w, m, c: ("/companies/bulk", {"items": [_company(c) for _ in range(_MANY)]}),
    total="SELECT count(*) FROM operations WHERE kind = 'bulk_enrichment'",
)
_ENRICH_NOBODY = Kind(
    "enrich_nobody",
    lambda w, m, c: ("/companies", {"company_name": f"Nobody {m}"}),
    "SELECT input ->> 'company_name' FROM operations",
)
KINDS = (
    *(BY_NAME[name] for name in _UNTOUCHED),
    *([_ENRICH] * 7),
    _ENRICH_MANY,
    _ENRICH_NOBODY,
)
ALL_KINDS = tuple({kind.name: kind for kind in KINDS}.values())


async def make_world(
    owner: Database, app: Database, slug: str, *, secrets: SecretBox, sink: int
) -> tuple[World, str]:
    """An organization that watches everything, has a webhook at the sink, and its signing secret."""
    organization_id = await create_organization(owner, slug, name=slug.title(), plan="enterprise")
    secret = new_secret()
    async with app.tenant(organization_id) as connection:
        await grant(connection, credit="company", amount=CREDITS, reason="test")
        user_id = await create_user(connection, email=f"owner@{slug}.example", role="owner")
        made = await create_key(
            connection, user_id=user_id, name="-", scopes=["*"], rate_limit=RATE
        )
        values = {"name": "all", "kind": "search", "filter": {}, "types": [], "paused": False}
        values |= {"families": ["material_changes", "strategic_shifts"], "least_confidence": 0.5}
        values |= {"fields": ["full_time_employees"], "seniorities": []}
        await store_watch(connection, None, values=values)
        await create_webhook(
            connection,
            url=f"http://127.0.0.1:{sink}/",
            description="",
            topics=[],
            secret=secrets.seal(secret),
        )
    return World(organization_id, keys=(made.key,)), secret


async def complete(world: World, client: httpx.AsyncClient) -> World:
    """The world with what requests change."""
    headers = {"x-api-key": world.keys[0]}
    changed = await client.patch(
        f"{BASE_PATH}/seller-context", json={"company_name": "-"}, headers=headers
    )
    made = await client.post(
        f"{BASE_PATH}/contacts", json={"full_name": "Ida First"}, headers=headers
    )
    assert changed.is_success, changed.text
    assert made.is_success, made.text
    return replace(world, contact_id=str(made.json()["id"]))


@dataclass
class Load:
    """Clients of every organization, and the history of what they asked."""

    report: Report
    worlds: list[World]
    ports: list[int]
    asked: list[Asked] = field(default_factory=list)

    async def run(self, stop: asyncio.Event) -> None:
        """Send requests until stopped; those in progress are finished."""
        limits = httpx.Limits(max_connections=4 * CLIENTS)
        async with httpx.AsyncClient(limits=limits) as client, asyncio.TaskGroup() as group:
            for _ in range(CLIENTS):
                group.create_task(self._ask_some(client, stop))

    async def ask_for_all(self) -> None:
        """Every company once for every organization."""
        async with httpx.AsyncClient() as client:
            for world in self.worlds:
                for number in range(COMPANIES):
                    body = {"domain": Named(number).domain}
                    request = Request("enrich", "/companies", body, word="")
                    await self._settle(client, world, request)

    async def _ask_some(self, client: httpx.AsyncClient, stop: asyncio.Event) -> None:
        while not stop.is_set():
            number = len(self.asked)
            chance = random.Random(f"{self.report.seed}.{number}")
            world = self.worlds[number % len(self.worlds)]
            request = chance.choice(KINDS).request(world, number, chance)
            asked = await self._settle(client, world, request)
            if request.kind == "enrich" and chance.random() < _CANCELLED and asked.is_done:
                await self._cancel(client, world, asked, chance)
            await asyncio.sleep(chance.uniform(0, 0.3))

    async def _settle(self, client: httpx.AsyncClient, world: World, request: Request) -> Asked:
        number = len(self.asked)
        # Organizations share their idempotency keys: each must be its own all the same.
        key = f"key-{sum(each.world is world for each in self.asked)}"
        asked = Asked(request, world)
        self.asked.append(asked)
        sender = Sender(self.report, self.ports, client)
        await sender.settle(asked, world.keys[0], key, seed=f"{self.report.seed}:{number}")
        return asked

    async def _cancel(
        self, client: httpx.AsyncClient, world: World, asked: Asked, chance: random.Random
    ) -> None:
        """Ask once for an operation to be cancelled, whatever becomes of it."""
        operation = json.loads((asked.fresh or asked.replayed)[0][1])["public_operation_id"]
        url = (
            f"http://127.0.0.1:{chance.choice(self.ports)}{BASE_PATH}/operations/{operation}/cancel"
        )
        try:
            await client.post(url, headers={"x-api-key": world.keys[0]}, timeout=10)
        except httpx.TransportError:
            self.report.unanswered += 1
