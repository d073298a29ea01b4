"""Keys, users, webhooks, integrations, privacy and the audit log in the console."""

import re

import httpx

from sightline.api.endpoints import BASE_PATH
from sightline.store.administration import update_user
from sightline.store.database import Database
from tests.console.conftest import Workspace
from tests.console.pages import form_token

KEYS, USERS = "/console/settings/keys", "/console/settings/users"
WEBHOOKS, PRIVACY = "/console/settings/webhooks", "/console/settings/privacy"


async def send(client: httpx.AsyncClient, path: str, **fields: str | list[str]) -> httpx.Response:
    csrf = form_token((await client.get("/console/accounts/new")).text)
    return await client.post(path, data={"csrf": csrf, **fields})


def secret_in(page: str) -> str:
    found = re.search(r'<code class="secret">([^<]+)</code>', page)
    assert found, page
    return found[1]


async def test_a_read_only_key_reads_and_is_refused_to_write(member: httpx.AsyncClient) -> None:
    made = await send(member, KEYS, name="Reports", access="read")
    key = {"x-api-key": secret_in(made.text)}
    assert secret_in(made.text) not in (await member.get(KEYS)).text
    assert (await member.post(f"{BASE_PATH}/accounts", headers=key)).status_code == 200
    refused = await member.post(f"{BASE_PATH}/lists", headers=key, json={"name": "No"})
    assert refused.status_code == 403
    nothing = await send(member, KEYS, name="Empty", access="some")
    assert nothing.status_code == 422

    page = (await member.get(KEYS)).text
    key_id = re.search(rf'action="{KEYS}/([^"]+)"', page)
    assert key_id
    assert (await send(member, f"{KEYS}/{key_id[1]}", action="revoke")).status_code == 303
    audit = (await member.get("/console/settings/audit?action=revoke")).text
    assert "owner@first.example" in audit


async def test_an_invited_user_signs_in_by_the_link(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    made = await send(member, USERS, email="ada@first.example", role="member")
    link = secret_in(made.text)
    assert link.startswith("http://sightline.test/console/link/")
    twice = await send(member, USERS, email="ada@first.example", role="member")
    assert twice.status_code == 422
    user_id = re.search(
        rf'action="{USERS}/([^"]+)" class="stack">[^>]*>[^>]*value="ada@', made.text
    )
    assert user_id
    assert (
        await send(member, f"{USERS}/{user_id[1]}", action="role", role="admin")
    ).status_code == 303

    # Signed in as Ada, the owner's role is out of reach.
    page = await member.get(link)
    await member.post(
        "/console/link",
        data={"csrf": form_token(page.text), "token": link.rpartition("/")[2]},
    )
    owner_id = workspace.tenant.user_id
    refused = await send(member, f"{USERS}/{owner_id}", action="disable")
    assert refused.status_code == 422
    refused = await send(member, f"{USERS}/{owner_id}", action="link")
    assert refused.status_code == 422


async def test_members_see_and_do_less(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    organization_id = workspace.tenant.organization_id
    await send(member, USERS, email="boss@first.example", role="owner")
    async with database.tenant(organization_id) as connection:
        await update_user(connection, workspace.tenant.user_id, role="member", disabled=None)
    for path in (KEYS, USERS):
        page = (await member.get(path)).text
        assert "Change</summary>" not in page
        assert 'type="submit">Create' not in page
    assert "boss" not in (await member.get(KEYS)).text
    assert (await send(member, KEYS, name="Mine", access="all")).status_code == 422
    assert (await send(member, USERS, email="x@first.example")).status_code == 422
    mail = (await member.get("/console/settings/integrations")).text
    assert "Mail server" not in mail


async def test_a_webhook_is_added_tested_and_deleted(member: httpx.AsyncClient) -> None:
    refused = await send(member, WEBHOOKS, url="https://127.0.0.1/hook", topic="alert")
    assert refused.status_code == 422
    made = await send(member, WEBHOOKS, url="https://hooks.first.example/in", topic="alert")
    assert secret_in(made.text).startswith("whsec_")
    page = (await member.get(WEBHOOKS)).text
    found = re.search(rf'href="({WEBHOOKS}/[^"]+)"', page)
    assert found
    sent = await send(member, found[1], action="test")
    assert sent.headers["location"] == f"{found[1]}?notice=message_queued"
    log = (await member.get(found[1])).text
    assert "webhook.test" in log
    delivery = re.search(r'name="delivery_id" value="([^"]+)"', log)
    assert delivery
    again = await send(member, found[1], action="redeliver", delivery_id=delivery[1])
    assert again.status_code == 303
    assert secret_in((await send(member, found[1], action="rotate")).text)
    await send(member, found[1], action="pause")
    assert "Paused" in (await member.get(found[1])).text
    assert (await send(member, found[1], action="delete")).status_code == 303
    assert (await member.get(found[1])).status_code == 404


async def test_integrations_are_switched(member: httpx.AsyncClient) -> None:
    path = "/console/settings/integrations"
    await send(member, f"{path}/gleif", action="disable")
    page = (await member.get(path)).text
    assert "Turn on" in page
    assert (await send(member, f"{path}/nothing", action="enable")).status_code == 404
    refused = await send(
        member, f"{path}/smtp", action="mail", host="127.0.0.1", sender="a@b.example"
    )
    assert refused.status_code == 422


async def test_people_are_suppressed_and_erased(member: httpx.AsyncClient) -> None:
    assert (await send(member, PRIVACY, action="suppress")).status_code == 422
    await send(member, PRIVACY, action="suppress", email="mira@harbor.example", reason="asked")
    page = (await member.get(PRIVACY)).text
    assert "mira@harbor" not in page
    assert "asked" in page
    entry = re.search(rf'action="{PRIVACY}/([^"]+)"', page)
    assert entry
    assert (await send(member, f"{PRIVACY}/{entry[1]}")).status_code == 303
    erased = await send(member, PRIVACY, action="erase", email="ida@harbor.example")
    assert "The person was erased" in erased.text
    audit = (await member.get("/console/settings/audit")).text
    assert "Erase" in audit
