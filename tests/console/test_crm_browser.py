"""A CRM in a real browser: connected, previewed, synced and its log read, without what axe finds."""

from dataclasses import replace
from typing import Literal
from uuid import UUID

import pytest
from playwright.async_api import Page

from sightline.api.endpoint import Services
from tests.api.test_crm import StaysOpen, work
from tests.console.conftest import Workspace
from tests.console.test_axe import RULES, findings
from tests.console.test_browser import address, follow_link, page, pytestmark
from tests.crm.portal import Portal

__all__ = ["address", "page", "pytestmark"]

HUBSPOT = "/console/settings/integrations/hubspot"


@pytest.fixture
def portal() -> Portal:
    return StaysOpen()


@pytest.fixture
def services(services: Services, portal: Portal) -> Services:
    """Those of every test, with HubSpot outside."""
    return replace(services, open_web=lambda: portal)


async def check(page: Page) -> None:
    """Nothing is wider than the page, and axe finds nothing."""
    width = await page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"], page.url  # type: ignore[index]
    assert not await findings(page, RULES)


@pytest.mark.parametrize(
    ("page", "scheme"),
    [
        (390, "light"),
        (1280, "dark"),
        pytest.param(390, "dark", marks=pytest.mark.nightly),
        pytest.param(1280, "light", marks=pytest.mark.nightly),
    ],
    indirect=["page"],
)
async def test_a_crm_is_connected_previewed_and_synced(
    page: Page,
    address: str,
    workspace: Workspace,
    portal: Portal,
    services: Services,
    database_url: str,
    scheme: Literal["light", "dark"],
) -> None:
    portal.put("accounts", company_name="Harbor Works", website="harbor-works.example")
    portal.put("contacts", first_name="Mira", last_name="Tanaka", emails="mira@tide-labs.example")
    portal.put("accounts", company_name="Tide Labs", website="tide-labs.example")
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await follow_link(page, address, workspace)
    await page.goto(f"{address}/console/settings/integrations")
    await page.get_by_role("row", name="HubSpot").get_by_role("link", name="Connect").click()
    await check(page)
    await page.get_by_label("Client ID").fill("app-id")
    await page.get_by_label("Client secret").fill("app-secret")
    await page.get_by_role("button", name="Continue").click()
    onward = page.get_by_role("link", name="Continue to HubSpot")
    assert "state=" in (await onward.get_attribute("href") or "")
    await check(page)
    await page.get_by_label("Token of a private app").fill("token-good")
    await page.get_by_role("button", name="Connect").click()
    await page.get_by_text("No runs yet").wait_for()
    await page.get_by_text("Companies: 11 fields").click()
    await page.get_by_label("Conflict rule of name").select_option("Sightline wins")
    await page.get_by_role("button", name="Save and preview").click()
    await page.get_by_text("Harbor Works → Harbor Works").wait_for()
    assert await page.get_by_label("Conflict rule of name").input_value() == "ours"
    await check(page)
    await page.get_by_role("button", name="Sync now").click()
    run = page.locator(f'a[href^="{HUBSPOT}/runs/"]')
    await run.wait_for()
    run_id = (await run.get_attribute("href") or "").rpartition("/")[2]
    await work(database_url, services, portal, UUID(run_id))
    await page.get_by_text("Succeeded").wait_for()  # the list follows the run
    await check(page)
    await run.click()
    await page.get_by_role("link", name="Tide Labs").wait_for()
    await check(page)
