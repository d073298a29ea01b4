"""Confines a sandboxed process: memory, core dumps, the network, other programs.

Each measure is taken where the system has it; one that is refused is left out.
"""

import ctypes
import platform
import resource
import struct
import sys
from contextlib import suppress
from math import ceil
from pathlib import Path

_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_SECCOMP = 22
_FILTER_MODE = 2
_ERRNO_EPERM = 0x00050000 | 1
_ALLOW = 0x7FFF0000
_LOAD, _JUMP_EQUAL, _RETURN = 0x20, 0x15, 0x06
# Machine -> (architecture as the kernel audits it, numbers of the calls that are refused): socket,
# connect, execve, execveat, ptrace, process_vm_readv, process_vm_writev, io_uring_setup.
_REFUSED = {
    "x86_64": (0xC000003E, (41, 42, 59, 322, 101, 310, 311, 425)),
    "aarch64": (0xC00000B7, (198, 203, 221, 281, 117, 270, 271, 425)),
}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def confine(*, memory_bytes: int) -> None:
    """Allow this process so much more memory than it has now, no new socket and no other program."""
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform != "linux":
        return
    with suppress(OSError, ValueError):
        most = _address_space() + memory_bytes
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    with suppress(OSError):  # where memory runs out all the same, this one goes first
        Path("/proc/self/oom_score_adj").write_text("1000")
    _refuse_calls()


def allow_cpu(seconds: float) -> None:
    """Let the kernel end this process after so much more processor time."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    with suppress(OSError, ValueError):
        resource.setrlimit(
            resource.RLIMIT_CPU,
            (ceil(used.ru_utime + used.ru_stime + seconds), resource.RLIM_INFINITY),
        )


def resident_bytes() -> int:
    """Memory that this process has for itself now; 0 where the system does not say."""
    if sys.platform != "linux":
        return 0
    fields = Path("/proc/self/statm").read_text().split()
    return (int(fields[1]) - int(fields[2])) * resource.getpagesize()


def _address_space() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _refuse_calls() -> None:
    if platform.machine() not in _REFUSED:
        return
    architecture, calls = _REFUSED[platform.machine()]
    # Offsets in what the filter is given: 0 the number of the call, 4 the architecture.
    steps = [(_LOAD, 0, 0, 4), (_JUMP_EQUAL, 0, len(calls) + 1, architecture), (_LOAD, 0, 0, 0)]
    steps += [(_JUMP_EQUAL, len(calls) - place, 0, call) for place, call in enumerate(calls)]
    steps += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ERRNO_EPERM)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = _Program(len(steps), ctypes.addressof(code))
    prctl = ctypes.CDLL(None).prctl
    prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
    if prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0:
        prctl(_PR_SET_SECCOMP, _FILTER_MODE, ctypes.addressof(program), 0, 0)
