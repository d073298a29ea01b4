"""Webhooks as Standard Webhooks has them: its own library verifies ours, retries, 410, hostile addresses."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from ipaddress import ip_network
from typing import Any

import httpx
import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from sightline.api.endpoint import Services
from sightline.domain.callers import OrganizationId
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.monitor import webhooks
from sightline.monitor.webhooks import SCHEDULE, Deliverer, message
from sightline.store.database import Database
from sightline.store.webhooks import WORK_KIND, create_webhook, queue_deliveries
from sightline.store.work import claim
from tests.conftest import Tenant
from tests.kit.fetch.sites import PATIENT

V1 = "/public-api/v1"


@dataclass
class Receiver:
    """A server on loopback that answers as configured and records requests."""

    status: int = 200
    body: bytes = b"ok"
    url: str = ""
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip()
            for line in head[1:]
            if ":" in line
            for name, value in [line.split(":", 1)]
        }
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        self.got.append((headers, body))
        length = len(self.body)
        writer.write(
            f"HTTP/1.1 {self.status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n".encode()
        )
        writer.write(self.body)
        await writer.drain()
        writer.close()


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    made = Receiver()
    server = await asyncio.start_server(made.answer, "127.0.0.1", 0)
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/hook"
    yield made
    server.close()


@pytest.fixture
async def deliverer(worker: Database, services: Services) -> AsyncIterator[Deliverer]:
    config = FetcherConfig(
        allow=(ip_network("127.0.0.0/8"),), ports=None, longest_retry_seconds=0, limits=PATIENT
    )
    fetcher = Fetcher(config)
    yield Deliverer(worker, fetcher, services.secrets)
    await fetcher.close()


Add = Callable[..., Awaitable[tuple[str, str]]]


@pytest.fixture
def add(client: httpx.AsyncClient, database: Database, tenant: Tenant, services: Services) -> Add:
    """Add a webhook to any address, past the check of the API; answers (id, secret)."""

    async def make(url: str, topics: tuple[str, ...] = ()) -> tuple[str, str]:
        from sightline.monitor.webhooks import new_secret

        secret = new_secret()
        async with database.tenant(tenant.organization_id) as connection:
            webhook_id = await create_webhook(
                connection,
                url=url,
                description="",
                topics=topics,
                secret=services.secrets.seal(secret),
            )
        return str(webhook_id), secret

    return make


async def send(
    database: Database, organization_id: OrganizationId, subject: str = "event:1"
) -> int:
    async with database.tenant(organization_id) as connection:
        queued = await queue_deliveries(
            connection,
            topic="event",
            messages=[
                (subject, message("event.created", "2026-01-01T00:00:00Z", {"näme": "x", "n": 1.5}))
            ],
        )
    return len(queued)


async def deliver(deliverer: Deliverer) -> bool:
    item = await claim(
        deliverer.database, [WORK_KIND], lease=timedelta(hours=1), per_organization=9
    )
    if item is None:
        return False
    await deliverer.run(item)
    return True


async def log(client: httpx.AsyncClient, webhook_id: str) -> list[dict[str, Any]]:
    return (await client.get(f"{V1}/webhooks/{webhook_id}/deliveries")).json()["items"]


async def test_the_official_library_verifies_what_is_sent(
    client: httpx.AsyncClient, database: Database, tenant: Tenant, receiver: Receiver,
    deliverer: Deliverer, add: Add,
) -> None:  # fmt: skip
    webhook_id, secret = await add(receiver.url)
    assert await send(database, tenant.organization_id) == 1
    assert await send(database, tenant.organization_id) == 0, "a signal is sent once"
    assert await deliver(deliverer)
    assert not await deliver(deliverer)
    [(headers, body)] = receiver.got
    reported = Webhook(secret).verify(body, headers)
    assert reported["type"] == "event.created"
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(body.replace(b"1.5", b"2.5"), headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(body, headers | {"webhook-timestamp": "1"})
    [delivery] = await log(client, webhook_id)
    assert (delivery["status"], delivery["attempts"][0]["status"]) == ("delivered", 200)
    assert (await client.get(f"{V1}/webhooks/{webhook_id}")).json()["last_error"] is None


async def test_both_secrets_sign_during_a_rotation(
    client: httpx.AsyncClient, database: Database, tenant: Tenant, receiver: Receiver,
    deliverer: Deliverer, add: Add,
) -> None:  # fmt: skip
    webhook_id, old = await add(receiver.url)
    rotated = await client.post(
        f"{V1}/webhooks/{webhook_id}/rotate", json={}, headers={"idempotency-key": "r"}
    )
    new = rotated.json()["secret"]
    replay = await client.post(
        f"{V1}/webhooks/{webhook_id}/rotate", json={}, headers={"idempotency-key": "r"}
    )
    assert replay.json()["secret"] is None
    await send(database, tenant.organization_id)
    await deliver(deliverer)
    headers, body = receiver.got[0]
    for secret in (old, new):
        assert Webhook(secret).verify(body, headers)
    await client.post(f"{V1}/webhooks/{webhook_id}/rotate", json={"overlap_seconds": 0})
    await send(database, tenant.organization_id, "event:2")
    await deliver(deliverer)
    headers, body = receiver.got[1]
    with pytest.raises(WebhookVerificationError):
        Webhook(new).verify(body, headers)


async def test_failures_are_retried_on_the_schedule_under_one_id(
    client: httpx.AsyncClient, database: Database, tenant: Tenant, receiver: Receiver,
    deliverer: Deliverer, add: Add, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    # The first second try would come after five seconds: a busy machine may take as long to look.
    monkeypatch.setattr(webhooks, "SCHEDULE", tuple(100 * seconds for seconds in SCHEDULE))
    webhook_id, _ = await add(receiver.url)
    receiver.status = 500
    await send(database, tenant.organization_id)
    for _ in range(len(SCHEDULE) + 1):
        assert await deliver(deliverer)
        assert not await deliver(deliverer), "not before its time"
        async with deliverer.database.connection() as connection:
            await connection.execute("UPDATE work SET ready_at = now()")
    assert not await deliver(deliverer)
    [delivery] = await log(client, webhook_id)
    assert (delivery["status"], len(delivery["attempts"])) == ("failed", len(SCHEDULE) + 1)
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1
    receiver.status = 204
    again = await client.post(f"{V1}/webhooks/{webhook_id}/deliveries/{delivery['id']}/redeliver")
    assert again.status_code == 202
    await deliver(deliverer)
    assert (await log(client, webhook_id))[0]["status"] == "delivered"
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1


async def test_gone_switches_the_webhook_off(
    client: httpx.AsyncClient, database: Database, tenant: Tenant, receiver: Receiver,
    deliverer: Deliverer, add: Add,
) -> None:  # fmt: skip
    webhook_id, _ = await add(receiver.url)
    receiver.status = 410
    await send(database, tenant.organization_id)
    await deliver(deliverer)
    shown = (await client.get(f"{V1}/webhooks/{webhook_id}")).json()
    assert (shown["enabled"], shown["disabled_reason"]) == (False, "The endpoint returned 410.")
    assert await send(database, tenant.organization_id, "event:2") == 0
    back = await client.patch(f"{V1}/webhooks/{webhook_id}", json={"enabled": True})
    assert (back.json()["enabled"], back.json()["disabled_reason"]) == (True, None)


async def test_a_huge_answer_does_no_harm(
    client: httpx.AsyncClient, database: Database, tenant: Tenant, receiver: Receiver,
    deliverer: Deliverer, add: Add,
) -> None:  # fmt: skip
    webhook_id, _ = await add(receiver.url)
    receiver.body = b"x" * 1_000_000
    await send(database, tenant.organization_id)
    await deliver(deliverer)
    [delivery] = await log(client, webhook_id)
    assert delivery["status"] == "pending"
    assert "too large" in delivery["attempts"][0]["error"]


async def test_nothing_is_sent_to_a_private_address(
    client: httpx.AsyncClient, database: Database, worker: Database, tenant: Tenant,
    receiver: Receiver, services: Services, add: Add,
) -> None:  # fmt: skip
    webhook_id, _ = await add(receiver.url.replace("http://", "http://"))
    async with Fetcher(FetcherConfig(ports=None)) as strict:
        await send(database, tenant.organization_id)
        await deliver(Deliverer(worker, strict, services.secrets))
    assert receiver.got == []
    [delivery] = await log(client, webhook_id)
    assert delivery["attempts"][0]["status"] is None


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/hook",
        "https://169.254.169.254/latest",
        "https://[::1]/hook",
        "https://localhost/hook",
        "http://hooks.northwind.example/in",
        "ftp://hooks.northwind.example/in",
        "https://user:secret@hooks.northwind.example/in",
        "not a url at all",
    ],
)
async def test_forbidden_addresses_are_refused_at_once(client: httpx.AsyncClient, url: str) -> None:
    answer = await client.post(f"{V1}/webhooks", json={"url": url})
    assert answer.status_code == 400, answer.text
    assert (await client.get(f"{V1}/webhooks")).json()["items"] == []


async def test_a_webhook_by_the_api(
    client: httpx.AsyncClient, database: Database, tenant: Tenant
) -> None:
    made = await client.post(f"{V1}/webhooks", json={"url": "https://hooks.northwind.example/in"})
    assert made.status_code == 201, made.text
    assert made.json()["secret"].startswith("whsec_")
    url = f"{V1}/webhooks/{made.json()['id']}"
    assert "secret" not in (await client.get(url)).json()
    async with database.tenant(tenant.organization_id) as connection:
        sealed = await connection.fetchval("SELECT secret FROM webhooks")
    assert made.json()["secret"].encode() not in sealed
    tested = await client.post(f"{url}/test")
    assert tested.status_code == 202
    [delivery] = (await client.get(f"{url}/deliveries?status=pending")).json()["items"]
    assert delivery["body"]["type"] == "webhook.test"
    assert json.dumps(delivery["body"])
    assert (await client.delete(url)).json()["deleted"] is True
    assert (await client.get(url)).status_code == 404
