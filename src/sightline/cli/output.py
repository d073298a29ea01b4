"""What commands print: tables for people, JSON for programs, notes on standard error."""

import json
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from sightline.kit.clock import rfc3339

GAP = 2  # characters between two columns of a table
TEXT_WIDTH = 80

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def print_json(value: Any) -> None:
    """JSON on standard output, indented, non-ASCII text as it is; times in RFC 3339 with Z."""
    print(json.dumps(value, default=_plain, ensure_ascii=False, indent=2))


def indented(text: str, spaces: int) -> str:
    """Text as lines of 80 characters at most, each that far from the left; longer words stay whole."""
    margin = " " * spaces
    return textwrap.fill(
        text,
        TEXT_WIDTH,
        initial_indent=margin,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    )


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, empty: str = "Nothing."
) -> None:
    """A table on standard output; `empty` when there are no rows.

    Columns wrap between words, so that no id is cut; where they do not fit even so, each row is a list of
    fields.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    cells = [[_cell(value) for value in row] for row in rows]
    if not cells:
        print(empty)
        return
    console = Console(highlight=False)  # without a terminal 80 columns wide, or as COLUMNS says
    least = [
        max(len(word) for text in column for word in text.split() or ("",))
        for column in zip(columns, *cells, strict=True)
    ]
    spare = console.width - sum(least) - GAP * (len(columns) - 1)
    if spare < 0:
        _print_each(columns, cells)
        return
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0))
    whole = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    for name, width in zip(columns, _widths(least, whole, spare), strict=True):
        table.add_column(name, width=width)
    for row in cells:
        table.add_row(*map(Text, row))
    console.print(table, crop=False)


def _print_each(columns: Sequence[str], cells: Iterable[Sequence[str]]) -> None:
    """Each row as a list of fields."""
    for row in cells:
        print_fields(dict(zip(columns, row, strict=True)))
        print()


def _widths(least: Sequence[int], whole: Sequence[int], spare: int) -> list[int]:
    """Widths between the least and the whole of each column. What is spare goes first to those that lack
    least; Rich would squeeze the widest, the ids."""
    widths = list(least)
    lacking = sorted(range(len(widths)), key=lambda at: whole[at] - least[at])
    for done, at in enumerate(lacking):
        more = min(whole[at] - least[at], spare // (len(widths) - done))
        widths[at], spare = widths[at] + more, spare - more
    return widths


def print_rows(
    rows: Sequence[Mapping[str, Any]],
    columns: Mapping[str, str],
    *,
    as_json: bool,
    empty: str = "Nothing.",
) -> None:
    """Rows as JSON, or a table of `columns`: head -> name of a value."""
    if as_json:
        print_json(rows)
    else:
        cells = [[row[name] for name in columns.values()] for row in rows]
        print_table(list(columns), cells, empty=empty)


def print_result(value: Any, sentence: str, *, as_json: bool) -> None:
    """What was done, as JSON or in a sentence."""
    if as_json:
        print_json(value)
    else:
        print(sentence)


def print_fields(fields: Mapping[str, Any]) -> None:
    """One value a line, after its name."""
    width = max(len(name) for name in fields)
    for name, value in fields.items():
        print(f"{name:<{width}}  {_cell(value)}")


def print_nested(value: Mapping[str, Any], indent: str = "") -> None:
    """An answer with what is inside it, indented; what is empty is left out."""
    for name, inner in value.items():
        if inner in (None, "", [], {}):
            continue
        if isinstance(inner, Mapping):
            print(f"{indent}{name}:")
            print_nested(inner, indent + "  ")
        elif isinstance(inner, list) and isinstance(inner[0], Mapping):
            print(f"{indent}{name}:")
            for each in inner:
                print(f"{indent}  -")
                print_nested(each, indent + "    ")
        else:
            print(f"{indent}{name}: {_cell(inner)}")


def note(sentence: str) -> None:
    """One line for the person at the terminal, beside the data."""
    print(sentence, file=sys.stderr)


@contextmanager
def working(sentence: str) -> Iterator[None]:
    """Show on a terminal that something is in progress; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(sentence):
        yield


@contextmanager
def progress(sentence: str, unit: str) -> Iterator[Callable[..., None]]:
    """A bar with percentage and time left on a terminal; elsewhere nothing.

    Yields `advance(done, total, sentence=None)`.
    """
    if not sys.stderr.isatty():
        yield lambda _done, _total, _sentence=None: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn(f"{{task.completed:,.0f}} {unit}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(sentence, total=None)

        def advance(done: int, total: int, now: str | None = None) -> None:
            bar.update(task, completed=done, total=total, description=now or sentence)

        yield advance


def confirm(question: str, *, yes: bool) -> None:
    """Go on only after a yes, given here or by the option --yes."""
    from sightline.cli.exits import INTERRUPTED, USAGE, CommandFailed

    if yes:
        return
    if not sys.stdin.isatty():
        raise CommandFailed(
            f"{question} Cannot prompt in a non-interactive shell; pass --yes.", code=USAGE
        )
    try:
        if typer.confirm(question, err=True):
            return
    except typer.Abort:  # Ctrl-C, or the end of the input
        raise CommandFailed("Nothing was changed.", code=INTERRUPTED) from None
    raise CommandFailed("Nothing was changed.")


def _plain(value: Any) -> Any:
    return rfc3339(value.astimezone(UTC)) if isinstance(value, datetime) else str(value)


def _cell(value: Any) -> str:
    if value is None or value == []:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M")
    if isinstance(value, list | tuple):
        return ", ".join(str(each) for each in value)
    return str(value)
