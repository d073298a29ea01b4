"""The console in a real browser: a morning's work, on a desk and on a phone."""

import asyncio
import os
import shutil
import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Literal

import pytest
import uvicorn
from playwright.async_api import FilePayload, Page, Route, async_playwright

from sightline.api.endpoint import Services
from sightline.api.endpoints import BASE_PATH
from sightline.site import create_site
from sightline.store.credits import balances, grant
from sightline.store.database import Database
from sightline.store.lists import create_list
from tests.api.asking import GOOD, SEARCH, WORDS, says, store_company
from tests.assistant.provider import NAME, Call, Fail, Provider
from tests.console.conftest import Workspace, add_alerts
from tests.console.pages import PASSWORD
from tests.console.test_imports import LIST, work
from tests.reading.verdicts import verified
from tests.waiting import LONGEST_SECONDS

BROWSER = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

COMPANY_TABS = (
    "Activity", "Financials", "Profile", "Signals", "Jobs", "Technologies", "People", "Ask",
)  # fmt: skip
PAGE_SECONDS = 60.0  # that a page has for what is waited for

# The texts of a page whose contrast to the ground behind them is below that of WCAG AA, 4.5 to 1.
CONTRASTS = """() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = parts(colour).map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((parts(colour)[3] ?? 1) > 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const poor = [];
  for (const element of document.querySelectorAll("body *:not(svg *)")) {
    const said = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!said || !element.checkVisibility()) continue;
    const pair = [light(getComputedStyle(element).color), light(ground(element))].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < 4.5) poor.push(`${element.className} ${element.textContent.slice(0, 40)} ${ratio}`);
  }
  return poor;
}"""

pytestmark = pytest.mark.skipif(
    BROWSER is None, reason="NOT RUN: no Chromium on this machine; apt-get install chromium"
)


@pytest.fixture
def services(services: Services, model: Provider) -> Services:
    """Those of every test, with a language model."""
    return replace(services, model=model.config(), model_name=NAME)


@pytest.fixture
async def address(services: Services) -> AsyncIterator[str]:
    """Where the whole application listens."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    config = uvicorn.Config(
        create_site(services), lifespan="off", ws="none", log_level="error", access_log=False
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve(sockets=[listening]))
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    await running
    listening.close()


@pytest.fixture
async def page(request: pytest.FixtureRequest, address: str) -> AsyncIterator[Page]:
    """A page of the browser, as wide as the test asks; any error in its console fails the test.

    It is closed before the server at `address` is, so that nothing is cut off while it loads.
    """
    complaints: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=BROWSER,
            args=["--no-sandbox", "--disable-dev-shm-usage"],
            timeout=1_000 * LONGEST_SECONDS,
        )
        opened = await browser.new_page(viewport={"width": request.param, "height": 800})
        opened.set_default_timeout(1_000 * PAGE_SECONDS)
        opened.on(
            "console",
            lambda said: (
                complaints.append(said.text) if said.type in ("error", "warning") else None
            ),
        )
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        yield opened
        await browser.close()
    assert complaints == []


async def follow_link(page: Page, address: str, workspace: Workspace) -> None:
    """Sign in by the workspace's link, with the key that its one button waits for."""
    await page.goto(f"{address}/console/link/{workspace.link}")
    await page.get_by_role("button").press("Enter")
    await page.get_by_role("heading", name="Home").wait_for()
    await page.goto(f"{address}/console/accounts")
    await page.get_by_role("heading", name="Accounts").wait_for()


async def go(page: Page, name: str) -> None:
    """Follow a link of the navigation, which a phone has behind a button."""
    menu = page.get_by_role("button", name="Menu")
    if await menu.is_visible():
        await menu.click()
    await page.get_by_role("navigation", name="Main").get_by_role("link", name=name).click()


async def sign_out(page: Page) -> None:
    menu = page.get_by_role("button", name="Menu")
    if await menu.is_visible():
        await menu.click()
    await page.locator("details.who summary").click()
    await page.get_by_role("button", name="Sign out").click()
    await page.get_by_role("heading", name="Sign in").wait_for()


