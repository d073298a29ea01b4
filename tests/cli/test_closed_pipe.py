"""A reader that has enough, as `head` has, is no failure of a command."""

import subprocess
import sys

PRINTS_WITHOUT_END = """
import typer
from sightline.cli.exits import one_line_errors

def command() -> None:
    with one_line_errors():
        while True:
            print("Northwind Mills, Leeds")

typer.run(command)
"""


def test_a_reader_that_has_enough_is_no_error() -> None:
    command = [sys.executable, "-c", PRINTS_WITHOUT_END]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
