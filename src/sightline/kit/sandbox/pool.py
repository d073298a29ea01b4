"""Runs functions in child processes that can be killed, for work on untrusted bytes.

A call that takes too much time or memory, or crashes its process, costs that process alone. The
children are forked from a template that has imported what they need, so a new one is there within
milliseconds; they are kept while there is work and end a minute after the last. They get no
environment, no sockets and no files of this process, and end with it, however it ends.
"""

import asyncio
import atexit
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pickle import PicklingError
from typing import Any, Literal, TypeVar, cast

from sightline.kit.process_identity import ProcessIdentity, identity_of, signal_process
from sightline.kit.sandbox import frames, template

T = TypeVar("T")
Reason = Literal["time", "memory", "crash", "killed"]

MEMORY_BYTES = 1024**3
IDLE_SECONDS = 60.0
# A child that has been idle for nearly so long is left alone: it may be ending just now.
_SURELY_ALIVE = 0.8
_START_SECONDS = 60.0
_MOST_ANSWER = 256 * 1024**2
# Of processor time are allowed; on a machine with other work that takes longer by the clock.
_WALL_FACTOR = 4.0
_WALL_FLOOR = 10.0
_PASSED_ON = ("LANG", "LC_ALL", "LC_CTYPE", "TZ")


class ChildDied(Exception):
    """The process of a call was ended: by its limit of `time` or `memory`, by a `crash` of its own, or
    `killed` from outside. The call has no result."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class CallIsNotPortable(TypeError):
    """The function or an argument cannot be pickled: only what another process can import can be called."""


class SandboxDidNotStart(RuntimeError):
    """The template process ended before it was ready; what it printed is on stderr."""


@dataclass
class _Child:
    connection: socket.socket
    process: ProcessIdentity | None
    used: float

    def is_usable(self, idle_seconds: float) -> bool:
        """Whether it lives, has nothing to say (an end of file, an exit status) and will not end soon."""
        if time.monotonic() - self.used > idle_seconds * _SURELY_ALIVE:
            return False
        if self.process is None or identity_of(self.process.pid) != self.process:
            return False
        return not select.select([self.connection], [], [], 0)[0]


class Sandbox:
    """At most `size` calls at once. Any thread and any event loop may use it; nothing runs before the
    first call."""

    def __init__(
        self,
        *,
        size: int,
        modules: Sequence[str] = (),
        memory_bytes: int = MEMORY_BYTES,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._size = size
        self._modules = tuple(modules)
        self._memory_bytes = memory_bytes
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._room = threading.BoundedSemaphore(size)
        self._idle: list[_Child] = []
        self._control: socket.socket | None = None
        self._template: subprocess.Popen[bytes] | None = None
        self._threads: ThreadPoolExecutor | None = None

    async def run(self, function: Callable[..., T], *arguments: Any, cpu_seconds: float) -> T:
        """`call`, without blocking the event loop. A call that is cancelled runs on to its limit."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._size, thread_name_prefix="sandbox")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._threads, lambda: self.call(function, *arguments, cpu_seconds=cpu_seconds)
        )

    def call(self, function: Callable[..., T], *arguments: Any, cpu_seconds: float) -> T:
        """The result of a function that can be imported, or what it raises; both are pickled.

        Raises ChildDied when the process ended first. Costs a copy of the arguments to the child and
        of the result back, about a millisecond a megabyte.
        """
        try:
            data = frames.packed((function, arguments))
        except (PicklingError, AttributeError, TypeError) as error:
            raise CallIsNotPortable(str(error)) from error
        with self._room:
            child = self._take()
            try:
                kind, value, goes_on = self._ask(child, data, cpu_seconds)
            except BaseException:
                self._end(child)
                raise
            if goes_on:
                child.used = time.monotonic()
                self._idle.append(child)
            else:
                self._end(child)
        if kind == "error":
            raise value
        if kind != "value":
            raise ChildDied("memory" if kind == "memory" else _reason(value))
        return cast("T", value)

    def close(self) -> None:
        """End every process. Calls that are under way raise ChildDied."""
        with self._lock:
            for child in self._idle:
                child.connection.close()
            self._idle.clear()
            self._end_template()
        if self._threads is not None:
            self._threads.shutdown(wait=True)
            self._threads = None

    @property
    def pids(self) -> tuple[int, ...]:
        """The template and the idle children; for those who look after processes."""
        found = [child.process.pid for child in self._idle if child.process]
        return (*([self._template.pid] if self._template else []), *found)

    def _ask(self, child: _Child, data: bytes, cpu_seconds: float) -> tuple[str, Any, bool]:
        deadline = time.monotonic() + _WALL_FLOOR + _WALL_FACTOR * cpu_seconds
        child.connection.settimeout(deadline - time.monotonic())
        try:
            frames.send(child.connection, frames.packed(cpu_seconds))
            frames.send(child.connection, data)
        except TimeoutError as error:
            raise ChildDied("time") from error
        except OSError:
            pass  # it has ended: how, it says below
        try:
            answer = frames.receive(child.connection, most_bytes=_MOST_ANSWER, deadline=deadline)
            return cast("tuple[str, Any, bool]", answer)
        except TimeoutError as error:
            raise ChildDied("time") from error
        except frames.FrameIsTooLarge as error:
            raise ChildDied("memory") from error
        except (EOFError, OSError) as error:
            raise ChildDied("killed") from error

    def _take(self) -> _Child:
        while True:
            try:
                child = self._idle.pop()
            except IndexError:
                return self._fork()
            # A template that has ended takes its children with it, in a moment.
            parent = self._template
            lives = parent is not None and parent.poll() is None
            if lives and child.is_usable(self._idle_seconds):
                return child
            child.connection.close()

    def _end(self, child: _Child) -> None:
        if child.process is not None:
            signal_process(child.process, signal.SIGKILL)
        child.connection.close()

    def _fork(self) -> _Child:
        with self._lock:
            for attempt in range(2):
                fresh = self._control is None
                ours, theirs = socket.socketpair()
                try:
                    control = self._control or self._start_template()
                    socket.send_fds(control, [b"f"], [theirs.fileno()])
                    pid = template.PID.unpack(_read(control, template.PID.size))[0]
                    return _Child(ours, identity_of(pid), time.monotonic())
                except (OSError, EOFError) as error:
                    ours.close()
                    self._end_template()
                    # One that was there before may have ended for want of work.
                    if fresh or attempt:
                        raise SandboxDidNotStart(str(error)) from error
                finally:
                    theirs.close()
        raise AssertionError

    def _start_template(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            self._template = subprocess.Popen(
                [
                    *(sys.executable, "-P", "-m", template.__name__, str(theirs.fileno())),
                    *(str(self._memory_bytes), str(self._idle_seconds), *self._modules),
                ],
                pass_fds=[theirs.fileno()],
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
        atexit.unregister(self.close)
        atexit.register(self.close)  # who uses it for one command need not close it
        ours.settimeout(_START_SECONDS)
        self._control = ours
        _read(ours, template.PID.size)
        return ours

    def _end_template(self) -> None:
        """It kills its children when the control socket closes."""
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._template is not None:
            with suppress(subprocess.TimeoutExpired):
                self._template.wait(timeout=2)
            if self._template.poll() is None:
                self._template.kill()
                self._template.wait()
            self._template = None


def _read(connection: socket.socket, size: int) -> bytes:
    data = connection.recv(size, socket.MSG_WAITALL)
    if len(data) < size:
        raise EOFError("The template ended.")
    return data


def _environment() -> dict[str, str]:
    """What a child needs to import the same code, and nothing that is secret."""
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return {**kept, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def _reason(status: int) -> Reason:
    """Why a process ended, by its wait status."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return "time"
        if number in (signal.SIGKILL, signal.SIGTERM):
            return "killed"
    return "crash"
