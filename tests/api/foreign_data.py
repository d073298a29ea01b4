"""Two organizations with something of every kind, and how to ask any operation about either."""

import itertools
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

import httpx

from sightline.api.endpoint import Endpoint
from sightline.api.endpoints import BASE_PATH
from sightline.crm.provider import Tokens
from sightline.domain.callers import Caller
from sightline.domain.credits import CREDITS
from sightline.domain.evidence import Observation
from sightline.kit.secrets import SecretBox
from sightline.store import crm_runs
from sightline.store.agent_sessions import add_message
from sightline.store.alerts import raise_alert
from sightline.store.credits import grant
from sightline.store.database import Connection, Database, open_database
from sightline.store.events import NewEvent, publish_events
from sightline.store.facts import store_facts
from sightline.store.imports import begin_import
from sightline.store.integrations import save_integration
from sightline.store.webhooks import queue_deliveries
from tests.api.accounts_data import FULL_RECORD, add_accounts
from tests.api.foreign_bodies import BODIES
from tests.conftest import Tenant
from tests.store.evidence_data import WHEN, add_document, add_signal, index
from tests.store.postings_data import add_postings

# Enough of everything for several pages of one.
ROWS = 3
AMOUNT = 1_000  # credits of each kind, ROWS times
# Path parameters for which an operation takes words of the product, the same for everybody.
WORDS = {
    "sync_integration": {"integration_id": "sec_edgar"},
    "connect_integration": {"integration_id": "hunter"},
    "disconnect_integration": {"integration_id": "hunter"},
    **{
        name: {"integration_id": "hubspot"}
        for name in (
            "read_sync_settings update_sync_settings preview_sync list_sync_runs read_sync_run"
            " list_sync_log"
        ).split()
    },
}


@dataclass(frozen=True)
class Side:
    """One of the two organizations, and a word that stands in all of its data."""

    tenant: Tenant
    word: str
    ids: dict[str, str]
    secrets: frozenset[str]  # everything that must never appear on the other side


def path_names(path: str) -> list[str]:
    return re.findall(r"{(\w+)}", path)


def own_path_names(endpoint: Endpoint) -> list[str]:
    """The path parameters of an operation that are ids of something an organization has."""
    words = WORDS.get(endpoint.name, {})
    return [name for name in path_names(endpoint.path) if name not in words]


def filled_path(path: str, ids: dict[str, str]) -> str:
    """The whole path of an operation with these ids."""
    for name in path_names(path):
        path = path.replace(f"{{{name}}}", ids[name])
    return BASE_PATH + path


def body_of(name: str, side: Side) -> dict[str, Any]:
    """What the operation `name` is sent by a side."""
    text = json.dumps(BODIES.get(name, {}))
    for key, value in {**side.ids, "word": side.word}.items():
        text = text.replace(f"{{{key}}}", value)
    found: dict[str, Any] = json.loads(text)
    return found


