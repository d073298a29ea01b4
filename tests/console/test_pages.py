"""The console as a person and an attacker meet it: pages, sign-in, tenancy, forms, escaping."""

import re
from datetime import timedelta
from uuid import uuid4

import httpx
import pytest
from argon2 import PasswordHasher

from sightline.api.endpoint import Services
from sightline.api.endpoints import BASE_PATH
from sightline.console.signing import TRIES_PER_USER
from sightline.console.site import PAGES
from sightline.domain.evidence import Observation
from sightline.site import create_site
from sightline.store import lists
from sightline.store.administration import update_user
from sightline.store.console_sessions import IDLE_LENGTH, find_session, set_password
from sightline.store.database import Database, open_database
from sightline.store.organizations import create_user
from sightline.store.territories import store_territory
from tests.api.test_technologies import add_facts
from tests.console.conftest import EVIL, MakeWorkspace, Workspace
from tests.console.pages import PASSWORD, form_token
from tests.store.evidence_data import add_document, index

TABS = (
    "",
    "/activity",
    "/financials",
    "/documents",
    "/record",
    "/profile",
    "/signals",
    "/jobs",
    "/technologies",
    "/people",
    "/people/find",
    "/ask",
)
PLAIN = (
    "home", "preferences",
    "accounts", "contacts", "timeline", "alerts", "watches", "territories", "operations", "credits",
    "sources", "settings", "settings/selling", "search", "lists", "imports", "imports/new", "accounts/new",
    "settings/keys", "settings/users", "settings/webhooks", "settings/integrations", "settings/privacy",
    "settings/integrations/hubspot", "settings/integrations/hunter", "settings/audit", "settings/usage",
    "territories/new", "watches/new", "contacts/new",
)  # fmt: skip


async def try_password(client: httpx.AsyncClient, **changed: str) -> httpx.Response:
    csrf = form_token((await client.get("/console/sign-in")).text)
    given = {"csrf": csrf, "workspace": "first", "email": "owner@first.example"}
    return await client.post("/console/sign-in", data={**given, "password": PASSWORD, **changed})


async def token_of(client: httpx.AsyncClient) -> str:
    return form_token((await client.get("/console/accounts/new")).text)


async def test_every_page_answers(member: httpx.AsyncClient, workspace: Workspace) -> None:
    company = f"/console/companies/{workspace.companies[1]}"
    for path in [*(f"/console/{name}" for name in PLAIN), *(company + tab for tab in TABS)]:
        page = await member.get(path)
        assert page.status_code == 200, path
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert "<h1>" in page.text, path


async def test_every_page_needs_a_session(visitor: httpx.AsyncClient, workspace: Workspace) -> None:
    ids = {
        "company_id": workspace.companies[1],
        "alert_id": workspace.alert_id,
        "watch_id": uuid4(),
        "list_id": uuid4(),
        "view_id": uuid4(),
        "upload_id": uuid4(),
        "import_id": uuid4(),
        "key_id": uuid4(),
        "user_id": uuid4(),
        "contact_id": uuid4(),
        "webhook_id": uuid4(),
        "suppression_id": uuid4(),
        "integration_id": "smtp",
        "run_id": uuid4(),
    }
    for method, path, _, _ in PAGES:
        filled = path.format(**ids, operation_id=uuid4(), document_id=uuid4(), territory_id="north")
        answer = await visitor.request(method, f"/console{filled}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/console/sign-in"), path
        assert "Company" not in answer.text


