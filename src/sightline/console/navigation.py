"""The console's navigation, in display order. To add a page, add a row here."""

from typing import Final, NamedTuple


class Place(NamedTuple):
    """A page that the navigation leads to. `icon` is one of `icons.py`; `words` are what else a person
    may look for it by."""

    name: str
    label: str
    path: str
    icon: str
    words: str = ""
    key: str = ""  # leads there after a "g"


GROUPS: Final[tuple[tuple[str, tuple[Place, ...]], ...]] = (
    (
        "",
        (
            Place("home", "Home", "/console/home", "home", "start", "h"),
            Place("alerts", "Alerts", "/console/alerts", "bell", "inbox notifications", "i"),
            Place("watches", "Watches", "/console/watches", "eye", "monitor notify", "w"),
            Place("search", "Search", "/console/search", "search", "evidence find", "e"),
        ),
    ),
    (
        "Accounts",
        (
            Place("accounts", "Accounts", "/console/accounts", "building", "companies", "a"),
            Place("contacts", "Contacts", "/console/contacts", "people", "people", "c"),
            Place("timeline", "Timeline", "/console/timeline", "timeline", "events activity", "t"),
            Place("lists", "Lists", "/console/lists", "list", "saved search", "l"),
            Place("territories", "Territories", "/console/territories", "map", "regions"),
        ),
    ),
    (
        "Workspace",
        (
            Place("imports", "Imports", "/console/imports", "upload", "upload csv excel file"),
            Place(
                "operations", "Operations", "/console/operations", "play", "enrichment jobs", "o"
            ),
            Place("credits", "Credits", "/console/credits", "coins", "usage balance ledger"),
            Place("sources", "Sources", "/console/sources", "database", "filings registers"),
            Place(
                "settings", "Settings", "/console/settings", "settings", "keys users offering", "s"
            ),
        ),
    ),
)
# What a person may do at once, for the search of everything.
ACTIONS: Final = (
    Place("", "Add an account", "/console/accounts/new", "plus", "new enrich company research"),
    Place("", "Import a list", "/console/imports/new", "upload", "csv excel new"),
    Place("", "Create a watch", "/console/watches/new", "eye", "alert notify new"),
    Place("", "Create a territory", "/console/territories/new", "map", "new region"),
    Place("", "Invite a user", "/console/settings/users", "user", "colleague new"),
    Place("", "Create an API key", "/console/settings/keys", "key", "new token"),
    Place(
        "",
        "Describe what you sell",
        "/console/settings/selling",
        "spark",
        "offering seller context",
    ),
    Place(
        "",
        "Choose theme and time zone",
        "/console/preferences",
        "settings",
        "dark light preferences",
    ),
    Place("", "API reference", "/docs", "document", "developers"),
)
# Pages that stand under another one in the navigation.
UNDER: Final = {"company": "accounts"}
