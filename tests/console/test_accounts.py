"""The account table: filters, counts, columns, saved views, and what is done to many accounts."""

import html
import io
import json
import re
from uuid import uuid4

import httpx
import openpyxl
import pytest

from sightline.console.filter_words import sentence
from sightline.console.view import View, read_view, written
from sightline.store.database import Database
from tests.console.conftest import MakeWorkspace, Workspace
from tests.console.pages import form_token

ACCOUNTS = "/console/accounts"


def names_in(page: str) -> list[str]:
    return re.findall(r'class="lead"><a[^>]*>(First Company \d\d)</a>', page)


async def send(
    client: httpx.AsyncClient, path: str, fields: dict[str, str | list[str]]
) -> httpx.Response:
    csrf = form_token((await client.get(ACCOUNTS)).text)
    return await client.post(path, data={"csrf": csrf, **fields})


async def ids_on(client: httpx.AsyncClient, query: str) -> list[str]:
    page = (await client.get(f"{ACCOUNTS}?{query}")).text
    return re.findall(r'name="id" value="([^"]+)"', page)


async def test_ranges_choices_and_columns_combine(member: httpx.AsyncClient) -> None:
    page = (await member.get(f"{ACCOUNTS}?country=DE&employees_min=200&sort=-employees")).text
    assert names_in(page) == ["First Company 27", "First Company 24", "First Company 21"]
    assert "3 matches" in page
    assert "Employees at least 200" in page
    assert "Country is Germany" in page
    # A menu counts what else could be chosen of the same field, under the other filters.
    assert re.search(r'value="DE" checked><span>Germany</span><span class="muted">3<', page)
    assert re.search(r'value="US"><span>United States</span><span class="muted">7<', page)
    two = (await member.get(f"{ACCOUNTS}?country=DE&country=US&employees_max=20")).text
    assert names_in(two) == ["First Company 01", "First Company 02"]
    narrow = (await member.get(f"{ACCOUNTS}?col=sector&per=10")).text
    assert narrow.count('class="lead"') == 10
    assert '<th class="">Sector</th>' in narrow
    assert "Headquarters</th>" not in narrow


async def test_a_filter_is_written_as_text(member: httpx.AsyncClient) -> None:
    wanted = {
        "and": [
            {"field": "country", "op": "eq", "value": "DE"},
            {"not": {"field": "industry", "op": "eq", "value": "Commercial Banking"}},
        ]
    }
    moved = await member.get(ACCOUNTS, params={"text": json.dumps(wanted), "per": "10"})
    assert moved.status_code == 303
    address = moved.headers["location"]
    assert "country=DE" in address
    assert "per=10" in address
    page = (await member.get(address)).text
    assert len(names_in(page)) == 5
    assert "not (Industry is Commercial Banking)" in page
    for wrong in ("{", "[1]", '{"and": 3}', '{"field": "shoe"}'):
        refused = await member.get(ACCOUNTS, params={"text": wrong})
        if refused.status_code == 303:
            refused = await member.get(refused.headers["location"])
        assert refused.status_code == 422, wrong
        assert 'role="alert"' in refused.text


@pytest.mark.parametrize(
    "query",
    [
        "q=harbor&industry=Commercial+Banking&industry=-&country=DE",
        "employees_min=200&employees_max=1k&revenue_min=2.5M",
        "public_company=true&tags=partner&territory=dach&list=0198c7a2",
        'filter={"field":"ceo","op":"blank"}',
    ],
)
def test_a_filter_and_an_address_say_the_same(query: str) -> None:
    view = read_view(httpx.QueryParams(query).multi_items())
    again = written(view.filter())
    said, meant = again.filter()["and"], view.filter()["and"]
    assert len(said) == len(meant)
    assert all(each in said for each in meant)
    for part in view.parts():
        fewer = read_view(httpx.QueryParams(part.without).multi_items()).filter()["and"]
        assert part.filter not in fewer


def test_filters_are_read_as_sentences() -> None:
    view = View((("employees_min", "200"), ("employees_max", "500"), ("revenue_min", "2.5M")))
    assert sentence(view.filter()) == "Employees between 200 and 500 and Revenue at least USD 2.5M"
    assert sentence({"field": "list", "op": "in", "value": ["1", "2"]}, {"1": "Ports"}) == (
        "List is Ports or 2"
    )


