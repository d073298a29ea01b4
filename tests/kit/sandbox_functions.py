"""Functions that tests of the sandbox call in its processes."""

import ctypes
import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any


class Refusal(Exception):
    """An error with more to it than its arguments."""

    def __init__(self, sentence: str, *, status: int = 0) -> None:
        super().__init__(sentence)
        self.status = status


def spin() -> None:
    while True:
        pass


def eat() -> int:
    kept = []
    while True:
        kept.append(bytearray(16_000_000))


def crash() -> None:
    ctypes.string_at(1)


def exit_at_once() -> None:
    os._exit(3)


def kill_itself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def refuse() -> None:
    raise Refusal("No.", status=403)


def recurse() -> Any:
    return recurse()


def sleep(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def environment() -> dict[str, str]:
    return dict(os.environ)


def descriptors() -> list[str]:
    """What the open files of the process are, its own listing of them left out."""
    found = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            found.append(str(entry.readlink()))
        except FileNotFoundError:
            continue
    return found


def connect(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)):
        pass


def run_program() -> None:
    subprocess.run(["true"], check=True)


def parents() -> tuple[int, int]:
    return os.getpid(), os.getppid()


def unpicklable() -> Any:
    return lambda: None
