"""`import accounts` and `import contacts`: lists from files into an organization."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from sightline.cli import imports_made
from sightline.cli.context import DataDir, Organization, administer
from sightline.cli.exits import PARTIAL, USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, note, print_json
from sightline.imports.contacts_mapping import (
    CONTACT_FIELDS,
    FileHasNoPeople,
    parse_contact_overrides,
)
from sightline.imports.contacts_run import (
    ContactImportOptions,
    ContactImportSummary,
    import_contacts,
)
from sightline.imports.fields import FIELDS, FieldDoesNotExist
from sightline.imports.mapping import ColumnDoesNotExist, parse_overrides
from sightline.imports.rows import FileHasNoCompanies
from sightline.imports.run import ImportOptions, ImportSummary, import_accounts
from sightline.store.database import Database
from sightline.store.organizations import find_organization

Summary = ImportSummary | ContactImportSummary

Encoding = Annotated[
    str | None,
    typer.Option(help="Of a text, such as cp1252 or mac_roman; else it is told from its letters."),
]

app = typer.Typer(no_args_is_help=True, help="Bring lists of companies or people in.")


@app.callback()
def main() -> None:
    """Bring lists of companies or people in."""


app.command("list")(imports_made.list_imports)
app.command("undo")(imports_made.undo)


@app.command(
    epilog="Fields for --map: " + ", ".join(FIELDS) + ".",
)
def accounts(
    file: Annotated[
        Path, typer.Argument(help="CSV, TSV, JSON, JSON Lines or .xlsx, plain or gzipped.")
    ],
    org: Organization = "default",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the mapping and the counts; write nothing.")
    ] = False,
    column_map: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="COLUMN=FIELD", help="Decide a column; COLUMN= ignores it."),
    ] = None,
    sheet: Annotated[str | None, typer.Option(help="Sheet of a workbook; else the first.")] = None,
    encoding: Encoding = None,
    source_system: Annotated[
        str | None, typer.Option(help="Whose ids the id column holds, such as salesforce.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Where bad rows are listed; else next to the file.")
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Import a list of companies as accounts.

    Columns are guessed from their names and values; look at the guess with --dry-run. Rows that are
    an account already update it, and importing a file twice changes nothing the second time. Bad rows
    are listed in a report with line number and reason, and stop nothing. The import is written in
    chunks: if it is cut off, run the same command again, and it goes on where it stopped.

    Exit codes: 0 done, 1 the file cannot be used, 2 wrong --map, 3 wrong settings, 4 database
    unavailable, 5 done but some rows were bad, 130 interrupted.
    """
    with one_line_errors():
        if not file.exists():
            raise CommandFailed(f"There is no file {file}.")
        options = ImportOptions(
            overrides=_overrides(column_map or []),
            sheet=sheet,
            encoding=encoding,
            source_system=source_system,
            report=report,
            dry_run=dry_run,
        )
    summary = _run(org, file, options=options, data_dir=data_dir)
    if as_json:
        print_json(summary_as_json(summary))
    else:
        _print_summary(summary)
    if summary.bad:
        raise typer.Exit(PARTIAL)


