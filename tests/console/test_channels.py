"""Channels of a watch in the console: added, shown without their secret, taken off."""

from uuid import UUID

import httpx
import pytest

from sightline.store.database import Database
from tests.console.conftest import Workspace
from tests.console.pages import form_token

URL = "https://hooks.slack.com/services/T0/B0/SECRET"


@pytest.fixture
async def path(database: Database, workspace: Workspace) -> str:
    async with database.tenant(workspace.tenant.organization_id) as connection:
        watch_id: UUID = await connection.fetchval("SELECT watch_id FROM watches")
    return f"/console/watches/{watch_id}/channels"


async def post(client: httpx.AsyncClient, path: str, **fields: str) -> httpx.Response:
    csrf = form_token((await client.get(path)).text)
    return await client.post(path, data={"csrf": csrf, **fields})


async def test_a_channel_is_added_and_taken_off(
    member: httpx.AsyncClient, path: str, workspace: Workspace, database: Database
) -> None:
    hours = {"quiet_from": "22", "quiet_until": "7"}
    added = await post(member, path, action="add", kind="slack", url=URL, **hours)
    assert added.status_code == 303, added.text
    page = (await member.get(path)).text
    assert "https://hooks.slack.com/…" in page
    assert "SECRET" not in page
    assert "22:00–7:00" in page
    async with database.tenant(workspace.tenant.organization_id) as connection:
        row = await connection.fetchrow("SELECT * FROM webhooks")
    assert row is not None
    assert "SECRET" not in repr(row)
    channel = str(row["webhook_id"])
    assert (await post(member, path, action="resume", id=channel)).status_code == 303
    assert (await post(member, path, action="delete", id=channel)).status_code == 303
    assert (await post(member, path, action="delete", id=channel)).status_code == 404


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"url": "http://hooks.slack.com/x"}, 422),
        ({"url": "https://127.0.0.1/x"}, 422),
        ({"url": "hooks.slack.com"}, 422),
        ({"url": URL, "quiet_from": "24", "quiet_until": "7"}, 422),
        ({"url": URL, "quiet_from": "-1", "quiet_until": "7"}, 422),
        ({"url": URL, "kind": "carrier pigeon"}, 403),
    ],
)
async def test_what_is_no_channel_is_refused(
    member: httpx.AsyncClient, path: str, fields: dict[str, str], status: int
) -> None:
    answer = await post(member, path, **({"action": "add", "kind": "teams"} | fields))
    assert answer.status_code == status


async def test_a_watch_of_another_has_no_channels(member: httpx.AsyncClient, path: str) -> None:
    other = path.replace(path.split("/")[3], "00000000-0000-0000-0000-000000000000")
    assert (await member.get(other)).status_code == 404
    csrf = form_token((await member.get(path)).text)
    fields = {"csrf": csrf, "action": "add", "kind": "slack", "url": URL}
    assert (await member.post(other, data=fields)).status_code == 404
