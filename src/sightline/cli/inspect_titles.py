"""`inspect titles`: department and seniority of job titles."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from sightline.cli.exits import CommandFailed, one_line_errors

_LONGEST_LINE = 1_000_000  # bytes; a file without line ends is no list of titles


def titles(
    file: Annotated[Path, typer.Argument(help="UTF-8 text, one title a line.")],
) -> None:
    """Normalise job titles: one JSON object a line, in the order of the file, blank lines included.

    A title that names no job has neither department nor seniority.
    """
    with one_line_errors():
        from sightline.domain.titles import read_title

        for line in _lines(file):
            read = read_title(line)
            found = {
                "title": line,
                "normalized_title": read.normalized_title,
                "department": read.department,
                "seniority": read.seniority,
            }
            sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")


def _lines(file: Path) -> Iterator[str]:
    try:
        with file.open("rb") as opened:
            number = 0
            while line := opened.readline(_LONGEST_LINE + 1):
                number += 1
                if len(line) > _LONGEST_LINE or b"\0" in line:
                    raise CommandFailed(f"{file} is not a list of titles: see line {number}.")
                yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except OSError as error:
        raise CommandFailed(f"{file} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise CommandFailed(f"{file} is not UTF-8 text: see line {number}.") from error