async def test_a_search_is_kept_as_a_view_or_a_list(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    search = f"{ACCOUNTS}?q=first+company&country=DE&col=ceo&sort=-employees"
    for name in ("", "x" * 201):
        refused = await send(member, search, {"name": name, "as": "view"})
        assert refused.status_code == 422
    saved = await send(member, search, {"name": "Germany", "as": "view"})
    assert saved.status_code == 303
    page = (await member.get("/console/home")).text  # the sidebar of every page has the views
    link = re.search(r'href="(/console/accounts\?[^"]*)"[^>]*>Germany</a>', page)
    assert link
    shown = (await member.get(link[1].replace("&amp;", "&"))).text
    assert names_in(shown)[0] == "First Company 27"
    assert '<th class="">CEO</th>' in shown
    view_id = re.search(r'action="/console/views/([^"]+)"', shown)
    assert view_id
    assert "already" in (await send(member, search, {"name": "germany", "as": "view"})).text
    for status in (303, 404):
        gone = await send(member, f"/console/views/{view_id[1]}", {})
        assert gone.status_code == status

    unknown = await send(member, f"{ACCOUNTS}?industry=Alchemy", {"name": "Gold", "as": "list"})
    assert unknown.status_code == 422
    assert "cannot be saved" in unknown.text
    listed = await send(member, search, {"name": "Germany", "as": "list"})
    assert listed.status_code == 303
    async with database.tenant(workspace.tenant.organization_id) as connection:
        list_id, kept = await connection.fetchrow("SELECT list_id, filter FROM account_lists")
    assert kept == {
        "and": [
            {"field": "company_name", "op": "contains", "value": "first company"},
            {"field": "country", "op": "eq", "value": "DE"},
        ]
    }
    page = (await member.get("/console/lists")).text
    assert "Company name contains first company and Country is Germany" in page
    renamed = await send(member, f"/console/lists/{list_id}", {"action": "rename", "name": "DE"})
    assert renamed.status_code == 303
    for status in (303, 404):
        gone = await send(member, f"/console/lists/{list_id}", {"action": "delete"})
        assert gone.status_code == status


@pytest.mark.parametrize("page", [ACCOUNTS, "/console/watches/new", "/console/territories/new"])
@pytest.mark.parametrize(
    ("kept", "message"),
    [
        ('{"and":[{"field":"description","op":"eq","value":"Tea"}]}', "contains finds words by"),
        ('{"field":"description","op":"contains","value":"-"}', "Must have a word"),
        ("{", "not valid JSON"),
    ],
)
async def test_a_view_whose_filter_is_legal_no_longer_says_so(
    member: httpx.AsyncClient, page: str, kept: str, message: str
) -> None:
    address = f"{page}?{httpx.QueryParams({'filter': kept, 'country': 'DE'})}"
    if page == ACCOUNTS:
        assert (await send(member, address, {"name": "Tea", "as": "view"})).status_code == 303
        link = re.search(
            r'href="(/console/accounts\?[^"]*)"[^>]*>Tea</a>',
            (await member.get("/console/home")).text,
        )
        assert link
        address = html.unescape(link[1])
    shown = await member.get(address)
    assert shown.status_code == 422
    alert = re.search(r'role="alert"[^>]*>(.*?)</', shown.text, re.DOTALL)
    assert alert
    assert message in alert[1]


async def test_views_of_others_are_not_there(
    member: httpx.AsyncClient, make_workspace: MakeWorkspace, database: Database
) -> None:
    other = await make_workspace("second")
    async with database.tenant(other.tenant.organization_id) as connection:
        view_id = await connection.fetchval(
            "INSERT INTO console_views (organization_id, view_id, name, query)"
            " VALUES ($1, $2, 'Secret', 'q=x') RETURNING view_id",
            other.tenant.organization_id,
            uuid4(),
        )
    assert "Secret" not in (await member.get(ACCOUNTS)).text
    assert (await send(member, f"/console/views/{view_id}", {})).status_code == 404


async def test_selected_accounts_are_enriched_at_a_price(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    ids = await ids_on(member, "country=DE&per=10")
    asked = await send(member, f"{ACCOUNTS}/bulk?country=DE", {"action": "enrich", "id": ids[:2]})
    assert "Enrich 2 accounts" in asked.text
    assert "2 company credits" in asked.text
    done = await send(
        member, f"{ACCOUNTS}/bulk", {"action": "enrich", "id": ids[:2], "confirmed": "yes"}
    )
    assert done.status_code == 303
    async with database.tenant(workspace.tenant.organization_id) as connection:
        rows = await connection.fetch("SELECT kind, user_id, key_id FROM operations")
    assert len(rows) == 3
    assert {(row["user_id"], row["key_id"]) for row in rows} == {(workspace.tenant.user_id, None)}
    dear = await send(member, f"{ACCOUNTS}/bulk?country=DE", {"action": "enrich", "scope": "all"})
    assert "Not enough credits: 7 more are needed" in dear.text
    nothing = await send(member, f"{ACCOUNTS}/bulk", {"action": "enrich"})
    assert "Select at least one account" in nothing.text
    assert (await send(member, f"{ACCOUNTS}/bulk", {"action": "x"})).status_code == 403


async def test_selected_accounts_go_into_a_list_and_out_again(member: httpx.AsyncClient) -> None:
    ids = await ids_on(member, "country=DE&per=10")
    made = await send(
        member, f"{ACCOUNTS}/bulk", {"action": "list", "id": ids[:3], "list_name": "Ports"}
    )
    page = (await member.get(made.headers["location"])).text
    assert len(names_in(page)) == 3
    list_id = made.headers["location"].partition("list=")[2].partition("&")[0]
    more = await send(
        member,
        f"{ACCOUNTS}/bulk?country=DE",
        {"action": "list", "scope": "all", "list_id": list_id},
    )
    assert len(await ids_on(member, f"list={list_id}")) == 10
    assert more.status_code == 303
    await send(
        member, f"{ACCOUNTS}/bulk?list={list_id}",
        {"action": "unlist", "id": ids[:1], "of_list": list_id},
    )  # fmt: skip
    assert len(await ids_on(member, f"list={list_id}")) == 9


async def test_selected_accounts_are_tagged(member: httpx.AsyncClient) -> None:
    ids = await ids_on(member, "country=DE&per=10")
    for tag in ("partner", "Partner", "ports"):
        await send(member, f"{ACCOUNTS}/bulk", {"action": "tag", "id": ids[:2], "tag": tag})
    page = (await member.get(f"{ACCOUNTS}?tags=ports&col=tags")).text
    assert len(await ids_on(member, "tags=ports")) == 2
    assert "partner, ports" in page
    empty = await send(member, f"{ACCOUNTS}/bulk", {"action": "tag", "id": ids[:2], "tag": " "})
    assert empty.status_code == 422


async def test_accounts_are_deleted_after_a_look(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    chosen = {"action": "delete", "scope": "all"}
    asked = await send(member, f"{ACCOUNTS}/bulk?q=company+0", chosen)
    assert "Delete 9 accounts?" in asked.text
    assert "First Company 01" in asked.text
    done = await send(member, f"{ACCOUNTS}/bulk?q=company+0", {**chosen, "confirmed": "yes"})
    assert done.status_code == 303
    assert "21 in this workspace" in (await member.get(ACCOUNTS)).text
    async with database.tenant(workspace.tenant.organization_id) as connection:
        actor = await connection.fetchval("SELECT actor FROM audit_log WHERE action = 'delete'")
    assert actor == f"user:{workspace.tenant.user_id}"


async def test_what_is_shown_or_selected_is_exported(member: httpx.AsyncClient) -> None:
    every = await send(
        member, f"{ACCOUNTS}/bulk?country=DE", {"action": "export", "scope": "all", "format": "csv"}
    )
    assert every.headers["content-disposition"].startswith("attachment")
    assert len(every.text.splitlines()) == 11
    ids = await ids_on(member, "country=DE")
    some = await send(
        member,
        f"{ACCOUNTS}/bulk",
        {"action": "export", "id": ids[:2], "format": "xlsx", "provenance": "yes"},
    )
    sheet = openpyxl.load_workbook(io.BytesIO(some.content)).active
    rows = list(sheet.iter_rows(values_only=True))
    assert len(rows) == 3
    assert {row[rows[0].index("id")] for row in rows[1:]} == set(ids[:2])
    assert "company_name_source" in rows[0] or any("source" in str(name) for name in rows[0])
