"""Agent sessions: whose they are, what they hold, how they are listed."""

from typing import Any

import httpx
import pytest

from sightline.store.agent_sessions import add_message
from sightline.store.database import Database
from sightline.store.keys import create_key
from sightline.store.organizations import create_user
from tests.api.accounts_data import add_accounts
from tests.conftest import Tenant

V1 = "/public-api/v1"
SESSIONS = f"{V1}/agent/sessions"


async def make(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await client.post(SESSIONS, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_defaults(client: httpx.AsyncClient) -> None:
    bare = await client.post(SESSIONS)
    assert (bare.json()["title"], bare.json()["type"], bare.json()["status"]) == (
        "New session",
        "chat",
        "active",
    )
    for invalid in ("song", 7, None, ["chat"]):
        assert (await make(client, type=invalid))["type"] == "chat"
    assert (await make(client, type="plan", title="  "))["title"] == "New session"


async def test_only_the_owning_user_sees_a_session_whichever_key_is_used(
    client: httpx.AsyncClient, database: Database, tenant: Tenant
) -> None:
    mine = await make(client, title="mine")
    async with database.tenant(tenant.organization_id) as connection:
        other = await create_user(connection, email="colleague@first.example", role="member")
        options = {"name": "k", "scopes": ["*"]}
        mine_too = await create_key(connection, user_id=tenant.user_id, **options)
        theirs = await create_key(connection, user_id=other, **options)
    url = f"{SESSIONS}/{mine['id']}"
    by_second = await client.get(url, headers={"x-api-key": mine_too.key})
    assert by_second.json()["title"] == "mine"
    their = {"x-api-key": theirs.key}
    assert (await client.get(url, headers=their)).status_code == 404
    assert (await client.get(f"{url}/messages", headers=their)).status_code == 404
    assert (await client.patch(url, json={"title": "x"}, headers=their)).status_code == 404
    assert (await client.get(SESSIONS, headers=their)).json()["items"] == []


async def test_filters_and_orders(
    client: httpx.AsyncClient, database: Database, tenant: Tenant
) -> None:
    [added] = await add_accounts(
        database, tenant.organization_id, [{"company_name": "Harbor Analytics"}]
    )
    company_id = str(added.company_id)
    first = await make(client, title="Alpha plan", type="plan", company_id=company_id)
    second = await make(client, title="beta chat")
    await client.patch(f"{SESSIONS}/{first['id']}", json={"status": "archived"})

    async def titles(query: str, url: str = SESSIONS) -> list[str]:
        answer = await client.get(f"{url}?{query}")
        assert answer.status_code == 200, answer.text
        return [item["title"] for item in answer.json()["items"]]

    assert await titles("") == ["Alpha plan", "beta chat"], "the newest change comes first"
    assert await titles("sort_by=created_at") == ["beta chat", "Alpha plan"]
    assert await titles("sort_by=title&sort_order=asc") == ["Alpha plan", "beta chat"]
    assert await titles("status=active") == ["beta chat"]
    assert await titles("type=plan") == ["Alpha plan"]
    assert await titles("search=BETA") == ["beta chat"]
    assert await titles(f"company_id={company_id}") == ["Alpha plan"]
    assert await titles("", f"{V1}/companies/{company_id}/agent/sessions") == ["Alpha plan"]
    unknown = await client.get(f"{SESSIONS}?type=song")
    assert unknown.json()["items"] == []
    assert "known: document" in unknown.headers["x-warning"]
    page = (await client.get(f"{SESSIONS}?per_page=1")).json()
    rest = await client.get(f"{SESSIONS}?per_page=1&cursor={page['pagination']['next_cursor']}")
    assert [i["title"] for i in rest.json()["items"]] == ["beta chat"]
    assert second["company_id"] is None


async def test_messages(client: httpx.AsyncClient, database: Database, tenant: Tenant) -> None:
    from datetime import UTC, datetime

    from sightline.domain.callers import Caller

    made = await make(client)
    caller = Caller(
        tenant.organization_id, tenant.key_id, tenant.user_id, ("*",), "team", 600, (), False, {},
        datetime.now(UTC),
    )  # fmt: skip
    from uuid import UUID

    async with database.tenant(tenant.organization_id) as connection:
        for role, text in (("user", "Who leads it?"), ("assistant", "Ada Okafor.")):
            assert await add_message(
                connection,
                caller,
                UUID(made["id"]),
                role=role,
                content=text,  # type: ignore[arg-type]
            )
    listed = (await client.get(f"{SESSIONS}/{made['id']}/messages")).json()
    assert [(m["role"], m["content"]) for m in listed["items"]] == [
        ("user", "Who leads it?"),
        ("assistant", "Ada Okafor."),
    ]
    assert (await client.get(f"{SESSIONS}/{made['id']}")).json()["message_count"] == 2


@pytest.mark.parametrize(
    ("method", "url", "body", "status"),
    [
        ("POST", SESSIONS, {"company_id": "0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11"}, 400),
        ("POST", SESSIONS, {"company_id": "x"}, 400),
        ("POST", SESSIONS, {"title": "x" * 501}, 400),
        ("GET", f"{SESSIONS}?sort_by=size", None, 400),
        ("GET", f"{SESSIONS}?per_page=51", None, 400),
        ("GET", f"{SESSIONS}/0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11", None, 404),
        ("GET", f"{V1}/companies/0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11/agent/sessions", None, 404),
    ],
)
async def test_bad_requests(
    client: httpx.AsyncClient, method: str, url: str, body: Any, status: int
) -> None:
    answer = await client.request(method, url, json=body)
    assert answer.status_code == status, answer.text


async def test_a_created_session_says_where_it_is(client: httpx.AsyncClient) -> None:
    made = await client.post("/public-api/v1/agent/sessions")
    assert made.status_code == 201
    found = await client.get(made.headers["location"])
    assert found.json()["id"] == made.json()["id"]
