"""The organizations of `tests/bench/idempotent_retries.py`, and what must hold in them afterwards."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import httpx

from sightline.api.endpoints import BASE_PATH
from sightline.domain.callers import OrganizationId
from sightline.domain.credits import CREDITS
from sightline.domain.evidence import Observation
from sightline.profile.refresh import refresh_organization_profile, refresh_profile
from sightline.queue.runner import Runner
from sightline.store import profiles
from sightline.store.credits import FOR_ANSWER, FOR_CONTENT, grant, release_abandoned
from sightline.store.database import Database, Tenant
from sightline.store.facts import store_facts
from sightline.store.keys import create_key
from sightline.store.organizations import create_organization, create_user
from sightline.store.work import put
from tests.api.accounts_data import FULL_RECORD, add_accounts
from tests.bench.idempotent_kinds import COMPANIES, KINDS, PEOPLE, WORD, Kind, Request, World
from tests.bench.idempotent_model import ACQUIRED
from tests.store.evidence_data import WHEN, add_document, index

KEYS = 2  # of each organization
RATE = 1_000_000_000  # requests a minute: limits are tested elsewhere
# Refusals that a request of ours may meet; the one who was refused has done nothing.
REFUSALS = frozenset({"insufficient_credits", "too_many_webhooks"})


@dataclass
class Asked:
    """A request and everything that came back for it."""

    request: Request
    world: World
    fresh: list[tuple[int, bytes]] = field(default_factory=list)
    replayed: list[tuple[int, bytes]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    charged: dict[str, int] = field(default_factory=dict)
    sends: int = 0

    @property
    def is_done(self) -> bool:
        """Whether it was answered with a success."""
        return bool(self.fresh or self.replayed)


class WorldMaker:
    """Makes an organization with accounts, evidence and one of everything that requests name."""

    def __init__(self, owner: Database, app: Database, workers: Database) -> None:
        self._owner, self._app, self._workers = owner, app, workers

    async def make(self, slug: str, *, credits: int) -> World:
        """An organization with so many credits of each kind; what needs the API is still to be made."""
        app = self._app
        organization_id = await create_organization(
            self._owner, slug, name=slug.title(), plan="enterprise"
        )
        keys = []
        async with app.tenant(organization_id) as connection:
            for credit in CREDITS:
                await grant(connection, credit=credit, amount=credits, reason="x")
            user_id = await create_user(connection, email=f"owner@{slug}.example", role="owner")
            for n in range(KEYS):
                made = await create_key(
                    connection, user_id=user_id, name=str(n), scopes=["*"], rate_limit=RATE
                )
                keys.append(made.key)
        records = [FULL_RECORD | {"company_name": f"Quay {slug} {n}"} for n in range(COMPANIES)]
        added = await add_accounts(app, organization_id, records)
        for n, account in enumerate(added):
            await self._add_evidence(account.company_id, f"{slug}{n}")
        return World(
            organization_id,
            tuple(keys),
            tuple(str(each.company_id) for each in added),
            tuple(str(each.account_id) for each in added),
        )

    async def _add_evidence(self, company_id: UUID, name: str) -> None:
        workers = self._workers
        lines = [ACQUIRED]
        lines += [f"Ada{'bcdefgh'[n]} Quill of {name} leads office {n}." for n in range(PEOPLE)]
        document_id = await add_document(workers, company_id, lines, url=f"https://{name}.example/")
        people = [
            Observation(
                "person",
                {"name": f"Ada{'bcdefgh'[n]} Quill", "title": "Director", "role": "team"},
                method="test",
                confidence=0.9,
                quote=line,
            )
            for n, line in enumerate(lines[1:])
        ]
        async with workers.connection() as connection, connection.transaction():
            await store_facts(
                connection,
                company_id,
                document_id,
                source="website",
                observations=people,
                superseded=(),
                seen_at=WHEN,
            )
            await put(connection, profiles.REFRESH, str(company_id))
        await index(workers, company_id)
        handlers = {
            profiles.REFRESH: partial(refresh_profile, workers),
            profiles.REFRESH_FOR: partial(refresh_organization_profile, workers),
        }
        await Runner(workers, handlers, slots=1, per_organization=9).run_all()

    async def complete(self, world: World, client: httpx.AsyncClient) -> World:
        """The world with its things made through the API."""

        async def send(method: str, path: str, body: Any, key: str = "id") -> str:
            headers = {"x-api-key": world.keys[0], "idempotency-key": f"first-{uuid4()}"}
            status = 503  # as when a busy machine is too late for the pool's patience
            while status == 503:
                answer = await client.request(method, BASE_PATH + path, json=body, headers=headers)
                status = answer.status_code
            assert answer.is_success, f"{path}: {answer.text}"
            return str(answer.json().get(key))

        rules = {"field": "industry", "op": "eq", "value": "Software"}
        company = f"/companies/{world.companies[0]}"
        written = {"content_type": "notes", "title": "-", "content": "-"}
        items = {"items": [{"company_name": "Unheard One"}, {"company_name": "Unheard Two"}] * 2}
        bulk_id = await send("POST", "/companies/bulk", items, "public_operation_id")
        await send("PATCH", "/seller-context", {"company_name": "-"})
        async with self._app.tenant(world.organization_id) as connection:
            await connection.execute(
                "UPDATE operations SET status = 'failed' WHERE parent_id = $1 AND item < 2",
                UUID(bulk_id),
            )
        watch = {"name": "first", "filter": {}, "families": ["risk"]}
        return replace(
            world,
            list_id=await send("POST", "/lists", {"name": "first"}),
            watch_id=await send("POST", "/watches", watch),
            webhook_id=await send("POST", "/webhooks", {"url": "https://hooks.example/first"}),
            territory_id=await send("POST", "/territories", {"name": "first", "rules": rules}),
            content_id=await send("POST", f"{company}/content", written, "content_id"),
            contact_id=await send("POST", "/contacts", {"full_name": "Ida First"}),
            bulk_id=bulk_id,
        )


class Auditor:
    """Compares what was answered with what was done."""

    def __init__(
        self, app: Database, worlds: Iterable[World], kinds: Sequence[Kind] = KINDS
    ) -> None:
        self._app, self._kinds = app, kinds
        self._worlds = tuple(worlds)
        self._totals: dict[tuple[OrganizationId | UUID, str], int] = {}
        self._ledger: dict[OrganizationId | UUID, Counter[str]] = {}

    async def begin(self) -> None:
        """Remember the numbers that requests raise."""
        for world in self._worlds:
            async with self._app.tenant(world.organization_id) as connection:
                self._ledger[world.organization_id] = await _spent(connection)
                for kind in self._kinds:
                    if kind.total is not None:
                        self._totals[world.organization_id, kind.name] = await connection.fetchval(
                            kind.total
                        )

    def look_through(self, database: Database) -> None:
        """Use another connection from now on, of any role that sees the organizations' rows."""
        self._app = database

    async def let_time_pass(self) -> None:
        """Give back what died processes held: the next request of its kind does it, some time later."""
        for world in self._worlds:
            async with self._app.tenant(world.organization_id) as connection:
                for prefix in (FOR_ANSWER, FOR_CONTENT):
                    await release_abandoned(
                        Tenant(connection, OrganizationId(world.organization_id)),
                        prefix=prefix,
                        seconds=0,
                    )

    async def anomalies(self, asked: Iterable[Asked], *, books: bool = True) -> list[str]:
        """Everything that is wrong; without `books`, credits aside."""
        by_world: Mapping[Any, list[Asked]] = defaultdict(list)
        found: list[str] = []
        for each in asked:
            by_world[each.world.organization_id].append(each)
            found += [f"{each.request.kind} {each.request.word}: {what}" for what in wrong(each)]
        for world in self._worlds:
            async with self._app.tenant(world.organization_id) as connection:
                mine = by_world[world.organization_id]
                found += await self._wrong_effects(connection, world, mine)
                if books:
                    found += await self._wrong_books(connection, world, mine)
        return found

    async def _wrong_effects(self, connection: Any, world: World, asked: list[Asked]) -> list[str]:
        found = []
        for kind in self._kinds:
            mine = [each for each in asked if each.request.kind == kind.name]
            if kind.words is not None:
                rows = await connection.fetch(kind.words)
                done = Counter(w for row in rows for w in re.findall(WORD, (row[0] or "").lower()))
                for each in mine:
                    expected = kind.effects if each.is_done else 0
                    if done[each.request.word] != expected:
                        found.append(
                            f"{kind.name} {each.request.word}: {done[each.request.word]} effects"
                            f" where {expected} were answered"
                        )
            if kind.total is not None:
                raised = await connection.fetchval(kind.total)
                raised -= self._totals[world.organization_id, kind.name]
                expected = kind.effects * sum(each.is_done for each in mine)
                if raised != expected:
                    found.append(f"{kind.name}: {raised} effects where {expected} were answered")
        return found

    async def _wrong_books(self, connection: Any, world: World, asked: list[Asked]) -> list[str]:
        found = []
        charged: Counter[str] = Counter()
        for each in asked:
            charged.update(each.charged)
        spent = await _spent(connection)
        before = self._ledger[world.organization_id]
        for credit in CREDITS:
            if spent[credit] - before[credit] != charged[credit]:
                found.append(
                    f"{spent[credit] - before[credit]} {credit} credits spent,"
                    f" {charged[credit]} answered"
                )
        for what, query in BOOKS.items():
            found += [f"{what}: {row[0]}" for row in (await connection.fetch(query))[:5]]
        return found