async def test_search_filters_and_pages(member: httpx.AsyncClient) -> None:
    everything = (await member.get("/console/accounts")).text
    assert "30 in this workspace" in everything
    assert "1–25 of 30 accounts" in everything
    second = (await member.get("/console/accounts?page=2")).text
    assert second.count('class="lead"') == 5
    found = (await member.get("/console/accounts?q=company+07")).text
    assert "First Company 07" in found
    assert "First Company 08" not in found
    german = (await member.get("/console/accounts?country=DE&industry=Commercial+Banking")).text
    assert "First Company 06" in german
    assert "First Company 02" not in german
    largest = (await member.get("/console/accounts?sort=-employees")).text
    assert 'aria-sort="descending"><a href="?sort=employees">Employees</a>' in largest
    assert largest.index("First Company 29") < largest.index("First Company 28")
    beyond = (await member.get("/console/accounts?page=99&country=DE")).text
    assert beyond.count('class="lead"') == 10
    assert "No account matches" in (await member.get("/console/accounts?q=nobody")).text
    odd = "?page=-1&sort=x&industry=%00&size=%27&country=zz&q=%ff"
    assert (await member.get("/console/accounts" + odd)).status_code == 200


async def test_the_record_shows_where_values_come_from(
    member: httpx.AsyncClient, workspace: Workspace
) -> None:
    page = (await member.get(f"/console/companies/{workspace.companies[1]}/record")).text
    assert "First Company 01" in page
    assert '<summary title="Where this comes from">Import</summary>' in page
    assert "values are unknown" in page


async def test_imported_values_that_documents_contradict_are_shown(
    member: httpx.AsyncClient, workspace: Workspace, owner: Database
) -> None:
    company = workspace.companies[1]
    path = f"/console/companies/{company}"
    heading = "Sources contradict your import"
    assert heading not in (await member.get(path)).text
    size = Observation("employees", 4321, "markup", 0.9, pointer="/employees")
    await add_facts(owner, company, observations=(size,))
    for page in (path, f"{path}/record"):
        text = " ".join((await member.get(page)).text.split())
        assert "says 4,321." in text
    assert heading in (await member.get(path)).text


async def test_one_question_is_put_to_all_accounts(
    member: httpx.AsyncClient, workspace: Workspace, database_url: str
) -> None:
    company = workspace.companies[1]
    workers = await open_database(database_url, role="sightline_worker", size=2)
    await add_document(workers, company, ["The company closes <two> sites to reduce its costs."])
    await index(workers, company)
    await workers.close()
    page = (await member.get("/console/search?q=who+reduces+costs")).text
    assert "closes &lt;two&gt; sites" in page
    assert f'href="/console/companies/{company}/signals?q=who%20reduces%20costs"' in page
    assert "No matches" in (await member.get("/console/search?q=zeppelins")).text
    assert (await member.get("/console/search?q=costs&list=x")).status_code == 200


async def test_the_first_page_of_a_company_is_what_a_seller_needs(
    member: httpx.AsyncClient, workspace: Workspace, owner: Database
) -> None:
    company = workspace.companies[1]
    path = f"/console/companies/{company}"
    unread = (await member.get(path)).text
    assert "Enrich First Company 01" in unread
    assert "What changed" not in unread

    kubernetes = {"name": "Kubernetes", "category": "orchestration", "evidence_kind": "header"}
    await add_facts(owner, company, (kubernetes, "server: kubernetes-ingress", 0.9))
    for person in (
        {"full_name": "Silent Chief", "current_job_title": "Chief Executive Officer"},
        {"full_name": "Ida Intern", "current_job_title": "Intern", "emails": ["ida@first.example"]},
        {"full_name": "Vic Vice", "current_job_title": "VP Sales", "phones": ["+14155550134"]},
    ):
        made = await member.post(
            f"{BASE_PATH}/contacts",
            json=person | {"company_id": str(company)},
            headers={"x-api-key": workspace.tenant.key},
        )
        assert made.status_code == 201, made.text
    page = (await member.get(path)).text
    for heading in ("Who they are", "Key people", "What changed", "Technologies"):
        assert f">{heading}</h2>" in page, heading
    assert "Kubernetes" in page
    assert 'href="tel:%2B14155550134">+1 415-555-0134</a>' in page
    assert 'href="mailto:ida%40first.example"' in page
    # Those who can be reached come first, then the higher rank.
    assert page.index("Vic Vice") < page.index("Ida Intern") < page.index("Silent Chief")


