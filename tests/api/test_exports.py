"""Exports: whole, streamed, safe to open, and never half of one for a whole one."""

import asyncio
import csv
import io
import json
from typing import Any

import httpx
import pytest
import uvicorn
from pyarrow import parquet

from sightline.api import exporting
from sightline.api.endpoint import Services
from sightline.api.endpoints import BASE_PATH
from sightline.api.server import create_server
from sightline.store.database import Database
from tests.api.accounts_data import FULL_RECORD, RECORDS, add_accounts
from tests.api.contacts_data import ANNE, CONTACTS, JOHN, MIRA, create
from tests.conftest import MakeTenant, Tenant
from tests.waiting import LONGEST_SECONDS, until

ACCOUNTS = f"{BASE_PATH}/accounts/export"
EXPORT = f"{CONTACTS}/export"


def rows_of(response: httpx.Response, form: str) -> list[dict[str, Any]]:
    assert response.status_code == 200, response.text
    if form == "jsonl":
        return [json.loads(line) for line in response.text.splitlines()]
    if form == "csv":
        return list(csv.DictReader(io.StringIO(response.text, newline="")))
    listed: list[dict[str, Any]] = parquet.read_table(io.BytesIO(response.content)).to_pylist()
    return listed


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
async def test_accounts(filled: httpx.AsyncClient, form: str) -> None:
    response = await filled.get(ACCOUNTS, params={"format": form})
    rows = rows_of(response, form)
    by_name = {row["company_name"]: row for row in rows}
    assert set(by_name) == {record["company_name"] for record in RECORDS}
    full = by_name[FULL_RECORD["company_name"]]
    assert full["website"] == FULL_RECORD["website"]
    assert str(full["full_time_employees"]) == "340"
    tags = {"jsonl": ["pilot"], "csv": "pilot", "parquet": ["pilot"]}[form]
    assert full["tags"] == tags
    assert f".{form}" in response.headers["content-disposition"]
    assert "x-request-id" in response.headers


async def test_a_search_narrows_the_export(filled: httpx.AsyncClient) -> None:
    search = {"country": "US", "filter": {"field": "employees", "op": "gte", "value": 300}}
    response = await filled.get(ACCOUNTS, params={"search": json.dumps(search)})
    assert [row["company_name"] for row in rows_of(response, "jsonl")] == ["Harbor Analytics"]
    for wrong, code in (
        ('{"contry": "US"}', "unknown_parameter"),
        ("{", "invalid_json"),
        ('{"filter": {"field": "x"}}', "invalid_filter"),
    ):
        refused = await filled.get(ACCOUNTS, params={"search": wrong})
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, code)
    warned = await filled.get(ACCOUNTS, params={"search": '{"country": "Germny"}'})
    assert rows_of(warned, "jsonl") == []
    assert '"Germany"' in warned.headers["x-warning"]


