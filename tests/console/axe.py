"""What axe finds on a page that is open: in both themes, and at each width, without loading it again."""

from pathlib import Path
from typing import Any, Final

import axe_playwright_python

from sightline.console.site import PAGES

SCRIPT: Final = (Path(axe_playwright_python.__path__[0]) / "axe.min.js").read_text("utf-8")
WIDTHS: Final = (390, 820, 1440)
HEIGHT: Final = 900
NARROWEST: Final = 360
THEMES: Final = ("light", "dark")
RULES: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
# What depends on colors, and on how wide the page is.
CONTRAST: Final = ("color-contrast",)
LAYOUT: Final = (
    "target-size",
    "scrollable-region-focusable",
    "summary-name",
    "button-name",
    "link-name",
)
# A picture, a fragment and a file; a sync with a CRM is looked at in test_crm_browser.py.
NO_PAGES: Final = ("/find", "/companies/{company_id}/logo", "/imports/uploads/{upload_id}/problems")
ELSEWHERE: Final = (
    "/settings/integrations/{integration_id}/runs/{run_id}",
    "/settings/integrations/{integration_id}/return",
    "/documents/{document_id}",
)
THEME: Final = "theme => document.documentElement.dataset.theme = theme"
IS_WIDER: Final = "document.documentElement.scrollWidth > window.innerWidth"


def paths() -> list[str]:
    """Every page of the console, as the table has it."""
    left_out = (*NO_PAGES, *ELSEWHERE)
    return [path for method, path, _, _ in PAGES if method == "GET" and path not in left_out]


def asking(rules: tuple[str, ...]) -> str:
    """The script that answers what these rules, or all with these tags, find."""
    kind = "tag" if rules is RULES else "rule"
    options = {"resultTypes": ["violations"], "runOnly": {"type": kind, "values": list(rules)}}
    return f"axe.run({options!r})"


def read(found: Any) -> list[str]:
    """What an answer of axe says, a line a fault."""
    return [
        f"{each['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


def looks(*, every: bool) -> list[tuple[str, int, tuple[str, ...]]]:
    """(theme, width, rules) of each look at a page: all rules once, what may differ again in each theme
    and at each width; without `every` at one width a theme."""
    if not every:
        return [("light", WIDTHS[0], RULES), ("dark", WIDTHS[-1], (*CONTRAST, *LAYOUT))]
    rest = [(theme, width) for theme in THEMES for width in WIDTHS][1:]
    layout = [
        (theme, width, (*CONTRAST, *LAYOUT) if theme == THEMES[0] else CONTRAST)
        for theme, width in rest
    ]
    return [(THEMES[0], WIDTHS[0], RULES), *layout]
