"""`crm`: connect a CRM, choose what is synced, run syncs and read their logs. The API does the work."""

import json
import os
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal
from uuid import UUID

import typer

from sightline.cli.context import DataDir, Organization
from sightline.cli.door import read_pages, through
from sightline.cli.exits import CommandFailed, one_line_errors
from sightline.cli.output import AsJson, print_fields, print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from sightline.mcp.doors import Door

app = typer.Typer(help="Connect a CRM, choose what is synced, and sync it.", no_args_is_help=True)

# Spelled out: the parser needs them before anything is imported.
Provider = Annotated[
    Literal["hubspot", "salesforce"], typer.Option("--provider", help="Which CRM.")
]
Kind = Literal["accounts", "contacts"]
Rule = Literal["theirs", "ours", "newest", "only_empty"]
Direction = Literal["in", "out", "both"]
Notes = Literal["none", "brief", "signals", "both"]
_NOTES = {"none": (), "brief": ("brief",), "signals": ("signals",), "both": ("brief", "signals")}
Run = Annotated[UUID, typer.Argument(help="Id of the run.")]
_SHOWN = 1_000
_LISTED = 50
_PLACE: Final = "/integrations/{integration_id}"
_ROUTES: Final = {
    "connect_integration": f"POST {_PLACE}/connection",
    "disconnect_integration": f"DELETE {_PLACE}/connection",
    "read_sync_settings": f"GET {_PLACE}/settings",
    "update_sync_settings": f"PATCH {_PLACE}/settings",
    "preview_sync": f"POST {_PLACE}/preview",
    "sync_integration": f"POST {_PLACE}/sync",
    "list_sync_runs": f"GET {_PLACE}/runs",
    "list_sync_log": f"GET {_PLACE}/runs/{{run_id}}/log",
}


@app.command()
def connect(
    provider: Provider = "hubspot",
    client_id: Annotated[
        str | None, typer.Option("--client-id", help="Client id of your own app, for OAuth.")
    ] = None,
    redirect_uri: Annotated[
        str, typer.Option("--redirect-uri", help="Redirect URL of the app.")
    ] = "http://localhost",
    code: Annotated[str | None, typer.Option("--code", help="The code from the redirect.")] = None,
    site: Annotated[
        str | None, typer.Option("--site", help="Where people sign in to Salesforce.")
    ] = None,
    org: Organization = "default",
    data_dir: DataDir = None,
) -> None:
    """Connect a CRM with the token of a private app, or with --client-id through OAuth.

    Prompts for the token or the app's secret, or takes it from SIGHTLINE_CRM_SECRET. It is tested, then
    stored encrypted.
    """
    body = {"client_id": client_id, "redirect_uri": redirect_uri, "code": code, "site": site}
    if client_id is None or code is not None:
        secret = os.environ.get("SIGHTLINE_CRM_SECRET") or typer.prompt("Secret", hide_input=True)
        body["secret"] = secret
    made = _run("connect_integration", provider, org, data_dir, body=body)
    if made["authorize_url"]:
        print("Open this URL, approve, and run the command again with the --code it returns:")
        print(made["authorize_url"])
    else:
        print(f"Connected. Try it with: sightline crm sync --provider {provider} --dry-run")


@app.command()
def disconnect(
    provider: Provider = "hubspot", org: Organization = "default", data_dir: DataDir = None
) -> None:
    """Delete the tokens. Synced data stays; a run in progress stops."""
    _run("disconnect_integration", provider, org, data_dir)
    print("Disconnected.")


