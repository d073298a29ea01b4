"""Exit codes of all commands, and how an error becomes one line and a code."""

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import typer

OK: Final = 0
"""Done, or a server that stopped when asked."""
FAILURE: Final = 1
"""The command failed; the message says why."""
USAGE: Final = 2
"""The command line is wrong."""
CONFIGURATION: Final = 3
"""A setting or the configuration file is wrong."""
UNAVAILABLE: Final = 4
"""The database cannot be reached or started, or the port is taken."""
PARTIAL: Final = 5
"""Done, but some rows were bad; the report file lists them."""
INTERRUPTED: Final = 130
"""Ctrl-C before the work was done."""


class CommandFailed(Exception):
    """Ends a command with one line on standard error and an exit code."""

    def __init__(self, message: str, *, code: int = FAILURE) -> None:
        super().__init__(message)
        self.code = code


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn every exception of the block into one line on standard error and an exit code.

    `SIGHTLINE_LOG_LEVEL=debug` prints the traceback as well.
    """
    try:
        yield
    except (typer.Exit, SystemExit):
        raise
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        # The reader has enough; Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit from None
    except Exception as error:
        # click's own errors (wrong option values) are printed and coded by click.
        if hasattr(error, "exit_code") and hasattr(error, "show"):
            raise
        if os.environ.get("SIGHTLINE_LOG_LEVEL", "").lower() == "debug":
            traceback.print_exc()
        print(f"Error: {one_line(error)}", file=sys.stderr)
        raise typer.Exit(exit_code_of(error)) from None


def exit_code_of(error: BaseException) -> int:
    """The exit code for an exception; names are compared so that nothing heavy is imported."""
    if isinstance(error, CommandFailed):
        return error.code
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & {"ValidationError", "SettingsError", "TOMLDecodeError"}:
        return CONFIGURATION
    unavailable = {
        "ConnectionError",
        "DatabaseIsBusy",
        "DatabaseIsUnusable",
        "EmbeddedPostgresError",
        "InvalidAuthorizationSpecificationError",
        "InvalidCatalogNameError",
        "PostgresConnectionError",
        "TimeoutError",
        "gaierror",
    }
    return UNAVAILABLE if names & unavailable else FAILURE


def one_line(error: BaseException) -> str:
    """The message of an exception as one line; a failed setting is named with its reason."""
    details = getattr(error, "errors", None)
    if callable(details) and type(error).__name__ == "ValidationError":
        found = [
            f"{'.'.join(str(part) for part in each['loc']) or 'settings'}: {in_words(each)}"
            for each in details()
        ]
        return "The settings are wrong: " + "; ".join(found)
    text = " ".join(str(error).split())
    return text or f"{type(error).__name__}, without a message."


# How the types of a value's faults begin -> what to give instead; the first that fits.
_FAULTS = (
    ("missing", "it must be set"),
    ("extra_forbidden", "it is not known here"),
    ("int", "it must be a whole number"),
    ("float", "it must be a number"),
    ("bool", "it must be true or false"),
    ("string", "it must be text"),
    ("list", "it must be a list"),
    ("tuple", "it must be a list"),
    ("set", "it must be a list"),
    ("dict", "it must be a table"),
    ("path", "it must be a path"),
    ("url", "it must be a URL"),
    ("uuid", "it must be an id such as 01a204d4-3821-7000-8000-000000000000"),
    ("date", "it must be a day or time such as 2026-01-31 or 2026-01-31T09:00"),
    ("json_invalid", "it must be valid JSON"),
)
_LIMITS = (("ge", "at least"), ("gt", "more than"), ("le", "at most"), ("lt", "less than"))


def in_words(fault: Any) -> str:
    """What is wrong with a value; our own rules speak for themselves, Pydantic's words never show."""
    kind, context = str(fault["type"]), fault.get("ctx", {})
    if kind == "value_error":
        return str(context.get("error", fault["msg"])).removesuffix(".")
    if kind in ("literal_error", "enum"):
        return f"it must be one of {context['expected']}"
    limits = [f"{words} {context[name]}" for name, words in _LIMITS if name in context]
    if limits:
        return f"it must be {' and '.join(limits)}"
    return next((words for start, words in _FAULTS if kind.startswith(start)), "it cannot be used")
