"""`migrate`, `doctor`, `backup` and `restore`."""

import asyncio
import time
from pathlib import Path
from typing import Annotated

import typer

from sightline.cli.context import DataDir, read_settings, settings_with_database
from sightline.cli.exits import FAILURE, one_line_errors
from sightline.cli.output import AsJson, confirm, print_json, working

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup file.")]


def migrate(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Bring the database to this release. Safe to repeat, and from several machines at once."""
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
    """Check this machine, the settings and the database, and say what to do. Changes nothing."""
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
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Write the whole database into FILE, while it stays in use. The file is then read again whole.

    It holds everything but the secrets folder: also digests of keys and hashes of passwords.
    """
    began = time.monotonic()
    with one_line_errors(), settings_with_database(data_dir) as settings:
        from sightline import app
        from sightline.store.backup import back_up

        with working(f"Writing {file}"):
            made = asyncio.run(back_up(app.database_url(settings), file, overwrite=force))
    seconds = round(time.monotonic() - began, 3)
    if as_json:
        fields = {"file": file.absolute(), "bytes": made.size, "version": made.version}
        print_json(fields | {"seconds": seconds})
    else:
        print(f"Wrote {file}: {made.size:,} bytes in {seconds:.1f} s, read again and whole.")


def restore(
    file: BackupFile,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace what the database holds.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Fill the database from FILE. Sightline must not be running.

    A new database is filled and proven, then takes the name of the old one: until then the old one
    stays as it is.
    """
    began = time.monotonic()
    with one_line_errors():
        if replace:
            read_settings(data_dir)  # a wrong setting is told before the question
            confirm("Replace everything in the database by the backup?", yes=yes)
        with settings_with_database(data_dir, begins=True) as settings:
            from sightline import app
            from sightline.store.backup import restore as restore_database

            with working(f"Restoring {file}"):
                made = asyncio.run(
                    restore_database(app.database_url(settings), file, replace=replace)
                )
            app.prepare(settings)
    seconds = round(time.monotonic() - began, 3)
    if as_json:
        print_json({"file": file.absolute(), "version": made.version, "seconds": seconds})
    else:
        print(f"Restored {file} in {seconds:.1f} s.")
