"""The examples of the page about the clients run as they are printed, against a running server."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sightline.store.credits import grant
from sightline.store.database import Database
from tests.api.accounts_data import add_accounts
from tests.conftest import Tenant
from tests.waiting import LONGEST_SECONDS

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "howto" / "clients.md").read_text("utf-8")
# Submits an enrichment at once, and sees its end without a worker.
ENDED = "import sightline_client.waiting as w; w._RUNNING = frozenset()\n"

Run = Callable[..., str]


def examples(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
async def run(url: str, tenant: Tenant, database: Database) -> Run:
    rows = [{"company_name": "Hafen Analytics", "country_code": "DE"}, {"company_name": "Acme"}]
    await add_accounts(database, tenant.organization_id, rows)
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="company", amount=1, reason="test")

    def program(*words: str) -> str:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            timeout=LONGEST_SECONDS,
            env={
                "PATH": "/usr/bin:/bin",
                "PYTHONPATH": str(ROOT / "clients" / "python" / "src"),
                "SIGHTLINE_URL": url,
                "SIGHTLINE_API_KEY": tenant.key,
            },
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return program


async def test_the_python_examples_run(run: Run) -> None:
    import asyncio

    blocking, asynchronous, webhook = examples("python")
    shown = await asyncio.to_thread(run, sys.executable, "-c", ENDED + blocking)
    account, price, ended = shown.splitlines()
    assert account.endswith(" Hafen Analytics")
    assert price == "1 company"
    assert ended == "queued None"
    shown = await asyncio.to_thread(run, sys.executable, "-c", asynchronous)
    assert shown == "['Acme', 'Hafen Analytics']\n"
    await asyncio.to_thread(run, sys.executable, "-c", webhook)
