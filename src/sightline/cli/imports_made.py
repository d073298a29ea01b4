"""`import list` and `import undo`: past imports."""

import json
from typing import Annotated, Any
from uuid import UUID

import typer

from sightline.cli.context import DataDir, Organization, administer, administer_organization
from sightline.cli.exits import USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, confirm, print_json, print_rows, working
from sightline.imports.undo import undo_import
from sightline.store.database import Database, Tenant
from sightline.store.imports import (
    ImportIsMissing,
    ImportIsNotUndoable,
    UndoneImport,
    imports_page,
    read_import,
)
from sightline.store.organizations import find_organization
from sightline.store.pages import Slice

_MOST_LISTED = 200


def list_imports(
    org: Organization = "default", as_json: AsJson = False, data_dir: DataDir = None
) -> None:
    """List imports, newest first, with time, file and result. 200 at most."""

    async def read(tenant: Tenant) -> str:
        items, _, _ = await imports_page(tenant, part=Slice(_MOST_LISTED))
        return items

    found = json.loads(administer_organization(org, read, data_dir=data_dir))
    columns = {
        "Import": "id", "Kind": "kind", "File": "file_name", "Started": "started_at", "State": "state",
        "Created": "created", "Updated": "updated", "Bad": "bad",
    }  # fmt: skip
    print_rows(found, columns, as_json=as_json, empty="No imports yet.")


def undo(
    import_id: Annotated[str, typer.Argument(help="Id of the import; see import list.")],
    org: Organization = "default",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Undo a whole import of accounts or contacts.

    Records it created are removed, and values it replaced are restored. Later changes stay and are
    counted. If the undo is interrupted, run it again to continue.
    """
    with one_line_errors():
        try:
            wanted = UUID(import_id)
        except ValueError:
            raise CommandFailed(f"{import_id} is not the id of an import.", code=USAGE) from None

    async def run(owner: Database, database: Database) -> UndoneImport:
        organization_id = await find_organization(owner, org)
        async with database.tenant(organization_id) as connection:
            body = await read_import(connection, wanted)
        if body is None:
            raise CommandFailed(f"There is no import {wanted}.")
        made: dict[str, Any] = json.loads(body)
        confirm(
            f"Undo the import of {made['file_name']}: {made['created']:,} {made['kind']} created,"
            f" {made['updated']:,} updated?",
            yes=yes,
        )
        try:
            with working("Undoing"):
                return await undo_import(database, organization_id, wanted, actor="cli")
        except (ImportIsMissing, ImportIsNotUndoable) as error:
            raise CommandFailed(str(error)) from error

    outcome = administer(run, data_dir=data_dir)
    if as_json:
        print_json({"import_id": str(wanted)} | outcome.counts())
    else:
        _print(outcome)


def _print(outcome: UndoneImport) -> None:
    print(
        f"{outcome.deleted:,} {outcome.kind} deleted, {outcome.reverted:,} set back to earlier values."
    )
    stayed = (
        (outcome.stayed_edited, f"{outcome.kind} stay: a person changed them since"),
        (outcome.stayed_placed, f"{outcome.kind} stay: they are in a list, territory or watch"),
        (outcome.stayed_imported, f"{outcome.kind} stay, with what others said of them"),
        (outcome.values_stayed, "values stay: they were changed since"),
    )
    for count, why in stayed:
        if count:
            print(f"{count:,} {why}.")
