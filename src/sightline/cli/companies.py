"""`companies`: merges rows of the catalogue that are the same company."""

import asyncio
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from sightline.cli.context import DataDir, read_settings, settings_with_database
from sightline.cli.exits import CommandFailed, one_line_errors
from sightline.cli.output import AsJson, confirm, print_fields, print_json

if TYPE_CHECKING:
    from sightline.store.merges import Merge

app = typer.Typer(no_args_is_help=True, help="Merge companies, and undo merges.")


@app.command()
def merge(
    kept: Annotated[str, typer.Argument(help="Id of the company to keep.")],
    merged: Annotated[str, typer.Argument(help="Id of the company to merge into it.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Merge two companies. The old id keeps working, with `merged_into`."""
    with one_line_errors():
        ids = _id(kept), _id(merged)
        confirm(f"Merge {merged} into {kept}?", yes=yes)
        _print(_run(ids, None, data_dir), as_json)


@app.command()
def undo(
    merge_id: Annotated[str, typer.Argument(help="Id of the merge.")],
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Undo a merge. All records are restored."""
    with one_line_errors():
        _print(_run(None, _id(merge_id), data_dir), as_json)


def _run(ids: tuple[UUID, UUID] | None, merge_id: UUID | None, data_dir: DataDir) -> "Merge":
    read_settings(data_dir)
    with settings_with_database(data_dir) as settings:
        from sightline import app as root
        from sightline.enrich import merge as merging
        from sightline.store.database import open_database
        from sightline.store.merges import CompaniesCannotBeMerged

        root.prepare(settings)

        async def run() -> "Merge":
            database = await open_database(
                root.database_url(settings), role="sightline_worker", size=2, wait_seconds=30
            )
            try:
                if ids is not None:
                    return await merging.merge(database, kept=ids[0], merged=ids[1])
                assert merge_id is not None
                return await merging.undo(database, merge_id)
            except CompaniesCannotBeMerged as error:
                raise CommandFailed(str(error)) from error
            finally:
                await database.close()

        return asyncio.run(run())


def _print(made: "Merge", as_json: bool) -> None:
    fields = {"merge_id": made.merge_id, "kept": made.kept, "merged": made.merged}
    if as_json:
        print_json(fields)
    else:
        print_fields(fields)


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise CommandFailed(f"{text} is not a company id.") from None
