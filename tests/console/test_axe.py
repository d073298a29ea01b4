"""axe finds nothing on any page: here at one width a theme, at three by `make nightly` over the sample."""

import re
from typing import Any

import httpx
import pytest
from playwright.async_api import FilePayload, Page

from sightline.api.endpoints import BASE_PATH
from sightline.store.database import Database
from tests.api.asking import store_company
from tests.console.axe import (
    HEIGHT,
    IS_WIDER,
    NARROWEST,
    RULES,
    SCRIPT,
    THEME,
    asking,
    looks,
    paths,
    read,
)
from tests.console.conftest import Workspace, add_alerts
from tests.console.test_browser import address, follow_link, page, pytestmark, services
from tests.console.test_imports import LIST

__all__ = ["address", "page", "pytestmark", "services"]


async def findings(page: Page, rules: tuple[str, ...] = RULES) -> list[str]:
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(SCRIPT)
    return read(await page.evaluate(asking(rules)))


async def look_at(page: Page) -> list[str]:
    """What is wrong with the page that is open."""
    poor: list[str] = []
    for theme, width, rules in looks(every=False):
        await page.set_viewport_size({"width": width, "height": HEIGHT})
        await page.evaluate(THEME, theme)
        poor += [f"{theme}, {width}: {each}" for each in await findings(page, rules)]
    await page.set_viewport_size({"width": NARROWEST, "height": HEIGHT})
    if await page.evaluate(IS_WIDER):
        poor.append(f"{NARROWEST}: something sticks out at the side")
    return poor


async def first_id(page: Page, address: str) -> str:
    """The id in the first row of a list."""
    await page.goto(address)
    link = await page.locator("main td.lead a").first.get_attribute("href")
    assert link
    return link.rpartition("/")[2]


async def make_one_of_each(page: Page, address: str, workspace: Workspace) -> dict[str, str]:
    """What pages with an id are of: parameter -> id."""
    rule = {"and": [{"field": "country", "op": "eq", "value": "US"}]}
    made: dict[str, Any] = {}
    async with httpx.AsyncClient(headers={"x-api-key": workspace.tenant.key}) as client:
        for name, path, body in (
            (
                "contact_id",
                "contacts",
                {"full_name": "Mira Tanaka", "emails": ["m@harbor.example"]},
            ),
            ("list_id", "lists", {"name": "US accounts", "filter": rule}),
            ("territory_id", "territories", {"name": "United States", "rules": rule}),
            ("webhook_id", "webhooks", {"url": "https://93.184.216.34/hook"}),
            ("watch_id", "watches", {"name": "Risks", "filter": rule, "families": ["risk"]}),
        ):
            answer = await client.post(f"{address}{BASE_PATH}/{path}", json=body)
            assert answer.status_code in (200, 201, 202), answer.text
            made[name] = answer.json()["id"]
        asked = await client.post(
            f"{address}{BASE_PATH}/companies", json={"domain": "harbor.example"}
        )
        assert asked.status_code == 202, asked.text
    made["operation_id"] = await first_id(page, f"{address}/console/operations")
    await page.goto(f"{address}/console/imports/new")
    await page.get_by_label("File").set_input_files(
        FilePayload(name="firms.csv", mimeType="text/csv", buffer=LIST)
    )
    await page.get_by_role("heading", name="firms.csv").wait_for()
    made["upload_id"] = page.url.rpartition("/")[2]
    return made | {"integration_id": "hubspot"}


@pytest.mark.parametrize("page", [1440], indirect=True)
async def test_axe_finds_nothing(
    page: Page, address: str, workspace: Workspace, database: Database, database_url: str
) -> None:
    await page.emulate_media(reduced_motion="reduce")
    await add_alerts(database, workspace, "opens a plant")
    company = await store_company(database, database_url, workspace.tenant.organization_id)
    await page.goto(f"{address}/console/sign-in")
    poor = [f"sign-in, {each}" for each in await look_at(page)]
    await follow_link(page, address, workspace)
    made = await make_one_of_each(page, address, workspace) | {"company_id": str(company)}
    made["document_id"] = await first_id(page, f"{address}/console/companies/{company}/documents")
    for path in paths():
        await page.goto(
            f"{address}/console{re.sub('{([a-z_]+)}', lambda found: made[found[1]], path)}"
        )
        await page.wait_for_load_state("load")
        poor += [f"{path}, {each}" for each in await look_at(page)]
    assert not poor, "\n".join(poor)
