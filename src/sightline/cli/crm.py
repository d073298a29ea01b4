"""`crm`: connect a CRM, choose what is synced, run syncs and read their logs."""

import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import UUID

import typer

from sightline.cli.context import (
    DataDir,
    Organization,
    administer,
    administer_organization,
    secrets_of,
)
from sightline.cli.exits import CommandFailed, one_line_errors
from sightline.cli.output import AsJson, print_fields, print_json, print_table

if TYPE_CHECKING:
    from sightline.crm.connection import CrmSettings
    from sightline.crm.provider import Filter
    from sightline.domain.callers import OrganizationId
    from sightline.store.database import Connection, Database

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
    from sightline.crm import connection as crm
    from sightline.crm.provider import App, CrmIsBusy, CrmRefuses

    app = App(client_id or "", "", redirect_uri, site)
    if client_id is not None and code is None:
        with one_line_errors():
            try:
                address = crm.authorize(provider, app)
            except CrmRefuses as error:
                raise CommandFailed(str(error)) from error
        print("Open this URL, approve, and run the command again with the --code it returns:")
        print(address)
        return
    secret = os.environ.get("SIGHTLINE_CRM_SECRET") or typer.prompt("Secret", hide_input=True)

    async def work(owner: "Database", application: "Database") -> None:
        from sightline.kit.fetch.live import LiveWeb
        from sightline.store.organizations import find_organization

        organization_id = await find_organization(owner, org)
        web = LiveWeb()
        try:
            tokens = await crm.get_tokens(provider, replace(app, secret=secret), code, web=web)
        except (CrmIsBusy, CrmRefuses) as error:
            raise CommandFailed(str(error)) from error
        finally:
            await web.close()
        async with application.tenant(organization_id) as connection:
            secrets = secrets_of(data_dir)
            await crm.save_tokens(connection, organization_id, provider, tokens, secrets=secrets)

    with one_line_errors():
        administer(work, data_dir=data_dir)
    print(f"Connected. Try it with: sightline crm sync --provider {provider} --dry-run")


@app.command()
def disconnect(
    provider: Provider = "hubspot", org: Organization = "default", data_dir: DataDir = None
) -> None:
    """Delete the tokens. Synced data stays; a run in progress stops."""

    async def work(connection: "Connection", organization_id: "OrganizationId") -> None:
        from sightline.store import crm_runs

        await crm_runs.forget(connection, organization_id, provider)

    administer_organization(org, work, data_dir=data_dir)
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
    settings = _change(provider, org, data_dir, lambda found: found)
    if not preview:
        rows = settings.as_json()
        if as_json:
            print_json(rows)
            return
        columns = ("kind", "property", "field", "direction", "rule")
        print_table(columns, [[row[name] for name in columns] for row in rows["mapping"]])
        print_fields({name: json.dumps(rows[name]) for name in rows if name != "mapping"})
        return
    values = _preview(provider, org, data_dir)
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

    def change(found: "CrmSettings") -> "CrmSettings":
        from sightline.crm.fields import as_rows, read_mapping

        rows = as_rows(
            each
            for each in found.mapping
            if each.kind != kind or (each.property != property and each.field != field)
        )
        if field:
            rows.append(
                {"kind": kind, "property": property, "field": field, "direction": direction,
                 "rule": rule}
            )  # fmt: skip
        return replace(found, mapping=read_mapping(rows))

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

    def change(found: "CrmSettings") -> "CrmSettings":
        given: dict[str, Any] = {"writes": writes, "creates": creates}
        if notes is not None:
            given["notes"] = _NOTES[notes]
        given = {name: value for name, value in given.items() if value is not None}
        if every_hours is not None:
            given["every_hours"] = every_hours or None
        filters = dict(found.filters)
        asked: dict[Kind, list[str] | None] = {"accounts": accounts, "contacts": contacts}
        filters |= {kind: _filters(texts) for kind, texts in asked.items() if texts is not None}
        return replace(found, filters=filters, **given)

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

    async def work(connection: "Connection", organization_id: "OrganizationId") -> UUID:
        from sightline.crm.run import ask_for_run
        from sightline.store.crm_runs import RunIsUnderWay

        try:
            return await ask_for_run(
                connection, organization_id, provider, dry_run=dry_run, everything=everything
            )
        except RunIsUnderWay as error:
            raise CommandFailed(
                "A run is already in progress; see `sightline crm runs`."
            ) from error

    with one_line_errors():
        print(administer_organization(org, work, data_dir=data_dir))


