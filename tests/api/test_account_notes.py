"""Notes on an account, its next step and its owner."""

from typing import Any
from uuid import uuid4

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.store.database import Database
from tests.api.accounts_data import ACCOUNTS, add_accounts
from tests.conftest import MakeTenant, Tenant


@pytest.fixture
async def notes(database: Database, tenant: Tenant) -> str:
    """Where the notes of an account are."""
    (account,) = await add_accounts(
        database, tenant.organization_id, [{"company_name": "Quay Paper"}]
    )
    return f"{ACCOUNTS}/{account.account_id}/notes"


async def test_notes_are_added_listed_and_deleted(
    client: httpx.AsyncClient, notes: str, tenant: Tenant
) -> None:
    for text in ("Met their buyer", "  Asked for a trial  "):
        made = await client.post(notes, json={"text": text})
        assert made.status_code == 201, made.text
    listed = (await client.get(notes)).json()
    assert [each["text"] for each in listed["items"]] == ["Asked for a trial", "Met their buyer"]
    assert listed["pagination"]["total"] == 2
    assert listed["items"][0] == made.json()
    assert made.json()["author"]["id"] == str(tenant.user_id)
    one = f"{notes}/{made.json()['id']}"
    assert (await client.delete(one)).json() == {"deleted": True, "id": made.json()["id"]}
    gone = await client.delete(one)
    assert (gone.status_code, gone.json()["error"]["code"]) == (404, "note_not_found")
    missing = await client.get(f"{ACCOUNTS}/{uuid4()}/notes")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "account_not_found")
    audit = (await client.get(f"{BASE_PATH}/audit-log")).json()["items"]
    assert {"add_note", "delete_note"} <= {each["action"] for each in audit}


async def test_the_latest_next_step_and_owner_hold(client: httpx.AsyncClient, notes: str) -> None:
    await client.post(f"{BASE_PATH}/users", json={"email": "ada@quay.example"})
    for body in (
        {"kind": "next_step", "text": "Call", "due_on": "2026-12-01"},
        {"kind": "next_step", "text": "Send the offer"},
        {"kind": "owner", "owner": "ADA@quay.example"},
        {"kind": "owner", "owner": None, "text": "On leave"},
    ):
        assert (await client.post(notes, json=body)).status_code == 201, body
    query = {"kind": "next_step", "per_page": 1}
    (step,) = (await client.get(notes, params=query)).json()["items"]
    assert (step["text"], step["due_on"]) == ("Send the offer", None)
    latest, before = (await client.get(notes, params={"kind": "owner"})).json()["items"]
    assert latest["owner"] is None
    assert before["owner"]["email"] == "ada@quay.example"


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"text": "  "}, "text"),
        ({"text": "x", "due_on": "2026-12-01"}, "due_on"),
        ({"text": "x", "owner": "ada@quay.example"}, "owner"),
        ({"kind": "owner", "owner": "no-one@quay.example"}, "owner"),
        ({"kind": "diary", "text": "x"}, "kind"),
    ],
)
async def test_what_is_wrong_with_an_entry_is_named(
    client: httpx.AsyncClient, notes: str, body: dict[str, Any], path: str
) -> None:
    refused = await client.post(notes, json=body)
    assert refused.status_code == 400
    assert [each["path"] for each in refused.json()["error"]["details"]["fields"]] == [path]


async def test_another_organization_sees_and_changes_nothing(
    client: httpx.AsyncClient, notes: str, make_tenant: MakeTenant
) -> None:
    made = (await client.post(notes, json={"text": "Ours"})).json()
    headers = {"x-api-key": (await make_tenant("other")).key}
    assert (await client.get(notes, headers=headers)).status_code == 404
    assert (await client.post(notes, json={"text": "x"}, headers=headers)).status_code == 404
    assert (await client.delete(f"{notes}/{made['id']}", headers=headers)).status_code == 404
    assert (await client.get(notes)).json()["pagination"]["total"] == 1


async def test_notes_go_with_their_account(
    client: httpx.AsyncClient, notes: str, database: Database, tenant: Tenant
) -> None:
    await client.post(notes, json={"text": "Met their buyer"})
    await client.delete(notes.removesuffix("/notes"))
    async with database.tenant(tenant.organization_id) as connection:
        assert await connection.fetchval("SELECT count(*) FROM account_notes") == 0
