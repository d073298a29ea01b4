"""Administration by API: who may do what, what is written down, and that no key gives more than it has."""

from datetime import UTC, datetime

import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.store.administration import set_terms
from sightline.store.database import Database
from sightline.store.keys import create_key
from sightline.store.organizations import create_user
from tests.conftest import Tenant

V1 = "/public-api/v1"


async def member_key(database: Database, tenant: Tenant, role: str, scopes: list[str]) -> str:
    async with database.tenant(tenant.organization_id) as connection:
        user_id = await create_user(
            connection,
            email=f"{role}-{len(scopes)}@first.example",
            role=role,  # type: ignore[arg-type]
        )
        made = await create_key(connection, user_id=user_id, name=role, scopes=scopes)
    return made.key


async def test_an_organization_renames_itself_and_sets_no_terms_of_its_own(
    client: httpx.AsyncClient,
) -> None:
    before = (await client.get(f"{V1}/organization")).json()
    for terms in (
        {"plan": "enterprise"},
        {"costs": {"company_enrichment": 0}},
        {"costs": {"flying": 1}},
        {"plan": None},
        {"name": "Renamed", "costs": {}},
    ):
        refused = await client.patch(f"{V1}/organization", json=terms)
        assert refused.status_code == 403, refused.text
        assert refused.json()["error"]["code"] == "operator_only"
    assert (await client.get(f"{V1}/organization")).json() == before
    changed = await client.patch(f"{V1}/organization", json={"name": "Renamed"})
    assert changed.json() == before | {"name": "Renamed"}


async def test_costs_set_by_the_operator_are_charged(
    client: httpx.AsyncClient, database: Database, tenant: Tenant
) -> None:
    async with database.tenant(tenant.organization_id) as connection:
        await set_terms(connection, plan=None, costs={"company_enrichment": 3})
    quoted = await client.post(f"{V1}/companies?dry_run=true", json={"company_name": "Harbor"})
    assert quoted.json()["amount"] == 3


async def test_users(client: httpx.AsyncClient) -> None:
    made = await client.post(f"{V1}/users", json={"email": "bo@first.example", "role": "admin"})
    assert made.status_code == 201, made.text
    user = made.json()
    assert (await client.post(f"{V1}/users", json={"email": "BO@first.example"})).status_code == 400
    url = f"{V1}/users/{user['id']}"
    assert (await client.patch(url, json={"role": "member"})).json()["role"] == "member"
    key = (
        await client.post(
            f"{V1}/keys",
            json={"name": "bo", "scopes": ["accounts:read"], "user_id": user["id"]},
        )
    ).json()["key"]
    headers = {"x-api-key": key}
    assert (await client.post(f"{V1}/accounts", headers=headers)).status_code == 200
    assert (await client.patch(url, json={"disabled": True})).json()["disabled"] is True
    from asyncio import sleep

    await sleep(0.6)
    assert (await client.post(f"{V1}/accounts", headers=headers)).status_code == 401
    assert len((await client.get(f"{V1}/users")).json()["items"]) == 2


async def test_the_last_owner_stays(client: httpx.AsyncClient, tenant: Tenant) -> None:
    url = f"{V1}/users/{tenant.user_id}"
    for change in ({"role": "member"}, {"disabled": True}):
        assert (await client.patch(url, json=change)).status_code == 400
    users = (await client.get(f"{V1}/users")).json()["items"]
    assert [(u["role"], u["disabled"]) for u in users] == [("owner", False)]


async def test_members_and_admins_are_held_to_their_roles(
    client: httpx.AsyncClient, database: Database, tenant: Tenant
) -> None:
    member = {"x-api-key": await member_key(database, tenant, "member", ["*"])}
    admin = {"x-api-key": await member_key(database, tenant, "admin", ["*"])}
    new = {"email": "x@first.example"}
    refused = await client.post(f"{V1}/users", json=new, headers=member)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "missing_role")
    assert (await client.post(f"{V1}/users", json=new, headers=admin)).status_code == 201
    owner = {"email": "o@first.example", "role": "owner"}
    assert (await client.post(f"{V1}/users", json=owner, headers=admin)).status_code == 403
    url = f"{V1}/users/{tenant.user_id}"
    assert (await client.patch(url, json={"disabled": True}, headers=admin)).status_code == 403


