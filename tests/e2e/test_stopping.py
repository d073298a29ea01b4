"""An API that is stopped, as `sightline up` stops it, while a model thinks: nothing stays held."""

import asyncio
import os
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import httpx

from sightline.api.endpoints import BASE_PATH
from sightline.kit.processes import ChildProcess
from sightline.store.credits import balances, grant
from sightline.store.database import Database
from tests.api.asking import store_company
from tests.assistant import provider as models
from tests.assistant.provider import Call, Provider, Wait
from tests.conftest import Tenant

LONGEST = 120.0


def start_api(model: Provider, database_url: str, data_dir: Path) -> tuple[ChildProcess, str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SIGHTLINE_")} | {
        "SIGHTLINE_DATABASE_URL": database_url,
        "SIGHTLINE_DATA_DIR": str(data_dir),
        "SIGHTLINE_PORT": str(port),
        "SIGHTLINE_MODEL": models.NAME,
        "SIGHTLINE_MODEL_BASE_URL": model.url,
        "SIGHTLINE_MODEL_API_KEY": "invented",
    }
    api = ChildProcess([sys.executable, "-m", "sightline", "serve"], environment=environment)
    api.start()
    return api, f"http://127.0.0.1:{port}"


async def left_and_kept(database: Database, tenant: Tenant) -> tuple[int, int]:
    """Content credits left, and answers or claims kept under an Idempotency-Key."""
    async with database.tenant(tenant.organization_id) as connection:
        kept = await connection.fetchval(
            "SELECT count(*) FROM idempotency_keys WHERE organization_id = $1",
            tenant.organization_id,
        )
        return (await balances(connection, tenant.organization_id))["content"], kept


async def until_healthy(url: str) -> None:
    async with asyncio.timeout(LONGEST), httpx.AsyncClient() as client:
        while True:
            try:
                if (await client.get(f"{url}/health")).is_success:
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.1)


async def test_stopping_gives_back_what_waits_for_a_model(
    model: Provider, tenant: Tenant, database: Database, database_url: str, tmp_path: Path
) -> None:
    thinks = threading.Event()

    def think(asked: dict[str, Any]) -> Wait:
        thinks.set()
        return Wait(LONGEST, Call({}))

    model.script = think
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, tenant.organization_id, credit="content", amount=5, reason="test")
    company = await store_company(database, database_url, tenant.organization_id)
    api, url = start_api(model, database_url, tmp_path)
    try:
        await until_healthy(url)
        async with httpx.AsyncClient(base_url=url, timeout=LONGEST) as client:
            asking = asyncio.create_task(
                client.post(
                    f"{BASE_PATH}/companies/{company}/assistant/chat",
                    json={"message": "How many warehouses does it operate?"},
                    headers={"x-api-key": tenant.key, "idempotency-key": "a"},
                )
            )
            assert await asyncio.to_thread(thinks.wait, LONGEST)
            assert await left_and_kept(database, tenant) == (4, 1)
            await asyncio.to_thread(api.stop)
            refused = await asking
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "1"), refused.text
            assert refused.json()["error"]["details"]["retryable"]
    finally:
        await asyncio.to_thread(api.kill)
    assert await left_and_kept(database, tenant) == (5, 0)
