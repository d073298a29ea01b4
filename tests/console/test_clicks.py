"""The daily tasks of a seller in a real browser, each within six clicks from the table of accounts.

What is typed, Enter included, is no click; a menu of the browser's own (a list, a file) counts two.
"""

import pytest
from playwright.async_api import Locator, Page

from sightline.api.endpoints import BASE_PATH
from sightline.store.database import Database
from tests.api.accounts_data import add_accounts
from tests.api.asking import store_company
from tests.console.conftest import AddMember, Workspace
from tests.console.test_browser import address, follow_link, page, pytestmark
from tests.console.test_imports import LIST, work

__all__ = ["address", "page", "pytestmark"]

MOST = 6


class Hand:
    """Clicks, and counts them."""

    def __init__(self) -> None:
        self.clicks = 0

    async def click(self, *places: Locator) -> None:
        for place in places:
            await place.click()
            self.clicks += 1

    async def choose(self, menu: Locator, label: str) -> None:
        await menu.select_option(label=label)
        self.clicks += 2

    async def hand_in(self, field: Locator, content: bytes) -> None:
        await field.set_input_files(
            {"name": "firms.csv", "mimeType": "text/csv", "buffer": content}
        )
        self.clicks += 2


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.mark.parametrize("page", [1440], indirect=True)
async def test_a_list_is_imported_and_enriched(
    page: Page, address: str, workspace: Workspace, hand: Hand, database_url: str
) -> None:
    await follow_link(page, address, workspace)
    await hand.click(page.get_by_role("link", name="Import", exact=True))
    await hand.hand_in(page.get_by_label("File"), LIST)
    await hand.click(page.get_by_role("button", name="Import", exact=True))
    await page.get_by_text("Waiting for a worker").wait_for()
    await work(database_url)
    await hand.click(page.get_by_role("button", name="Enrich 2 accounts…"))
    await page.get_by_text("2 company credits").wait_for()
    await hand.click(page.get_by_role("button", name="Enrich 2 accounts"))
    await page.locator("#operation .badge.queued").first.wait_for()
    assert hand.clicks <= MOST


@pytest.mark.parametrize("page", [1440], indirect=True)
async def test_a_call_is_prepared(
    page: Page,
    address: str,
    workspace: Workspace,
    hand: Hand,
    database: Database,
    database_url: str,
) -> None:
    await store_company(database, database_url, workspace.tenant.organization_id)
    await follow_link(page, address, workspace)
    await page.get_by_role("searchbox").press_sequentially("harbor an")
    await page.get_by_text("1 match", exact=True).wait_for()
    await hand.click(page.get_by_role("link", name="Harbor Analytics"))
    await page.get_by_role("heading", name="Key people").wait_for()
    await hand.click(
        page.get_by_role("navigation", name="Company").get_by_role("link", name="Documents")
    )
    await hand.click(page.locator("main td.lead a").first)
    await page.locator("article, .document").first.wait_for()
    await hand.click(page.get_by_role("navigation", name="Company").get_by_role("link", name="Ask"))
    await page.get_by_label("Your question").fill("How many warehouses does it operate?")
    await page.keyboard.press("Enter")
    await page.locator(".asked").first.wait_for()
    assert hand.clicks <= MOST


@pytest.mark.parametrize("page", [1440], indirect=True)
async def test_german_software_with_staff_is_listed_and_watched_for_new_executives(
    page: Page, address: str, workspace: Workspace, hand: Hand, database: Database
) -> None:
    organization_id = workspace.tenant.organization_id
    record = {"industry": "Software", "country_code": "DE", "hq_country_name": "Germany"}
    await add_accounts(
        database,
        organization_id,
        [
            record | {"company_name": f"Haus {staff}", "full_time_employees": staff}
            for staff in (400, 600, 800)
        ],
    )
    await follow_link(page, address, workspace)
    for name, value in (("country", "Germany"), ("industry", "Software")):
        menu = page.locator(f"#pop-{name}")
        await hand.click(menu.locator("summary"), menu.get_by_label(value))
    await hand.click(page.locator("#pop-employees summary"))
    await page.get_by_label("Employees from").press_sequentially("500")
    await page.get_by_text("2 matches", exact=True).wait_for()
    await hand.click(page.locator("#pop-save summary"))
    await page.get_by_label("Name", exact=True).fill("German software")
    await page.keyboard.press("Enter")
    await page.get_by_role("status").get_by_text("List").wait_for()
    assert hand.clicks <= MOST

    hand.clicks = 0
    await page.goto(f"{address}/console/accounts")
    await hand.click(page.get_by_role("navigation", name="Main").get_by_role("link", name="Lists"))
    await hand.click(page.get_by_role("link", name="Watch", exact=True))
    await hand.click(page.get_by_label("Leadership moves"), page.get_by_label("C-suite"))
    await page.get_by_label("Name", exact=True).fill("New executives")
    await hand.click(page.get_by_role("button", name="Create watch"))
    await page.get_by_role("link", name="New executives").wait_for()
    assert hand.clicks <= MOST
    async with database.tenant(organization_id) as connection:
        row = await connection.fetchrow(
            "SELECT families, seniorities, filter FROM watches WHERE name = 'New executives'"
        )
    assert row is not None
    assert (row["families"], row["seniorities"]) == (["leadership_moves"], ["c_suite"])
    assert row["filter"]["and"][0]["field"] == "list"


@pytest.mark.parametrize("page", [1440], indirect=True)
async def test_accounts_are_exported_with_their_sources(
    page: Page, address: str, workspace: Workspace, hand: Hand
) -> None:
    await follow_link(page, address, workspace)
    menu = page.locator("#pop-export")
    await hand.click(menu.locator("summary"), menu.get_by_label("With the source of each value"))
    async with page.expect_download() as download:
        await hand.click(menu.get_by_role("button", name="Download"))
    path = await (await download.value).path()
    assert "_source" in path.read_text("utf-8").partition("\n")[0]
    assert hand.clicks <= MOST


@pytest.mark.parametrize("page", [1440], indirect=True)
async def test_a_colleague_gets_a_read_only_key(
    page: Page, address: str, workspace: Workspace, hand: Hand, add_member: AddMember
) -> None:
    await add_member("ada@first.example")
    await follow_link(page, address, workspace)
    await hand.click(
        page.get_by_role("navigation", name="Main").get_by_role("link", name="Settings")
    )
    await hand.click(page.get_by_role("link", name="API keys"))
    await hand.click(page.locator("summary", has_text="New key"))
    await page.get_by_label("Name").fill("Reports")
    await hand.choose(page.get_by_label("Acts for"), "ada@first.example")
    await hand.click(page.get_by_role("button", name="Create key"))
    key = await page.locator("code.secret").text_content()
    assert key
    assert hand.clicks <= MOST
    headers = {"x-api-key": key, "content-type": "application/json"}
    for path, status in (("accounts", 200), ("lists", 403)):
        body = {} if path == "accounts" else {"name": "No"}
        answer = await page.request.post(f"{address}{BASE_PATH}/{path}", headers=headers, data=body)
        assert answer.status == status