@app.command()
def fields(
    provider: Provider = "hubspot",
    org: Organization = "default",
    preview: Annotated[
        bool, typer.Option("--preview", help="Show values of the first records as well.")
    ] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Show which property maps to which field, with direction and rule."""
    if preview:
        _show_preview(_run("preview_sync", provider, org, data_dir)["items"], as_json=as_json)
        return
    settings = _run("read_sync_settings", provider, org, data_dir)
    settings["filters"] = settings.pop("conditions")
    if as_json:
        print_json(settings)
        return
    columns = ("kind", "property", "field", "direction", "rule")
    print_table(columns, [[row[name] for name in columns] for row in settings.pop("mapping")])
    print_fields({name: json.dumps(value) for name, value in settings.items()})


@app.command("map")
def map_field(
    property: Annotated[str, typer.Argument(help="CRM property.")],
    field: Annotated[str, typer.Argument(help="Sightline field; empty to unmap the property.")],
    kind: Annotated[Kind, typer.Option("--kind", help="Of companies or people.")] = "accounts",
    direction: Annotated[
        Direction, typer.Option("--direction", help="From the CRM (in), to it (out), or both.")
    ] = "both",
    rule: Annotated[
        Rule, typer.Option("--rule", help="Who wins if both sides changed the field.")
    ] = "newest",
    provider: Provider = "hubspot",
    org: Organization = "default",
    data_dir: DataDir = None,
) -> None:
    """Map a property to a field, or change its direction and rule."""
    mapped = {
        "kind": kind, "property": property, "field": field, "direction": direction, "rule": rule,
    }  # fmt: skip

    def change(settings: dict[str, Any]) -> dict[str, Any]:
        others = [
            each
            for each in settings["mapping"]
            if each["kind"] != kind or (each["property"] != property and each["field"] != field)
        ]
        return {"mapping": [*others, mapped] if field else others}

    _change(provider, org, data_dir, change)
    print(f"{property} is {field or 'not mapped'}.")


@app.command("set")
def set_options(
    writes: Annotated[
        bool | None, typer.Option("--writes/--no-writes", help="Write to the CRM.")
    ] = None,
    creates: Annotated[
        bool | None,
        typer.Option("--creates/--no-creates", help="Create accounts that the CRM does not have."),
    ] = None,
    notes: Annotated[
        Notes | None, typer.Option("--notes", help="Which notes to write to the CRM.")
    ] = None,
    every_hours: Annotated[
        int | None,
        typer.Option("--every-hours", min=0, max=720, help="How often to sync; 0 for never."),
    ] = None,
    accounts: Annotated[
        list[str] | None,
        typer.Option("--accounts", help="Which companies: 'PROPERTY OPERATOR VALUE'; up to 4."),
    ] = None,
    contacts: Annotated[
        list[str] | None, typer.Option("--contacts", help="Which people, likewise.")
    ] = None,
    provider: Provider = "hubspot",
    org: Organization = "default",
    data_dir: DataDir = None,
) -> None:
    """Choose what is synced; options you omit stay as they are. An empty filter removes all filters."""

    def change(settings: dict[str, Any]) -> dict[str, Any]:
        given: dict[str, Any] = {"writes": writes, "creates": creates}
        given["notes"] = None if notes is None else _NOTES[notes]
        given = {name: value for name, value in given.items() if value is not None}
        if every_hours is not None:
            given["every_hours"] = every_hours or None
        asked = {"accounts": accounts, "contacts": contacts}
        chosen = {kind: _filters(texts) for kind, texts in asked.items() if texts is not None}
        return given | {"conditions": settings["conditions"] | chosen}

    _change(provider, org, data_dir, change)
    print("Saved. See: sightline crm fields")


@app.command()
def sync(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would happen without changing anything.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--everything", help="Sync all records, not only those that changed.")
    ] = False,
    provider: Provider = "hubspot",
    org: Organization = "default",
    data_dir: DataDir = None,
) -> None:
    """Start a sync in a worker. See `sightline crm runs`."""
    body = {"dry_run": dry_run, "everything": everything}

    async def work(door: "Door") -> str:
        path: dict[str, Any] = {"integration_id": provider}
        begun = await door.run("sync_integration", path=path, body=body)
        if not begun["queued"]:
            raise CommandFailed(f"{begun['error']} See `sightline crm runs`.")
        (run,) = await _listed(door, "list_sync_runs", path, limit=1)
        return str(run["id"])

    print(_through(work, org, data_dir))


@app.command("runs")
def list_runs(
    provider: Provider = "hubspot",
    org: Organization = "default",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """List runs, newest first."""
    path: dict[str, Any] = {"integration_id": provider}
    rows = _through(
        lambda door: _listed(door, "list_sync_runs", path, limit=_LISTED), org, data_dir
    )
    if as_json:
        print_json(rows)
        return
    print_table(
        ("run", "state", "stage", "dry run", "began", "counts", "remarks"),
        [
            (row["id"], row["state"], row["stage"], row["dry_run"], row["started_at"],
             _counts(row["counts"]), "; ".join([*filter(None, [row["error"]]), *row["warnings"]]))
            for row in rows
        ],
        empty="No runs.",
    )  # fmt: skip


@app.command("log")
def show_log(
    run: Run,
    action: Annotated[
        str | None, typer.Option("--action", help="Only records with this outcome.")
    ] = None,
    provider: Provider = "hubspot",
    org: Organization = "default",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Show what a run did to each record: up to 1,000, without a filter the first ones."""
    path = {"integration_id": provider, "run_id": str(run)}
    asked = {} if action is None else {"action": action}
    rows = _through(
        lambda door: _listed(door, "list_sync_log", path, limit=_SHOWN, **asked), org, data_dir
    )
    if as_json:
        print_json(rows)
        return
    print_table(
        ("stage", "record", "action", "ours", "details"),
        [
            (row["stage"], row["record_id"], row["action"], row["local_id"] or "-",
             json.dumps(row["details"]))
            for row in rows
        ],
        empty="No such records.",
    )  # fmt: skip


def _through(work: "Callable[[Door], Awaitable[Any]]", org: str, data_dir: "Path | None") -> Any:
    with one_line_errors():
        return through(_ROUTES, work, org=org, data_dir=data_dir)


def _run(
    operation: str, provider: str, org: str, data_dir: "Path | None", *, body: Any = None
) -> Any:
    path = {"integration_id": provider}
    return _through(lambda door: door.run(operation, path=path, body=body), org, data_dir)


async def _listed(
    door: "Door", operation: str, path: dict[str, Any], *, limit: int, **asked: str
) -> list[dict[str, Any]]:
    return await read_pages(door, operation, path=path, given=asked, in_body=False, limit=limit)


def _change(
    provider: str,
    org: str,
    data_dir: "Path | None",
    change: "Callable[[dict[str, Any]], dict[str, Any]]",
) -> None:
    """Change the settings; `change` makes the fields to set from those that are kept."""

    async def work(door: "Door") -> None:
        path = {"integration_id": provider}
        settings = await door.run("read_sync_settings", path=path)
        await door.run("update_sync_settings", path=path, body=change(settings))

    _through(work, org, data_dir)


def _show_preview(values: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print_json(values)
        return
    print_table(
        ("kind", "property", "field", "theirs", "read as"),
        [
            (v["kind"], v["property"], v["field"], " | ".join(v["theirs"]),
             " | ".join(each or "-" for each in v["read_as"]))
            for v in values
        ],
    )  # fmt: skip


def _filters(texts: list[str]) -> list[dict[str, str | None]]:
    found: list[dict[str, str | None]] = []
    for text in filter(str.strip, texts):
        property, _, rest = text.strip().partition(" ")
        operator, _, value = rest.strip().partition(" ")
        if not operator:
            raise CommandFailed(f"{text!r} is not of the form PROPERTY OPERATOR VALUE.")
        value = value.strip()
        found.append({"property": property, "operator": operator.upper(), "value": value or None})
    return found


def _counts(counts: dict[str, dict[str, int]]) -> str:
    return "; ".join(
        f"{stage}: {', '.join(f'{n} {action}' for action, n in actions.items())}"
        for stage, actions in counts.items()
        if actions
    )
