"""Whatever an organization keeps is made, read, listed, changed and deleted in the same way."""

from typing import Any

import httpx

from sightline.api.endpoints import BASE_PATH
from sightline.store.database import Database
from tests.api.accounts_data import add_accounts
from tests.conftest import MakeTenant, Tenant

EVERYTHING: dict[str, Any] = {}
# Where it is kept, what it is made of, and one change.
KEPT: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
    (
        "/content/templates",
        {"name": "T", "content_type": "email", "body": "Dear"},
        {"body": "Hello"},
    ),
    ("/content/settings", {"name": "S"}, {"tone": "warm"}),
    (
        "/custom-questions",
        {"name": "Q", "question": "Does it float?"},
        {"question": "Does it sink?"},
    ),
    ("/lists", {"name": "L", "filter": EVERYTHING}, {"description": "All of them"}),
    ("/territories", {"name": "T", "rules": EVERYTHING}, {"description": "All of them"}),
    ("/watches", {"name": "W", "filter": EVERYTHING, "types": ["hires"]}, {"paused": True}),
    ("/webhooks", {"url": "https://hooks.quay.example/in"}, {"enabled": False}),
)


async def test_kept_things_are_made_read_listed_changed_and_deleted(
    client: httpx.AsyncClient,
) -> None:
    for path, body, change in KEPT:
        made = await client.post(BASE_PATH + path, json=body)
        assert made.status_code == 201, f"{path}: {made.text}"
        one = f"{BASE_PATH}{path}/{made.json()['id']}"
        assert (await client.get(one)).json()["id"] == made.json()["id"]
        listed = (await client.get(BASE_PATH + path)).json()
        assert [each["id"] for each in listed["items"]] == [made.json()["id"]]
        assert listed["pagination"]["total"] == 1
        changed = await client.patch(one, json=change)
        assert changed.status_code == 200, f"{path}: {changed.text}"
        assert change.items() <= changed.json().items()
        gone = (await client.delete(one)).json()
        assert gone == {"deleted": True, "id": made.json()["id"]}
        assert (await client.get(one)).status_code == 404
        assert (await client.delete(one)).status_code == 404
        assert (await client.get(BASE_PATH + path)).json()["items"] == []


async def test_sessions_and_content_are_kept_too(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    [account] = await add_accounts(database, tenant.organization_id, [{"company_name": "Quay"}])
    company = f"{BASE_PATH}/companies/{account.company_id}"
    made = (await client.post(f"{BASE_PATH}/agent/sessions", json={"title": "One"})).json()
    one = f"{BASE_PATH}/agent/sessions/{made['id']}"
    assert (await client.get(one)).json() == made
    renamed = (await client.patch(one, json={"title": "Two", "status": "archived"})).json()
    assert (renamed["title"], renamed["status"]) == ("Two", "archived")
    assert (await client.get(f"{one}/messages")).json()["items"] == []
    written = await client.post(
        f"{company}/content", json={"content_type": "notes", "content": "A"}
    )
    one = f"{BASE_PATH}/content/{written.json()['content_id']}"
    assert (await client.get(one)).json()["content"] == "A"
    assert (await client.patch(one, json={"content": "B"})).json()["content"] == "B"
    listed = (await client.get(f"{company}/content")).json()["contacts"]
    assert [each["content"] for each in listed] == ["B"]
    assert (await client.delete(one)).json()["deleted"] is True


async def test_an_organization_reads_and_renames_itself(client: httpx.AsyncClient) -> None:
    path = f"{BASE_PATH}/organization"
    assert (await client.get(path)).json()["plan"] == "enterprise"
    changed = await client.patch(path, json={"name": "Quay and sons"})
    assert changed.json()["name"] == "Quay and sons"
    assert (await client.get(path)).json() == changed.json()


async def test_contacts_have_three_lists(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    [account] = await add_accounts(database, tenant.organization_id, [{"company_name": "Quay"}])
    body = {"full_name": "Ada Reed", "company_id": str(account.company_id)}
    made = (await client.post(f"{BASE_PATH}/contacts", json=body)).json()
    of_all = (await client.get(f"{BASE_PATH}/contacts")).json()
    searched = (await client.post(f"{BASE_PATH}/contacts/search", json={"name": "ada"})).json()
    of_company = await client.get(f"{BASE_PATH}/companies/{account.company_id}/contacts")
    assert of_all["data"] == searched["data"] == of_company.json()["contacts"] == [made]
    assert set(of_all["pagination"]) == {"page", "limit", "total", "next_cursor"}
    assert set(of_company.json()) == {"contacts", "pagination"}


async def test_a_webhook_is_rotated_tried_and_asked_to_send_again(
    client: httpx.AsyncClient,
) -> None:
    hooks = f"{BASE_PATH}/webhooks"
    made = (await client.post(hooks, json={"url": "https://hooks.quay.example/in"})).json()
    one = f"{hooks}/{made['id']}"
    rotated = await client.post(f"{one}/rotate", json={"overlap_seconds": 60})
    assert rotated.status_code == 200, rotated.text
    assert rotated.json()["secret"].startswith("whsec_")
    assert rotated.json()["secret"] != made["secret"]
    refused = await client.post(f"{one}/rotate", json={"overlap_seconds": -1})
    assert refused.status_code == 400
    tried = await client.post(f"{one}/test")
    assert tried.status_code == 202, tried.text
    delivery_id = tried.json()["delivery_id"]
    listed = (await client.get(f"{one}/deliveries")).json()["items"]
    assert [each["id"] for each in listed] == [delivery_id]
    again = await client.post(f"{one}/deliveries/{delivery_id}/redeliver")
    assert (again.status_code, again.json()["status"]) == (202, "pending")


async def test_wildcards_grant_an_area_or_everything(
    anonymous: httpx.AsyncClient, make_tenant: MakeTenant
) -> None:
    for scopes, territories, contacts in (
        (["*"], 201, 200),
        (["territories:*"], 201, 403),
        (["territories:read"], 403, 403),
        (["contacts:*"], 403, 200),
    ):
        own = {"x-api-key": (await make_tenant("scoped", scopes=scopes)).key}
        path, body = f"{BASE_PATH}/territories", {"name": "T", "rules": EVERYTHING}
        made = await anonymous.post(path, json=body, headers=own)
        assert made.status_code == territories, scopes
        if made.status_code == 201:
            assert (await anonymous.get(f"{path}/t", headers=own)).status_code == 200
        found = await anonymous.get(f"{BASE_PATH}/contacts", headers=own)
        assert found.status_code == contacts, scopes
