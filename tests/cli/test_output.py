"""Tables on terminals of any width."""

import io
import os
import pty
import subprocess
import sys

import pytest

from sightline.cli.exits import CommandFailed
from sightline.cli.output import confirm, print_table

COMPANY = "01a204d4-3821-7000-8000-000000000000"
PROGRAM = f"""
import fcntl, struct, sys, termios
from sightline.cli.output import print_table
fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
columns = ("input", "status", "company", "steps", "fields", "postings", "credits")
print_table(columns, [("northquay-robotics.example", "succeeded", "{COMPANY}", "8/8", 63, 12, 1)])
"""


@pytest.mark.parametrize("width", [40, 80, 113, 200])
def test_an_id_is_never_cut(width: int) -> None:
    ours, theirs = pty.openpty()
    environment = {n: v for n, v in os.environ.items() if n not in ("COLUMNS", "LINES")}
    try:
        subprocess.run(
            [sys.executable, "-c", PROGRAM, str(width)],
            stdin=theirs,
            stdout=theirs,
            check=True,
            env=environment | {"TERM": "xterm"},
        )
        shown = os.read(ours, 100_000).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert COMPANY in shown
    assert "northquay-robotics.example" in shown


def test_a_table_stays_within_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Words wrap rather than ids, however broad these are."""
    monkeypatch.setenv("COLUMNS", "80")
    print_table(
        ("Id", "Name", "Domain"), [(COMPANY, "Copper and Line Storage", "copperline.example")]
    )
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    assert COMPANY in shown
    assert "copperline.example" in shown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("typed", "code"), [("", 130), ("n\n", 1)])
def test_a_question_that_nobody_answers_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, typed: str, code: int
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    with pytest.raises(CommandFailed, match="Nothing was changed") as reported:
        confirm("Remove it?", yes=False)
    assert reported.value.code == code
