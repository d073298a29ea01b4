"""An API that is stopped, as `sightline up` stops it, while a model thinks: nothing stays held."""

import asyncio
import os
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
from tests.waiting import LONGEST_SECONDS, free_port, until

# The server, with all the time that a busy machine may need to give back what its requests hold.
SERVE = """
from sightline import app
from sightline.cli import main
from sightline.kit import processes
app.GIVING_BACK_SECONDS, processes.STOP_SECONDS = 600.0, 601.0
main.main()
"""


def start_api(model: Provider, database_url: str, data_dir: Path) -> tuple[ChildProcess, str]:
    port = free_port()
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SIGHTLINE_")} | {
        "SIGHTLINE_DATABASE_URL": database_url,
        "SIGHTLINE_DATA_DIR": str(data_dir),
        "SIGHTLINE_PORT": str(port),
        "SIGHTLINE_POOL_WAIT_SECONDS": "60",
        "SIGHTLINE_STATEMENT_TIMEOUT_SECONDS": "600",
        "SIGHTLINE_MODEL": models.NAME,
        "SIGHTLINE_MODEL_SECONDS": "50",
        "SIGHTLINE_MODEL_BASE_URL": model.url,
        "SIGHTLINE_MODEL_API_KEY": "invented",
    }
    api = ChildProcess(
        [sys.executable, "-c", SERVE, "serve"],
        environment=environment,
        stop_seconds=LONGEST_SECONDS,
    )
    api.start()
    return api, f"http://127.0.0.1:{port}"


async def left_and_kept(database: Database, tenant: Tenant) -> tuple[int, int]:
    """Content credits left, and answers or claims kept under an Idempotency-Key."""
    async with database.tenant(tenant.organization_id) as connection:
        kept = await connection.fetchval(
            "SELECT count(*) FROM idempotency_keys WHERE organization_id = $1",
            tenant.organization_id,
        )
        return (await balances(connection))["content"], kept


async def until_healthy(url: str) -> None:
    async with httpx.AsyncClient(timeout=LONGEST_SECONDS) as client:

        async def is_healthy() -> bool:
            try:
                return (await client.get(f"{url}/health")).is_success
            except httpx.TransportError:
                return False

        await until(is_healthy)


async def test_stopping_gives_back_what_waits_for_a_model(
    model: Provider, tenant: Tenant, database: Database, database_url: str, tmp_path: Path
) -> None:
    thinks = threading.Event()

    def think(asked: dict[str, Any]) -> Wait:
        thinks.set()
        return Wait(LONGEST_SECONDS, Call({}))

    model.script = think
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="content", amount=5, reason="test")
    company = await store_company(database, database_url, tenant.organization_id)
    api, url = start_api(model, database_url, tmp_path)
    try:
        await until_healthy(url)
        async with httpx.AsyncClient(base_url=url, timeout=LONGEST_SECONDS) as client:
            asking = asyncio.create_task(
                client.post(
                    f"{BASE_PATH}/companies/{company}/assistant/chat",
                    json={"message": "How many warehouses does it operate?"},
                    headers={"x-api-key": tenant.key, "idempotency-key": "a"},
                )
            )
            assert await asyncio.to_thread(thinks.wait, LONGEST_SECONDS)
            assert await left_and_kept(database, tenant) == (4, 1)
            await asyncio.to_thread(api.stop)
            refused = await asking
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "1"), refused.text
            assert refused.json()["error"]["details"]["retryable"]
    finally:
        await asyncio.to_thread(api.kill)
    assert await left_and_kept(database, tenant) == (5, 0)
