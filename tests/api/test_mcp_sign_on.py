"""Agents that come with an access token of the identity provider: the official client's whole way to one, and
every token that is not for us."""

import base64
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from ipaddress import ip_network
from types import SimpleNamespace
from typing import Any, Generic, Protocol, TypeVar

import httpx
import httpx2
import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey
from mcp.client.auth import OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)

from sightline.api.endpoint import Services
from sightline.domain.sign_on import IdentityProvider, read_roles
from sightline.mcp.http import MOST_NEW_TOKENS
from sightline.site import create_site
from sightline.store.administration import update_user
from sightline.store.database import Database
from tests.conftest import MakeTenant, Tenant
from tests.console.provider import CLIENT_ID, CLIENT_SECRET, FakeProvider, fake_provider

URL = "http://sightline.test/mcp"
METADATA = "/.well-known/oauth-protected-resource"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@dataclass
class Kept:
    """What the official client keeps of its registration and tokens."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Issuer(Protocol):
    """An identity provider, by where it is."""

    @property
    def address(self) -> str: ...


Issuing = TypeVar("Issuing", bound=Issuer)


@dataclass
class Agents(Generic[Issuing]):
    """The application beside a provider, and who comes to it with tokens."""

    services: Services
    provider: Issuing
    database: Database
    tenant: Tenant
    workspace: str
    changed: dict[str, Any] = field(default_factory=dict)

    def site(self) -> Any:
        config = IdentityProvider(
            issuer=self.provider.address,
            client_id=CLIENT_ID,
            client_secret=CLIENT_SECRET,
            workspace=self.workspace,
            title="Acme login",
            audience=URL,
        )
        return create_site(
            replace(
                self.services,
                identity_provider=replace(config, **self.changed),
                allowed_networks=(ip_network("127.0.0.1"),),
            )
        )

    def http(self) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app=self.site(), raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url="http://sightline.test")

    async def send(self, http: httpx.AsyncClient, token: str) -> httpx.Response:
        return await http.post(
            "/mcp",
            json=INITIALIZE,
            headers={
                "authorization": f"Bearer {token}",
                "accept": "application/json, text/event-stream",
            },
        )

    async def users(self) -> dict[str, str]:
        async with self.database.tenant(self.tenant.organization_id) as connection:
            rows = await connection.fetch("SELECT email, role FROM users")
        return {row["email"]: row["role"] for row in rows}


@pytest.fixture
async def agents(
    services: Services, make_tenant: MakeTenant, database: Database
) -> AsyncIterator[Agents[FakeProvider]]:
    tenant = await make_tenant("first")
    async with fake_provider() as provider:
        yield Agents(services, provider, database, tenant, await slug_of(database, tenant))


async def slug_of(database: Database, tenant: Tenant) -> str:
    async with database.tenant(tenant.organization_id) as connection:
        return await connection.fetchval("SELECT slug FROM organizations")


async def _at_once(address: str) -> str:
    """Where a provider that asks nothing sends a browser back to."""
    async with httpx.AsyncClient() as browser:
        back = await browser.get(address)
    return back.headers["location"]


@asynccontextmanager
async def official_client(
    agents: Agents[Issuing], kept: Kept, *, sign_in: Callable[[str], Awaitable[str]] | None = None
) -> AsyncIterator[Client]:
    """The official client, which is sent to the provider and comes back with a code."""
    came_back: dict[str, Any] = {}

    async def go(address: str) -> None:
        came_back.update(httpx.URL(await (sign_in or _at_once)(address)).params)

    async def come_back() -> AuthorizationCodeResult:
        return AuthorizationCodeResult(**came_back)

    described = OAuthClientMetadata(
        client_name="an agent",
        redirect_uris=["http://127.0.0.1:9/callback"],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
    )
    signed = OAuthClientProvider(URL, described, kept, go, come_back)
    mounts = {"http://sightline.test": httpx2.ASGITransport(app=agents.site())}
    async with (
        httpx2.AsyncClient(mounts=mounts, auth=signed) as http,
        Client(streamable_http_client(URL, http_client=http)) as client,
    ):
        yield client


async def test_the_official_client_finds_its_way_to_a_token(agents: Agents[FakeProvider]) -> None:
    kept = Kept()
    async with official_client(agents, kept) as client:
        found = await client.call_tool("find_accounts", {})
        assert found.structured_content == {"accounts": [], "total": 0, "next_cursor": None}
    assert kept.client is not None
    assert kept.tokens is not None
    assert kept.tokens.scope == "openid email profile"
    assert (await agents.users())["ada@first.example"] == "member"
    assert {begun["scope"] for begun in agents.provider.begun} == {"openid email profile"}


async def test_clients_are_told_where_tokens_come_from(agents: Agents[FakeProvider]) -> None:
    async with agents.http() as http:
        for path in (METADATA, f"{METADATA}/mcp"):
            described = (await http.get(path)).json()
            assert described["resource"] == URL
            assert described["authorization_servers"] == [agents.provider.address]
            assert described["bearer_methods_supported"] == ["header"]
        without = await http.post("/mcp", json=INITIALIZE)
        assert without.status_code == 401
        where = f'resource_metadata="http://sightline.test{METADATA}/mcp"'
        assert without.headers["www-authenticate"] == f"Bearer {where}"
        wrong = await agents.send(http, "no token")
        assert wrong.status_code == 401
        assert wrong.headers["www-authenticate"] == f'Bearer error="invalid_token", {where}'
        odd = await http.post("/mcp", json=INITIALIZE, headers={"host": "a b"})
        assert odd.status_code == 400


async def test_without_an_audience_there_are_keys_alone(agents: Agents[FakeProvider]) -> None:
    agents.changed = {"audience": ""}
    async with agents.http() as http:
        assert (await http.get(METADATA)).status_code == 404
        refused = await agents.send(http, agents.provider.access_token(URL))
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "ApiKey")
        assert (await agents.send(http, agents.tenant.key)).status_code == 200
    assert agents.provider.asked == []


async def test_keys_work_beside_tokens(agents: Agents[FakeProvider]) -> None:
    async with agents.http() as http:
        assert (await agents.send(http, agents.tenant.key)).status_code == 200
        assert (await agents.send(http, agents.provider.access_token(URL))).status_code == 200


NOW = int(time.time())


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "https://elsewhere.example/mcp"},
        {"aud": CLIENT_ID},  # an ID token
        {"aud": None},
        {"iss": "https://login.elsewhere.example"},
        {"iss": None},
        {"exp": NOW - 3600, "iat": NOW - 7200},
        {"exp": None},
        {"nbf": NOW + 3600},
        {"iat": NOW + 3600},
        {"sub": None},
        {"email": None},  # of a program, say
        {"email_verified": False},
    ],
)
async def test_a_token_that_was_not_made_for_us_is_refused(
    agents: Agents[FakeProvider], claims: dict[str, Any]
) -> None:
    agents.provider.claims = claims
    async with agents.http() as http:
        refused = await agents.send(http, agents.provider.access_token(URL))
        assert refused.status_code == 401, claims
        assert 'error="invalid_token"' in refused.headers["www-authenticate"]
    assert "ada@first.example" not in await agents.users()


async def test_a_signature_of_somebody_else_or_none_is_refused(
    agents: Agents[FakeProvider],
) -> None:
    provider = agents.provider
    good = provider.access_token(URL)
    provider.signs_with = RSAKey.generate_key(2048, {"kid": "first"})
    forged = provider.access_token(URL)
    provider.signs_with = None
    claims = jwt.decode(good, provider.key).claims
    shared = OctKey.import_key(CLIENT_SECRET)
    with_secret = jwt.encode({"alg": "HS256", "kid": "first"}, claims, shared)
    head, body, signature = good.split(".")
    none = base64.urlsafe_b64encode(b'{"alg": "none"}').decode().rstrip("=")
    unsigned = f"{none}.{body}."
    async with agents.http() as http:
        for token in (
            forged,
            with_secret,
            unsigned,
            f"{head}.{body}.",
            f"{head}.{body}",
            "x" * 20_000,
        ):
            assert (await agents.send(http, token)).status_code == 401, token[:40]
        assert (await agents.send(http, f"{head}.{body}.{signature}")).status_code == 200


async def test_keys_that_the_provider_changed_are_read_again(agents: Agents[FakeProvider]) -> None:
    async with agents.http() as http:
        assert (await agents.send(http, agents.provider.access_token(URL))).status_code == 200
        agents.provider.key = RSAKey.generate_key(2048, {"kid": "second"})
        assert (await agents.send(http, agents.provider.access_token(URL))).status_code == 200


async def test_a_provider_that_is_away_stops_new_tokens_alone(agents: Agents[FakeProvider]) -> None:
    token = agents.provider.access_token(URL)
    agents.changed = {"issuer": "http://127.0.0.1:9"}
    async with agents.http() as http:
        refused = await agents.send(http, token)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
        assert "identity provider is not responding" in refused.text
        assert (await agents.send(http, agents.tenant.key)).status_code == 200


async def test_who_is_disabled_here_is_out_at_once(agents: Agents[FakeProvider]) -> None:
    token = agents.provider.access_token(URL)
    organization_id = agents.tenant.organization_id
    async with agents.http() as http:
        assert (await agents.send(http, token)).status_code == 200
        async with agents.database.tenant(organization_id) as connection:
            user_id = await connection.fetchval(
                "SELECT user_id FROM users WHERE email = 'ada@first.example'"
            )
            await update_user(connection, user_id, role=None, disabled=True)
        assert (await agents.send(http, token)).status_code == 401


async def test_a_token_lowers_a_role_and_raises_none(agents: Agents[FakeProvider]) -> None:
    roles = read_roles("admins=admin, everybody=member")
    agents.changed = {"role_claim": "groups", "roles": roles}
    older, newer = (
        agents.provider.access_token(URL, groups=[group]) for group in ("admins", "everybody")
    )
    async with agents.http() as http:
        assert (await agents.send(http, older)).status_code == 200
        assert (await agents.users())["ada@first.example"] == "admin"
        assert (await agents.send(http, newer)).status_code == 200
        assert (await agents.users())["ada@first.example"] == "member"
        assert (await agents.send(http, older)).status_code == 200  # it lives for some minutes yet
        assert (await agents.users())["ada@first.example"] == "member"
        none = agents.provider.access_token(URL, groups=["guests"])
        assert (await agents.send(http, none)).status_code == 401


async def test_a_flood_of_made_up_tokens_costs_the_provider_little(
    agents: Agents[FakeProvider], monkeypatch: pytest.MonkeyPatch
) -> None:
    one_minute = SimpleNamespace(time=lambda: 1_700_000_000.0)  # the limit starts again each minute
    monkeypatch.setattr("sightline.api.limits.time", one_minute)
    own = agents.provider.access_token(URL)
    async with agents.http() as http:
        assert (await agents.send(http, own)).status_code == 200
        statuses = [
            (await agents.send(http, f"{own[:-4]}{number:04}")).status_code
            for number in range(MOST_NEW_TOKENS + 5)
        ]
        assert set(statuses[: MOST_NEW_TOKENS - 1]) == {401}
        assert statuses[-1] == 429
        assert (await agents.send(http, own)).status_code == 200  # one that is known goes on


def test_an_id_token_cannot_be_made_an_access_token() -> None:
    with pytest.raises(ValueError, match="client id"):
        IdentityProvider("https://a.example", "same", "", "first", "", audience="same")
