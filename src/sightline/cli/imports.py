"""`import accounts` and `import contacts`: lists from files into an organization."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sightline.cli import imports_made
from sightline.cli.context import DataDir, Organization, administer
from sightline.cli.exits import PARTIAL, USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, note, print_json, progress
from sightline.imports.fields import ColumnDoesNotExist, FieldDoesNotExist, Kind, fields_of
from sightline.imports.rows import FileHasNoCompanies, FileHasNoPeople
from sightline.imports.run import ImportSummary, import_list
from sightline.imports.spool import ImportOptions
from sightline.store.database import Database
from sightline.store.organizations import find_organization

File = Annotated[
    Path, typer.Argument(help="CSV, TSV, JSON, JSON Lines or .xlsx, plain or gzipped.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show the mapping and counts without importing.")
]
ColumnMap = Annotated[
    list[str] | None,
    typer.Option("--map", metavar="COLUMN=FIELD", help="Map a column; COLUMN= ignores it."),
]
Sheet = Annotated[str | None, typer.Option(help="Sheet of a workbook; default: the first.")]
Encoding = Annotated[
    str | None,
    typer.Option(help="Text encoding, such as cp1252 or mac_roman; default: detected."),
]
ReportFile = Annotated[
    Path | None, typer.Option(help="Report file for bad rows; default: next to the input.")
]

app = typer.Typer(no_args_is_help=True, help="Import lists of companies or people.")


@app.callback()
def main() -> None:
    """Import lists of companies or people."""


app.command("list")(imports_made.list_imports)
app.command("undo")(imports_made.undo)


@app.command(epilog=f"Fields for --map: {', '.join(fields_of('accounts').names)}.")
def accounts(
    file: File,
    org: Organization = "default",
    dry_run: DryRun = False,
    column_map: ColumnMap = None,
    sheet: Sheet = None,
    encoding: Encoding = None,
    source_system: Annotated[
        str | None, typer.Option(help="Source system of the id column, such as salesforce.")
    ] = None,
    report: ReportFile = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Import a list of companies as accounts.

    Columns are recognized by name and content; check the mapping with --dry-run. Rows that match
    an existing account update it; importing a file twice changes nothing the second time. Bad rows
    are listed in a report with line number and reason, and stop nothing. The import is written in
    chunks: if it is interrupted, run the same command again to resume.
    """
    overrides = _overrides("accounts", file, column_map)
    options = ImportOptions(
        overrides, sheet, encoding, source_system=source_system, report=report, dry_run=dry_run
    )
    _import("accounts", file, options, org=org, as_json=as_json, data_dir=data_dir)


@app.command(epilog=f"Fields for --map: {', '.join(fields_of('contacts').names)}.")
def contacts(
    file: File,
    org: Organization = "default",
    dry_run: DryRun = False,
    column_map: ColumnMap = None,
    sheet: Sheet = None,
    encoding: Encoding = None,
    country: Annotated[str | None, typer.Option(help="Default country of phone numbers.")] = None,
    report: ReportFile = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Import a list of people as contacts.

    A person is matched by email address, profile page, or name and company, so importing a file
    twice changes nothing the second time. People on the suppression list are left out. Bad rows are
    listed in a report and stop nothing; run an interrupted import again to resume it.
    """
    overrides = _overrides("contacts", file, column_map)
    options = ImportOptions(
        overrides, sheet, encoding, default_country=country, report=report, dry_run=dry_run
    )
    _import("contacts", file, options, org=org, as_json=as_json, data_dir=data_dir)


def _overrides(kind: Kind, file: Path, pairs: list[str] | None) -> dict[str, str]:
    with one_line_errors():
        if not file.exists():
            raise CommandFailed(f"There is no file {file}.")
        try:
            return fields_of(kind).overrides(pairs or [])
        except FieldDoesNotExist as error:
            raise CommandFailed(str(error), code=USAGE) from error


def _import(
    kind: Kind,
    file: Path,
    options: ImportOptions,
    *,
    org: str,
    as_json: bool,
    data_dir: Path | None,
) -> None:
    async def work(owner: Database, database: Database) -> ImportSummary:
        organization_id = await find_organization(owner, org)
        try:
            with progress("Importing", "rows") as advance:
                return await import_list(
                    database, organization_id, file, kind=kind, options=options, progress=advance
                )
        except (FileHasNoCompanies, FileHasNoPeople) as error:
            name = "company_name" if kind == "accounts" else "full_name"
            raise CommandFailed(f"{error} Name one yourself: --map 'COLUMN={name}'.") from error
        except ColumnDoesNotExist as error:
            raise CommandFailed(str(error), code=USAGE) from error
        except asyncio.CancelledError:
            if not options.dry_run:
                note("Run the same command again to resume.")
            raise

    summary = administer(work, data_dir=data_dir)
    if as_json:
        print_json(summary_as_json(summary))
    else:
        _print_summary(summary)
    if summary.bad:
        raise typer.Exit(PARTIAL)


def summary_as_json(summary: ImportSummary) -> dict[str, Any]:
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
        "notes": list(summary.notes),
        **({"import_id": str(summary.import_id)} if summary.import_id else {}),
        "rows": summary.rows,
        "created": summary.created,
        "updated": summary.updated,
        "unchanged": summary.unchanged,
        "bad": summary.bad,
        "values_dropped": summary.dropped,
        "suppressed": summary.suppressed,
        "unrecognised": {
            column: [{"value": value, "rows": count} for value, count in words]
            for column, words in summary.unrecognised.items()
        },
        "resumed_after": summary.resumed_after,
        "seconds": round(summary.seconds, 3),
        "report": str(summary.report) if summary.report else None,
    }


def _print_summary(summary: ImportSummary) -> None:
    console = Console(highlight=False)
    _print_mapping(console, summary)
    for each in summary.notes:
        console.print(f"Note: {escape(each)}")
    for column, words in summary.unrecognised.items():
        shown = ", ".join(f"{value} ({count:,})" for value, count in words[:5])
        console.print(f"Not recognized in {escape(column)}: {escape(shown)}")
    if summary.suppressed:
        console.print(f"{summary.suppressed:,} rows are about people on the suppression list.")
    if summary.resumed_after:
        console.print(f"Resumed after row {summary.resumed_after:,}, where an earlier run stopped.")
    would = "would be " if summary.dry_run else ""
    values = _count(summary.dropped, "values")
    console.print(
        f"{_count(summary.rows, 'rows')} in {summary.seconds:.1f} s: "
        f"[bold]{_count(summary.created, summary.kind)} {would}created, {summary.updated:,} {would}updated, "
        f"{summary.unchanged:,} unchanged, {summary.bad:,} bad[/bold]"
        + (f", {values} dropped" if summary.dropped else "")
        + "."
    )
    if summary.report:
        console.print(f"Bad rows and values are listed in {escape(str(summary.report))}")
    if summary.dry_run:
        console.print("Nothing was written.")
    else:
        console.print(f"To undo this import: sightline import undo {summary.import_id}")


def _count(number: int, plural: str) -> str:
    return f"{number:,} {plural.removesuffix('s') if number == 1 else plural}"


def _print_mapping(console: Console, summary: ImportSummary) -> None:
    shape = ", ".join(
        f"{name} {value}" for name, value in summary.shape.items() if not isinstance(value, bool)
    )
    header = "" if summary.shape.get("header", True) else ", no column names"
    console.print(f"{escape(str(summary.file))}: {escape(shape)}{header}")
    table = Table("Column", "Field", "Confidence", "Reason", "Examples", box=None, pad_edge=False)
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
    console.print(f"Ignored columns: {escape(ignored) or 'none'}")
