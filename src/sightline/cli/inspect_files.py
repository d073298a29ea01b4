"""Shared by the `inspect` commands: a local file as a web response."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from sightline.cli.exits import CommandFailed
from sightline.domain.evidence import Body

T = TypeVar("T")

MAX_BYTES = 256 * 1024 * 1024
_SECONDS = 60.0
_SECONDS_A_MEGABYTE = 5.0
_MEMORY_BYTES = 4 * 1024**3


def parsed(file: Path, function: Callable[..., T], *arguments: Any) -> T:
    """What a function makes of the file's content, in a process of its own. Raises CommandFailed when
    that takes too much time or memory."""
    from sightline.kit.sandbox.pool import ChildDied, Sandbox

    seconds = _SECONDS + _SECONDS_A_MEGABYTE * file.stat().st_size / 1_000_000
    sandbox = Sandbox(size=1, memory_bytes=_MEMORY_BYTES)
    try:
        return sandbox.call(function, *arguments, cpu_seconds=seconds)
    except ChildDied as died:
        why = {
            "time": f"took more than {seconds:.0f} s of processor time",
            "memory": f"took more than {_MEMORY_BYTES // 1024**3} GB of memory",
            "crash": "crashed",
            "killed": "was killed",
        }
        raise CommandFailed(f"{file} cannot be read: its parser {why[died.reason]}.") from died
    finally:
        sandbox.close()


def body_of(file: Path, url: str | None) -> Body:
    """The file as if it had just been fetched from an address. Raises CommandFailed.

    Its time of change counts as the time of the fetch: "posted 3 days ago" is read from there.
    """
    try:
        status = file.stat()
        with file.open("rb") as opened:
            content = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise CommandFailed(f"{file} cannot be read: {error.strerror or error}") from error
    if len(content) > MAX_BYTES:
        raise CommandFailed(f"{file} is larger than {MAX_BYTES // 1024 // 1024} MB.")
    when = datetime.fromtimestamp(status.st_mtime, UTC)
    return Body(url or "", content, "", None, {}, when)