async def test_saved_lists_are_filters(
    member: httpx.AsyncClient,
    workspace: Workspace,
    make_workspace: MakeWorkspace,
    database: Database,
) -> None:
    other = await make_workspace("second")
    organization_id = workspace.tenant.organization_id
    made = {}
    for owner_id in (organization_id, other.tenant.organization_id):
        async with database.tenant(owner_id) as connection:
            made[owner_id] = await lists.create_list(
                connection,
                name=f"German {owner_id}",
                description="",
                filter={"field": "country", "op": "eq", "value": "DE"},
                created_by=None,
            )
    mine = (await member.get(f"/console/accounts?list={made[organization_id]}")).text
    assert "10 matches" in mine
    assert f"German {organization_id}" in mine
    assert str(made[other.tenant.organization_id]) not in mine
    foreign = await member.get(f"/console/accounts?list={made[other.tenant.organization_id]}")
    assert foreign.status_code == 422
    assert "Second" not in foreign.text


async def test_what_belongs_to_others_is_not_there(
    member: httpx.AsyncClient,
    make_workspace: MakeWorkspace,
    database: Database,
) -> None:
    other = await make_workspace("second")
    organization_id = other.tenant.organization_id
    async with database.tenant(organization_id) as connection:
        values = {"name": "Secret", "description": "", "owner_id": None, "rules": {}}
        await store_territory(
            connection, "secret", values={**values, "score_rules": []}, is_new=True
        )
    for tab in TABS:
        answer = await member.get(f"/console/companies/{other.companies[1]}{tab}")
        assert answer.status_code == 404, tab
    assert (await member.get("/console/territories/secret")).status_code == 404
    csrf = await token_of(member)
    moved = await member.post(
        f"/console/alerts/{other.alert_id}", data={"csrf": csrf, "status": "resolved"}
    )
    assert moved.status_code == 404
    for name in PLAIN:
        page = (await member.get(f"/console/{name}")).text
        assert "Second" not in page, name
        assert "second" not in page.replace("seconds", ""), name
        assert "Secret" not in page, name
    async with database.tenant(organization_id) as connection:
        status = await connection.fetchval("SELECT status FROM alerts")
    assert status == "new"


@pytest.mark.parametrize("path", ["/console/nothing", "/console/companies/1", "/console/static/x"])
async def test_unknown_addresses_are_told_politely(member: httpx.AsyncClient, path: str) -> None:
    answer = await member.get(path)
    assert answer.status_code == 404
    assert "Page not found" in answer.text


