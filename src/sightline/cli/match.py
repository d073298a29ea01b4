"""`match`: matches the companies of two lists, or scores given pairs."""

import csv
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from sightline.cli.exits import USAGE, CommandFailed, one_line_errors
from sightline.cli.match_rows import matched_rows, print_rows, scored_rows
from sightline.cli.output import AsJson, print_table, working


def match(
    left: Annotated[
        Path | None,
        typer.Argument(
            help="CSV: id, name and if known country, city, address, domain, ticker, lei."
        ),
    ] = None,
    against: Annotated[Path | None, typer.Option(help="CSV with the same columns.")] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(help="CSV of pairs: left_name, right_name, left_country, right_country, …"),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(min=0.01, max=0.99, help="Minimum score of a match; default: calibrated."),
    ] = None,
    csv_output: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """Match companies by name in any script, place, domain and identifiers.

    LEFT --against RIGHT finds the same company on the right for every row on the left, or reports
    that there is none. --pairs scores given pairs.
    """
    with one_line_errors():
        if pairs is not None and (left is not None or against is not None):
            raise CommandFailed("Give either --pairs or LEFT with --against.", code=USAGE)
        if pairs is not None:
            rows = _score(pairs, threshold)
        elif left is not None and against is not None:
            rows = _match(left, against, threshold)
        else:
            raise CommandFailed("Give LEFT and --against RIGHT, or --pairs FILE.", code=USAGE)
        _print(rows, as_json=as_json, csv_output=csv_output)


def _match(left: Path, against: Path, threshold: float | None) -> list[dict[str, Any]]:
    from sightline.cli.match_tables import FileIsNoTable

    try:
        with working("Matching"):
            return matched_rows(left, against, threshold)
    except FileIsNoTable as error:
        raise CommandFailed(str(error)) from error


def _score(path: Path, threshold: float | None) -> list[dict[str, Any]]:
    from sightline.cli.match_tables import FileIsNoTable

    try:
        with working("Scoring"):
            return scored_rows(path, threshold)
    except FileIsNoTable as error:
        raise CommandFailed(str(error)) from error


def _print(rows: Sequence[dict[str, Any]], *, as_json: bool, csv_output: bool) -> None:
    if as_json:
        print_rows(rows)
        return
    columns = ("left_id", "right_id", "score", "decision", "features")
    cells = [[row[name] for name in columns[:4]] + [_told(row["features"])] for row in rows]
    if csv_output:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(cells)
    else:
        print_table(columns, cells, empty="No rows.")


def _told(features: Iterable[Any]) -> str:
    """The features that count most, with what each adds to the log-odds."""
    effects = [(each.name, each.weight) for each in features]
    effects.sort(key=lambda effect: -abs(effect[1]))
    return ", ".join(f"{name} {effect:+.1f}" for name, effect in effects[:4])
