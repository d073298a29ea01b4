"""The command itself: help, exit codes, one-line errors, and how little it imports."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from sightline.cli.commands import COMMANDS, app
from tests.waiting import LONGEST_SECONDS

HEAVY = ("asyncpg", "pydantic", "rapidfuzz", "openpyxl", "starlette", "structlog")


def test_help_lists_every_command_and_the_exit_codes() -> None:
    shown = CliRunner().invoke(app, ["--help"])
    assert shown.exit_code == 0
    for name in COMMANDS:
        assert f" {name} " in shown.stdout
    text = " ".join(shown.stdout.split())
    assert "Exit codes: 0 done, 1 failed, 2 wrong command line" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_table_exists(name: str) -> None:
    shown = CliRunner().invoke(app, [name, "--help"])
    assert shown.exit_code == 0, shown.output
    assert f"Usage: sightline {name}" in shown.stdout
    assert "Exit codes" not in shown.stdout  # once is enough: in the help of the whole
    assert "list[" not in shown.stdout
    assert "<" not in shown.stdout.partition("Options:")[2].replace("<=", "")


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys\nfrom sightline.cli.commands import app\n"
        "try: app(['--help'])\nexcept SystemExit: pass\n"
        "import json; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        timeout=LONGEST_SECONDS,
    )
    loaded = set(json.loads(done.stderr))
    assert loaded & set(HEAVY) == set()
    assert not {name for name in loaded if name.startswith("sightline.imports")}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["bakup"], "Error: No such command 'bakup'. Did you mean 'backup'? See: sightline --help"),
        (["org", "delete"], "Error: No such command 'delete'. See: sightline org --help"),
        (["keys", "list", "--jsn"], "Error: No such option: --jsn"),
        (["backup"], "Error: Missing argument 'FILE'. See: sightline backup --help"),
        (["import", "accounts"], "Error: Missing argument 'FILE'."),
        (["keys", "revoke", "x"], "Error: Invalid value for ID: it must be an id such as"),
        (["up", "--port", "x"], "Error: Invalid value for --port: it must be a whole number."),
        (["up", "--port", "0"], "Error: Invalid value for --port: it must be at least 1."),
        (
            ["export", "accounts", "--format", "docx"],
            "Error: Invalid value for --format: 'docx' is not",
        ),
        (
            ["export", "accounts", "--changed-since", "soon"],
            "Error: Invalid value for --changed-since: it must be a day or time such as 2026-01-31",
        ),
    ],
)
def test_a_wrong_command_line_is_told_in_one_line(words: list[str], message: str) -> None:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith(message)


@pytest.mark.parametrize("words", [[], ["keys"], ["org"]])
def test_a_group_alone_shows_its_help(words: list[str]) -> None:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert "Usage: sightline" in result.output


def test_the_version_is_that_of_the_package() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "sightline", "--version"],
        capture_output=True,
        text=True,
        check=True,
        timeout=LONGEST_SECONDS,
    )
    assert shown.stdout.startswith("sightline 0.")


def test_ctrl_c_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sightline.cli.doctor.examine", interrupted)
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 130
    assert result.stderr == "Interrupted.\n"
