"""Imports are listed, read and undone over the API."""

from pathlib import Path
from uuid import uuid4

import httpx

from sightline.api.endpoints import BASE_PATH
from sightline.imports.run import import_accounts
from sightline.imports.undo import undo_import
from sightline.store.database import Database
from sightline.store.imports import begin_import
from tests.api.accounts_data import search
from tests.conftest import Tenant

IMPORTS = f"{BASE_PATH}/imports"


async def test_an_import_is_undone(
    client: httpx.AsyncClient, tenant: Tenant, database: Database, tmp_path: Path
) -> None:
    path = tmp_path / "customers.csv"
    path.write_text("Company Name,Website\nOro Metals,oro.example\nUno Foods,uno.example\n")
    made = (await import_accounts(database, tenant.organization_id, path)).import_id
    assert made is not None
    (listed,) = (await client.get(IMPORTS)).json()["items"]
    shown = (await client.get(f"{IMPORTS}/{made}")).json()
    assert listed == shown
    assert (shown["file_name"], shown["created"], shown["state"]) == (
        "customers.csv",
        2,
        "finished",
    )
    assert (shown["can_be_undone"], shown["undone"]) == (True, None)
    asked = await client.post(f"{IMPORTS}/{made}/undo")
    assert (asked.status_code, asked.json()["state"]) == (202, "undoing")
    assert (await client.post(f"{IMPORTS}/{made}/undo")).status_code == 202
    await undo_import(
        database, tenant.organization_id, made, actor="key:test"
    )  # as the worker does
    undone = (await client.get(f"{IMPORTS}/{made}")).json()
    assert (undone["state"], undone["undone"]["deleted"]) == ("undone", 2)
    assert (await client.post(f"{IMPORTS}/{made}/undo")).json() == undone
    assert (await search(client))["items"] == []


async def test_what_cannot_be_undone(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    missing = await client.post(f"{IMPORTS}/{uuid4()}/undo")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "import_not_found")
    async with database.tenant(tenant.organization_id) as connection:
        people = await begin_import(
            connection,
            tenant.organization_id,
            kind="contacts",
            file_name="people.csv",
            file_sha256=b"x",
            options={},
        )
    refused = await client.post(f"{IMPORTS}/{people.import_id}/undo")
    assert refused.json()["error"]["code"] == "import_cannot_be_undone"