def wrong(asked: Asked) -> list[str]:
    """What is wrong with the answers to one request."""
    found = []
    if len(asked.fresh) > 1:
        found.append(f"was carried out {len(asked.fresh)} times")
    if len(set(asked.replayed)) > 1:
        found.append("was replayed with different answers")
    if asked.fresh and asked.replayed and not asked.request.has_secret:
        if asked.fresh[0] != asked.replayed[0]:
            found.append("was replayed with another answer than the first")
    elif asked.fresh and asked.replayed and _public(asked.fresh[0]) != _public(asked.replayed[0]):
        found.append("was replayed with another answer than the first, secrets aside")
    if asked.is_done and asked.refused:
        found.append(f"was carried out and refused ({asked.refused[0]})")
    found += [f"was refused: {code}" for code in set(asked.refused) - REFUSALS]
    if not asked.is_done and not asked.refused:
        found.append("was never answered")
    return found


def _public(answer: tuple[int, bytes]) -> tuple[int, Any]:
    body = json.loads(answer[1])
    return answer[0], {k: v for k, v in body.items() if k not in ("key", "secret")}


async def _spent(connection: Any) -> Counter[str]:
    rows = await connection.fetch(
        "SELECT credit, -sum(amount) FROM credit_ledger WHERE kind <> 'grant' GROUP BY 1"
    )
    return Counter({credit: int(amount) for credit, amount in rows})


