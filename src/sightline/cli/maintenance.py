"""`migrate`, `doctor`, `backup` and `restore`."""

import asyncio
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sightline.cli.context import DataDir, archive_of, read_settings, settings_with_database
from sightline.cli.exits import FAILURE, USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, confirm, print_json, working

if TYPE_CHECKING:
    from sightline.settings import Settings

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup file.")]


def migrate(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Migrate the database to this release. Safe to repeat and to run on several machines at
    once."""
    with one_line_errors(), settings_with_database(data_dir, begins=True) as settings:
        from sightline import app
        from sightline.store.inspection import inspect_database
        from sightline.store.migrate import HEAD

        before = asyncio.run(inspect_database(app.database_url(settings))).migration
        with working("Migrating"):
            app.prepare(settings)
    if as_json:
        print_json({"from": before, "to": HEAD, "changed": before != HEAD})
    elif before == HEAD:
        print(f"The database is at {HEAD} already.")
    else:
        print(f"Migrated the database from {before or 'empty'} to {HEAD}.")


def doctor(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Check this machine, the settings and the database, and suggest fixes. Changes nothing."""
    from sightline.cli.doctor import examine

    with one_line_errors(), working("Checking"):
        checks = examine(data_dir)
    failed = [check for check in checks if check.status == "fail"]
    if as_json:
        print_json({"ok": not failed, "checks": [vars(check) for check in checks]})
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            print(f"{check.status:<4}  {check.name:<{width}}  {check.found}")
            if check.advice:
                print(f"{'':<4}  {'':<{width}}  → {check.advice}")
    if failed:
        raise typer.Exit(FAILURE)


def backup(
    file: BackupFile,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Also restore it into a separate database and compare all rows."
        ),
    ] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Write the whole database to FILE while it stays in use, then read the file back and check it.

    It holds everything except the secrets folder, including digests of keys and hashes of
    passwords.
    """
    began = time.monotonic()
    with one_line_errors(), settings_with_database(data_dir) as settings:
        from sightline import app
        from sightline.store.backup import back_up

        with working(f"Writing {file}"):
            url = app.database_url(settings)
            made = asyncio.run(back_up(url, file, overwrite=force, check=check))
    seconds = round(time.monotonic() - began, 3)
    if as_json:
        fields = {"file": file.absolute(), "bytes": made.size, "version": made.version}
        found = (
            {"tables": len(made.contents.tables), "rows": made.contents.rows}
            if made.contents
            else {}
        )
        print_json(fields | found | {"seconds": seconds})
        return
    print(f"Wrote {file}: {made.size:,} bytes in {seconds:.1f} s, read back and checked.")
    if made.contents is not None:
        tables, rows = len(made.contents.tables), made.contents.rows
        print(f"Test restore: {tables} tables with {rows:,} rows are the same, row by row.")


def restore(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The backup file; not with --at.")
    ] = None,
    at: Annotated[
        datetime | None,
        typer.Option(
            "--at",
            metavar="TIME",
            formats=["%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S.%f%z"],
            help="Restore to this moment, such as 2026-05-01T12:30:00Z.",
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the contents of the database.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Restore the database from FILE, or with --at to a moment in its archive. Stop Sightline first.

    The backup is restored into a new database and checked; only then does it replace the old one.
    --at needs the embedded database and SIGHTLINE_ARCHIVE_DAYS, and keeps the old database beside the new.
    """
    began = time.monotonic()
    with one_line_errors():
        if (file is None) == (at is None):
            raise CommandFailed("Give a backup FILE, or a moment with --at.", code=USAGE)
        settings = read_settings(data_dir)  # a wrong setting is reported before the question
        if replace or at is not None:
            source = "the backup" if file else "the database as it was then"
            confirm(f"Replace everything in the database with {source}?", yes=yes)
        fields = (
            _restore_file(file, data_dir, replace=replace)
            if file is not None
            else _go_back(settings, at)
        )
    seconds = round(time.monotonic() - began, 3)
    if as_json:
        print_json(fields | {"seconds": seconds})
        return
    print(f"Restored {file or f'the database as it was at {at}'} in {seconds:.1f} s.")
    if fields.get("former"):
        print(
            f"The previous database is kept in {fields['former']}; delete it when you no longer need it."
        )


def _restore_file(file: Path, data_dir: Path | None, *, replace: bool) -> dict[str, Any]:
    with settings_with_database(data_dir, begins=True) as settings:
        from sightline import app
        from sightline.store.backup import restore as restore_database

        with working(f"Restoring {file}"):
            made = asyncio.run(restore_database(app.database_url(settings), file, replace=replace))
        app.prepare(settings)
    return {"file": file.absolute(), "version": made.version}


def _go_back(settings: "Settings", at: datetime | None) -> dict[str, Any]:
    from sightline import app
    from sightline.kit.postgres_recovery import recover

    archive = archive_of(settings)
    if at is None or settings.database_url is not None or archive is None:
        raise CommandFailed(
            "--at is for the embedded database with SIGHTLINE_ARCHIVE_DAYS set; restore your own"
            " PostgreSQL with its own tools.",
            code=USAGE,
        )
    with working(f"Going back to {at}"):
        former = recover(settings.data_dir, archive, at)
    with settings_with_database(settings.data_dir) as opened:
        app.prepare(opened)
    return {"at": at, "former": former}