async def test_only_what_changed(
    filled: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    first = await filled.get(ACCOUNTS)
    assert first.headers["x-changed-until"].endswith("Z")
    last = max(row["updated_at"] for row in rows_of(first, "jsonl"))
    await asyncio.sleep(0.01)
    await add_accounts(database, tenant.organization_id, [{"company_name": "Newcomer"}])
    mark = last[:-1] + "Z"
    rows = rows_of(await filled.get(ACCOUNTS, params={"changed_since": mark}), "jsonl")
    assert {row["company_name"] for row in rows} >= {"Newcomer"}
    body = {"changed_since": mark, "sort": "-updated_at"}
    answer = (await filled.post(f"{BASE_PATH}/accounts", json=body)).json()
    assert answer["items"][0]["company_name"] == "Newcomer"
    assert answer["pagination"]["total"] == len(rows)
    future = {"changed_since": "2999-01-01T00:00:00Z"}
    assert (await filled.post(f"{BASE_PATH}/accounts", json=future)).json()["items"] == []


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
async def test_contacts(client: httpx.AsyncClient, form: str) -> None:
    await create(client, MIRA, JOHN, ANNE)
    search = json.dumps({"has_email": True})
    response = await client.get(EXPORT, params={"format": form, "search": search})
    mira, john = rows_of(response, form)
    assert (mira["full_name"], john["full_name"]) == ("Mira Tanaka", "John Okoro")
    expected = {
        "jsonl": (["+14155550134"], {"name": "Quarry Works"}),
        "csv": ("'+14155550134", "Quarry Works"),
        "parquet": (["+14155550134"], "Quarry Works"),
    }[form]
    assert (mira["phones"], john.get("company") or john["company_name"]) == expected


FORMULAS = ["=HYPERLINK(1)", "+1+1", "-2+3", "@SUM(A1)"]


async def test_no_cell_is_a_formula(client: httpx.AsyncClient) -> None:
    people = [
        {"full_name": f"Person N{n}", "emails": [f"n{n}@x.example"], "headline": text}
        for n, text in enumerate(FORMULAS)
    ]
    await create(client, *people)
    rows = rows_of(await client.get(EXPORT, params={"format": "csv"}), "csv")
    assert [row["headline"] for row in rows] == [f"'{text}" for text in FORMULAS]
    for row in rows:
        assert not [
            cell for cell in row.values() if cell.startswith(("=", "+", "-", "@", "\t", "\r"))
        ]
    plain = rows_of(await client.get(EXPORT), "jsonl")
    assert [row["headline"] for row in plain] == FORMULAS


async def test_an_export_can_be_imported_again(
    client: httpx.AsyncClient, make_tenant: MakeTenant
) -> None:
    await create(client, MIRA)
    (row,) = rows_of(await client.get(EXPORT, params={"format": "csv"}), "csv")
    other = {"x-api-key": (await make_tenant("copy")).key}
    imported = await client.post(f"{CONTACTS}/import", json={"rows": [row]}, headers=other)
    assert imported.json()["created"] == 1, imported.text
    (copy,) = (await client.get(CONTACTS, headers=other)).json()["data"]
    for name in ("full_name", "emails", "phones", "skills", "company", "country_code", "location"):
        assert copy[name] == (await client.get(CONTACTS)).json()["data"][0][name], name


async def test_provenance(client: httpx.AsyncClient, filled: httpx.AsyncClient) -> None:
    await create(client, MIRA)
    asked = {"provenance": "true", "format": "csv"}
    (row,) = rows_of(await client.get(EXPORT, params=asked), "csv")
    assert row["emails_source"] == "user"
    assert row["emails_observed_at"].endswith("Z")
    (line,) = rows_of(await client.get(EXPORT, params={"provenance": "true"}), "jsonl")
    assert line["provenance"]["full_name"]["source"] == "user"
    accounts = rows_of(await client.get(ACCOUNTS, params=asked), "csv")
    assert "company_name_source" in accounts[0]
    assert (
        "provenance"
        in rows_of(await client.get(ACCOUNTS, params={"provenance": "true"}), "jsonl")[0]
    )


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
async def test_many_batches_are_one_file(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setattr(exporting, "BATCH", 3)
    rows = [{"Name": f"Person N{n}", "Email": f"n{n}@x.example"} for n in range(10)]
    await client.post(f"{CONTACTS}/import", json={"rows": rows})
    exported = rows_of(await client.get(EXPORT, params={"format": form}), form)
    assert [row["full_name"] for row in exported] == [row["Name"] for row in rows]


@pytest.mark.parametrize("form", ["csv", "parquet"])
async def test_an_empty_export_has_its_columns(client: httpx.AsyncClient, form: str) -> None:
    response = await client.get(EXPORT, params={"format": form})
    assert rows_of(response, form) == []
    assert len(response.content) > 50


async def test_an_export_is_on_the_record(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    await create(client, MIRA)
    search = json.dumps({"email": MIRA["emails"][0]})
    await client.get(EXPORT, params={"search": search})
    async with database.tenant(tenant.organization_id) as connection:
        row = await connection.fetchrow("SELECT * FROM audit_log WHERE action = 'export'")
    assert row is not None
    assert (row["subject"], row["details"]["filters"]) == ("contacts", ["email"])
    assert "anaka" not in str(dict(row))


async def test_a_failure_in_the_middle_cuts_the_connection(
    client: httpx.AsyncClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await create(client, MIRA, JOHN)

    async def broken(*_: Any, **__: Any) -> Any:
        yield b"half of it\n"
        raise RuntimeError("in the middle")

    monkeypatch.setattr("sightline.api.resources.exports.contact_table", broken)
    transport = client._transport
    transport.raise_app_exceptions = True  # type: ignore[attr-defined]
    with pytest.raises(RuntimeError, match="in the middle"):
        await client.get(EXPORT)
    # The connection is free again, and so is the organization's turn.
    monkeypatch.undo()
    assert len(rows_of(await client.get(EXPORT), "jsonl")) == 2
    assert database.pool.get_size() - database.pool.get_idle_size() == 0


async def test_a_failure_at_the_start_is_an_error(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("at once")
        yield b""

    monkeypatch.setattr("sightline.api.resources.exports.contact_table", broken)
    response = await client.get(EXPORT)
    assert (response.status_code, response.json()["error"]["code"]) == (500, "internal_error")


async def test_one_export_of_an_organization_at_a_time(
    client: httpx.AsyncClient, make_tenant: MakeTenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, finish = asyncio.Event(), asyncio.Event()

    async def slow(*_: Any, **__: Any) -> Any:
        yield b"{}\n"
        started.set()
        await finish.wait()

    monkeypatch.setattr("sightline.api.resources.exports.contact_table", slow)
    first = asyncio.create_task(client.get(EXPORT))
    await started.wait()
    second = await client.get(EXPORT)
    assert second.status_code == 503
    assert int(second.headers["retry-after"]) >= 1
    # Everything else goes on, for this organization and for others.
    assert (await client.get(CONTACTS)).status_code == 200
    other = {"x-api-key": (await make_tenant("other")).key}
    finish.set()
    assert (await client.get(ACCOUNTS, headers=other)).status_code == 200
    assert (await first).text == "{}\n"
    assert (await client.get(ACCOUNTS)).status_code == 200


async def test_the_next_export_may_follow_at_once(
    client: httpx.AsyncClient, services: Services
) -> None:
    await create(client, MIRA)
    app = create_server(services)
    following: list[int] = []

    def reader(of: Any) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app=of)
        return httpx.AsyncClient(
            transport=transport, base_url="http://test", headers=client.headers
        )

    async def asked_again_at_the_end(scope: Any, receive: Any, send: Any) -> None:
        async def passed_on(message: Any) -> None:
            if message["type"] == "http.response.body" and not message.get("more_body"):
                async with reader(app) as next_one:
                    following.append((await next_one.get(EXPORT)).status_code)
            await send(message)

        await app(scope, receive, passed_on)

    async with reader(asked_again_at_the_end) as first:
        assert len(rows_of(await first.get(EXPORT), "jsonl")) == 1
    assert following == [200]


async def test_a_reader_that_goes_away_holds_nothing(
    client: httpx.AsyncClient,
    services: Services,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def endless(*_: Any, **__: Any) -> Any:
        while True:
            yield b"x" * 65_536
            await asyncio.sleep(0.001)

    monkeypatch.setattr("sightline.api.resources.exports.contact_table", endless)
    config = uvicorn.Config(create_server(services), port=0, log_level="critical", lifespan="off")
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())

    async def has_started() -> bool:
        return server.started

    async def is_given_back() -> bool:
        return database.pool.get_size() == database.pool.get_idle_size()

    await until(has_started)
    port = server.servers[0].sockets[0].getsockname()[1]
    async with (
        httpx.AsyncClient(headers=client.headers, timeout=LONGEST_SECONDS) as real,
        real.stream("GET", f"http://127.0.0.1:{port}{EXPORT}") as response,
    ):
        async for _ in response.aiter_bytes():
            break
        assert database.pool.get_size() > database.pool.get_idle_size()
    await until(is_given_back)
    server.should_exit = True
    await running