BOOKS = {
    "a balance that is not the sum of its ledger": """
        SELECT b.credit FROM credit_balances b
        LEFT JOIN (SELECT credit, sum(amount) AS amount FROM credit_ledger GROUP BY 1) l USING (credit)
        WHERE b.balance IS DISTINCT FROM l.amount""",
    "a line of the ledger that does not follow from the one before": """
        SELECT entry_id::text FROM (SELECT entry_id, balance_after, sum(amount)
          OVER (PARTITION BY credit ORDER BY created_at, entry_id) AS running FROM credit_ledger) l
        WHERE balance_after <> running OR balance_after < 0""",
    "a reservation left open": """
        SELECT operation FROM credit_reservations
        WHERE state = 'reserved' AND operation NOT LIKE 'operation:%'""",
    "an operation without its reservation": """
        SELECT o.operation_id::text FROM operations o
        FULL JOIN (SELECT * FROM credit_reservations WHERE operation LIKE 'operation:%') r
          ON r.operation = 'operation:' || o.operation_id
        WHERE o.kind IS DISTINCT FROM 'bulk_enrichment' AND r.amount IS DISTINCT FROM o.amount""",
    "an operation without its work": """
        SELECT o.operation_id::text FROM operations o
        WHERE o.kind = 'company_enrichment' AND o.finished_at IS NULL AND NOT EXISTS (
          SELECT FROM work w WHERE w.kind = 'company_enrichment' AND w.subject = o.operation_id::text)""",
    "a person discovered twice or for nothing": """
        SELECT n FROM (SELECT (SELECT count(*) FROM contact_charges) AS n,
          (SELECT count(*) FROM contacts WHERE sources::text LIKE '%discovery%') AS contacts,
          (SELECT coalesce(-sum(amount), 0) FROM credit_ledger
           WHERE operation LIKE 'contact_discovery:%') AS paid) t
        WHERE n <> contacts OR n <> paid""",
}
