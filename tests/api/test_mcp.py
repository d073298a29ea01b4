"""The tools for agents, driven by the official client of the protocol over the real application."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from sightline.api.endpoint import Services
from sightline.api.endpoints import ENDPOINTS
from sightline.mcp.answers import MOST_CHARACTERS, bounded
from sightline.mcp.doors import OperationFailed
from sightline.mcp.tools import MOST_ROWS, TOOLS
from sightline.site import create_site
from sightline.store.credits import balances, grant
from sightline.store.database import Database
from tests.api.accounts_data import RECORDS
from tests.api.asking import WORDS, store_company
from tests.conftest import ROOT, MakeTenant, Tenant

Open = Callable[[str], AbstractAsyncContextManager[Client]]
AsAgent = Callable[[], AbstractAsyncContextManager[Client]]


@pytest.fixture
def open_mcp(services: Services) -> Open:
    """Opens the official client with an API key."""

    @asynccontextmanager
    async def opened(key: str, **options: Any) -> AsyncIterator[Client]:
        transport = httpx2.ASGITransport(app=create_site(services))
        headers = {"authorization": f"Bearer {key}"}
        async with (
            httpx2.AsyncClient(transport=transport, headers=headers) as http,
            Client(
                streamable_http_client("http://sightline.test/mcp", http_client=http), **options
            ) as client,
        ):
            yield client

    return opened


@pytest.fixture
async def agent(
    open_mcp: Open, filled: httpx.AsyncClient, tenant: Tenant, database: Database
) -> AsAgent:
    """Opens a client of an organization that has the accounts of RECORDS and credits."""
    async with database.tenant(tenant.organization_id) as connection:
        for credit in ("company", "content"):
            await grant(connection, credit=credit, amount=5, reason="test")
    return lambda: open_mcp(tenant.key)


async def answer(client: Client, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """What a tool answers; its text and its structure say the same."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content == json.loads(result.content[0].text)
    return result.structured_content


async def refusal(client: Client, tool: str, /, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)


async def test_tools_say_what_they_take_cost_and_change(agent: AsAgent) -> None:
    async with agent() as own:
        listed = {tool.name: tool for tool in (await own.list_tools()).tools}
        assert set(listed) == {tool.name for tool in TOOLS}
        changing = {name for name, tool in listed.items() if not tool.annotations.read_only_hint}
        assert changing == {"ask", "enrich_company"}
        for tool in listed.values():
            assert "Free" in tool.description or "credit" in tool.description
            described = tool.input_schema["properties"].values()
            assert all("description" in each for each in described)