@app.command("runs")
def list_runs(
    provider: Provider = "hubspot",
    org: Organization = "default",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """List runs, newest first."""

    async def work(connection: "Connection", organization_id: "OrganizationId") -> Any:
        from sightline.store import crm_runs

        items, _, _ = await crm_runs.runs_page(
            connection, organization_id, provider, before=None, offset=0, limit=50
        )
        return json.loads(items)

    rows = administer_organization(org, work, data_dir=data_dir)
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
    org: Organization = "default",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Show what a run did to each record: up to 1,000, without a filter the first ones."""

    async def work(connection: "Connection", organization_id: "OrganizationId") -> Any:
        from sightline.store import crm_runs

        items, _, _ = await crm_runs.log_page(
            connection, organization_id, run, action=action, before=None, offset=0, limit=_SHOWN
        )
        return json.loads(items)

    rows = administer_organization(org, work, data_dir=data_dir)
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


def _change(provider: str, org: str, data_dir: Any, change: Any) -> "CrmSettings":
    """The settings as they are after `change`."""

    async def work(connection: "Connection", organization_id: "OrganizationId") -> "CrmSettings":
        from sightline.crm.connection import find_connection, save_settings

        _, found = await find_connection(connection, organization_id, provider)
        changed: CrmSettings = change(found)
        if changed != found:
            await save_settings(connection, organization_id, provider, changed)
        return changed

    from sightline.crm.fields import MappingIsWrong

    with one_line_errors():
        try:
            return administer_organization(org, work, data_dir=data_dir)
        except MappingIsWrong as wrong:
            raise CommandFailed(str(wrong)) from wrong


def _preview(provider: str, org: str, data_dir: Any) -> list[dict[str, Any]]:
    async def work(owner: "Database", application: "Database") -> list[dict[str, Any]]:
        from dataclasses import asdict

        from sightline.crm.connection import find_connection, open_crm
        from sightline.crm.preview import preview
        from sightline.crm.provider import CrmIsBusy, CrmRefuses
        from sightline.kit.fetch.live import LiveWeb
        from sightline.store.organizations import find_organization

        organization_id = await find_organization(owner, org)
        async with application.tenant(organization_id) as connection:
            kept, settings = await find_connection(connection, organization_id, provider)
        web = LiveWeb()
        try:
            crm = open_crm(
                kept, database=application, organization_id=organization_id,
                secrets=secrets_of(data_dir), web=web,
            )  # fmt: skip
            values, _ = await preview(crm, settings, provider)
        except (CrmIsBusy, CrmRefuses) as error:
            raise CommandFailed(str(error)) from error
        finally:
            await web.close()
        return [asdict(each) for each in values]

    with one_line_errors():
        return administer(work, data_dir=data_dir)


def _filters(texts: list[str]) -> "tuple[Filter, ...]":
    from sightline.crm.provider import Filter

    found = []
    for text in filter(str.strip, texts):
        property, _, rest = text.strip().partition(" ")
        operator, _, value = rest.strip().partition(" ")
        if not operator:
            raise CommandFailed(f"{text!r} is not of the form PROPERTY OPERATOR VALUE.")
        found.append(Filter(property, operator.upper(), value.strip() or None))
    return tuple(found)


def _counts(counts: dict[str, dict[str, int]]) -> str:
    return "; ".join(
        f"{stage}: {', '.join(f'{n} {action}' for action, n in actions.items())}"
        for stage, actions in counts.items()
        if actions
    )
