"""`inspect titles` on lists that are not what they should be."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sightline.cli.commands import app


def run(path: Path) -> tuple[int, list[dict[str, str]], str]:
    result = CliRunner().invoke(app, ["inspect", "titles", str(path)])
    return (
        result.exit_code,
        [json.loads(line) for line in result.stdout.splitlines()],
        result.stderr,
    )


def test_a_line_that_is_no_text_is_answered_with_its_error(tmp_path: Path) -> None:
    path = tmp_path / "titles.txt"
    path.write_bytes(
        b"\xef\xbb\xbfChief Financial Officer\nL\xf6ter\na\0b\n" + b"x" * 2_500_000 + b"\n\nNurse\n"
    )
    code, rows, reported = run(path)
    assert code == 5
    assert reported == "3 of 6 lines are bad.\n"
    assert [row.get("error") for row in rows] == [
        None,
        "The line is not UTF-8.",
        "The line contains NUL bytes.",
        "The line is longer than 1,000,000 bytes.",
        None,
        None,
    ]
    assert [row["line"] for row in rows[1:4]] == [2, 3, 4]
    assert [row["title"] for row in rows if "title" in row] == [
        "Chief Financial Officer",
        "",
        "Nurse",
    ]


@pytest.mark.parametrize("content", [None, b"\0\1\2\n\xff\xff\n"], ids=["absent", "binary"])
def test_a_file_without_titles_fails_in_one_line(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "titles.txt"
    if content is not None:
        path.write_bytes(content)
    code, _, reported = run(path)
    assert (code, reported.count("\n"), reported[:6]) == (1, 1, "Error:")