async def test_no_key_gives_more_than_it_has(
    client: httpx.AsyncClient, database: Database, tenant: Tenant
) -> None:
    scopes = ["org_settings:*", "accounts:read"]
    narrow = {"x-api-key": await member_key(database, tenant, "admin", scopes)}

    async def give(*wanted: str) -> int:
        body = {"name": "k", "scopes": list(wanted)}
        return (await client.post(f"{V1}/keys", json=body, headers=narrow)).status_code

    assert await give("accounts:read", "org_settings:write") == 201
    assert await give("*") == 403
    assert await give("accounts:*") == 403
    assert await give("contacts:read") == 403
    assert await give("nothing:read") == 400
    rotated = await client.post(f"{V1}/keys/{tenant.key_id}/rotate", json={}, headers=narrow)
    assert rotated.status_code == 403, "rotating a key with all scopes would show one"


async def test_a_new_key_is_shown_once_even_to_a_replay(
    client: httpx.AsyncClient, database: Database, tenant: Tenant
) -> None:
    body = {"name": "once", "scopes": ["accounts:read"]}
    headers = {"idempotency-key": "k1"}
    first = await client.post(f"{V1}/keys", json=body, headers=headers)
    again = await client.post(f"{V1}/keys", json=body, headers=headers)
    assert first.json()["key"].startswith("slk_live_")
    assert again.json() == {"id": first.json()["id"], "key": None}
    async with database.tenant(tenant.organization_id) as connection:
        kept = await connection.fetchval(
            "SELECT string_agg(convert_from(body, 'UTF8'), '') FROM idempotency_keys"
        )
    assert first.json()["key"] not in kept


async def test_keys_are_revoked_and_rotated(client: httpx.AsyncClient) -> None:
    made = (await client.post(f"{V1}/keys", json={"name": "a", "scopes": ["accounts:read"]})).json()
    rotated = await client.post(f"{V1}/keys/{made['id']}/rotate", json={"overlap_seconds": 60})
    assert rotated.status_code == 201
    for key in (made["key"], rotated.json()["key"]):
        answer = await client.post(f"{V1}/accounts", headers={"x-api-key": key})
        assert answer.status_code == 200
    assert (await client.delete(f"{V1}/keys/{made['id']}")).json()["revoked"] is True
    listed = (await client.get(f"{V1}/keys")).json()["items"]
    assert {k["name"]: k["revoked_at"] is not None for k in listed}["a"] in (True, False)
    assert all("digest" not in k and "key" not in k for k in listed)
    missing = "0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11"
    assert (await client.delete(f"{V1}/keys/{missing}")).status_code == 404


async def test_every_act_is_in_the_audit_log(client: httpx.AsyncClient, tenant: Tenant) -> None:
    await client.post(f"{V1}/users", json={"email": "bo@first.example"})
    acts = (await client.get(f"{V1}/audit-log?action=create")).json()["items"]
    made = acts[0]
    assert (made["subject"], made["actor"]) == ("user:bo@first.example", f"key:{tenant.key_id}")
    assert made["request_id"]


async def test_usage_by_key_and_day(
    client: httpx.AsyncClient, services: Services, tenant: Tenant
) -> None:
    days = {datetime.now(UTC).date().isoformat()}
    for _ in range(3):
        await client.post(f"{V1}/accounts")
    await client.post(f"{V1}/accounts", json={"page": -1})
    days.add(datetime.now(UTC).date().isoformat())  # two of them at midnight
    await services.usage.flush()
    rows = (await client.get(f"{V1}/usage?key_id={tenant.key_id}")).json()["items"]
    counted = [row for row in rows if row["operation"] == "search_accounts"]
    assert {row["day"] for row in counted} <= days
    assert sum(row["requests"] for row in counted) == 4
    assert sum(row["failures"] for row in counted) == 1
    assert (await client.get(f"{V1}/usage?since=2026-05-01&until=2026-01-01")).status_code == 400


@pytest.mark.parametrize("path", ["organization", "users", "keys", "audit-log", "usage"])
async def test_reading_needs_its_scope(
    client: httpx.AsyncClient, database: Database, tenant: Tenant, path: str
) -> None:
    key = await member_key(database, tenant, "admin", ["accounts:read"])
    answer = await client.get(f"{V1}/{path}", headers={"x-api-key": key})
    assert answer.status_code == 403
