"""A CRM and contact providers in the console: connected, chosen, previewed, synced, and what runs did."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.console.pages.crm import OPERATORS
from sightline.crm.hubspot.objects import _OPERATORS
from sightline.site import create_site
from sightline.store.administration import update_user
from sightline.store.database import Database
from sightline.store.organizations import create_user
from tests.api.accounts_data import add_catalogue_company
from tests.api.test_crm import StaysOpen, work
from tests.console.conftest import Workspace
from tests.console.pages import form_token
from tests.crm.portal import Portal
from tests.enrich.test_contact_providers import HUNTER, Answers, takes_mail

HERE = "/console/settings/integrations"
HUBSPOT = f"{HERE}/hubspot"
APP = {"client_id": "app-id", "secret": "app-secret"}


@pytest.fixture
def web() -> Any:
    """The outside of the console: HubSpot, unless a test has another."""
    return StaysOpen()


@pytest.fixture
async def visitor(services: Services, web: Any) -> AsyncIterator[httpx.AsyncClient]:
    site = create_site(replace(services, open_web=lambda: web, takes_mail=takes_mail))
    transport = httpx.ASGITransport(app=site, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://sightline.test") as client:
        yield client


async def send(client: httpx.AsyncClient, path: str, **fields: Any) -> httpx.Response:
    csrf = form_token((await client.get(HERE)).text)
    return await client.post(path, data={"csrf": csrf, **fields})


async def connect(client: httpx.AsyncClient, secret: str = "token-good") -> httpx.Response:
    return await send(client, f"{HUBSPOT}/connection", action="connect", secret=secret)


def fields_of(page: str) -> dict[str, str]:
    """What the form of the settings would send as it stands."""
    form = page.partition('id="settings"')[2]
    found = dict(re.findall(r'<input[^>]*name="([^"]*:[^"]*)" value="([^"]*)"', form))
    for name, options in re.findall(r'<select name="([^"]*)"[^>]*>(.*?)</select>', form, re.S):
        chosen = re.search(r'value="([^"]*)" selected', options)
        found[name] = chosen[1] if chosen else re.findall(r'value="([^"]*)"', options)[0]
    return found


async def finish_run(
    client: httpx.AsyncClient, database_url: str, services: Services, web: Portal
) -> str:
    """The page of the newest run, which a worker has done."""
    found = re.search(rf"{HUBSPOT}/runs/([0-9a-f-]+)", (await client.get(HUBSPOT)).text)
    assert found
    await work(database_url, services, web, UUID(found[1]))
    return found[0]


async def test_a_token_connects_and_is_never_shown(member: httpx.AsyncClient) -> None:
    assert f'href="{HUBSPOT}">Connect</a>' in (await member.get(HERE)).text
    wrong = await connect(member, "stolen")
    assert wrong.status_code == 422
    assert 'role="alert"' in wrong.text
    assert "stolen" not in wrong.text
    made = await connect(member)
    assert made.headers["location"] == f"{HUBSPOT}?notice=connected"
    page = (await member.get(made.headers["location"])).text
    assert "Connected." in page
    assert "Sync now" in page
    assert "token-good" not in page
    gone = await send(member, f"{HUBSPOT}/connection", action="disconnect")
    assert gone.status_code == 303
    assert "With a token" in (await member.get(HUBSPOT)).text


async def test_an_app_of_one_s_own_is_let_in_and_comes_back(member: httpx.AsyncClient) -> None:
    page = (await member.get(HUBSPOT)).text
    assert f"http://sightline.test{HUBSPOT}/return" in page
    assert (await send(member, f"{HUBSPOT}/connection", action="authorize")).status_code == 422
    begun = await send(member, f"{HUBSPOT}/connection", action="authorize", **APP)
    assert begun.headers["location"] == HUBSPOT
    assert "app-secret" not in begun.headers["set-cookie"]
    page = (await member.get(HUBSPOT)).text
    found = re.search(r'href="(https://app\.hubspot\.com/[^"]+)"', page)
    assert found
    asked = httpx.URL(found[1].replace("&amp;", "&")).params
    assert asked["redirect_uri"] == f"http://sightline.test{HUBSPOT}/return"
    state = asked["state"]
    assert len(state) > 20
    for given in ({"code": "code-good", "state": "guessed"}, {"state": state}, {}):
        refused = await member.get(f"{HUBSPOT}/return", params=given)
        assert refused.status_code == 422, given
    wrong = await member.get(f"{HUBSPOT}/return", params={"code": "code-bad", "state": state})
    assert wrong.status_code == 422
    back = {"code": "code-good", "state": state}
    other = await member.get(f"{HERE}/salesforce/return", params=back)
    assert other.status_code == 422
    done = await member.get(f"{HUBSPOT}/return", params=back)
    assert done.headers["location"] == f"{HUBSPOT}?notice=connected"
    assert "Sync now" in (await member.get(HUBSPOT)).text
    # The browser has nothing left to come back with.
    assert (await member.get(f"{HUBSPOT}/return", params=back)).status_code == 422


async def test_salesforce_is_connected_by_an_app_alone(member: httpx.AsyncClient) -> None:
    path = f"{HERE}/salesforce"
    page = (await member.get(path)).text
    assert "With a token" not in page
    assert "Where people sign in" in page
    site = "https://test.salesforce.com"
    await send(member, f"{path}/connection", action="authorize", site=site, **APP)
    assert f"{site}/services/oauth2/authorize" in (await member.get(path)).text
    elsewhere = await send(
        member, f"{path}/connection", action="authorize", site="https://evil.example", **APP
    )
    assert elsewhere.status_code == 422


async def test_what_is_synced_is_chosen_previewed_and_synced(
    member: httpx.AsyncClient, web: Portal, database_url: str, services: Services
) -> None:
    web.put("accounts", company_name="Harbor Works", website="harbor-works.example", stage="won")
    web.put("accounts", company_name="Left Out", website="left-out.example", stage="lost")
    await connect(member)
    kept = fields_of((await member.get(HUBSPOT)).text)
    assert kept["accounts:1:property"] == "name"
    blank = next(
        name for name, value in kept.items() if name.startswith("accounts:") and value == ""
    )
    assert blank.endswith(":property")
    chosen = kept | {
        "accounts:1:rule": "ours",
        "accounts:3:property": "",  # taken away
        blank: "our_region",
        blank.replace("property", "field"): "region",
        blank.replace("property", "direction"): "out",
        "accounts:only:1:property": "lifecyclestage",
        "accounts:only:1:operator": "EQ",
        "accounts:only:1:value": "won",
        "writes": "yes",
        "notes": "brief",
        "every_hours": "6",
    }
    seen = await send(member, f"{HUBSPOT}/settings", action="preview", **chosen)
    assert seen.status_code == 200, seen.text
    assert "Harbor Works → Harbor Works" in seen.text
    assert "Left Out" not in seen.text
    assert "No such property" in seen.text
    assert '<option value="numberofemployees">' in seen.text
    after = fields_of((await member.get(HUBSPOT)).text)
    assert after["accounts:1:rule"] == "ours"
    assert after["accounts:only:1:value"] == "won"
    assert after["every_hours"] == "6"
    gone = kept["accounts:3:property"]
    assert gone not in [after[each] for each in after if re.match(r"accounts:\d+:property", each)]
    wrong = await send(
        member, f"{HUBSPOT}/settings", action="save", **(after | {"accounts:1:field": "shoe_size"})
    )
    assert wrong.status_code == 422
    assert "shoe_size" in wrong.text
    for action, result in (("dry_run", "Dry run"), ("sync", "Sync run")):
        started = await send(member, f"{HUBSPOT}/runs", action=action)
        assert started.headers["location"] == f"{HUBSPOT}?notice=synced"
        twice = await send(member, f"{HUBSPOT}/runs", action=action)
        assert "already in progress" in twice.text
        run = await finish_run(member, database_url, services, web)
        page = (await member.get(run)).text
        assert f"<h1>{result}</h1>" in page
        assert "Read accounts: 1 created" in " ".join(page.split())
    assert re.search(r'<a href="/console/companies/[0-9a-f-]+">Harbor Works</a>', page)
    only = (await member.get(f"{run}?action=created")).text
    assert only.count('class="lead break"') == 1
    assert "Harbor Works" in (await member.get("/console/accounts?q=harbor")).text


async def test_a_failed_run_is_shown_with_its_reason(
    member: httpx.AsyncClient, web: Portal, database_url: str, services: Services
) -> None:
    await connect(member)
    web.token = web.refresh = "revoked"
    await send(member, f"{HUBSPOT}/runs", action="sync")
    run = await finish_run(member, database_url, services, web)
    assert 'role="alert"' in (await member.get(run)).text
    page = (await member.get(HUBSPOT)).text
    assert "Last error:" in page
    assert '<details class="more" open><summary>Connect again' in page


async def test_members_see_and_sync_but_connect_and_choose_nothing(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    await connect(member)
    organization_id = workspace.tenant.organization_id
    async with database.tenant(organization_id) as connection:
        await create_user(connection, email="boss@first.example", role="owner")
        await update_user(connection, workspace.tenant.user_id, role="member", disabled=None)
    page = (await member.get(HUBSPOT)).text
    assert "What is synced" in page
    assert "Disconnect" not in page
    assert "<input name=" not in page.partition('id="settings"')[2]
    assert 'value="save"' not in page
    assert ">Connect</a>" not in (await member.get(HERE)).text
    kept = {"accounts:1:property": "name", "accounts:1:field": "company_name"}
    refused = [
        await connect(member),
        await send(member, f"{HUBSPOT}/connection", action="authorize", **APP),
        await send(member, f"{HUBSPOT}/connection", action="disconnect"),
        await send(member, f"{HUBSPOT}/settings", action="save", **kept),
        await send(member, f"{HUBSPOT}/settings", action="preview", **kept),
        await send(member, f"{HERE}/hunter/connection", action="connect", secret="key"),
    ]
    assert [each.status_code for each in refused] == [422] * len(refused)
    assert all("admin" in each.text for each in refused)
    assert "Sync now" in (await member.get(HUBSPOT)).text
    assert (await send(member, f"{HUBSPOT}/runs", action="sync")).status_code == 303


async def test_what_is_no_crm_has_no_such_pages(member: httpx.AsyncClient) -> None:
    none = "00000000-0000-0000-0000-000000000000"
    for path in (
        "/wikidata",
        "/smtp",
        f"/hubspot/runs/{none}",
        "/hubspot/runs/x",
        "/hunter/runs/x",
    ):
        assert (await member.get(HERE + path)).status_code == 404, path
    for path in ("/wikidata/connection", "/hunter/settings", "/hunter/runs"):
        assert (await send(member, HERE + path, action="save")).status_code == 404, path
    assert (await send(member, f"{HUBSPOT}/connection", action="x")).status_code == 403
    assert (await send(member, f"{HUBSPOT}/runs", action="sync")).status_code == 422


def test_every_operator_of_a_crm_can_be_chosen() -> None:
    assert set(OPERATORS) == set(_OPERATORS)


@pytest.mark.parametrize("web", [Answers(HUNTER)])
async def test_people_are_found_by_one_s_own_key(
    member: httpx.AsyncClient, web: Answers, owner: Database
) -> None:
    record = {"company_name": "Tide Labs", "website_domain": "tide-labs.example"}
    company = f"/console/companies/{await add_catalogue_company(owner, record)}/people"
    assert "No contact provider is connected" in (await member.get(f"{company}/find")).text
    made = await send(member, f"{HERE}/hunter/connection", action="connect", secret="our-key")
    assert made.headers["location"] == f"{HERE}/hunter?notice=connected"
    assert "our-key" not in (await member.get(f"{HERE}/hunter")).text
    assert f'href="{company}/find"' in (await member.get(company)).text
    priced = (await member.get(f"{company}/find?provider=hunter&max=25")).text
    assert "Up to 3 credits" in priced
    assert web.asked == []
    done = await send(member, f"{company}/find", provider="hunter", max="25")
    assert done.status_code == 303, done.text
    shown = (await member.get(done.headers["location"])).text
    assert "3 people found: 3 new" in " ".join(shown.split())
    assert len(web.asked) == 1
    assert "Ada Lind" in (await member.get(company)).text
    assert (await send(member, f"{company}/find", provider="x", max="25")).status_code == 403
