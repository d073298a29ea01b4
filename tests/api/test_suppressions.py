"""The suppression list and erasures: enforced everywhere, and nothing tells who it was."""

import json
from typing import Any

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.store.database import Database
from tests.api.contacts_data import ANNE, CONTACTS, JOHN, MIRA, create, found
from tests.conftest import Tenant

SUPPRESSIONS = f"{BASE_PATH}/suppressions"
WAYS: list[dict[str, Any]] = [
    {"email": "MIRA.Tanaka@harbor.example"},
    {"phone": "+1 415 555 0134"},
    {"profile_network_url": "https://www.linkedin.com/in/mira-tanaka"},
    {"full_name": "Tanaka, Mira", "company_name": "Harbor Analytics"},
]


async def suppress(client: httpx.AsyncClient, *items: dict[str, Any]) -> dict[str, Any]:
    response = await client.post(SUPPRESSIONS, json={"items": list(items)})
    assert response.status_code == 201, response.text
    body: dict[str, Any] = response.json()
    return body


@pytest.mark.parametrize("who", WAYS, ids=lambda who: next(iter(who)))
async def test_a_suppressed_person_is_nowhere(
    client: httpx.AsyncClient, who: dict[str, Any]
) -> None:
    mira, _ = await create(client, MIRA, JOHN)
    made = await suppress(client, who)
    assert (made["added"], made["contacts_hidden"]) == (1, 1)
    assert await found(client) == ["John Okoro"]
    assert (await client.get(f"{CONTACTS}/{mira['id']}")).status_code == 404
    assert (
        await client.patch(f"{CONTACTS}/{mira['id']}", json={"headline": "x"})
    ).status_code == 404
    exported = (await client.get(f"{CONTACTS}/export")).text
    assert "Tanaka" not in exported
    assert "Okoro" in exported
    refused = await client.post(CONTACTS, json=MIRA)
    assert refused.json()["error"]["code"] == "person_suppressed"
    imported = await client.post(
        f"{CONTACTS}/import",
        json={
            "rows": [
                {
                    "Name": "Mira Tanaka", "Email": "mira.tanaka@harbor.example",
                    "Company": "Harbor Analytics", "Phone": "+14155550134",
                    "LinkedIn URL": "linkedin.com/in/mira-tanaka",
                },
                {"Name": "New Person", "Email": "new@x.example"},
            ]
        },
    )  # fmt: skip
    assert [row["status"] for row in imported.json()["results"]] == ["suppressed", "created"]


async def test_lifting_brings_contacts_back(client: httpx.AsyncClient) -> None:
    (mira,) = await create(client, MIRA)
    first = await suppress(client, WAYS[0])
    second = await suppress(client, WAYS[1])
    assert second["contacts_hidden"] == 0
    for made, restored in ((first, 0), (second, 1)):
        path = f"{SUPPRESSIONS}/{made['items'][0]['id']}"
        assert (await client.delete(path)).json()["contacts_restored"] == restored
        assert (await client.delete(path)).status_code == 404
    assert (await client.get(f"{CONTACTS}/{mira['id']}")).json() == mira
    assert await found(client, title="vp") == ["Mira Tanaka"]


