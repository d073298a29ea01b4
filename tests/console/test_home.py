"""Home: what to do next, the sample and its removal."""

import httpx

from sightline.sample.load import load_sample
from sightline.store.database import Database
from sightline.store.sample import WATCH
from sightline.store.seller_context import change_context
from tests.conftest import MakeTenant, Tenant
from tests.console.conftest import Workspace
from tests.console.pages import form_token


async def steps(member: httpx.AsyncClient) -> list[bool]:
    """Of each step whether it is done."""
    page = (await member.get("/console/home")).text
    return ["(done)" in each for each in page.partition('todo">')[2].split("<li")[1:6]]


async def test_steps_are_ticked_off(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    organization_id = workspace.tenant.organization_id
    # Its accounts are no sample, and it has a key of its own.
    assert await steps(member) == [True, False, False, False, True]
    async with database.tenant(organization_id) as connection:
        await change_context(connection, {"company_name": "Harbor"})
    assert await steps(member) == [True, True, False, False, True]
    page = (await member.get("/console/home")).text
    assert "1 open alert" in page
    assert "Remove sample" not in page


async def test_the_sample_goes_with_one_click(
    member: httpx.AsyncClient,
    workspace: Workspace,
    make_tenant: MakeTenant,
    database: Database,
) -> None:
    organization_id = workspace.tenant.organization_id
    other: Tenant = await make_tenant("other")
    async with database.tenant(organization_id) as connection:
        await connection.execute("DELETE FROM accounts")
    for each in (organization_id, other.organization_id):
        await load_sample(database, each)
    page = (await member.get("/console/home")).text
    assert "invented sample companies" in page
    assert "deletes these 15 accounts for good" in page
    assert WATCH in (await member.get("/console/watches")).text
    answer = await member.post(
        "/console/sample", data={"csrf": form_token(page), "action": "remove"}
    )
    assert answer.headers["location"] == "/console/home?notice=sample_removed"
    assert "invented sample companies" not in (await member.get("/console/home")).text
    assert WATCH not in (await member.get("/console/watches")).text
    async with database.tenant(other.organization_id) as connection:
        assert await connection.fetchval("SELECT count(*) FROM accounts") > 0
        assert await connection.fetchval("SELECT count(*) FROM watches") == 1


async def test_only_admins_remove_the_sample(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    tenant = workspace.tenant
    async with database.tenant(tenant.organization_id) as connection:
        await connection.execute(
            "UPDATE users SET role = 'member' WHERE organization_id = $1 AND user_id = $2",
            tenant.organization_id,
            tenant.user_id,
        )
    page = (await member.get("/console/home")).text
    assert "Invite a colleague" not in page
    answer = await member.post(
        "/console/sample", data={"csrf": form_token(page), "action": "remove"}
    )
    assert answer.status_code == 403