async def fits(page: Page) -> bool:
    """Whether nothing sticks out at the side, once the page and its style sheet are loaded."""
    await page.wait_for_load_state("load")
    wider: bool = await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    return wider


@pytest.mark.parametrize("page", [1280, 390], indirect=True)
async def test_a_mornings_work(page: Page, address: str, workspace: Workspace) -> None:
    await page.goto(address)
    await page.get_by_label("Workspace").fill(workspace.slug)
    await page.get_by_label("Email").fill(workspace.email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.keyboard.press("Enter")
    await page.get_by_role("heading", name="Get started").wait_for()
    assert await fits(page)
    await go(page, "Accounts")
    await page.get_by_role("heading", name="Accounts").wait_for()
    assert await fits(page)

    # The list follows what is typed, without a click.
    await page.get_by_role("searchbox").press_sequentially("company 07")
    await page.get_by_text("1 match", exact=True).wait_for()
    assert await page.locator("td.lead").count() == 1
    assert "q=company" in page.url
    await page.get_by_role("link", name="First Company 07").click()
    await page.get_by_role("heading", name="First Company 07").wait_for()
    await page.get_by_role("heading", name="Key people").wait_for()
    assert await fits(page)
    await page.get_by_role("navigation", name="Company").get_by_role("link", name="Record").click()
    proof = page.locator("details.proof").first
    await proof.locator("summary").click()
    assert await proof.get_by_text("Observed").is_visible()
    assert await fits(page)
    for tab in COMPANY_TABS:
        await page.get_by_role("navigation", name="Company").get_by_role("link", name=tab).click()
        await page.locator(f".tabs a[aria-current]:has-text('{tab}')").wait_for()
        assert await fits(page), tab

    await go(page, "Alerts")
    await page.get_by_role("button", name="Acknowledge").click()
    await page.get_by_role("status").get_by_text("The alert was updated.").wait_for()
    await page.get_by_text("Your inbox is empty").wait_for()
    await page.get_by_role("link", name="Acknowledged").click()
    await page.locator(".badge.acknowledged").wait_for()
    assert await fits(page)

    await go(page, "Operations")
    await page.get_by_role("link", name="Add account").click()
    await page.get_by_label("Domain").fill("harbor.example")
    await page.get_by_role("button", name="Add and enrich").click()
    await page.locator("#operation .badge.queued").first.wait_for()
    for name in ("Contacts", "Timeline", "Territories", "Credits", "Sources", "Settings"):
        await go(page, name)
        await page.get_by_role("heading", name=name, exact=True).first.wait_for()
        assert await fits(page), name

    await page.get_by_role("link", name="Describe what you sell").click()
    await page.get_by_label("Who buys").fill("Head of logistics")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_role("status").get_by_text("Saved.").wait_for()
    assert await page.get_by_label("Who buys").input_value() == "Head of logistics"
    assert await fits(page)

    await sign_out(page)


@pytest.mark.parametrize("page", [1280], indirect=True)
async def test_the_keyboard_is_enough(page: Page, address: str, workspace: Workspace) -> None:
    await follow_link(page, address, workspace)
    await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.textContent") == "Skip to content"
    await page.keyboard.press("Tab")
    outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"

    # The menus of a search are renewed with what is found; they stay open, and the focus stays.
    menu = page.locator("#pop-industry")
    await menu.locator("summary").press("Enter")
    await menu.get_by_label("Commercial Banking").press("Space")
    await page.get_by_text("15 matches", exact=True).wait_for()
    assert await menu.get_by_label("Commercial Banking").is_checked()
    assert await page.evaluate("document.activeElement.value") == "Commercial Banking"


@pytest.mark.parametrize("page", [1280], indirect=True)
async def test_alerts_are_worked_off_by_keyboard_alone(
    page: Page, address: str, workspace: Workspace, database: Database
) -> None:
    await add_alerts(database, workspace, "opens a plant", "names a new chief")
    await follow_link(page, address, workspace)
    await page.keyboard.press("g")
    await page.keyboard.press("i")
    await page.get_by_role("heading", name="Alerts").wait_for()
    await page.get_by_text("3 open").wait_for()
    await page.keyboard.press("j")
    await page.keyboard.press("e")
    await page.get_by_text("2 open").wait_for()
    # The next one stands where the last one stood.
    assert await page.locator("[data-current]").count() == 1
    await page.keyboard.press("z")
    await page.get_by_text("1 open").wait_for()
    await page.keyboard.press("d")
    await page.get_by_text("Your inbox is empty").wait_for()
    async with database.tenant(workspace.tenant.organization_id) as connection:
        rows = await connection.fetch("SELECT status, snoozed_until FROM alerts")
    assert sorted(row["status"] for row in rows) == ["acknowledged", "dismissed", "new"]
    assert [row["status"] for row in rows if row["snoozed_until"]] == ["new"]


@pytest.mark.parametrize("page", [1280, 390], indirect=True)
async def test_everything_is_found_from_anywhere(
    page: Page, address: str, workspace: Workspace
) -> None:
    await follow_link(page, address, workspace)
    await page.keyboard.press("?")
    await page.get_by_role("heading", name="Keyboard shortcuts").wait_for()
    await page.keyboard.press("Escape")
    await page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Search accounts")
    await field.fill("company 07")
    await page.get_by_role("option", name="First Company 07").wait_for()
    await page.get_by_role("option", name="Search the evidence").wait_for()
    assert await fits(page)
    await page.keyboard.press("Enter")
    await page.get_by_role("heading", name="First Company 07").wait_for()
    await page.keyboard.press("/")
    await field.fill("offering")
    await page.get_by_role("option", name="Describe what you sell").click()
    await page.get_by_role("heading", name="What you sell").wait_for()


@pytest.mark.parametrize("page", [1280], indirect=True)
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_all_text_can_be_read(
    page: Page, address: str, workspace: Workspace, scheme: Literal["light", "dark"]
) -> None:
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await follow_link(page, address, workspace)
    company = f"companies/{workspace.companies[1]}"
    for path in ("accounts", "alerts", "watches", "settings/selling", company, f"{company}/record"):
        await page.goto(f"{address}/console/{path}")
        await page.wait_for_load_state("load")
        assert await page.evaluate(CONTRASTS) == [], path


@pytest.mark.usefixtures("encoder")  # the server as it ships: one answer comes without the model
@pytest.mark.parametrize("page", [1360, 390], indirect=True)
async def test_questions_that_a_model_answers(
    page: Page,
    address: str,
    workspace: Workspace,
    model: Provider,
    database: Database,
    database_url: str,
) -> None:
    organization_id = workspace.tenant.organization_id
    company = await store_company(database, database_url, organization_id)
    async with database.tenant(organization_id) as connection:
        await grant(connection, credit="content", amount=2, reason="test")
    model.script = verified([SEARCH, says(GOOD), Fail(500)])
    await follow_link(page, address, workspace)
    await page.goto(f"{address}/console/companies/{company}/ask")
    await page.get_by_text("costs 1 content credit, 2 left").wait_for()
    assert await fits(page)

    question = page.get_by_label("Your question")
    await question.fill("How many warehouses does it operate?")
    async with page.expect_response(lambda answer: answer.request.method == "POST") as streamed:
        await page.keyboard.press("Enter")
    assert (await streamed.value).headers["content-type"].startswith("text/event-stream")
    await page.get_by_text(f"Written by {NAME}").wait_for()
    assert "conversation=" in page.url
    quote = page.locator("blockquote", has_text=WORDS[0])
    assert not await quote.is_visible()
    await page.get_by_role("link", name="[1]").click()
    assert await quote.is_visible()
    await page.get_by_text("costs 1 content credit, 1 left").wait_for()
    assert await fits(page)

    # The second answer of the conversation: the model fails, so it is extractive, and free.
    await question.fill("Who builds its cranes?")
    await page.keyboard.press("Enter")
    await page.get_by_text("Not written by the model").wait_for()
    assert await page.locator(".asked").count() == 2
    assert await page.get_by_text("Tidewater Foundry").count() > 0
    assert await fits(page)
    async with database.tenant(organization_id) as connection:
        assert (await balances(connection))["content"] == 1

    # A citation opens our copy of the document at the quote.
    await page.get_by_role("link", name="[1]").first.click()
    await page.get_by_role("link", name="Open at the quote").first.click()
    marked = page.locator("mark#quote")
    await marked.wait_for()
    assert WORDS[0] in " ".join((await marked.inner_text()).split())
    assert await fits(page)


@pytest.mark.parametrize("page", [1280], indirect=True)
async def test_a_question_about_a_list(
    page: Page,
    address: str,
    workspace: Workspace,
    model: Provider,
    database: Database,
    database_url: str,
) -> None:
    organization_id = workspace.tenant.organization_id
    await store_company(database, database_url, organization_id)
    async with database.tenant(organization_id) as connection:
        await grant(connection, credit="content", amount=2, reason="test")
        await create_list(
            connection,
            name="Storage",
            description="",
            filter={"field": "company_name", "op": "eq", "value": "Harbor Analytics"},
            created_by=None,
        )
    found = Call({"saved_list": "Storage"}, tool="find_accounts")
    search = Call({"queries": ["warehouses in Portugal"], "company": "A1"}, tool="search")
    model.script = verified([found, search, says(GOOD)])
    await follow_link(page, address, workspace)
    await page.goto(f"{address}/console/search")
    await page.get_by_label("List").select_option("Storage")
    await page.get_by_role("searchbox").fill("How many warehouses do they operate?")
    await page.get_by_text("It reads this list.").wait_for()
    await page.get_by_role("button", name=f"Ask {NAME}").click()
    await page.get_by_text(f"Written by {NAME}").wait_for()
    await page.get_by_role("link", name="[1]").click()
    await page.get_by_role("link", name="Open at the quote").first.click()
    marked = page.locator("mark#quote")
    await marked.wait_for()
    assert WORDS[0] in " ".join((await marked.inner_text()).split())


@pytest.mark.parametrize("page", [1280], indirect=True)
async def test_a_list_is_brought_in_enriched_and_exported(
    page: Page, address: str, workspace: Workspace, database_url: str
) -> None:
    await follow_link(page, address, workspace)
    await page.get_by_role("link", name="Import", exact=True).click()
    file: FilePayload = {"name": "firms.csv", "mimeType": "text/csv", "buffer": LIST}
    await page.get_by_label("File").set_input_files(file)
    await page.get_by_label("Field of Firm").wait_for()
    assert await fits(page)
    await page.get_by_role("button", name="Import", exact=True).click()
    await page.get_by_text("Waiting for a worker").wait_for()
    await work(database_url)
    # The page follows the import by itself.
    await page.get_by_role("link", name="Show the accounts").click()
    await page.get_by_role("checkbox", name="Select Harbor Foods").check()
    await page.get_by_role("checkbox", name="Select Quill Paper").check()
    await page.get_by_text("2 selected").wait_for()
    await page.go_back()
    await page.get_by_role("button", name="Enrich").click()
    await page.get_by_text("2 company credits").wait_for()
    await page.get_by_role("button", name="Enrich 2 accounts").click()
    await page.locator("#operation .badge.queued").first.wait_for()

    await page.goto(f"{address}/console/accounts?country=DE")
    await page.get_by_role("checkbox", name="Select all rows of this page").check()
    bar = page.get_by_role("group", name="Selected accounts")
    await bar.locator("summary", has_text="Export").click()
    async with page.expect_download() as download:
        await bar.get_by_role("button", name="Download").click()
    assert (await download.value).suggested_filename.startswith("accounts-")


@pytest.mark.parametrize("page", [1280], indirect=True)
async def test_a_colleague_is_invited_and_gets_a_read_only_key(
    page: Page, address: str, workspace: Workspace
) -> None:
    await follow_link(page, address, workspace)
    await page.goto(f"{address}/console/settings/users")
    await page.locator("summary", has_text="Invite").click()
    await page.get_by_label("Email").fill("ada@first.example")
    await page.get_by_role("button", name="Create invitation").click()
    await page.get_by_role("heading", name="Invitation for ada@first.example").wait_for()
    await page.get_by_role("link", name="API keys").click()
    await page.locator("summary", has_text="New key").click()
    await page.get_by_label("Name").fill("Reports")
    await page.get_by_label("Acts for").select_option("ada@first.example")
    await page.get_by_role("button", name="Create key").click()
    key = await page.locator("code.secret").text_content()
    assert key
    api = page.request
    headers = {"x-api-key": key, "content-type": "application/json"}
    read = await api.post(f"{address}{BASE_PATH}/accounts", headers=headers, data={})
    assert read.status == 200
    refused = await api.post(f"{address}{BASE_PATH}/lists", headers=headers, data={"name": "No"})
    assert refused.status == 403


@pytest.mark.parametrize("page", [1280], indirect=True)
async def test_a_territory_follows_what_is_chosen(
    page: Page, address: str, workspace: Workspace
) -> None:
    await follow_link(page, address, workspace)
    await page.goto(f"{address}/console/territories/new")
    await page.locator("#pop-country summary").click()
    await page.get_by_label("Germany").check()
    await page.get_by_text("10 accounts", exact=True).wait_for()
    await page.get_by_label("Name", exact=True).fill("Germany")
    await page.get_by_role("button", name="Create territory").click()
    await page.get_by_role("heading", name="Germany").wait_for()
    assert await page.locator("td.lead").count() == 10
    assert await fits(page)


@pytest.mark.parametrize("page", [1280], indirect=True)
async def test_what_is_saved_is_what_was_chosen_last(
    page: Page, address: str, workspace: Workspace, database: Database
) -> None:
    """A person who goes on at once does not wait for the page to show what was chosen."""
    await follow_link(page, address, workspace)

    async def never(route: Route) -> None:
        if route.request.resource_type != "fetch":
            await route.continue_()

    await page.goto(f"{address}/console/watches/new?country=DE")
    await page.route("**/console/**", never)
    await page.get_by_label("Leadership moves", exact=True).check()
    await page.get_by_label("Name", exact=True).fill("German moves")
    await page.get_by_role("button", name="Create watch").click()
    await page.get_by_role("status").get_by_text("The watch is on.").wait_for()

    await page.goto(f"{address}/console/territories/new")
    await page.locator("#pop-country summary").click()
    await page.locator("#pop-country").get_by_label("Germany").check()
    await page.get_by_label("Name", exact=True).fill("Germany")
    await page.get_by_role("button", name="Create territory").click()
    await page.get_by_role("heading", name="Germany").wait_for()

    await page.goto(f"{address}/console/accounts?sort=-employees")
    await page.locator("#pop-country summary").click()
    await page.locator("#pop-country").get_by_label("Germany").check()
    await page.keyboard.press("Escape")  # the menu lies over the button
    await page.locator("#pop-save summary").click()
    await page.locator("#pop-save").get_by_label("Name").fill("Germans")
    await page.get_by_role("button", name="Save list").click()
    await page.get_by_role("status").get_by_text("List saved.").wait_for()

    german = {"and": [{"field": "country", "op": "eq", "value": "DE"}]}
    async with database.tenant(workspace.tenant.organization_id) as connection:
        watch = await connection.fetchrow(
            "SELECT filter, families FROM watches WHERE name = 'German moves'"
        )
        rules = await connection.fetchval("SELECT rules FROM territories")
        wanted = await connection.fetchval(
            "SELECT filter FROM account_lists WHERE name = 'Germans'"
        )
    assert watch is not None
    assert (watch["filter"], watch["families"]) == (german, ["leadership_moves"])
    assert (rules, wanted) == (german, german)


@pytest.mark.parametrize("page", [1280], indirect=True)
async def test_a_brief_is_printed_without_what_one_clicks(
    page: Page, address: str, workspace: Workspace
) -> None:
    await follow_link(page, address, workspace)
    await page.goto(f"{address}/console/companies/{workspace.companies[1]}")
    await page.locator("details.who summary").click()
    await page.get_by_role("button", name="Dark").click()
    await page.locator("html[data-theme=dark]").wait_for()
    await page.emulate_media(media="print")
    for name in (".sidebar", ".tabs", ".crumb", ".tools", "#team"):
        assert not await page.locator(name).first.is_visible(), name
    ink = await page.evaluate("getComputedStyle(document.body).color")
    assert ink == "rgb(20, 25, 31)"  # of the light theme: paper is white
