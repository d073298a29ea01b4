"""The Python client against the real application: typed calls, pages, writes that happen once, waiting."""

import asyncio
import inspect
import json
import tomllib
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

import sightline_client
from sightline.store.credits import grant
from sightline.store.database import Database
from sightline_client import ApiError, AsyncSightline, OperationIsRunning, Sightline, SightlineError
from tests.api.accounts_data import add_accounts
from tests.conftest import Tenant

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = [f"Harbor {number:02}" for number in range(7)]


@pytest.fixture
async def accounts(database: Database, tenant: Tenant) -> list[str]:
    rows = [{"company_name": name} for name in NAMES]
    await add_accounts(database, tenant.organization_id, rows)
    return NAMES


def test_its_version_is_that_of_the_server() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert sightline_client.__version__ == project["version"]


def test_every_operation_has_a_method() -> None:
    document = json.loads((ROOT / "openapi.json").read_text("utf-8"))
    client = Sightline("http://sightline.test", "key")
    methods = [
        name
        for resource in vars(client).values()
        if type(resource).__module__ != "sightline_client.transport"
        for name, _ in inspect.getmembers(resource, inspect.ismethod)
        if name not in ("__init__", "wait") and not name.endswith("_dry_run")
    ]
    assert len(methods) == sum(len(rows) for rows in document["paths"].values())


async def test_a_list_is_read_page_by_page(sightline: AsyncSightline, accounts: list[str]) -> None:
    found = sightline.accounts.search({"per_page": 3})
    assert [account["company_name"] async for account in found] == accounts
    assert [len(page["items"]) async for page in found.pages()] == [3, 3, 1]
    assert (await found.first())["pagination"]["total"] == len(accounts)


async def test_the_synchronous_client_does_the_same(
    blocking: Sightline, accounts: list[str]
) -> None:
    def work() -> None:
        found = blocking.accounts.search({"per_page": 3})
        assert [account["company_name"] for account in found] == accounts
        assert [len(page["items"]) for page in found.pages()] == [3, 3, 1]
        assert found.first()["pagination"]["total"] == len(accounts)
        made = blocking.lists.create({"name": "Harbors"})
        assert [each["id"] for each in blocking.lists.list(per_page=1)] == [made["id"]]
        assert blocking.lists.update(made["id"], {"name": "Ports"})["name"] == "Ports"
        assert blocking.lists.delete(made["id"])["deleted"] is True
        lines = b"".join(blocking.accounts.export(format="jsonl")).splitlines()
        assert sorted(json.loads(line)["company_name"] for line in lines) == accounts
        with pytest.raises(ApiError):
            next(iter(blocking.accounts.export(format="csv", search='{"nothing": 1}')))

    await asyncio.to_thread(work)


async def test_a_refusal_names_code_fields_and_request(sightline: AsyncSightline) -> None:
    with pytest.raises(ApiError) as missing:
        await sightline.companies.read(str(uuid4()))
    assert (missing.value.status, missing.value.code) == (404, "company_not_found")
    assert missing.value.request_id
    with pytest.raises(ApiError, match="company_id") as wrong:
        await sightline.companies.read("missing")
    assert wrong.value.status == 400


async def test_a_write_that_is_sent_twice_happens_once(sightline: AsyncSightline) -> None:
    key = str(uuid4())
    first = await sightline.lists.create({"name": "Harbors"}, idempotency_key=key)
    again = await sightline.lists.create({"name": "Harbors"}, idempotency_key=key)
    assert first == again
    assert len([each async for each in sightline.lists.list()]) == 1


async def test_an_operation_is_priced_submitted_and_waited_for(
    sightline: AsyncSightline,
    database: Database,
    tenant: Tenant,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="company", amount=1, reason="test")
    price = await sightline.companies.submit_dry_run({"company_name": "Harbor"})
    assert price["amount"] == 1

    async def ended_meanwhile(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            async with database.tenant(tenant.organization_id) as connection:
                await connection.execute("UPDATE operations SET status = 'cancelled'")

    slept: list[float] = []
    accepted = await sightline.companies.submit({"company_name": "Harbor"})
    with pytest.raises(OperationIsRunning):
        await sightline.operations.wait(accepted["public_operation_id"], timeout=0)
    monkeypatch.setattr(sightline.transport, "sleep", ended_meanwhile)
    ended = await sightline.operations.wait(accepted["public_operation_id"])
    assert (ended["status"], slept) == ("cancelled", [1.0, 1.5, 2.25])


def test_without_address_and_key_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SIGHTLINE_URL", raising=False)
    with pytest.raises(SightlineError, match="SIGHTLINE_API_KEY"):
        Sightline()
    monkeypatch.setenv("SIGHTLINE_URL", "http://sightline.test/")
    monkeypatch.setenv("SIGHTLINE_API_KEY", "key")
    assert Sightline().transport.server.url == "http://sightline.test"


async def test_an_answer_of_something_else_is_said_to_be_none_of_ours() -> None:
    http = httpx.AsyncClient(
        transport=httpx.MockTransport(lambda _: httpx.Response(404, text="no"))
    )
    async with AsyncSightline("http://sightline.test", "key", http=http) as client:
        with pytest.raises(ApiError, match="without an error of the API"):
            await client.health.read()
