"""Signing in at an identity provider: a real exchange with one that runs here, and every lie it may tell."""

import time
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_network
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc.jwk import OctKey, RSAKey

from sightline.api.endpoint import Services
from sightline.console.responses import HOME
from sightline.domain.sign_on import IdentityProvider, read_roles
from sightline.kit import clock
from sightline.site import create_site
from sightline.store.administration import update_user
from sightline.store.database import Database
from tests.console.conftest import Workspace
from tests.console.provider import CLIENT_ID, CLIENT_SECRET, FakeProvider, fake_provider

START = "/console/sign-in/provider"


class Site:
    """The application with a provider, and a browser that goes there and back."""

    def __init__(self, services: Services, provider: FakeProvider) -> None:
        self.services, self.provider = services, provider
        self.config = IdentityProvider(
            issuer=provider.address,
            client_id=CLIENT_ID,
            client_secret=CLIENT_SECRET,
            workspace="first",
            title="Acme login",
        )

    def browser(self, **changed: Any) -> httpx.AsyncClient:
        services = replace(
            self.services,
            identity_provider=replace(self.config, **changed),
            allowed_networks=(ip_network("127.0.0.1"),),
        )
        transport = httpx.ASGITransport(app=create_site(services), raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url="http://sightline.test")

    async def go(self, browser: httpx.AsyncClient) -> httpx.Response:
        """To the provider and back; answers what the console then says."""
        return await browser.get(await self.way_back(browser))

    async def way_back(self, browser: httpx.AsyncClient) -> str:
        """The address that the provider sends the browser back to."""
        there = await browser.get(START)
        assert there.status_code == 303, there.text
        async with httpx.AsyncClient() as outside:
            back = await outside.get(there.headers["location"])
        assert back.status_code == 302
        return back.headers["location"]


@pytest.fixture
async def provider() -> AsyncIterator[FakeProvider]:
    async with fake_provider() as running:
        yield running


@pytest.fixture
def site(services: Services, provider: FakeProvider, workspace: Workspace) -> Site:
    return Site(services, provider)


async def users(database: Database, workspace: Workspace) -> dict[str, str]:
    async with database.tenant(workspace.tenant.organization_id) as connection:
        rows = await connection.fetch("SELECT email, role FROM users")
    return {row["email"]: row["role"] for row in rows}


async def test_a_user_is_made_at_the_first_sign_in_and_known_at_the_next(
    site: Site, provider: FakeProvider, database: Database, workspace: Workspace
) -> None:
    async with site.browser() as browser:
        assert "Sign in with Acme login" in (await browser.get("/console/sign-in")).text
        answer = await site.go(browser)
        assert (answer.status_code, answer.headers.get("location")) == (303, HOME), answer.text
        assert (await browser.get(HOME)).status_code == 200
        assert "Single sign-on" in (await browser.get("/console/settings/sign-in")).text
        assert await users(database, workspace) == {
            "owner@first.example": "owner",
            "ada@first.example": "member",
        }
        provider.claims = {"email": "countess@first.example"}  # the same person, of another name
        browser.cookies.clear()
        assert (await site.go(browser)).headers["location"] == HOME
        assert len(await users(database, workspace)) == 2
        assert provider.asked.count("/.well-known/openid-configuration") == 1
    async with database.tenant(workspace.tenant.organization_id) as connection:
        kept = await connection.fetch("SELECT action, details FROM audit_log")
    assert ("sign_in", {"with": "single sign-on"}) in [(r["action"], r["details"]) for r in kept]


async def test_somebody_who_is_here_already_is_the_same_user(
    site: Site, provider: FakeProvider, database: Database, workspace: Workspace
) -> None:
    provider.claims = {"email": "OWNER@first.example", "sub": "1"}
    async with site.browser() as browser:
        assert (await site.go(browser)).headers["location"] == HOME
        assert await users(database, workspace) == {"owner@first.example": "owner"}
        # Another person of the provider who claims the same address is not that user.
        provider.claims = {"email": "owner@first.example", "sub": "2"}
        browser.cookies.clear()
        refused = await site.go(browser)
        assert refused.status_code == 403
        assert "Another user already signs in with your email address" in refused.text
        assert (await browser.get(HOME)).status_code == 303