async def test_forms_without_their_token_change_nothing(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    path = f"/console/alerts/{workspace.alert_id}"
    token = await token_of(member)
    assert (await member.post(path, data={"status": "resolved"})).status_code == 403
    wrong = {"status": "resolved", "csrf": token[:-1] + ("A" if token[-1] != "A" else "B")}
    assert (await member.post(path, data=wrong)).status_code == 403
    foreign = await member.post(
        path,
        data={"status": "resolved", "csrf": token},
        headers={"sec-fetch-site": "cross-site"},
    )
    assert foreign.status_code == 403
    assert (await member.post("/console/operations", data={"company": "a.com"})).status_code == 403
    assert (await member.post("/console/sign-out", data={})).status_code == 403
    long = {"status": "resolved", "csrf": token, "x": "y" * 70_000}
    assert (await member.post(path, data=long)).status_code == 403
    async with database.tenant(workspace.tenant.organization_id) as connection:
        assert await connection.fetchval("SELECT status FROM alerts") == "new"
        assert await connection.fetchval("SELECT count(*) FROM operations") == 0


async def test_an_alert_moves_in_the_name_of_the_user(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    answer = await member.post(
        f"/console/alerts/{workspace.alert_id}",
        data={"csrf": await token_of(member), "status": "acknowledged", "view": "all"},
    )
    assert answer.headers["location"] == "/console/alerts?status=all&notice=alert_changed"
    assert "Acknowledged" in (await member.get("/console/alerts?status=acknowledged")).text
    async with database.tenant(workspace.tenant.organization_id) as connection:
        history = await connection.fetchval("SELECT history FROM alerts")
    assert history[0]["by"] == f"user:{workspace.tenant.user_id}"


async def test_a_company_is_submitted_like_over_the_api(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    csrf = await token_of(member)
    for bad in ("", "...", "mailto:x@y.com"):
        refused = await member.post("/console/operations", data={"csrf": csrf, "company": bad})
        assert refused.status_code == 422, bad
        assert 'role="alert"' in refused.text
    done = await member.post(
        "/console/operations", data={"csrf": csrf, "company": "https://www.harbor.example/x"}
    )
    assert done.status_code == 303
    page = await member.get(done.headers["location"])
    assert "harbor.example" in page.text
    assert "1 company credit, reserved" in page.text
    assert 'data-poll="2"' in page.text
    assert f'href="{done.headers["location"].partition("?")[0]}">harbor.example</a>' in (
        (await member.get("/console/credits")).text
    )
    async with database.tenant(workspace.tenant.organization_id) as connection:
        row = await connection.fetchrow("SELECT user_id, key_id, input FROM operations")
        balance = await connection.fetchval("SELECT balance FROM credit_balances")
    assert row is not None
    assert (row["user_id"], row["key_id"]) == (workspace.tenant.user_id, None)
    assert row["input"] == {"domain": "harbor.example"}
    assert balance == 4


async def test_without_credits_the_form_says_so(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    csrf = await token_of(member)
    for n in range(5):
        await member.post("/console/operations", data={"csrf": csrf, "company": f"c{n}.example"})
    refused = await member.post("/console/operations", data={"csrf": csrf, "company": "d.example"})
    assert refused.status_code == 422
    assert "0 are left" in refused.text


async def test_text_from_outside_is_escaped(
    member: httpx.AsyncClient, workspace: Workspace
) -> None:
    company = f"/console/companies/{workspace.companies[0]}"
    paths = ["/console/accounts?page=2", "/console/alerts", *(company + tab for tab in TABS)]
    paths += [f"/console/accounts?q={EVIL}", f"{company}/signals?q={EVIL}"]
    for path in paths:
        page = (await member.get(path)).text
        assert "&lt;script&gt;alert(1)" in page, path
        assert "<script>alert" not in page, path
        assert "<img" not in page, path
        assert 'href="javascript:' not in page, path
    csrf = await token_of(member)
    refused = await member.post("/console/operations", data={"csrf": csrf, "company": EVIL})
    assert "<script>alert" not in refused.text


async def test_every_answer_has_its_headers(
    member: httpx.AsyncClient, visitor: httpx.AsyncClient
) -> None:
    for path in ("/", "/console/accounts", "/console/sign-in", "/console/nothing"):
        headers = (await visitor.get(path)).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
    for name, kind in (("console.css", "text/css"), ("console.js", "text/javascript")):
        asset = await visitor.get(f"/console/static/{name}")
        assert asset.headers["content-type"].startswith(kind)
        assert asset.headers["content-encoding"] == "gzip"
        plain = await visitor.get(
            f"/console/static/{name}", headers={"accept-encoding": "identity"}
        )
        assert "content-encoding" not in plain.headers
        assert plain.text == asset.text
        assert plain.headers["vary"] == asset.headers["vary"] == "accept-encoding"


async def test_no_page_needs_what_its_policy_forbids(
    member: httpx.AsyncClient, workspace: Workspace
) -> None:
    company = f"/console/companies/{workspace.companies[1]}"
    for path in [*(f"/console/{name}" for name in PLAIN), *(company + tab for tab in TABS)]:
        page = (await member.get(path)).text
        assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=\"", page), path
        # What a page loads; a person may follow a link to somewhere else.
        assert not re.search(r'(\ssrc|<link[^>]*\shref)="(https?:)?//', page), path


async def test_the_cookie_is_kept_from_scripts_and_other_sites(
    visitor: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    answer = await try_password(visitor)
    assert answer.headers["location"] == "/console/home"
    cookie = next(v for v in answer.headers.get_list("set-cookie") if "sightline_session" in v)
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    token = visitor.cookies["sightline_session"]
    async with database.tenant(workspace.tenant.organization_id) as connection:
        stored = await connection.fetch("SELECT * FROM console_sessions")
    assert token.partition(".")[2] not in repr(stored)


async def test_over_https_the_cookie_is_secure(
    visitor: httpx.AsyncClient, workspace: Workspace
) -> None:
    visitor.base_url = httpx.URL("https://sightline.test")
    answer = await try_password(visitor)
    cookie = next(v for v in answer.headers.get_list("set-cookie") if "sightline_session" in v)
    # What browsers ask of the prefix: Secure, the whole site, and no Domain.
    assert cookie.startswith("__Host-sightline_session=")
    assert "Secure" in cookie
    assert "Path=/;" in cookie
    assert "Domain" not in cookie
    page = await visitor.get("/console/accounts")
    assert page.status_code == 200
    for each in (answer, page, await visitor.get("/public-api/v1/health")):
        assert each.headers["strict-transport-security"] == "max-age=31536000"
    signed_out = await visitor.post(
        "/console/sign-out", data={"csrf": form_token(page.text)}, follow_redirects=False
    )
    assert signed_out.status_code == 303
    assert not any("session" in name for name in visitor.cookies)


async def test_a_session_that_nobody_uses_ends(
    member: httpx.AsyncClient, database: Database, workspace: Workspace
) -> None:
    async def used(ago: timedelta) -> int:
        async with database.tenant(workspace.tenant.organization_id) as connection:
            await connection.execute(
                "UPDATE console_sessions SET used_at = now() - $1::interval", ago
            )
        return (await member.get("/console/accounts")).status_code

    assert await used(IDLE_LENGTH - timedelta(minutes=1)) == 200
    async with database.tenant(workspace.tenant.organization_id) as connection:
        fresh = "SELECT used_at > now() - interval '1 minute' FROM console_sessions"
        assert await connection.fetchval(fresh)
    assert await used(IDLE_LENGTH) == 303


async def test_a_stranger_keeps_nobody_out(
    services: Services, visitor: httpx.AsyncClient, workspace: Workspace
) -> None:
    for _ in range(TRIES_PER_USER + 1):
        await try_password(visitor, password="wrong")
    assert (await try_password(visitor)).status_code == 429
    # The same application, from another address.
    transport = httpx.ASGITransport(app=create_site(services), client=("192.0.2.7", 5))
    async with httpx.AsyncClient(transport=transport, base_url="http://sightline.test") as other:
        assert (await try_password(other)).status_code == 303


@pytest.mark.parametrize(
    "changed",
    [
        {"password": "wrong"},
        {"password": ""},
        {"email": "nobody@first.example"},
        {"workspace": "elsewhere"},
        {"workspace": "second"},
    ],
)
async def test_a_wrong_sign_in_does_not_say_what_was_wrong(
    visitor: httpx.AsyncClient, make_workspace: MakeWorkspace, changed: dict[str, str]
) -> None:
    await make_workspace("first")
    await make_workspace("second")
    answer = await try_password(visitor, **changed)
    assert answer.status_code == 401
    assert "Incorrect workspace" in answer.text
    assert "sightline_session" not in visitor.cookies


async def test_users_without_password_or_access_are_refused(
    visitor: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    organization_id = workspace.tenant.organization_id
    hashed = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    async with database.tenant(organization_id) as connection:
        bare = await create_user(connection, email="a@x.example", role="member")
        await create_user(connection, email="b@x.example", role="member", password_hash=hashed)
    assert (await try_password(visitor, email="a@x.example")).status_code == 401
    assert (await try_password(visitor, email="B@X.example")).status_code == 303
    token = visitor.cookies["sightline_session"]
    session = await find_session(database, token)
    assert session is not None
    async with database.tenant(organization_id) as connection:
        await update_user(connection, session.user_id, role=None, disabled=True)
    assert (await visitor.get("/console/accounts")).status_code == 303
    assert (await try_password(visitor, email="b@x.example")).status_code == 401
    assert bare != session.user_id


async def test_guessing_is_slowed_down(visitor: httpx.AsyncClient, workspace: Workspace) -> None:
    statuses = [
        (await try_password(visitor, password="wrong")).status_code
        for _ in range(TRIES_PER_USER + 1)
    ]
    assert statuses == [401] * TRIES_PER_USER + [429]
    assert (await try_password(visitor)).status_code == 429


async def test_sign_in_needs_the_forms_own_token(
    visitor: httpx.AsyncClient, workspace: Workspace
) -> None:
    assert (await try_password(visitor, csrf="guessed")).status_code == 403
    visitor.cookies.clear()
    data = {"csrf": "", "workspace": "first", "email": workspace.email, "password": PASSWORD}
    assert (await visitor.post("/console/sign-in", data=data)).status_code == 403


async def test_signing_out_ends_the_session(member: httpx.AsyncClient, database: Database) -> None:
    token = member.cookies["sightline_session"]
    answer = await member.post("/console/sign-out", data={"csrf": await token_of(member)})
    assert answer.status_code == 303
    assert await find_session(database, token) is None
    member.cookies.set("sightline_session", token)
    assert (await member.get("/console/accounts")).status_code == 303


async def test_a_new_password_ends_sessions(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    organization_id = workspace.tenant.organization_id
    async with database.tenant(organization_id) as connection:
        await set_password(connection, workspace.tenant.user_id, "$argon2id$x")
    assert (await member.get("/console/accounts")).status_code == 303


async def test_sessions_and_tokens_of_others_open_nothing(
    member: httpx.AsyncClient, make_workspace: MakeWorkspace
) -> None:
    other = await make_workspace("second")
    secret = member.cookies["sightline_session"].partition(".")[2]
    for token in (f"{other.tenant.organization_id.hex}.{secret}", secret, ".", "x" * 500, "é.x"):
        page = await member.get(
            "/console/accounts", headers={"cookie": f"sightline_session={token}".encode()}
        )
        assert page.status_code == 303, token


async def test_a_link_signs_in_once(visitor: httpx.AsyncClient, workspace: Workspace) -> None:
    page = await visitor.get(f"/console/link/{workspace.link}")
    again = await visitor.get(f"/console/link/{workspace.link}")
    assert page.status_code == again.status_code == 200  # looking at it does not use it up
    data = {"csrf": form_token(again.text), "token": workspace.link}
    assert (await visitor.post("/console/link", data=data)).status_code == 303
    assert (await visitor.get("/console/accounts")).status_code == 200
    visitor.cookies.clear()
    csrf = form_token((await visitor.get("/console/sign-in")).text)
    used = await visitor.post("/console/link", data={"csrf": csrf, "token": workspace.link})
    assert used.status_code == 401
    assert "has been used" in used.text


async def test_keys_are_shown_without_their_secret(
    member: httpx.AsyncClient, workspace: Workspace
) -> None:
    page = (await member.get("/console/settings/keys")).text
    assert workspace.tenant.key[:14] in page
    assert workspace.tenant.key[14:] not in page


async def test_the_api_answers_beside_the_console(
    visitor: httpx.AsyncClient, workspace: Workspace
) -> None:
    key = {"x-api-key": workspace.tenant.key}
    answer = await visitor.post("/public-api/v1/accounts", json={}, headers=key)
    assert answer.json()["pagination"]["total"] == 30
    assert (await visitor.get("/docs")).status_code == 200
    assert (await visitor.get("/health")).headers["content-type"] == "application/json"
    assert (await visitor.get("/metrics")).status_code == 200
    assert (await visitor.get("/consoles")).json()["error"]["code"] == "path_not_found"
    assert (await visitor.get("/")).headers["location"] == "/console/home"
