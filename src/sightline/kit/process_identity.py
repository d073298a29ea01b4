"""The identity of a process. A PID alone is not enough: the system reuses them."""

import ctypes
import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class ProcessIdentity:
    """A PID and when that process began; equal only for one and the same process.

    `started` is opaque: boot id and clock ticks on Linux, elsewhere the time that `ps` prints.
    """

    pid: int
    started: str


def identity_of(pid: int) -> ProcessIdentity | None:
    """The living process `pid`, or None; a zombie counts as gone."""
    if sys.platform != "linux":
        return _identity_from_ps(pid)
    try:
        # The name, in brackets, may itself hold spaces and brackets: split behind the last one.
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return None
    if fields[0] in "ZX":
        return None
    return ProcessIdentity(pid=pid, started=f"{boot}:{fields[19]}")


def _identity_from_ps(pid: int) -> ProcessIdentity | None:
    state, _, started = _ps("-o", "state=,lstart=", "-p", str(pid)).strip().partition(" ")
    if not started or state.startswith("Z"):
        return None
    return ProcessIdentity(pid=pid, started=" ".join(started.split()))


def serves_folder(pid: int, folder: Path) -> bool:
    """Whether `pid` is a living PostgreSQL process, of any kind, of the data directory `folder`."""
    if sys.platform != "linux":
        command = _ps("-o", "command=", "-p", str(pid))
        return "postgres" in command and f"-D {folder}" in command
    process = Path(f"/proc/{pid}")
    try:
        if not process.joinpath("comm").read_text(errors="replace").startswith("postgres"):
            return False
        arguments = process.joinpath("cmdline").read_bytes().split(b"\0")
        if identity_of(pid) is None:
            return False
    except (FileNotFoundError, ProcessLookupError):
        return False
    named = dict(itertools.pairwise(arguments)).get(b"-D")
    if named is not None:
        return Path(os.fsdecode(named)) == folder
    try:
        # A backend has painted over its arguments, but every one works inside the data directory.
        return process.joinpath("cwd").readlink() == folder
    except OSError:  # gone meanwhile, or root without CAP_SYS_PTRACE, as in many containers
        return False


def processes_of_folder(folder: Path) -> list[ProcessIdentity]:
    """Every living PostgreSQL process of the data directory `folder`."""
    if sys.platform == "linux":
        pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    else:
        listed = _ps("-axo", "pid=,command=").splitlines()
        pids = [int(line.split()[0]) for line in listed if f"-D {folder}" in line]
    found = [identity_of(pid) for pid in pids if serves_folder(pid, folder)]
    return [identity for identity in found if identity is not None]


def wait_until_gone(processes: list[ProcessIdentity], *, seconds: float) -> list[ProcessIdentity]:
    """Wait for the processes to end, at most so long; those still alive then."""
    deadline = time.monotonic() + seconds
    while True:
        processes = [each for each in processes if identity_of(each.pid) == each]
        if not processes or time.monotonic() >= deadline:
            return processes
        time.sleep(0.02)


def signal_process(process: ProcessIdentity, number: signal.Signals) -> None:
    """Send a signal to the process unless it has gone, or its PID is another's by now."""
    if identity_of(process.pid) == process:
        try:
            os.kill(process.pid, number)
        except ProcessLookupError:
            return


def die_with_parent(number: signal.Signals) -> Callable[[], None]:
    """A `preexec_fn` that has the kernel send `number` to the child when this thread ends.

    Linux only; elsewhere the next start finds what was left. It must run after the change of user,
    which clears the request, and it is kept through exec. Call from a thread that lives as long as
    the child should: the kernel watches the thread, not the process.
    """
    parent = os.getpid()
    prctl = ctypes.CDLL(None, use_errno=True).prctl if sys.platform == "linux" else None

    def in_child() -> None:
        # A shell's background job inherits SIGINT ignored: the request would fall on deaf ears
        # until the program sets its own handler.
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        if prctl is None:
            return
        if prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0) != 0:
            os._exit(127)
        if os.getppid() != parent:  # it died between our fork and the request
            os._exit(127)

    return in_child


def _ps(*arguments: str) -> str:
    return subprocess.run(
        ["ps", *arguments], capture_output=True, text=True, check=False, env={"LC_ALL": "C"}
    ).stdout