NOW = int(time.time())


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another-client"},
        {"aud": ["another-client"]},
        {"aud": [CLIENT_ID, "another-client"], "azp": "another-client"},
        {"iss": "https://login.elsewhere.example"},
        {"exp": NOW - 3600, "iat": NOW - 7200},
        {"exp": None},
        {"sub": None},
        {"nbf": NOW + 3600},
        {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"},
    ],
)
async def test_a_token_that_was_not_made_for_this_sign_in_is_refused(
    site: Site, provider: FakeProvider, database: Database, workspace: Workspace,
    claims: dict[str, Any],
) -> None:  # fmt: skip
    provider.claims = claims
    async with site.browser() as browser:
        answer = await site.go(browser)
        assert answer.status_code == 403, claims
        assert "cannot be trusted" in answer.text
        assert (await browser.get(HOME)).status_code == 303
    assert len(await users(database, workspace)) == 1


async def test_keys_that_the_provider_changed_are_read_anew(
    site: Site, provider: FakeProvider
) -> None:
    async with site.browser() as browser:
        assert (await site.go(browser)).status_code == 303
        provider.key = RSAKey.generate_key(2048, {"kid": "second"})
        browser.cookies.clear()
        assert (await site.go(browser)).headers["location"] == HOME
        assert provider.asked.count("/keys") == 2


async def test_a_signature_of_somebody_else_is_refused(site: Site, provider: FakeProvider) -> None:
    own = provider.key
    forged = RSAKey.generate_key(2048, {"kid": "first"})
    shared = OctKey.import_key(CLIENT_SECRET, {"kid": "first"})
    for key, header in ((forged, {}), (shared, {"alg": "HS256"}), (own, {"kid": "unknown"})):
        provider.signs_with, provider.header = key, header  # type: ignore[assignment]
        async with site.browser() as browser:
            answer = await site.go(browser)
            assert answer.status_code == 403, header
            assert (await browser.get(HOME)).status_code == 303


async def test_a_code_of_somebody_else_is_refused(site: Site) -> None:
    """A stranger's way back, followed by another browser, signs no one in as the stranger."""
    async with site.browser() as stranger, site.browser() as victim:
        address = await site.way_back(stranger)
        assert (await victim.get(address)).status_code == 401
        own = await site.way_back(victim)
        state = parse_qs(urlsplit(own).query)["state"][0]
        code = parse_qs(urlsplit(address).query)["code"][0]
        mixed = await victim.get(f"{START}/return", params={"code": code, "state": state})
        assert mixed.status_code == 403  # PKCE: the code was begun with another secret
        assert (await victim.get(HOME)).status_code == 303