@app.command(epilog="Fields for --map: " + ", ".join(CONTACT_FIELDS) + ".")
def contacts(
    file: Annotated[
        Path, typer.Argument(help="CSV, TSV, JSON, JSON Lines or .xlsx, plain or gzipped.")
    ],
    org: Organization = "default",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the mapping and the counts; write nothing.")
    ] = False,
    column_map: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="COLUMN=FIELD", help="Decide a column; COLUMN= ignores it."),
    ] = None,
    sheet: Annotated[str | None, typer.Option(help="Sheet of a workbook; else the first.")] = None,
    encoding: Encoding = None,
    country: Annotated[
        str | None, typer.Option(help="Of phone numbers in rows without a country.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Where bad rows are listed; else next to the file.")
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Import a list of people as contacts.

    A person is known again by e-mail address, profile page, or name and company, so importing a file
    twice changes nothing the second time. People on the suppression list are left out. Bad rows are
    listed in a report and stop nothing; an import that is cut off goes on where it stopped.

    Exit codes: 0 done, 1 the file cannot be used, 2 wrong --map, 3 wrong settings, 4 database
    unavailable, 5 done but some rows were bad, 130 interrupted.
    """
    with one_line_errors():
        if not file.exists():
            raise CommandFailed(f"There is no file {file}.")
        try:
            overrides = parse_contact_overrides(column_map or [])
        except FieldDoesNotExist as error:
            raise CommandFailed(str(error), code=USAGE) from error
        options = ContactImportOptions(
            overrides=overrides,
            sheet=sheet,
            encoding=encoding,
            default_country=country,
            report=report,
            dry_run=dry_run,
        )
    summary = _run(org, file, options=options, data_dir=data_dir)
    if as_json:
        print_json(summary_as_json(summary))
    else:
        _print_summary(summary)
    if summary.bad:
        raise typer.Exit(PARTIAL)


def _overrides(pairs: list[str]) -> dict[str, str]:
    try:
        return parse_overrides(pairs)
    except FieldDoesNotExist as error:
        raise CommandFailed(str(error), code=USAGE) from error


def _run(
    org: str, file: Path, *, options: ImportOptions | ContactImportOptions, data_dir: Path | None
) -> Summary:
    async def work(owner: Database, database: Database) -> Summary:
        organization_id = await find_organization(owner, org)
        try:
            with _progress() as progress:
                if isinstance(options, ImportOptions):
                    return await import_accounts(
                        database, organization_id, file, options=options, progress=progress
                    )
                return await import_contacts(
                    database, organization_id, file, options=options, progress=progress
                )
        except FileHasNoCompanies as error:
            raise CommandFailed(
                f"{error} Name one yourself: --map 'COLUMN=company_name'."
            ) from error
        except FileHasNoPeople as error:
            raise CommandFailed(f"{error} Name one yourself: --map 'COLUMN=full_name'.") from error
        except ColumnDoesNotExist as error:
            raise CommandFailed(str(error), code=USAGE) from error
        except asyncio.CancelledError:
            if not options.dry_run:
                note("Run the same command again to go on where this stopped.")
            raise

    return administer(work, data_dir=data_dir)


@contextmanager
def _progress() -> Iterator[Callable[[int], None]]:
    """A bar on a terminal; elsewhere nothing."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _rows: None
        return
    columns = (
        SpinnerColumn(),
        TextColumn("Importing"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} rows"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("Importing", total=None)
        yield lambda rows: bar.update(task, completed=rows)


def summary_as_json(summary: Summary) -> dict[str, Any]:
    """The outcome as `--json` prints it."""
    return {
        "file": str(summary.file),
        "dry_run": summary.dry_run,
        "shape": dict(summary.shape),
        "source_system": summary.mapping.source_system,
        "mapping": [
            {
                "column": guess.column,
                "field": guess.field,
                "confidence": guess.confidence,
                "reason": guess.reason,
                "samples": list(guess.samples),
                "rank": guess.rank,
            }
            for guess in summary.mapping.guesses
        ],
        "ignored": [{"column": name, "reason": why} for name, why in summary.mapping.ignored],
        "notes": list(summary.notes) if isinstance(summary, ImportSummary) else [],
        **({"import_id": str(summary.import_id)} if summary.import_id else {}),
        "rows": summary.rows,
        "created": summary.created,
        "updated": summary.updated,
        "unchanged": summary.unchanged,
        "bad": summary.bad,
        "values_dropped": summary.dropped,
        **_apart(summary),
        "resumed_after": summary.resumed_after,
        "seconds": round(summary.seconds, 3),
        "report": str(summary.report) if summary.report else None,
    }


def _apart(summary: Summary) -> dict[str, Any]:
    """What lists of companies and lists of people are told apart by."""
    if isinstance(summary, ContactImportSummary):
        return {"suppressed": summary.suppressed}
    return {
        "unrecognised": {
            column: [{"value": value, "rows": count} for value, count in words]
            for column, words in summary.unrecognised.items()
        }
    }


def _print_summary(summary: Summary) -> None:
    console = Console(highlight=False)
    shape = ", ".join(
        f"{name} {value}" for name, value in summary.shape.items() if not isinstance(value, bool)
    )
    header = "" if summary.shape.get("header", True) else ", no column names"
    console.print(f"{escape(str(summary.file))}: {escape(shape)}{header}")
    _print_mapping(console, summary)
    if isinstance(summary, ImportSummary):
        for each in summary.notes:
            console.print(f"Note: {escape(each)}")
        _print_unrecognised(console, summary)
    elif summary.suppressed:
        console.print(f"{summary.suppressed:,} rows are about people on the suppression list.")
    if summary.resumed_after:
        console.print(
            f"Went on behind row {summary.resumed_after:,}, where an earlier run was cut off."
        )
    would = "would be " if summary.dry_run else ""
    what = "accounts" if isinstance(summary, ImportSummary) else "contacts"
    console.print(
        f"{summary.rows:,} rows in {summary.seconds:.1f} s: "
        f"[bold]{summary.created:,} {what} {would}created, {summary.updated:,} {would}updated, "
        f"{summary.unchanged:,} unchanged, {summary.bad:,} bad[/bold]"
        + (f", {summary.dropped:,} single values left out" if summary.dropped else "")
        + "."
    )
    if summary.report:
        console.print(f"Bad rows and values are listed in {escape(str(summary.report))}")
    if summary.dry_run:
        console.print("Nothing was written.")
    else:
        console.print(f"To undo this import: sightline import undo {summary.import_id}")


def _print_mapping(console: Console, summary: Summary) -> None:
    table = Table("Column", "Field", "Sure", "Why", "For example", box=None, pad_edge=False)
    for guess in summary.mapping.guesses:
        table.add_row(
            escape(guess.column),
            guess.field,
            f"{guess.confidence:.0%}",
            escape(guess.reason),
            escape(" · ".join(guess.samples)),
        )
    console.print(table)
    if summary.mapping.source_system:
        console.print(f"Ids belong to: {escape(summary.mapping.source_system)} (--source-system)")
    ignored = ", ".join(f"{name} ({why})" for name, why in summary.mapping.ignored)
    console.print(f"Not used: {escape(ignored) or 'nothing'}")


def _print_unrecognised(console: Console, summary: ImportSummary) -> None:
    for column, words in summary.unrecognised.items():
        shown = ", ".join(f"{value} ({count:,})" for value, count in words[:5])
        console.print(f"Without a place in our vocabularies, {escape(column)}: {escape(shown)}")