@dataclass(frozen=True)
class Asker:
    """Asks operations of the table with any key, ids and parameters."""

    client: httpx.AsyncClient

    async def ask(
        self,
        endpoint: Endpoint,
        side: Side,
        *,
        ids: dict[str, str] | None = None,
        given: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        sent = dict(given or {})
        body = None
        if endpoint.body is not None:
            body = body_of(endpoint.name, side) | sent
            sent = {}
        return await self.send(endpoint, side, body, ids=ids, params=sent, headers=headers)

    async def send(
        self,
        endpoint: Endpoint,
        side: Side,
        body: dict[str, Any] | None,
        *,
        ids: dict[str, str] | None = None,
        params: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        """Ask with this very body."""
        return await self.client.request(
            endpoint.method,
            filled_path(endpoint.path, (ids or side.ids) | WORDS.get(endpoint.name, {})),
            params=params,
            json=body,
            headers={"x-api-key": side.tenant.key, **(headers or {})},
        )


async def fill(
    client: httpx.AsyncClient, tenant: Tenant, word: str, *, database: Database, database_url: str
) -> Side:
    """Give an organization ROWS of every kind: what the API makes through it, the rest by the store."""
    records = [FULL_RECORD | {"company_name": f"{word} {n}", "tags": [word]} for n in range(ROWS)]
    outside = [{"company_name": f"{word} outside {n}"} for n in range(ROWS)]
    accounts = await add_accounts(database, tenant.organization_id, records + outside)
    company_id = accounts[0].company_id
    async with database.tenant(tenant.organization_id) as connection:
        for credit, n in itertools.product(CREDITS, range(ROWS)):
            reason = f"{word} {n}"
            await grant(connection, credit=credit, amount=AMOUNT, reason=reason)
    workers = await open_database(database_url, role="sightline_worker", size=2)
    signals = await _add_evidence(workers, company_id, word)
    for other in accounts[1:3]:  # evidence search pages through companies
        said = f"The {word} company acquires one of its rivals."
        url = f"https://{word}.example/{other.company_id}"
        await add_document(workers, other.company_id, [said], url=url)
        await index(workers, other.company_id)
    await workers.close()
    ids = {
        "company_id": str(company_id),
        "account_id": str(accounts[0].account_id),
        "unlisted_id": str(accounts[1].account_id),
        "second_account_id": str(accounts[2].account_id),
        "spare_account_id": str(accounts[-1].account_id),
    }
    ids |= await _Maker(client, tenant, word, ids).make_all()
    async with database.tenant(tenant.organization_id) as connection:
        ids |= await _add_by_store(connection, tenant, word, ids=ids, signals=signals)
        ids["import_id"] = await _add_imports(connection, tenant, word)
    secrets = {str(tenant.organization_id), str(tenant.key_id), str(tenant.user_id), tenant.key}
    secrets |= {word, *ids.values()}
    for each in accounts:
        secrets |= {str(each.account_id), str(each.company_id)}
    return Side(tenant, word, ids, frozenset(secrets))


async def _add_evidence(workers: Database, company_id: UUID, word: str) -> list[UUID]:
    """Documents, each with a signal and a fact, and postings; answers the signals."""
    signals = []
    for n in range(ROWS):
        quote = f"The {word} company acquires number {n} of its rivals for {n + 7} million dollars."
        document_id = await add_document(
            workers, company_id, [quote], url=f"https://{word}.example/{n}"
        )
        signals.append(await add_signal(workers, company_id, document_id, quote=quote, start=0))
        said = Observation("description", f"{word} {n}", method="test", confidence=0.9, quote=quote)
        async with workers.connection() as connection, connection.transaction():
            await store_facts(
                connection,
                company_id,
                document_id,
                source="feeds",
                observations=[said],
                superseded=(),
                seen_at=WHEN,
            )
    await add_postings(workers, company_id, word=word)
    await index(workers, company_id)
    return signals


@dataclass(frozen=True)
class _Maker:
    """Makes ROWS of each thing that the API can make; the ids are those of the last of each."""

    client: httpx.AsyncClient
    tenant: Tenant
    word: str
    ids: dict[str, str]

    async def make_all(self) -> dict[str, str]:
        company, word = f"/companies/{self.ids['company_id']}", self.word
        account_ids = [self.ids["account_id"]]
        listed = [*account_ids, self.ids["second_account_id"]]  # a list has several pages of one
        await self._send("PATCH", "/seller-context", {"company_name": word})
        question = {"name": f"{word} {{n}}", "question": f"Is it {word}?", "keywords": [word]}
        rules = {"field": "tags", "op": "contains", "value": word}
        found = {
            "question_id": await self._make("/custom-questions", question),
            "note_id": await self._make(
                f"/accounts/{self.ids['account_id']}/notes", {"text": f"{word} {{n}}"}
            ),
            "list_id": await self._make("/lists", {"name": f"{word} {{n}}"}),
            "territory_id": await self._make(
                "/territories",
                {
                    "id": f"{word}-{uuid4().hex}-{{n}}",
                    "name": f"{word} {{n}}",
                    "rules": rules,
                },
            ),
            "session_id": await self._make(
                "/agent/sessions",
                {"title": f"{word} {{n}}", "company_id": self.ids["company_id"]},
            ),
            "content_id": await self._make(
                f"{company}/content",
                {"content_type": "notes", "title": f"{word} {{n}}", "content": word},
                key="content_id",
            ),
            "template_id": await self._make(
                "/content/templates",
                {"name": f"{word} {{n}}", "content_type": "email", "body": word},
            ),
            "setting_id": await self._make("/content/settings", {"name": f"{word} {{n}}"}),
            "watch_id": await self._make(
                "/watches",
                {"name": f"{word} {{n}}", "account_ids": account_ids, "families": ["funding"]},
            ),
            "webhook_id": await self._make(
                "/webhooks", {"url": f"https://hooks.{word}.example/{{n}}", "description": word}
            ),
            "user_id": await self._make("/users", {"email": f"user{{n}}@{word}.example"}),
            "key_id": await self._make("/keys", {"name": f"{word} {{n}}", "scopes": ["jobs:read"]}),
            "public_operation_id": await self._make(
                "/companies/bulk",
                {"items": [{"company_name": f"{word} {n}{{n}}"} for n in range(ROWS)]},
                key="public_operation_id",
            ),
        }
        found |= await self._make_people()
        await self._send("POST", f"/lists/{found['list_id']}/accounts", {"add": listed})
        return found

    async def _make_people(self) -> dict[str, str]:
        word = self.word
        person = {
            "full_name": f"Mira {{n}} {word}",
            "emails": [f"mira{{n}}@{word}.example"],
            "company_id": self.ids["company_id"],
            "company": {"name": word},
        }
        erased = await self._make(
            "/contacts",
            person | {"full_name": f"Gone {{n}} {word}", "emails": [f"gone{{n}}@{word}.example"]},
        )
        erasure = await self._send("POST", "/contacts/erasures", {"contact_id": erased})
        people = [{"email": f"no{n}@{word}.example"} for n in range(ROWS)]
        listed = await self._send("POST", "/suppressions", {"items": people, "reason": word})
        return {
            "erasure_id": erasure["id"],
            "suppression_id": listed["items"][0]["id"],
            "erasable_id": await self._make("/contacts", person),
            "contact_id": await self._make(
                "/contacts",
                person | {"full_name": f"Ada {{n}} {word}", "emails": [f"ada{{n}}@{word}.example"]},
            ),
        }

    async def _make(self, path: str, body: dict[str, Any], *, key: str = "id") -> str:
        for n in range(ROWS):
            made = await self._send(
                "POST", path, json.loads(json.dumps(body).replace("{n}", str(n)))
            )
        return str(made[key])

    async def _send(self, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        response = await self.client.request(
            method, BASE_PATH + path, json=body, headers={"x-api-key": self.tenant.key}
        )
        assert response.is_success, f"{method} {path}: {response.text}"
        answer: dict[str, Any] = response.json()
        return answer


async def _add_by_store(
    connection: Connection,
    tenant: Tenant,
    word: str,
    *,
    ids: dict[str, str],
    signals: Sequence[UUID],
) -> dict[str, str]:
    """Events, alerts, deliveries, messages and failed items: what workers and chats make."""
    organization_id, company_id = tenant.organization_id, UUID(ids["company_id"])
    reported = await publish_events(
        connection,
        [
            NewEvent(
                f"{word} {n}",
                "acquires",
                "material_changes",
                f"{word} {n}",
                company_id,
                signal_id=signal_id,
            )
            for n, signal_id in enumerate(signals)
        ],
    )
    for event_id in reported.values():
        alert_id = await raise_alert(
            connection,
            event_id=event_id,
            company_id=company_id,
            watch_id=UUID(ids["watch_id"]),
        )
    deliveries = await queue_deliveries(
        connection,
        topic="event",
        messages=[(f"{word} {n}", json.dumps({"said": word})) for n in range(ROWS)],
        only=UUID(ids["webhook_id"]),
    )
    await _add_messages(connection, tenant, UUID(ids["session_id"]), word)
    document_id = await connection.fetchval(
        "SELECT document_id FROM company_documents WHERE company_id = $1 AND kind <> 'data' LIMIT 1",
        company_id,
    )
    await connection.execute(
        """
        UPDATE operations SET status = 'failed', finished_at = now(), error = $3
        WHERE organization_id = $1 AND parent_id = $2
        """,
        organization_id,
        UUID(ids["public_operation_id"]),
        {"code": "test", "message": f"{word} failed"},
    )
    return {
        "alert_id": str(alert_id),
        "delivery_id": str(deliveries[0]),
        "document_id": str(document_id),
        "run_id": await _add_runs(connection, tenant, word),
        "integration_id": ids["webhook_id"],  # a webhook is an integration too
    }


async def _add_runs(connection: Connection, tenant: Tenant, word: str) -> str:
    """Connections, and runs that are over, with a log."""
    secrets = SecretBox(bytes(32))
    only = {"accounts": [{"property": "lifecyclestage", "operator": "EQ", "value": word}]}
    mapping = [{"kind": "accounts", "property": word, "field": "company_name"}]
    for name, secret in (("hubspot", Tokens("token-good").text()), ("hunter", "a key")):
        await save_integration(
            connection, name, settings={"filters": only, "mapping": mapping},
            secret=secrets.seal(secret), enabled=True
        )  # fmt: skip
    for _ in range(ROWS):
        run_id = await crm_runs.begin_run(
            connection, "hubspot", dry_run=False, everything=True,
            stage="read_accounts"
        )  # fmt: skip
        run = await crm_runs.find_run(connection, run_id)
        assert run is not None
        entries = [crm_runs.Entry(f"{word} {n}", "created") for n in range(ROWS)]
        await crm_runs.add_entries(connection, run, entries)
        await crm_runs.save_run(connection, replace(run, state="succeeded", warnings=[word]))
    return str(run_id)


async def _add_imports(connection: Connection, tenant: Tenant, word: str) -> str:
    for n in range(ROWS):
        made = await begin_import(
            connection,
            kind="accounts",
            file_name=f"{word} {n}.csv",
            file_sha256=f"{word} {n}".encode(),
            options={},
            rows=1,
        )
    return str(made.import_id)


async def _add_messages(
    connection: Connection, tenant: Tenant, session_id: UUID, word: str
) -> None:
    caller = Caller(
        organization_id=tenant.organization_id,
        key_id=tenant.key_id,
        user_id=tenant.user_id,
        scopes=("*",),
        plan="enterprise",
        rate_limit=1,
        allowed_networks=(),
        flat_errors=False,
        costs={},
        expires_at=None,
    )
    for n in range(ROWS):
        await add_message(connection, caller, session_id, role="user", content=f"{word} {n}")
