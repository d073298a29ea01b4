"""Inputs of `enrich`: names, domains and rows of a list, each with its request or its error."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sightline.cli.exits import CommandFailed

if TYPE_CHECKING:
    from sightline.imports.rows import Cell, RecordList

_SAMPLE = 200  # rows that tell what the columns hold
_COLUMN_OF = {"company_name": "company_name", "domain": "website", "external_id": "external_id"}


@dataclass(frozen=True)
class Asked:
    """One input. `row` is its line in the file, None for a word of the command line; `error` says why
    it cannot be submitted, as an operation that failed says it."""

    values: Mapping[str, str] = field(default_factory=dict)
    row: int | None = None
    error: Mapping[str, str] | None = None


def asked_for(texts: Iterable[str], **reference: str) -> Iterator[Asked]:
    """Names and domains of the command line, each with the `reference` to it that is given."""
    from sightline.imports.rows import clean_cell

    return (_checked(_named(clean_cell(text)) | reference) for text in texts)


def read_rows(path: Path) -> list[Asked]:
    """The rows of a list: of columns as the API calls them or as people do, or of one name or domain a
    line. Raises CommandFailed when the file cannot be read as a list."""
    # Loaded when needed: `sightline --help` should not wait for it.
    from sightline.imports.rows import FileIsNotReadable
    from sightline.imports.spool import read_in_process

    if not path.is_file():
        raise CommandFailed(f"There is no file {path}.")
    try:
        return read_in_process(_asked, path)
    except FileIsNotReadable as error:
        raise CommandFailed(str(error)) from error


def _asked(path: Path) -> list[Asked]:
    """Runs in a process that can be killed."""
    from sightline.imports.columns import judge
    from sightline.imports.reader import open_list
    from sightline.imports.rows import RowProblem

    opened = open_list(path, judge=judge)
    columns = _columns(opened, path)
    return [
        Asked(row=row.line, error=_error("invalid_row", f"{row.reason}: {row.value}"))
        if isinstance(row, RowProblem)
        else _checked(_values(row.cells, columns), row=row.line)
        for row in opened.rows()
    ]


def _columns(opened: "RecordList", path: Path) -> Mapping[str, Sequence[str]]:
    """Field of an input -> the columns that give it; nothing when the first cell of a row does."""
    from sightline.enrich.submit import INPUT_FIELDS
    from sightline.imports.columns import guess_mapping
    from sightline.imports.rows import FileHasNoCompanies, Row

    exact = {
        name.strip().lower(): [name]
        for name in opened.columns
        if name.strip().lower() in INPUT_FIELDS
    }
    if {"company_name", "domain", "id"} & set(exact):
        return exact
    if len(opened.columns) == 1:
        return {}
    rows: list[Row] = [row for row in islice(opened.rows(), _SAMPLE) if isinstance(row, Row)]
    try:
        found = guess_mapping(opened.columns, rows, file_stem=path.stem).names()
    except FileHasNoCompanies:
        if opened.shape.get("header") is not False:
            raise
        return {}
    return {name: found[other] for name, other in _COLUMN_OF.items() if other in found} | exact


def _values(cells: Mapping[str, "Cell"], columns: Mapping[str, Sequence[str]]) -> dict[str, str]:
    if not columns:
        return _named(next((_text(cell) for cell in cells.values()), ""))
    held = {
        name: next((_text(cells[column]) for column in given if column in cells), "")
        for name, given in columns.items()
    }
    return {name: value for name, value in held.items() if value}


def _text(cell: "Cell") -> str:
    return cell if isinstance(cell, str) else next(iter(cell), "")


def _named(text: str) -> dict[str, str]:
    """A domain if it reads as one, else a name."""
    from sightline.domain.websites import domain_of

    looks_like_host = "." in text and " " not in text.strip()
    if looks_like_host and domain_of(text):
        return {"domain": text}
    return {"company_name": text}


def _checked(values: Mapping[str, str], *, row: int | None = None) -> Asked:
    from sightline.domain.errors import RequestIsInvalid
    from sightline.enrich.submit import read_input

    try:
        return Asked(read_input(values), row)
    except RequestIsInvalid as fault:
        code = fault.details["fields"][0]["code"]  # more exact than that of the refusal
        return Asked(values, row, _error(code, fault.message))


def _error(code: str, message: str) -> dict[str, str]:
    return {"code": code, "message": message}


def refused(asked: Asked) -> dict[str, Any]:
    """The outcome of an input that was not submitted, like that of an operation that failed."""
    return {
        "row": asked.row,
        "public_operation_id": None,
        "kind": "company_enrichment",
        "status": "failed",
        "progress": {"done": 0, "total": 0},
        "steps": [],
        "input": dict(asked.values),
        "company_id": None,
        "match": None,
        "cost": {"credit": "company", "amount": 0, "state": "none"},
        "created_at": None,
        "started_at": None,
        "finished_at": None,
        "error": asked.error,
        "next_poll_after": None,
    }
