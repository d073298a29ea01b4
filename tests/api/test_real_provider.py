"""Console and agents sign in at a real identity provider, where one is installed: `npm install oidc-provider`
somewhere, and `SIGHTLINE_NODE_MODULES` names its node_modules."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from ipaddress import ip_network
from pathlib import Path

import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.domain.sign_on import IdentityProvider
from sightline.site import create_site
from sightline.store.database import Database
from tests.api.test_mcp_sign_on import URL, Agents, Kept, official_client, slug_of
from tests.conftest import ROOT, MakeTenant
from tests.console.provider import CLIENT_ID, CLIENT_SECRET
from tests.waiting import free_port

BACK = "http://sightline.test/console/sign-in/provider/return"


@dataclass
class RealProvider:
    """Its address, and a browser with a person who signs in there."""

    address: str

    async def sign_in(self, url: str) -> str:
        """The address that the provider sends the browser back to."""
        async with httpx.AsyncClient() as browser:
            answer = await browser.get(url)
            for _ in range(10):
                if answer.is_redirect:
                    url = str(httpx.URL(url).join(answer.headers["location"]))
                    if not url.startswith(self.address):
                        return url
                    answer = await browser.get(url)
                else:  # its forms for developers: any name and password, then consent
                    assert answer.status_code == 200, answer.text
                    prompt = "consent" if 'value="consent"' in answer.text else "login"
                    form = {"prompt": prompt, "login": "ada", "password": "any"}
                    answer = await browser.post(url, data=form)
        raise AssertionError(f"the provider goes round in circles: {url}")


@pytest.fixture
def real() -> Iterator[RealProvider]:
    modules = Path(os.environ.get("SIGHTLINE_NODE_MODULES", "/nowhere"))
    node = shutil.which("node")
    if node is None or not (modules / "oidc-provider").is_dir():
        pytest.skip("NOT RUN: no identity provider is installed (npm install oidc-provider).")
    port = free_port()
    command = [node, str(ROOT / "tests/api/real_provider.mjs"), str(modules), str(port), BACK]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    with process.stdout as said:
        assert "ready" in (said.readline(),)[0] or any("ready" in line for line in said)
        yield RealProvider(f"http://127.0.0.1:{port}")
        process.terminate()
        process.wait()


@pytest.fixture
async def agents(
    real: RealProvider, services: Services, make_tenant: MakeTenant, database: Database
) -> Agents[RealProvider]:
    tenant = await make_tenant("first")
    workspace = await slug_of(database, tenant)
    return Agents(services, real, database, tenant, workspace)


async def test_an_agent_signs_in_at_a_real_provider(
    agents: Agents[RealProvider], real: RealProvider
) -> None:
    kept = Kept()
    async with official_client(agents, kept, sign_in=real.sign_in) as client:
        found = await client.call_tool("find_accounts", {})
        assert found.structured_content == {"accounts": [], "total": 0, "next_cursor": None}
    assert (await agents.users())["ada@first.example"] == "member"
    assert kept.tokens is not None
    async with agents.http() as http:
        good = kept.tokens.access_token
        assert (await agents.send(http, good)).status_code == 200
        assert (await agents.send(http, f"{good[:-6]}AAAAAA")).status_code == 401


async def test_a_person_signs_in_at_a_real_provider(
    agents: Agents[RealProvider], real: RealProvider, services: Services
) -> None:
    config = IdentityProvider(
        real.address, CLIENT_ID, CLIENT_SECRET, agents.workspace, "Real", audience=URL
    )
    allowed = (ip_network("127.0.0.1"),)
    site = create_site(replace(services, identity_provider=config, allowed_networks=allowed))
    transport = httpx.ASGITransport(app=site)
    async with httpx.AsyncClient(transport=transport, base_url="http://sightline.test") as browser:
        there = await browser.get("/console/sign-in/provider")
        back = await browser.get(await real.sign_in(there.headers["location"]))
        assert (back.status_code, back.headers["location"]) == (303, "/console/home"), back.text
