"""What people set in the console (watches, what they sell, questions), and what they look through."""

import re

import httpx

from sightline.api.endpoints import BASE_PATH
from sightline.domain.sellers import LONGEST_NAME, MOST_ENTRIES
from sightline.kit.ids import new_id
from sightline.store.database import Database, open_database
from sightline.store.operations import Asker, add_operations
from sightline.store.seller_context import all_questions, change_context, read_context
from tests.console.conftest import MakeWorkspace, Workspace
from tests.console.pages import form_token
from tests.store.contacts_data import put
from tests.store.evidence_data import add_document, index

WATCHES = "/console/watches"
SELLING = "/console/settings/selling"


async def send(client: httpx.AsyncClient, path: str, **fields: str) -> httpx.Response:
    csrf = form_token((await client.get(SELLING)).text)
    return await client.post(path, data={"csrf": csrf, **fields})


# Lists, alerts, contacts and the timeline


async def test_new_alerts_are_counted_on_each_page(
    member: httpx.AsyncClient, workspace: Workspace
) -> None:
    assert "1 new</span>" in (await member.get("/console/accounts")).text
    page = await member.get("/console/alerts")
    await member.post(
        f"/console/alerts/{workspace.alert_id}",
        data={"csrf": form_token(page.text), "status": "acknowledged"},
    )
    assert "1 new</span>" not in (await member.get("/console/accounts")).text


