"""Two halves of one task at once: the second in a copy of the process, where there is a core for it."""

import os
import pickle
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

Result = TypeVar("Result")


def both(first: Callable[[], Result], second: Callable[[], Result]) -> tuple[Result, Result]:
    """The results of two calls that leave nothing behind but their result.

    One after the other on a single core, on systems that cannot copy a process and in programs with
    threads, whose locks a copy would inherit locked.
    """
    copy = _copy(second) if _can_copy() else None
    if copy is None:
        return first(), second()
    child, read = copy
    is_read = False
    try:
        with os.fdopen(read, "rb") as answer:
            one = first()
            try:
                other: Result = pickle.load(answer)  # noqa: S301 - our own copy wrote it
            except (EOFError, pickle.UnpicklingError):
                # The copy failed, be it for want of memory: what fails here as well is told here.
                other = second()
            is_read = True
    finally:
        # A program that ignores the ends of its children has none left to wait for.
        with suppress(ChildProcessError, ProcessLookupError):
            if not is_read:
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return one, other


def _copy(call: Callable[[], object]) -> tuple[int, int] | None:
    """Start a copy that answers the call: its id and the pipe to read; None where the system has no
    room for one."""
    read, write = os.pipe()
    try:
        child = os.fork()
    except OSError:
        os.close(read)
        os.close(write)
        return None
    if not child:
        # Held open here too, it would let the copy wait for a reader that has gone.
        os.close(read)
        _answer(call, write)
    os.close(write)
    return child, read


def _can_copy() -> bool:
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return False
    return len(os.sched_getaffinity(0)) > 1 if hasattr(os, "sched_getaffinity") else False


def _answer(call: Callable[[], object], write: int) -> None:
    """Write the result and end: nothing of the copied program may run on."""
    try:
        with os.fdopen(write, "wb") as answer:
            pickle.dump(call(), answer, protocol=5)
    finally:
        os._exit(0)
