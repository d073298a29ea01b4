"""`sightline mcp`: an agent that starts the command and talks over its pipes to a running server."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from sightline.api.endpoint import Services
from sightline.store.database import Database
from tests.api.accounts_data import add_accounts
from tests.conftest import Tenant
from tests.serving import served


@pytest.fixture
async def url(services: Services) -> AsyncIterator[str]:
    async with served(services) as address:
        yield address


def command(**environment: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "sightline", "mcp"],
        env={"PATH": os.environ.get("PATH", ""), **environment},
    )


async def test_an_agent_works_on_a_server_elsewhere(
    url: str, tenant: Tenant, database: Database, tmp_path: Path
) -> None:
    await add_accounts(database, tenant.organization_id, [{"company_name": "Harbor Analytics"}])
    server = command(
        SIGHTLINE_URL=url, SIGHTLINE_API_KEY=tenant.key, SIGHTLINE_DATA_DIR=str(tmp_path)
    )
    async with Client(server) as client:
        found = await client.call_tool("find_accounts", {"name": "harbor"})
        assert found.structured_content["accounts"][0]["company_name"] == "Harbor Analytics"
        company = found.structured_content["accounts"][0]["company_id"]
        brief = await client.read_resource(f"sightline://companies/{company}/brief")
        assert brief.contents[0].text.startswith("# Harbor Analytics")
        missing = await client.call_tool("get_company", {"company_id": str(tenant.user_id)})
        assert missing.is_error


async def test_without_a_server_it_says_how_to_name_one(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "sightline",
        "mcp",
        env={"PATH": os.environ.get("PATH", ""), "SIGHTLINE_DATA_DIR": str(tmp_path)},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert (process.returncode, out) == (4, b"")
    assert b"SIGHTLINE_URL" in err
    assert len(err.splitlines()) == 1
