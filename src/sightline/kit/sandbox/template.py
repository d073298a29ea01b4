"""The process from which sandboxed ones are forked: single-threaded, with their modules imported.

Run as a program with a control socket: each message hands it a socket, and it forks a child that
answers calls there. When a child ends, its exit status follows on that socket. Everything ends with
the process that started it.
"""

import gc
import os
import selectors
import signal
import socket
import struct
import sys
import time
import traceback
from contextlib import suppress
from importlib import import_module

from sightline.kit.collector import collect_seldom
from sightline.kit.process_identity import die_with_parent
from sightline.kit.sandbox import frames
from sightline.kit.sandbox.confine import allow_cpu, confine, resident_bytes

PID = struct.Struct(">i")
READY = 0
_MOST_GROWTH = 256 * 1024 * 1024
"""Bytes that a child may keep from one call to the next; one that keeps more ends after its answer."""


def main(arguments: list[str]) -> None:
    """`arguments`: the control socket's number, bytes of memory a child, seconds without work after
    which everything ends, and the modules to import."""
    control = socket.socket(fileno=int(arguments[0]))
    memory_bytes, idle_seconds = int(arguments[1]), float(arguments[2])
    for name in arguments[3:]:
        import_module(name)
    gc.collect()
    gc.freeze()  # what all children share is not written to by their collectors
    collect_seldom()
    try:
        control.sendall(PID.pack(READY))
    except BrokenPipeError:  # our parent has died meanwhile
        return
    _Template(control, memory_bytes, idle_seconds).run()


class _Template:
    def __init__(self, control: socket.socket, memory_bytes: int, idle_seconds: float) -> None:
        self._control = control
        self._memory_bytes = memory_bytes
        self._idle_seconds = idle_seconds
        self._children: dict[int, socket.socket] = {}

    def run(self) -> None:
        """Fork on request until the starter is gone or there has been no child for a while."""
        woken, wake = socket.socketpair()
        wake.setblocking(False)
        woken.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
        selector = selectors.DefaultSelector()
        selector.register(self._control, selectors.EVENT_READ)
        selector.register(woken, selectors.EVENT_READ)
        used = time.monotonic()
        while self._children or time.monotonic() - used < self._idle_seconds:
            for key, _ in selector.select(timeout=self._idle_seconds):
                if key.fileobj is woken:
                    with suppress(BlockingIOError):
                        woken.recv(4096)
                elif not self._fork([selector, woken, wake]):
                    self._kill_all()
                    return
                else:
                    used = time.monotonic()
            self._bury()

    def _fork(self, own: list[selectors.BaseSelector | socket.socket]) -> bool:
        _, handed, _, _ = socket.recv_fds(self._control, 1, 1)
        if not handed:
            return False
        connection = socket.socket(fileno=handed[0])
        follow = die_with_parent(signal.SIGKILL)
        pid = os.fork()
        if pid == 0:
            try:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                follow()
                for each in (*own, self._control, *self._children.values()):
                    each.close()
                confine(memory_bytes=self._memory_bytes)
                _serve(connection, self._idle_seconds)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        self._children[pid] = connection
        self._control.sendall(PID.pack(pid))
        return True

    def _bury(self) -> None:
        while self._children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            connection = self._children.pop(pid)
            connection.setblocking(False)
            with suppress(OSError):
                frames.send(connection, frames.packed(("ended", status, False)))
            connection.close()

    def _kill_all(self) -> None:
        for pid in self._children:
            os.kill(pid, signal.SIGKILL)


def _serve(connection: socket.socket, idle_seconds: float) -> None:
    """Answer calls until the caller closes, or asks for nothing any more. Does not return."""
    kept = resident_bytes()
    while True:
        connection.settimeout(idle_seconds)
        try:
            cpu_seconds = frames.receive(connection)
            call = frames.receive_packed(connection)
        except (EOFError, OSError):
            os._exit(0)
        connection.settimeout(None)
        allow_cpu(cpu_seconds)
        try:
            kind, value = _answer(call)
            # A child that met its limit is not trusted with another call.
            goes_on = kind != "memory" and resident_bytes() - kept < _MOST_GROWTH
            data = frames.packed((kind, value, goes_on))
        except MemoryError:
            goes_on, data = False, frames.packed(("memory", None, False))
        except Exception as error:  # an answer that cannot be pickled
            goes_on, data = True, frames.packed(("error", TypeError(str(error)), True))
        frames.send(connection, data)
        if not goes_on:
            os._exit(0)
        del value, data, call


def _answer(call: bytearray) -> tuple[str, object]:
    try:
        function, arguments = frames.unpacked(call)
        return "value", function(*arguments)
    except MemoryError:
        return "memory", None
    except BaseException as error:
        return "error", _portable(error)


def _portable(error: BaseException) -> BaseException:
    """The error if it can be sent, with where it was raised as a note; else one that says the same."""
    try:
        error.add_note(_raised_at(error))
        error.__traceback__ = None
        frames.unpacked(bytearray(frames.packed(error)))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _raised_at(error: BaseException) -> str:
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    if place is None:
        return "In the sandbox."
    code = place.tb_frame.f_code
    return f"In the sandbox: {code.co_filename}, line {place.tb_lineno}, in {code.co_name}"


if __name__ == "__main__":
    main(sys.argv[1:])
