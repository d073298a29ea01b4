"""Imports are listed, read and undone over the API."""

from pathlib import Path
from uuid import UUID, uuid4

import httpx

from sightline.api.endpoints import BASE_PATH
from sightline.imports.run import import_accounts
from sightline.imports.undo import undo_import
from sightline.store.database import Database
from sightline.store.imports import begin_import
from sightline.store.keys import create_key
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
        old = await begin_import(
            connection,
            kind="contacts",
            file_name="people.csv",
            file_sha256=b"x",
            options={},
            rows=0,
        )
        await connection.execute("UPDATE imports SET keeps_changes = false")
    refused = await client.post(f"{IMPORTS}/{old.import_id}/undo")
    assert refused.json()["error"]["code"] == "import_cannot_be_undone"


async def test_rows_of_a_request_are_undone(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    rows = [{"Name": "Mira Tanaka", "Email": "mira@harbor.example"}]
    made = (await client.post(f"{BASE_PATH}/contacts/import", json={"rows": rows})).json()
    shown = (await client.get(f"{IMPORTS}/{made['import_id']}")).json()
    assert (shown["kind"], shown["created"], shown["state"]) == ("contacts", 1, "finished")
    assert shown["can_be_undone"]
    async with database.tenant(tenant.organization_id) as connection:
        accounts_alone = await create_key(
            connection,
            user_id=tenant.user_id,
            name="accounts",
            scopes=["accounts:read", "accounts:write"],
        )
    path = f"{IMPORTS}/{made['import_id']}/undo"
    refused = await client.post(path, headers={"x-api-key": accounts_alone.key})
    assert refused.status_code == 403
    assert (await client.get(f"{IMPORTS}/{made['import_id']}")).json()["state"] == "finished"
    assert (await client.post(path)).json()["state"] == "undoing"
    import_id = UUID(made["import_id"])
    await undo_import(database, tenant.organization_id, import_id, actor="key:test")
    assert (await client.get(f"{IMPORTS}/{made['import_id']}")).json()["undone"]["deleted"] == 1
    async with database.tenant(tenant.organization_id) as connection:
        assert await connection.fetchval("SELECT count(*) FROM contacts") == 0