class Recorder:
    """A door that opens on nothing, and remembers what was knocked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def run(self, name: str, **asked: Any) -> Any:
        self.asked.append(name)
        raise OperationFailed("test", "nothing")


def row_of(name: str) -> list[str]:
    """The row of a tool in the table of the how-to page."""
    page = (ROOT / "docs/howto/agents.md").read_text("utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
    return [cell.strip() for cell in row.strip("|").split("|")]


async def test_the_table_of_tools_is_what_the_official_client_meets(
    open_mcp: Open, make_tenant: MakeTenant, database: Database, database_url: str
) -> None:
    """Every tool is called; scope, cost, annotation and sizes stand in the documents as they are met here."""
    tenant = await make_tenant("table")
    narrow = await make_tenant("narrow", scopes=["sequences:read"])
    async with database.tenant(tenant.organization_id) as connection:
        for credit in ("company", "content"):
            await grant(connection, credit=credit, amount=5, reason="test")
    company = str(await store_company(database, database_url, tenant.organization_id))
    given: dict[str, dict[str, Any]] = {
        "find_accounts": {},
        "get_company": {"company_id": company},
        "get_brief": {"company_id": company},
        "get_profile": {"company_id": company, "sections": ["overview", "risks"]},
        "search_evidence": {"query": "How many warehouses?"},
        "list_changes": {"company_id": company},
        "list_jobs": {"company_id": company},
        "find_contacts": {"company_ids": [company]},
        "ask": {"company_id": company, "question": "How many warehouses does it operate?"},
        "enrich_company": {"domain": "northquay-robotics.example", "confirm": True},
        "get_operation": {},
    }
    assert list(given) == [tool.name for tool in TOOLS]
    scopes = {endpoint.name: endpoint.scopes[0] for endpoint in ENDPOINTS}
    met: dict[str, tuple[str, str, str, int, int]] = {}
    async with open_mcp(tenant.key) as own, open_mcp(narrow.key) as stranger:
        for tool in (await own.list_tools()).tools:
            arguments = given[tool.name]
            found = await own.call_tool(tool.name, arguments)
            assert not found.is_error, found.content
            if tool.name == "enrich_company":
                operation = found.structured_content["public_operation_id"]
                given["get_operation"] = {"operation_id": operation}
            recorder = Recorder()
            row = next(each for each in TOOLS if each.name == tool.name)
            with pytest.raises(OperationFailed):
                await row.call(recorder, row.input.model_validate(arguments))
            scope = scopes[recorder.asked[0]]
            schema = len(json.dumps(tool.input_schema))
            answered = len(found.content[0].text.encode())
            changes = "no" if tool.annotations.read_only_hint else "yes"
            assert answered <= MOST_CHARACTERS * 2
            cost = "free" if "Free" in tool.description else "credit"
            met[tool.name] = (f"`{scope}`", cost, changes, schema, answered)
            refused = await stranger.call_tool(tool.name, arguments)
            assert refused.is_error
            assert scope in refused.content[0].text
    print(*(f"{name} {row}" for name, row in met.items()), sep="\n")
    for name, (scope, cost, changes, schema, answered) in met.items():
        said = row_of(name)
        assert (said[2], said[4]) == (scope, changes)
        assert cost in said[3]
        assert (int(said[5]), int(said[6])) == pytest.approx((schema, answered), rel=0.3), name


async def test_a_client_that_lies_about_its_protocol_or_breaks_off_is_answered_or_let_go(
    services: Services, tenant: Tenant
) -> None:
    """A version that there is not, in the body or the head; ids that repeat; a cancellation of nothing."""
    sent = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "x-api-key": tenant.key,
    }
    params = {
        "protocolVersion": "2999-12-31",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    }
    first = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    calls = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 77}}
    transport = httpx.ASGITransport(app=create_site(services))
    async with httpx.AsyncClient(transport=transport, base_url="http://sightline.test") as client:

        async def send(body: Any, **headers: str) -> httpx.Response:
            return await client.post("/mcp", headers=sent | headers, json=body)

        made = (await send(first)).json()
        assert made["result"]["protocolVersion"] != "2999-12-31"
        lie = await send(calls, **{"mcp-protocol-version": "2999-12-31"})
        assert lie.status_code == 400
        good = {"mcp-protocol-version": made["result"]["protocolVersion"]}
        for _ in range(2):
            assert len((await send(calls, **good)).json()["result"]["tools"]) == len(TOOLS)
        assert (await send(cancel, **good)).status_code == 202
        assert "error" in (await send({**calls, "method": "tools/destroy"}, **good)).json()
        assert len((await send(calls, **good)).json()["result"]["tools"]) == len(TOOLS)


async def test_a_document_is_a_resource_in_parts(
    open_mcp: Open, tenant: Tenant, database: Database, database_url: str
) -> None:
    company = await store_company(database, database_url, tenant.organization_id)
    async with open_mcp(tenant.key) as own:
        evidence = await answer(own, "search_evidence", query="How many warehouses?")
        document = evidence["items"][0]["hits"][0]["document_id"]
        uri = f"sightline://companies/{company}/documents/{document}"
        read = json.loads((await own.read_resource(uri)).contents[0].text)
        assert WORDS[0] in read["text"]
        rest = json.loads((await own.read_resource(f"{uri}?start=10")).contents[0].text)
        assert rest["text"] == read["text"][10:]
        for wrong in (f"{uri}?start=x", f"{uri}/more", uri[:-1]):
            with pytest.raises(MCPError):
                await own.read_resource(wrong)
        named = {each.name for each in (await own.list_resource_templates()).resource_templates}
        assert named == {"company", "brief", "document"}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_clients_of_either_generation_are_served(
    open_mcp: Any, filled: httpx.AsyncClient, tenant: Tenant, mode: str
) -> None:
    async with open_mcp(tenant.key, mode=mode) as client:
        assert (await answer(client, "find_accounts"))["total"] == len(RECORDS)


async def test_accounts_come_in_pages_with_their_total(agent: AsAgent) -> None:
    async with agent() as own:
        first = await answer(own, "find_accounts", per_page=2)
        second = await answer(own, "find_accounts", per_page=2, cursor=first["next_cursor"])
        assert first["total"] == len(RECORDS)
        assert len(first["accounts"]) == 2
        names = [each["company_name"] for each in first["accounts"] + second["accounts"]]
        assert len(set(names)) == 4
        software = {"field": "industry", "op": "eq", "value": "Software"}
        found = await answer(own, "find_accounts", filter=software)
        assert found["accounts"]
        assert {each["industry"] for each in found["accounts"]} == {"Software"}


async def test_a_record_has_the_fields_that_are_asked_for(agent: AsAgent) -> None:
    async with agent() as own:
        account = (await answer(own, "find_accounts", name="harbor"))["accounts"][0]
        record = await answer(
            own,
            "get_company",
            company_id=account["company_id"],
            fields=["hq_city", "industry"],
            provenance=True,
        )
        assert record["hq_city"] == "Portland"
        assert set(record) <= {"company_id", "company_name", "hq_city", "industry", "provenance"}


async def test_every_reading_tool_answers_for_a_company(agent: AsAgent) -> None:
    async with agent() as own:
        company = (await answer(own, "find_accounts", per_page=1))["accounts"][0]["company_id"]
        await answer(own, "get_brief", company_id=company)
        profile = await answer(own, "get_profile", company_id=company, sections=["risks"])
        assert "risks" in profile["sections"]
        assert (await answer(own, "list_jobs", company_id=company))["total"] == 0
        assert (await answer(own, "find_contacts", company_ids=[company]))["total"] == 0
        assert (await answer(own, "list_changes", company_id=company, since="2026-01-01"))[
            "total"
        ] == 0
        await answer(own, "search_evidence", query="who is cutting costs?", since="2026-01-01")


async def test_enriching_says_its_price_before_it_spends(
    agent: AsAgent, tenant: Tenant, database: Database
) -> None:
    async with agent() as own:

        async def left() -> int:
            async with database.tenant(tenant.organization_id) as connection:
                return (await balances(connection))["company"]

        before = await left()
        priced = await answer(own, "enrich_company", domain="northquay-robotics.example")
        assert (priced["dry_run"], priced["amount"]) == (True, 1)
        assert await left() == before
        made = await answer(
            own, "enrich_company", domain="northquay-robotics.example", confirm=True
        )
        assert await left() == before - 1
        followed = await answer(own, "get_operation", operation_id=made["public_operation_id"])
        assert followed["status"] in ("queued", "running")


async def test_a_question_is_answered_or_said_to_have_no_answer(agent: AsAgent) -> None:
    async with agent() as own:
        company = (await answer(own, "find_accounts", per_page=1))["accounts"][0]["company_id"]
        reported = await answer(
            own, "ask", company_id=company, question="Who is the chief executive?"
        )
        assert reported["evidence"] in ("sufficient", "partial", "none")
        again = await answer(
            own,
            "ask",
            company_id=company,
            question="And before?",
            conversation_id=reported["conversation_id"],
        )
        assert again["conversation_id"] == reported["conversation_id"]


async def test_what_does_not_fit_is_said_so_that_a_model_can_mend_it(agent: AsAgent) -> None:
    async with agent() as own:
        assert "per_page" in await refusal(own, "find_accounts", per_page=1_000)
        assert "no_such" in await refusal(own, "find_accounts", no_such=1)
        unknown = {"field": "size", "op": "eq", "value": 1}
        assert "employees" in await refusal(own, "find_accounts", filter=unknown)
        wrong = await refusal(own, "get_profile", company_id=str(uuid4()), sections=["hobbies"])
        assert "risks" in wrong
        with pytest.raises(MCPError, match="no tool"):
            await own.call_tool("drop_everything", {})


async def test_a_tool_reaches_no_further_than_its_key(
    open_mcp: Open, make_tenant: MakeTenant, agent: AsAgent
) -> None:
    async with agent() as own:
        company = (await answer(own, "find_accounts", per_page=1))["accounts"][0]["company_id"]
        stranger = await make_tenant("stranger")
        async with open_mcp(stranger.key) as client:
            assert (await answer(client, "find_accounts"))["total"] == 0
            for name in ("get_company", "get_brief", "list_jobs"):
                assert "compan" in await refusal(client, name, company_id=company)
            with pytest.raises(MCPError):
                await client.read_resource(f"sightline://companies/{company}")
        narrow = await make_tenant("narrow", scopes=["accounts:read"])
        async with open_mcp(narrow.key) as client:
            await answer(client, "find_accounts")
            assert "contacts:read" in await refusal(client, "find_contacts")
            assert "insights:write" in await refusal(client, "enrich_company", domain="a.example")


async def test_a_flood_meets_the_rate_limit_of_its_key(
    open_mcp: Open, make_tenant: MakeTenant
) -> None:
    slow = await make_tenant("slow", rate_limit=3)
    async with open_mcp(slow.key) as client:
        results = [await client.call_tool("find_accounts", {}) for _ in range(5)]
    assert [result.is_error for result in results] == [False] * 3 + [True] * 2
    assert "3 requests per minute" in results[-1].content[0].text


async def test_a_call_that_is_broken_off_leaves_the_others_alone(agent: AsAgent) -> None:
    async with agent() as own:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(own.call_tool("find_accounts", {})) for _ in range(8)]
            await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
        assert not any(task.result().is_error for task in tasks[1::2])


@pytest.mark.parametrize(
    ("method", "headers", "body", "status"),
    [
        ("POST", {}, "{}", 401),
        ("POST", {"x-api-key": "sk_live_nobody"}, "{}", 401),
        ("GET", {}, "", 405),
        ("POST", {"key": "own"}, "no json", 400),
        ("POST", {"key": "own", "mcp-protocol-version": "1999-01-01"}, "{}", 400),
        ("POST", {"key": "own"}, "x" * 1_100_000, 413),
    ],
)
async def test_what_is_no_call_of_a_known_caller_is_refused(
    services: Services, tenant: Tenant, method: str, headers: dict[str, str], body: str, status: int
) -> None:
    sent = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    sent |= {name: value for name, value in headers.items() if name != "key"}
    if "key" in headers:
        sent["x-api-key"] = tenant.key
    transport = httpx.ASGITransport(app=create_site(services))
    async with httpx.AsyncClient(transport=transport, base_url="http://sightline.test") as client:
        found = await client.request(method, "/mcp", headers=sent, content=body)
    assert found.status_code == status
    assert found.headers["x-request-id"]


async def test_companies_are_resources_and_prompts_name_the_tools(agent: AsAgent) -> None:
    async with agent() as own:
        resources = (await own.list_resources()).resources
        assert len(resources) == min(len(RECORDS), MOST_ROWS)
        brief = (await own.read_resource(str(resources[0].uri))).contents[0]
        assert brief.mime_type == "text/markdown"
        assert brief.text.startswith("# ")
        record = await own.read_resource(str(resources[0].uri).removesuffix("/brief"))
        assert "company_name" in json.loads(record.contents[0].text)
        for uri in ("sightline://companies/x", "sightline://secrets/1", "file:///etc/passwd"):
            with pytest.raises(MCPError):
                await own.read_resource(uri)
        prompts = {prompt.name for prompt in (await own.list_prompts()).prompts}
        assert prompts == {"prepare_call", "review_territory"}
        made = await own.get_prompt("prepare_call", {"company": "Harbor {0} Analytics"})
        assert "Harbor {0} Analytics" in made.messages[0].content.text
        territory = await own.get_prompt("review_territory", {"territory_id": "west"})
        assert '"value": "west"' in territory.messages[0].content.text
        with pytest.raises(MCPError, match="company"):
            await own.get_prompt("prepare_call", {})


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3_000),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=60,
)


@given(st.dictionaries(st.text(max_size=8), _JSON, max_size=6))
def test_a_bounded_answer_loses_only_what_is_too_long(value: dict[str, Any]) -> None:
    before = json.dumps(value)
    shown = bounded(value, most=2_000)
    assert json.dumps(value) == before
    if len(json.dumps(value, ensure_ascii=False)) <= 2_000:
        assert shown == value


def test_a_long_answer_says_how_much_was_left_out() -> None:
    shown = bounded({"items": [{"text": "word " * 2_000} for _ in range(200)]})
    assert len(json.dumps(shown, ensure_ascii=False)) <= MOST_CHARACTERS + 100
    assert len(shown["items"]) + shown["left_out"] == 200
