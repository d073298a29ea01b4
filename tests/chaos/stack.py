"""Everything of one installation as processes of their own, so that each can be killed."""

import asyncio
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.process_identity import die_with_parent, processes_of_folder
from sightline.kit.processes import Supervisor
from sightline.kit.sandbox import template


def prepare_forks(log: Path) -> None:
    """Start the process that all programs are forked from: with what they import, in this environment, and
    with their complaints in a file."""
    forkserver.set_forkserver_preload(_PRELOADED)
    mine = os.dup(2)
    try:
        with log.open("ab") as file:
            os.dup2(file.fileno(), 2)
        forkserver.ensure_running()
    finally:
        os.dup2(mine, 2)
        os.close(mine)


_PRELOADED = ["tests.bench.api_process", "tests.chaos.worker_process"]


class Programs:
    """Processes of one kind, each started again when it was killed."""

    def __init__(self, target: Callable[..., None], arguments: Sequence[tuple[Any, ...]]) -> None:
        self._target, self._arguments = target, arguments
        # A fork of a process that has imported everything is soon at work.
        self._spawn = multiprocessing.get_context("forkserver")
        self._running = [self._start(n) for n in range(len(arguments))]

    @property
    def pids(self) -> list[int]:
        return [process.pid for process in self._running]

    def kill(self, n: int) -> int:
        """Kill one and start its successor; the pid of the dead."""
        pid = self.pids[n]
        self._end(self._running[n])
        self._running[n] = self._start(n)
        return pid

    def revive(self) -> int:
        """Start again those that ended by themselves, as a supervisor does; answers how many."""
        ended = [n for n, process in enumerate(self._running) if process.exitcode is not None]
        for n in ended:
            self._running[n] = self._start(n)
        return len(ended)

    def end(self) -> None:
        for process in self._running:
            self._end(process)
        self._running = []

    def _start(self, n: int) -> Any:
        process = self._spawn.Process(target=self._target, args=self._arguments[n])
        process.start()
        return process

    def _end(self, process: Any) -> None:
        process.kill()
        process.join()


class DatabaseServer:
    """The embedded server under a supervisor of its own, as `sightline up` keeps it."""

    def __init__(self, server: EmbeddedPostgres, binaries: Path) -> None:
        self._server, self._binaries = server, binaries
        self.cluster = server.layout.cluster
        self._supervisor = self._supervise()

    def kill_supervisor(self) -> None:
        self._supervisor.kill()
        self._supervisor.wait()
        self._supervisor = self._supervise()

    def kill_postmaster(self) -> bool:
        """False when none is there just now."""
        try:
            pid_file = self._server.layout.cluster / "postmaster.pid"
            os.kill(int(pid_file.read_text().split()[0]), signal.SIGKILL)
        except (FileNotFoundError, IndexError, ValueError, ProcessLookupError):
            return False
        return True

    def kill_all(self) -> bool:
        """The postmaster and every process of it."""
        found = processes_of_folder(self._server.layout.cluster)
        for process in found:
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        return bool(found)

    def kill_backend(self, chance: random.Random) -> bool:
        """Any process of the server but the postmaster, upon which it starts all of them again."""
        found = processes_of_folder(self._server.layout.cluster)
        children = [each.pid for each in found if parent_of(each.pid) in {p.pid for p in found}]
        return bool(children) and kill(chance.choice(children))

    def end(self) -> None:
        self._supervisor.terminate()
        self._supervisor.wait()

    def _supervise(self) -> subprocess.Popen[bytes]:
        folder = self._server.layout.data_dir
        with (folder.parent / "supervisor.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "tests.chaos.stack", str(folder), str(self._binaries)],
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent(signal.SIGTERM),
            )


def parsers_of(workers: Sequence[int]) -> list[int]:
    """The parser processes of these workers, and the templates that they are forked from."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError):
            if template.__name__.encode() in (entry / "cmdline").read_bytes().split(b"\0"):
                pid = int(entry.name)
                ancestors = {parent_of(pid), parent_of(parent_of(pid))}
                if ancestors & set(workers):
                    found.append(pid)
    return found


def parent_of(pid: int) -> int:
    """0 for one that has gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return 0
    return int(text.rpartition(")")[2].split()[1])


def kill(pid: int) -> bool:
    """Whether it was there."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


async def until(condition: Callable[[], Any], *, seconds: float) -> float:
    """Wait until the condition, which may be awaited, holds; how long it took. Raises TimeoutError."""
    began = time.monotonic()
    while not await condition():
        if time.monotonic() - began > seconds:
            raise TimeoutError
        await asyncio.sleep(0.05)
    return time.monotonic() - began


def supervise(data_dir: Path, binaries: Path) -> None:
    """What `sightline up` does for its database, alone; until it is killed or stopped."""
    server = EmbeddedPostgres(data_dir, binaries=binaries)
    supervisor = Supervisor(report=lambda said: print(said, file=sys.stderr), longest_delay=1.0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    while True:  # a full disk may keep the server from its first start, too
        try:
            supervisor.start("PostgreSQL", server)
            break
        except Exception as error:
            print(error, file=sys.stderr)
            supervisor.stop()
            time.sleep(0.5)
    try:
        while True:
            supervisor.check()
            time.sleep(0.02)
    finally:
        supervisor.stop()


if __name__ == "__main__":
    supervise(Path(sys.argv[1]), Path(sys.argv[2]))
