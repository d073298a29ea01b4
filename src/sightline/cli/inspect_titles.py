"""`inspect titles`: department and seniority of job titles."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from sightline.cli.exits import PARTIAL, CommandFailed, one_line_errors
from sightline.cli.output import note

_LONGEST_LINE = 1_000_000  # bytes; a file without line ends is no list of titles


def titles(
    file: Annotated[Path, typer.Argument(help="UTF-8 text, one title per line.")],
) -> None:
    """Normalize job titles: prints one JSON object per line of the file, blank lines included.

    A title that names no job has no department or seniority. A line that is not text gets an
    `error`, and the exit code is 5.
    """
    with one_line_errors():
        from sightline.domain.titles import read_title

        bad = 0
        for number, raw in enumerate(_lines(file), 1):
            try:
                line = _text(raw, first=number == 1)
            except ValueError as error:
                bad += 1
                found: dict[str, str | int | None] = {"line": number, "error": str(error)}
            else:
                read = read_title(line)
                found = {
                    "title": line,
                    "normalized_title": read.normalized_title,
                    "department": read.department,
                    "seniority": read.seniority,
                }
            sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
        if bad:
            if bad == number:
                raise CommandFailed(f"{file} is not a list of titles: it contains no text.")
            note(f"{bad} of {number} lines are bad.")
            raise typer.Exit(PARTIAL)


def _text(raw: bytes, *, first: bool) -> str:
    """A line as text. Raises ValueError, which says why it is none."""
    if len(raw) > _LONGEST_LINE:
        raise ValueError(f"The line is longer than {_LONGEST_LINE:,} bytes.")
    if b"\0" in raw:
        raise ValueError("The line contains NUL bytes.")
    try:
        return raw.decode("utf-8-sig" if first else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        raise ValueError("The line is not UTF-8.") from None


def _lines(file: Path) -> Iterator[bytes]:
    """The lines; of one that is too long only the beginning."""
    try:
        with file.open("rb") as opened:
            while line := opened.readline(_LONGEST_LINE + 1):
                rest = line
                while len(rest) > _LONGEST_LINE and not rest.endswith(b"\n"):
                    rest = opened.readline(_LONGEST_LINE + 1)
                yield line
    except OSError as error:
        raise CommandFailed(f"{file} cannot be read: {error.strerror or error}") from error
