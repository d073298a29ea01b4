"""A CRM: what is synced and how, a preview, its runs, and the log of each record."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sightline.console.page import (
    Form,
    FormIsInvalid,
    Moved,
    NothingHere,
    Shown,
    Visit,
    answered_page,
)
from sightline.console.pages.integrations import HERE
from sightline.console.render import words
from sightline.crm.conflicts import Direction, Rule
from sightline.crm.fields import FIELDS
from sightline.crm.provider import KINDS, Kind
from sightline.crm.registry import PROVIDERS
from sightline.domain.errors import Refusal
from sightline.store.crm import companies_of

RULES: Final[Mapping[Rule, str]] = {
    "newest": "Newest wins",
    "theirs": "CRM wins",
    "ours": "Sightline wins",
    "only_empty": "Fill empty only",
}
DIRECTIONS: Final[Mapping[Direction, str]] = {
    "both": "Both ways",
    "in": "From the CRM",
    "out": "To the CRM",
}
OPERATORS: Final = {
    "EQ": "is", "NEQ": "is not", "IN": "is one of", "NOT_IN": "is none of", "CONTAINS_TOKEN": "contains",
    "LT": "is less than", "LTE": "is at most", "GT": "is more than", "GTE": "is at least",
    "HAS_PROPERTY": "is set", "NOT_HAS_PROPERTY": "is not set",
}  # fmt: skip
HOURS: Final = {1: "Every hour", 4: "Every 4 hours", 6: "Every 6 hours", 12: "Every 12 hours",
                24: "Daily", 168: "Weekly"}  # fmt: skip
NOTES: Final = {"brief": "A brief per account", "signals": "A note per signal"}
TITLES: Final[Mapping[Kind, str]] = {"accounts": "Companies", "contacts": "People"}
_BLANKS: Final = 2  # rows for what is not mapped yet
_MOST_CONDITIONS: Final = 4
_LIVE: Final = ("queued", "running", "waiting")
_WITHOUT_VALUE: Final = ("HAS_PROPERTY", "NOT_HAS_PROPERTY")


async def change(visit: Visit) -> Shown | Moved:
    """Save what is synced; `preview` reads the first records by it as well."""
    name, action = _crm(visit), visit.form.get("action")
    if action not in ("save", "preview"):
        raise FormIsInvalid
    path, chosen = {"integration_id": name}, _chosen(visit.form)
    try:
        await visit.run("update_sync_settings", path=path, body=chosen)
        if action == "save":
            return Moved(f"{HERE}/{name}", notice="integration_changed")
        found = await visit.run("preview_sync", path=path)
    except Refusal as refusal:
        return await page(visit, name, error=refusal.message, settings=chosen)
    return await page(visit, name, preview=found)


async def start(visit: Visit) -> Shown | Moved:
    """Sync now: what changed or everything, really or as a dry run."""
    name = _crm(visit)
    body = {
        "dry_run": visit.form.get("action") == "dry_run",
        "everything": visit.form.get("action") == "everything",
    }
    try:
        done = await visit.run("sync_integration", path={"integration_id": name}, body=body)
    except Refusal as refusal:
        return await page(visit, name, error=refusal.message)
    if done["error"]:
        return await page(visit, name, error=done["error"])
    return Moved(f"{HERE}/{name}", notice="synced")


async def run(visit: Visit) -> Shown:
    """A run, and its log record by record."""
    name, run_id = _crm(visit), visit.path_id("run_id")
    path = {"integration_id": name, "run_id": run_id}
    found = await visit.run("read_sync_run", path=path)
    actions = sorted({action for counts in found["counts"].values() for action in counts})
    action = visit.choice("action", tuple(actions))
    log, pager = await answered_page(visit, "list_sync_log", path=path, action=action or None)
    local = {UUID(each["local_id"]) for each in log if each["local_id"]}
    async with visit.reading() as connection:
        companies = await companies_of(connection, list(local))
    return Shown(
        "crm_run.html",
        {
            "id": name,
            "title": PROVIDERS[name].title,
            "run": found,
            "log": log,
            "companies": {str(account): of for account, of in companies.items()},
            "pager": pager,
            "pills": [(f"?action={each}", words(each), each == action) for each in actions],
            "action": action,
            "is_live": found["state"] in _LIVE,
        },
    )


async def item_of(visit: Visit, name: str) -> dict[str, Any]:
    """The integration as it is listed."""
    listed = (await visit.run("read_integrations_status"))["integrations"]
    found: dict[str, Any] = next(each for each in listed if each["id"] == name)
    return found


async def page(
    visit: Visit, name: str, *, error: str | None = None, settings: dict[str, Any] | None = None,
    preview: dict[str, Any] | None = None, **connecting: Any,
) -> Shown:  # fmt: skip
    """The page of a CRM. `settings` are those of a form that was refused, `preview` what the CRM has."""
    path = {"integration_id": name}
    kept = settings or await visit.run("read_sync_settings", path=path)
    runs, pager = await answered_page(visit, "list_sync_runs", path=path)
    seen = preview or {"items": [], "properties": []}
    return Shown(
        "crm.html",
        {
            "id": name,
            "crm": PROVIDERS[name],
            "item": await item_of(visit, name),
            "settings": kept,
            "mapping": {kind: _rows(kept["mapping"], kind, visit.is_admin) for kind in KINDS},
            "conditions": {kind: _conditions(kept["conditions"].get(kind) or []) for kind in KINDS},
            "fields": FIELDS,
            "titles": TITLES,
            "rules": RULES,
            "directions": DIRECTIONS,
            "operators": OPERATORS,
            "hours": HOURS,
            "notes": NOTES,
            "seen": {(each["kind"], each["property"]): each for each in seen["items"]},
            "offered": seen["properties"],
            "runs": runs,
            "pager": pager,
            "is_live": any(each["state"] in _LIVE for each in runs),
            "error": error,
            "given": {},
            **connecting,
        },
    )


def _crm(visit: Visit) -> str:
    name = visit.path("integration_id")
    if name not in PROVIDERS:
        raise NothingHere
    return name


def _rows(mapping: Sequence[dict[str, Any]], kind: Kind, may_add: bool) -> list[dict[str, Any]]:
    blank = {"property": "", "field": "", "direction": "both", "rule": "newest"}
    rows = [each for each in mapping if each["kind"] == kind]
    return [*rows, *([blank] * _BLANKS if may_add else ())]


def _conditions(kept: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    blank = {"property": "", "operator": "EQ", "value": ""}
    return [*kept, blank][:_MOST_CONDITIONS]


def _chosen(form: Form) -> dict[str, Any]:
    """What the form says, as the API takes it. A row without a property is one that is removed."""
    mapping: list[dict[str, Any]] = []
    conditions: dict[str, list[dict[str, Any]]] = {}
    for kind in KINDS:
        names = ("property", "field", "direction", "rule")
        mapping += [{"kind": kind, **row} for row in _numbered(form, kind, names)]
        conditions[kind] = [
            row | ({"value": None} if row["operator"] in _WITHOUT_VALUE else {})
            for row in _numbered(form, f"{kind}:only", ("property", "operator", "value"))
        ]
    every = form.get("every_hours", "")
    return {
        "mapping": mapping,
        "conditions": conditions,
        "writes": "writes" in form,
        "creates": "creates" in form,
        "notes": [each for each in NOTES if each in form.getlist("notes")],
        "every_hours": int(every)
        if every.isascii() and every.isdigit() and len(every) < 5
        else None,
    }


def _numbered(form: Form, start: str, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Rows of a form, whose fields are named start:1:property, and so on."""
    found, n = [], 1
    while f"{start}:{n}:property" in form:
        row = {name: form.get(f"{start}:{n}:{name}", "").strip() for name in names}
        if row["property"]:
            found.append(row)
        n += 1
    return found