async def test_the_list_tells_nobody_who_is_on_it(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    await suppress(client, *WAYS)
    again = await suppress(client, *WAYS)
    assert (again["added"], len(again["items"])) == (0, 4)
    listed = (await client.get(SUPPRESSIONS)).json()
    assert listed["pagination"]["total"] == 4
    only = (await client.get(SUPPRESSIONS, params={"kind": "email"})).json()["items"]
    assert [each["display"] for each in only] == ["m***@h***.example"]
    async with database.tenant(tenant.organization_id) as connection:
        stored = str(await connection.fetch("SELECT * FROM suppressions"))
        acts = str(await connection.fetch("SELECT * FROM audit_log WHERE action = 'suppress'"))
    for text in (json.dumps(listed), stored, acts):
        assert not [w for w in ("tanaka", "Tanaka", "5550134", "harbor.example") if w in text]


@pytest.mark.parametrize(
    "item", [{}, {"email": "x"}, {"phone": "030 1"}, {"full_name": "Mira Tanaka"}], ids=str
)
async def test_what_names_nobody_is_refused(
    client: httpx.AsyncClient, item: dict[str, Any]
) -> None:
    response = await client.post(SUPPRESSIONS, json={"items": [item]})
    assert response.status_code == 400
    assert response.json()["error"]["details"]["fields"][0]["path"].startswith("items.0")


async def _everything(database: Database, tenant: Tenant) -> str:
    """All that the organization's tables hold, as text."""
    async with database.tenant(tenant.organization_id) as connection:
        tables = await connection.fetch(
            """
            SELECT table_name FROM information_schema.columns
            WHERE column_name = 'organization_id' AND table_schema = 'public'
              AND table_name <> 'key_index'
            """
        )
        parts = []
        for row in tables:
            records = await connection.fetch(f"SELECT * FROM {row[0]}")
            parts += [f"{row[0]} {dict(record)}" for record in records]
    return "\n".join(parts)


async def test_an_erasure_leaves_nothing_but_its_certificate(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    created = await client.post(CONTACTS, json=MIRA, headers={"idempotency-key": "1"})
    mira = created.json()
    await create(client, JOHN)
    listed = {"idempotency-key": "2"}
    assert "Tanaka" in (await client.post(f"{CONTACTS}/search", headers=listed)).text
    session = await client.post(f"{BASE_PATH}/agent/sessions", json={"title": "About mira tanaka"})
    assert session.status_code == 201
    other = await client.post(f"{BASE_PATH}/agent/sessions", json={"title": "About Okoro"})
    response = await client.post(f"{CONTACTS}/erasures", json={"email": MIRA["emails"][0]})
    assert response.status_code == 201, response.text
    certificate = response.json()
    removed = {"contacts": 1, "stored_answers": 2, "drafts": 0, "messages": 0, "session_titles": 1}
    assert certificate["removed"] == removed
    assert other.json()["id"] in (await client.get(f"{BASE_PATH}/agent/sessions")).text
    assert certificate["subject"] == [{"kind": "email", "display": "m***@h***.example"}]
    assert len(certificate["proof"]) == 64
    read = await client.get(f"{CONTACTS}/erasures/{certificate['id']}")
    assert read.json() == certificate
    assert response.headers["location"].endswith(certificate["id"])
    held = await _everything(database, tenant)
    for trace in ("Tanaka", "tanaka", "4155550134", mira["id"], "Negotiation"):
        assert trace not in held, trace
    assert "Okoro" in held
    replayed = await client.post(CONTACTS, json=MIRA, headers={"idempotency-key": "1"})
    assert "redacted" in replayed.json()
    for way in ({"emails": MIRA["emails"]}, {k: MIRA[k] for k in ("full_name", "company")}):
        refused = await client.post(CONTACTS, json=way)
        assert refused.json()["error"]["code"] == "person_suppressed"
    assert await found(client) == ["John Okoro"]


async def test_erasing_by_id_of_a_contact(client: httpx.AsyncClient) -> None:
    mira, john = await create(client, MIRA, JOHN)
    deleted = (await client.delete(f"{CONTACTS}/{mira['id']}", params={"erase": "true"})).json()
    certificate = await client.get(f"{CONTACTS}/erasures/{deleted['erasure_id']}")
    assert certificate.json()["removed"]["contacts"] == 1
    by_id = await client.post(f"{CONTACTS}/erasures", json={"contact_id": john["id"]})
    assert by_id.json()["removed"]["contacts"] == 1
    again = await client.post(f"{CONTACTS}/erasures", json={"contact_id": john["id"]})
    assert again.json()["error"]["code"] == "contact_not_found"


async def test_a_colleague_with_the_same_telephone_stays(client: httpx.AsyncClient) -> None:
    shared = {"phones": ["+49 30 901820"]}
    await create(client, JOHN | shared, ANNE | shared)
    await client.post(f"{CONTACTS}/erasures", json={"email": "john@quarry.example"})
    assert await found(client) == ["Anne-Marie van der Berg"]


async def test_somebody_who_is_not_held_can_be_erased(client: httpx.AsyncClient) -> None:
    response = await client.post(f"{CONTACTS}/erasures", json={"email": "early@x.example"})
    assert response.json()["removed"]["contacts"] == 0
    refused = await client.post(CONTACTS, json={"emails": ["early@x.example"]})
    assert refused.json()["error"]["code"] == "person_suppressed"
    (entry,) = (await client.get(SUPPRESSIONS)).json()["items"]
    assert entry["source"] == "erasure"
    # What an erasure put there stays.
    assert (await client.delete(f"{SUPPRESSIONS}/{entry['id']}")).status_code == 404


async def test_an_erasure_of_nobody_is_refused(client: httpx.AsyncClient) -> None:
    assert (await client.post(f"{CONTACTS}/erasures", json={})).status_code == 400
