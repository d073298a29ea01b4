"""The navigation of the console, in the order in which it is shown. A new page is one row here."""

from typing import Final, NamedTuple


class Place(NamedTuple):
    """A page that the navigation leads to. `icon` is one of `icons.py`; `words` are what else a person
    may look for it by."""

    name: str
    label: str
    path: str
    icon: str
    words: str = ""


GROUPS: Final[tuple[tuple[str, tuple[Place, ...]], ...]] = (
    (
        "",
        (
            Place("alerts", "Alerts", "/console/alerts", "bell", "inbox notifications"),
            Place("search", "Search", "/console/search", "search", "evidence find"),
        ),
    ),
    (
        "Accounts",
        (
            Place("accounts", "Accounts", "/console/accounts", "building", "companies"),
            Place("contacts", "Contacts", "/console/contacts", "people", "people"),
            Place("timeline", "Timeline", "/console/timeline", "timeline", "events activity"),
            Place("lists", "Lists", "/console/lists", "list", "saved search"),
            Place("territories", "Territories", "/console/territories", "map", "regions"),
        ),
    ),
    (
        "Workspace",
        (
            Place("imports", "Imports", "/console/imports", "upload", "upload csv excel file"),
            Place("operations", "Operations", "/console/operations", "play", "enrichment jobs"),
            Place("credits", "Credits", "/console/credits", "coins", "usage balance ledger"),
            Place("sources", "Sources", "/console/sources", "database", "filings registers"),
            Place("settings", "Settings", "/console/settings", "settings", "keys users offering"),
        ),
    ),
)
# Pages that stand under another one in the navigation.
UNDER: Final = {"company": "accounts"}
