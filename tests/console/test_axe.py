"""Every page of the console is free of what axe finds, at three widths and in both themes."""

from typing import Final, Literal

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

from sightline.console.site import PAGES
from sightline.store.database import Database
from tests.console.conftest import Workspace, add_alerts
from tests.console.test_browser import address, follow_link, page, pytestmark, services

__all__ = ["address", "page", "pytestmark", "services"]

WIDTHS: Final = (390, 820, 1440)
RULES: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


def addresses(company: object) -> list[str]:
    """Each page that needs no more than a company. A logo is a picture, no page."""
    found = [path for method, path, _, _ in PAGES if method == "GET"]
    named = [path.replace("{company_id}", str(company)) for path in found]
    return [
        path for path in named if "{" not in path and path != "/find" and not path.endswith("/logo")
    ]


async def findings(page: Page, rules: tuple[str, ...]) -> list[str]:
    kind = "tag" if rules is RULES else "rule"
    options = {"resultTypes": ["violations"], "runOnly": {"type": kind, "values": list(rules)}}
    found = await Axe().run(page, options=options)
    return [
        f"{each['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for each in found.response["violations"]
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("page", [1440], indirect=True)
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing(
    page: Page,
    address: str,
    workspace: Workspace,
    database: Database,
    scheme: Literal["light", "dark"],
) -> None:
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await add_alerts(database, workspace, "opens a plant")
    await page.goto(f"{address}/console/sign-in")
    poor = [f"sign-in {each}" for each in await findings(page, RULES)]
    await follow_link(page, address, workspace)
    # Themes differ in their colors alone.
    rules = RULES if scheme == "light" else ("color-contrast",)
    for path in addresses(workspace.companies[1]):
        await page.goto(f"{address}/console{path}")
        await page.wait_for_load_state("load")
        for width in WIDTHS:
            await page.set_viewport_size({"width": width, "height": 900})
            poor += [f"{path} at {width}: {each}" for each in await findings(page, rules)]
    assert not poor, "\n".join(poor)