async def test_an_alert_is_assigned_snoozed_and_annotated(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    organization_id = workspace.tenant.organization_id

    async def change(**given: str) -> int:
        csrf = form_token((await member.get("/console/watches")).text)
        answer = await member.post(
            f"/console/alerts/{workspace.alert_id}", data={"csrf": csrf, **given}
        )
        return answer.status_code

    assert await change(assign="me") == 303
    assert await change(note="Call <b>Ada</b>") == 303
    page = (await member.get("/console/alerts")).text
    assert "Call &lt;b&gt;Ada&lt;/b&gt;" in page
    assert f"</svg> {workspace.email}" in page
    # Why it fired, and what became of it.
    assert 'Watch: <a href="/console/watches">all</a>' in page
    assert await change(snooze="7") == 303
    assert "Your inbox is empty" in (await member.get("/console/alerts")).text
    assert "Snoozed until" in (await member.get("/console/alerts?status=all")).text
    assert await change(snooze="off") == 303
    assert await change(status="resolved") == 303
    page = (await member.get("/console/alerts?status=resolved")).text
    assert f'New → Resolved <span class="muted">by {workspace.email}' in page
    for wrong in ({"status": "eaten"}, {"snooze": "9999"}, {"assign": "everybody"}, {}):
        assert await change(**wrong) == 403
    async with database.tenant(organization_id) as connection:
        found = await connection.fetchrow("SELECT status, assignee, snoozed_until FROM alerts")
    assert tuple(found) == ("resolved", workspace.tenant.user_id, None)


async def test_the_search_of_everything_has_accounts_people_pages_and_evidence(
    member: httpx.AsyncClient,
    workspace: Workspace,
    make_workspace: MakeWorkspace,
    database_url: str,
) -> None:
    other = await make_workspace("second")
    for owner, name in ((workspace, "Ada Holm"), (other, "Ada Stranger")):
        made = await member.post(
            f"{BASE_PATH}/contacts",
            json={"full_name": name, "company_id": str(owner.companies[1])},
            headers={"x-api-key": owner.tenant.key},
        )
        assert made.status_code == 201, made.text
    company = workspace.companies[1]
    workers = await open_database(database_url, role="sightline_worker", size=2)
    await add_document(workers, company, ["The company closes <two> sites to reduce its costs."])
    await index(workers, company)
    await workers.close()

    async def found(q: str, **more: str) -> str:
        return (await member.get("/console/find", params={"q": q, **more})).text

    assert f'href="/console/companies/{company}"' in await found("company 01")
    people = await found("ada")
    assert "Ada Holm" in people
    assert "Stranger" not in people
    assert 'href="/console/settings/selling"' in await found("describe sell")
    assert "closes &lt;two&gt; sites" in await found("who reduces costs", evidence="yes")
    assert "No account, person or page" in await found("zeppelins")
    assert "<script>" not in await found('"><script>alert(1)</script>', evidence="yes")


async def test_contacts_are_found_by_words_and_filters(
    member: httpx.AsyncClient,
    workspace: Workspace,
    make_workspace: MakeWorkspace,
    database: Database,
) -> None:
    other = await make_workspace("second")
    for owner, people in (
        (
            workspace,
            [
                {
                    "full_name": "Ida Brandt",
                    "current_job_title": "VP Sales",
                    "emails": ["ida@harbor.example"],
                    "company": {"name": "Harbor Foods"},
                },
                {"full_name": "Omar Said", "current_job_title": "Software Engineer"},
            ],
        ),
        (other, [{"full_name": "Secret Person", "emails": ["secret@second.example"]}]),
    ):
        async with database.tenant(owner.tenant.organization_id) as connection:
            await put(connection, people)

    async def found(query: str) -> set[str]:
        page = (await member.get(f"/console/contacts{query}")).text
        assert "Secret" not in page
        return {name for name in ("Ida Brandt", "Omar Said") if name in page}

    assert await found("") == {"Ida Brandt", "Omar Said"}
    assert "Harbor Foods" in (await member.get("/console/contacts")).text
    assert await found("?q=brandt+harbor") == {"Ida Brandt"}
    assert await found("?seniority=vp") == {"Ida Brandt"}
    assert await found("?department=engineering") == {"Omar Said"}
    assert await found("?reach=email") == {"Ida Brandt"}
    assert await found("?reach=phone") == set()
    assert await found("?q=%2B%2B%2B") == set()  # nothing that a word could be made of
    assert await found("?department=unknown&seniority=%27") == {"Ida Brandt", "Omar Said"}


async def test_the_timeline_tells_what_changed(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    organization_id = workspace.tenant.organization_id
    async with database.tenant(organization_id) as connection:
        await connection.execute(
            "UPDATE events SET changes = $2 WHERE organization_id = $1",
            organization_id,
            [{"field": "ceo", "before": "Ann Old", "after": "Ben New"}],
        )
    for path in ("/console/timeline", "/console/timeline?type=material_changes", "/console/alerts"):
        page = (await member.get(path)).text
        assert "CEO: Ann Old → Ben New" in page, path
    other = (await member.get("/console/timeline?type=funding")).text
    assert "Ann Old" not in other
    assert "Nothing of this kind yet" in other


async def test_what_is_background_is_marked_and_no_news(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    assert "Background" not in (await member.get("/console/timeline")).text
    organization_id = workspace.tenant.organization_id
    async with database.tenant(organization_id) as connection:
        await connection.execute(
            "UPDATE events SET background = true WHERE organization_id = $1", organization_id
        )
    assert "Background" in (await member.get("/console/timeline")).text
    assert "Nothing yet. News of your accounts" in (await member.get("/console/home")).text


# Watches


async def test_a_watch_is_made_paused_and_deleted(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    organization_id = workspace.tenant.organization_id

    async def stored() -> list[dict[str, object]]:
        async with database.tenant(organization_id) as connection:
            rows = await connection.fetch(
                "SELECT watch_id, filter, families, paused FROM watches WHERE name = 'German moves'"
            )
            return [dict(row) for row in rows]

    builder = f"{WATCHES}/new?country=DE&family=leadership_moves"
    page = (await member.get(builder)).text
    assert "data-later" in page
    assert "The last 30 days" not in page
    assert "The last 30 days" in (await member.get(f"{builder}&with=preview")).text
    made = await send(member, builder, name="German moves")
    assert made.headers["location"] == f"{WATCHES}?notice=watch_made"
    (watch,) = await stored()
    assert watch["filter"] == {"and": [{"field": "country", "op": "eq", "value": "DE"}]}
    assert (watch["families"], watch["paused"]) == (["leadership_moves"], False)
    assert "German moves" in (await member.get(WATCHES)).text
    again = await send(member, builder, name="German moves")
    assert (again.status_code, "already" in again.text) == (422, True)

    one = f"{WATCHES}/{watch['watch_id']}"
    assert (await send(member, one, action="pause")).status_code == 303
    assert (await stored())[0]["paused"] is True
    assert (await send(member, one, action="resume")).status_code == 303
    assert (await stored())[0]["paused"] is False
    assert (await send(member, one, action="explode")).status_code == 403
    assert (await send(member, one, action="delete")).status_code == 303
    assert await stored() == []
    assert (await send(member, one, action="delete")).status_code == 404


async def test_a_watch_that_says_too_little_is_not_made(member: httpx.AsyncClient) -> None:
    for query, name in (
        ("", "x"),
        ("family=risk", " "),
        ("family=risk", "x" * (LONGEST_NAME + 1)),
    ):
        answer = await send(member, f"{WATCHES}/new?{query}", name=name)
        assert answer.status_code == 422
        assert 'role="alert"' in answer.text


async def test_rules_name_their_list(member: httpx.AsyncClient) -> None:
    await send(member, "/console/accounts?country=DE", name="Ports", **{"as": "list"})
    listed = re.search(
        r"/console/accounts\?list=([0-9a-f-]{36})", (await member.get("/console/lists")).text
    )
    assert listed
    await send(member, f"{WATCHES}/new?list={listed[1]}&family=risk", name="Risks of ports")
    territory = f"/console/territories/new?list={listed[1]}"
    made = (await send(member, territory, name="Harbors")).headers["location"]
    for path in (WATCHES, "/console/territories", made):
        page = (await member.get(path)).text
        assert "List is Ports" in page, path
        assert listed[1] not in page.replace(f"list={listed[1]}", ""), path


async def test_a_watch_is_changed_where_it_was_made(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    await send(
        member, f"{WATCHES}/new?country=DE&type=hires&seniority=vp&least=0.7", name="New people"
    )
    link = re.search(
        r'href="(/console/watches/new[^"]+)">New people', (await member.get(WATCHES)).text
    )
    assert link
    address = link[1].replace("&amp;", "&")
    page = (await member.get(address)).text
    assert 'value="0.7" selected' in page
    assert 'name="seniority" value="vp" checked' in page
    assert "Country is Germany" in page
    await send(member, address.replace("country=DE", "country=US"), name="US people")
    async with database.tenant(workspace.tenant.organization_id) as connection:
        row = await connection.fetchrow(
            "SELECT name, filter, seniorities FROM watches WHERE types <> '{}'"
        )
    assert row is not None
    assert row["seniorities"] == ["vp"]
    assert (row["name"], row["filter"]["and"][0]["value"]) == ("US people", "US")


async def test_a_territory_is_built_compared_and_deleted(member: httpx.AsyncClient) -> None:
    new = "/console/territories/new?country=DE"
    assert "<strong>10 accounts</strong>" in (await member.get(new)).text
    list_made = await send(
        member, "/console/accounts?q=company+06", **{"name": "Best", "as": "list"}
    )
    list_id = list_made.headers["location"].partition("list=")[2].partition("&")[0]
    made = await send(
        member, new, **{"name": "Germany", "list:0": list_id, "points:0": "30", "why:0": "Best fit"}
    )
    assert made.headers["location"].startswith("/console/territories/germany")
    page = (await member.get("/console/territories/germany")).text
    assert "+30 Best fit" in page
    assert re.search(r"First Company 06.*?<strong>30</strong>", page, re.DOTALL)
    await send(member, "/console/territories/new?employees_min=250", name="Large")
    assert "Show overlaps" in (await member.get("/console/territories")).text
    overview = (await member.get("/console/territories?with=overlaps")).text
    assert "Germany and Large" in overview or "Large and Germany" in overview
    assert "16 accounts in no territory" in overview

    moved = await member.get("/console/territories/germany/edit")
    edit = moved.headers["location"]
    assert "country=DE" in edit
    wider = edit + "&country=US"
    assert "20 would be added, 0 would be removed" in (await member.get(wider)).text
    assert (await send(member, wider, name="Both")).status_code == 303
    page = (await member.get("/console/territories/germany")).text
    assert "30 accounts" in page
    assert "+30 Best fit" in page
    assert (await send(member, edit, name=" ")).status_code == 422
    file = await send(member, "/console/territories/germany", action="export", format="csv")
    assert len(file.text.splitlines()) == 31
    for status in (303, 404):
        gone = await send(member, "/console/territories/germany", action="delete")
        assert gone.status_code == status


async def test_a_watch_of_others_is_out_of_reach(
    member: httpx.AsyncClient, make_workspace: MakeWorkspace, database: Database
) -> None:
    other = await make_workspace("second")
    async with database.tenant(other.tenant.organization_id) as connection:
        watch_id = await connection.fetchval("SELECT watch_id FROM watches")
        assert (await send(member, f"{WATCHES}/{watch_id}", action="delete")).status_code == 404
        assert await connection.fetchval("SELECT count(*) FROM watches") == 1


# What is sold


async def test_what_is_sold_is_kept_as_it_was_written(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    organization_id = workspace.tenant.organization_id
    async with database.tenant(organization_id) as connection:
        kept = {"name": "Route planning", "description": "old", "keywords": ["truck"]}
        await change_context(connection, {"offerings": [kept]})
    assert "Route planning: old" in (await member.get(SELLING)).text
    saved = await send(
        member,
        SELLING,
        company_name=" Harbor  Software ",
        offerings="Route planning: fills trucks\r\n\r\nWarehouse control",
        personas="Head of logistics\nHead of logistics\nCOO",
        industries="freight & logistics",
        countries="germany\nAT",
        **{"employee_ranges:51-200": "on", "employee_ranges:invented": "on"},
    )
    assert saved.headers["location"] == f"{SELLING}?notice=selling_changed"
    async with database.tenant(organization_id) as connection:
        context, _ = await read_context(connection)
    assert context["company_name"] == "Harbor Software"
    assert context["offerings"] == [
        {"name": "Route planning", "description": "fills trucks", "keywords": ["truck"]},
        {"name": "Warehouse control", "description": ""},
    ]
    assert context["personas"] == ["Head of logistics", "COO"]
    assert context["ideal_profile"] == {
        "industries": ["Freight & Logistics"],
        "countries": ["DE", "AT"],
        "technologies": [],
        "keywords": [],
        "employee_ranges": ["51-200"],
        "revenue_ranges": [],
    }
    # The API reads what the console wrote.
    headers = {"x-api-key": workspace.tenant.key}
    read = await member.get("/public-api/v1/seller-context", headers=headers)
    assert read.json()["ideal_profile"]["countries"] == ["DE", "AT"]
    assert read.json()["offerings"][1]["value_propositions"] == []


async def test_what_cannot_be_kept_is_said_and_not_lost(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    for fields, why in (
        ({"industries": "Minig"}, "the closest: Mining"),
        ({"countries": "Atlantis"}, "There is no country"),
        ({"personas": "\n".join(f"p{n}" for n in range(MOST_ENTRIES + 1))}, "At most 50 personas"),
        ({"competitors": "x" * (LONGEST_NAME + 1)}, "longer than 200"),
        ({"offerings": ": nameless"}, "begins with a name"),
    ):
        answer = await send(member, SELLING, company_name="Still here", **fields)
        assert answer.status_code == 422, fields
        assert why in answer.text
        assert "Still here" in answer.text
    async with database.tenant(workspace.tenant.organization_id) as connection:
        assert (await read_context(connection))[0] == {}
    assert (await send(member, SELLING, action="explode")).status_code == 403


async def test_questions_are_asked_and_dropped(
    member: httpx.AsyncClient,
    workspace: Workspace,
    database: Database,
) -> None:
    organization_id = workspace.tenant.organization_id
    asked = {"action": "ask", "name": "Robots", "question": "Does it use robots?"}
    assert (await send(member, SELLING, **asked, question_keywords="robot, AGV")).status_code == 303
    assert (await send(member, SELLING, **asked)).status_code == 422  # the name is taken
    assert (await send(member, SELLING, action="ask", name="x", question="")).status_code == 422
    async with database.tenant(organization_id) as connection:
        (question,) = await all_questions(connection)
    assert question["keywords"] == ["robot", "AGV"]
    dropped = await send(member, SELLING, action="drop", question_id=str(question["question_id"]))
    assert dropped.status_code == 303
    again = await send(member, SELLING, action="drop", question_id=str(question["question_id"]))
    assert again.status_code == 404
    assert (await send(member, SELLING, action="drop", question_id="x")).status_code == 404


# Questions to the assistant


async def test_a_question_is_answered_and_the_talk_goes_on(
    member: httpx.AsyncClient, workspace: Workspace, make_workspace: MakeWorkspace
) -> None:
    page = f"/console/companies/{workspace.companies[1]}/ask"
    assert "Who runs the company?" in (await member.get(page)).text
    answered = await send(member, page, question="How many people work there? <b>")
    assert answered.status_code == 303
    first = (await member.get(answered.headers["location"])).text
    assert "How many people work there? &lt;b&gt;" in first
    conversation = answered.headers["location"].partition("conversation=")[2].partition("#")[0]
    again = await send(member, page, question="And where is it?", conversation=conversation)
    assert again.headers["location"] == answered.headers["location"]
    both = (await member.get(again.headers["location"])).text
    assert both.count('class="asked"') == 2
    # It is a conversation of the user's, as the API lists them.
    headers = {"x-api-key": workspace.tenant.key}
    sessions = await member.get("/public-api/v1/agent/sessions", headers=headers)
    assert conversation in sessions.text

    # A browser that reads events gets the answer while it is made.
    csrf = form_token((await member.get(page)).text)
    streamed = await member.post(
        page, data={"csrf": csrf, "question": "Who?"}, headers={"accept": "text/event-stream"}
    )
    assert streamed.headers["content-type"].startswith("text/event-stream")
    assert "event: done" in streamed.text

    for fields, status in (
        ({"question": " "}, 422),
        ({"question": "x" * 1001}, 422),
        ({"question": "x", "conversation": "1"}, 404),
        ({"question": "x", "conversation": str(workspace.alert_id)}, 404),
    ):
        assert (await send(member, page, **fields)).status_code == status, fields
    other = f"/console/companies/{workspace.companies[2]}/ask"
    moved = await send(member, other, question="x", conversation=conversation)
    assert moved.status_code == 404
    assert (await member.get(f"{page}?conversation={workspace.alert_id}")).status_code == 404
    foreign = await make_workspace("second")
    hidden = f"/console/companies/{foreign.companies[1]}/ask"
    assert (await member.get(hidden)).status_code == 404
    assert (await send(member, hidden, question="Who runs it?")).status_code == 404


async def test_an_operation_by_id_is_shown_by_its_company(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    organization_id = workspace.tenant.organization_id
    named, gone = workspace.companies[7], new_id()
    async with database.tenant(organization_id) as connection:
        made, _ = await add_operations(
            connection,
            [{"id": str(named)}, {"id": str(gone)}],
            amounts=[0, 0],
            asker=Asker(None, None, None),
        )
    for path in ("/console/operations", f"/console/operations/{made}"):
        page = (await member.get(path)).text
        assert "First Company 07" in page
        assert str(named) not in page
    assert str(gone) in (await member.get("/console/operations")).text