async def test_a_way_back_is_gone_once(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    async with site.browser() as browser:
        address = await site.way_back(browser)
        cookies = dict(browser.cookies)
        assert (await browser.get(address)).status_code == 303
        browser.cookies.clear()
        assert (await browser.get(address)).status_code == 401
        browser.cookies.update(cookies)
        assert (await browser.get(address)).status_code == 403  # the provider used the code up
        late = await site.way_back(browser)
        monkeypatch.setattr(
            "sightline.console.door.now", lambda: clock.now() + timedelta(minutes=11)
        )
        assert (await browser.get(late)).status_code == 401


async def test_a_user_who_says_no_at_the_provider_is_told(site: Site) -> None:
    async with site.browser() as browser:
        state = parse_qs(urlsplit(await site.way_back(browser)).query)["state"][0]
        answer = await browser.get(
            f"{START}/return", params={"error": "access_denied", "state": state}
        )
        assert answer.status_code == 403
        assert "denied access" in answer.text


@pytest.mark.parametrize(
    ("claims", "changed", "words"),
    [
        ({"email_verified": False}, {}, "has not verified"),
        ({"email_verified": None}, {}, "has not verified"),
        ({"email": None}, {}, "cannot be trusted"),
        ({"email": "ada"}, {}, "names no email address"),
        ({}, {"domains": frozenset({"acme.example"})}, "cannot sign in"),
        (
            {"email": "ada@first.example.evil.example"},
            {"domains": frozenset({"first.example"})},
            "cannot sign in",
        ),
        ({"groups": ["guests"]}, {"role_claim": "groups"}, "no role"),
        ({}, {"role_claim": "groups"}, "no role"),
        ({}, {"workspace": "elsewhere"}, "no workspace"),
    ],
)
async def test_who_is_not_let_in(
    site: Site, provider: FakeProvider, database: Database, workspace: Workspace,
    claims: dict[str, Any], changed: dict[str, Any], words: str,
) -> None:  # fmt: skip
    provider.claims = claims
    async with site.browser(**changed) as browser:
        answer = await site.go(browser)
        assert answer.status_code == 403
        assert words in answer.text
    assert len(await users(database, workspace)) == 1


async def test_a_provider_that_does_not_say_is_believed_about_named_domains(
    site: Site, provider: FakeProvider
) -> None:
    provider.claims = {"email_verified": None}
    async with site.browser(domains=frozenset({"first.example"})) as browser:
        assert (await site.go(browser)).headers["location"] == HOME


async def test_an_address_may_come_from_the_provider_s_user_info(
    site: Site, provider: FakeProvider, database: Database, workspace: Workspace
) -> None:
    provider.claims = {"email": None, "email_verified": None}
    provider.user_info = {"sub": "ada", "email": "ada@first.example", "email_verified": True}
    async with site.browser() as browser:
        assert (await site.go(browser)).headers["location"] == HOME
        provider.user_info["sub"] = "somebody else"
        assert (await site.go(browser)).status_code == 403
    assert "ada@first.example" in await users(database, workspace)


async def test_a_claim_gives_the_role(
    site: Site, provider: FakeProvider, database: Database, workspace: Workspace
) -> None:
    roles = read_roles("admins=admin, cn=staff=member,everybody=member")
    async with site.browser(role_claim="groups", roles=roles) as browser:
        for said, role in (
            (["everybody", "admins"], "admin"),
            ("everybody", "member"),
            ("cn=staff", "member"),
            ("admins", "admin"),
        ):
            provider.claims = {"groups": said}
            browser.cookies.clear()
            assert (await site.go(browser)).headers["location"] == HOME
            assert (await users(database, workspace))["ada@first.example"] == role
        # The last owner stays one, whatever the provider says.
        provider.claims = {"groups": "everybody", "sub": "1", "email": "owner@first.example"}
        browser.cookies.clear()
        assert (await site.go(browser)).headers["location"] == HOME
        assert (await users(database, workspace))["owner@first.example"] == "owner"


async def test_a_disabled_user_stays_out(
    site: Site, provider: FakeProvider, database: Database, workspace: Workspace
) -> None:
    organization_id = workspace.tenant.organization_id
    async with site.browser() as browser:
        await site.go(browser)
        async with database.tenant(organization_id) as connection:
            user_id = await connection.fetchval(
                "SELECT user_id FROM users WHERE email = 'ada@first.example'"
            )
            await update_user(connection, user_id, role=None, disabled=True)
        browser.cookies.clear()
        assert "disabled" in (await site.go(browser)).text
        assert (await browser.get(HOME)).status_code == 303


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://another.example"},
        {"token_endpoint": "file:///etc/passwd"},
        {"jwks_uri": None},
    ],
)
async def test_a_provider_that_describes_itself_wrongly_is_not_used(
    site: Site, provider: FakeProvider, metadata: dict[str, Any]
) -> None:
    provider.metadata = metadata
    async with site.browser() as browser:
        answer = await browser.get(START)
        assert answer.status_code == 503
        assert "is not responding" in answer.text


async def test_a_provider_that_is_away_leaves_passwords(site: Site, provider: FakeProvider) -> None:
    async with site.browser() as browser:
        address = await site.way_back(browser)
        provider.metadata = {}
        site.config = replace(site.config, issuer="http://127.0.0.1:9")
        provider.token_status = 500
        assert (await browser.get(address)).status_code == 403
        async with site.browser() as later:
            answer = await later.get(START)
            assert answer.status_code == 503
            assert 'name="password"' in answer.text


async def test_an_endpoint_inside_is_not_asked(site: Site, provider: FakeProvider) -> None:
    """What a provider's description names obeys the policy of all outgoing sockets."""
    provider.metadata = {"token_endpoint": "http://10.0.0.1/token"}
    async with site.browser() as browser:
        answer = await site.go(browser)
        assert answer.status_code == 503
        assert "is not responding" in answer.text


async def test_without_a_provider_there_is_no_way_to_one(visitor: httpx.AsyncClient) -> None:
    assert "Sign in with" not in (await visitor.get("/console/sign-in")).text
    assert (await visitor.get(START)).status_code == 404


def test_roles_are_read_or_refused() -> None:
    assert read_roles("") == {}
    for wrong in ("admins=king", "=admin", "admin"):
        with pytest.raises(ValueError, match="VALUE=ROLE"):
            read_roles(wrong)
