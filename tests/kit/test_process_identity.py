"""A PID is trusted only together with its start time."""

import os
import signal
import subprocess
import sys

from sightline.kit.process_identity import (
    ProcessIdentity,
    identity_of,
    signal_process,
    wait_until_gone,
)
from tests.waiting import eventually


def test_a_living_process_keeps_its_identity() -> None:
    assert identity_of(os.getpid()) == identity_of(os.getpid())


def test_a_process_that_ended_but_was_not_collected_is_gone() -> None:
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    try:
        assert eventually(lambda: identity_of(child.pid) is None)
    finally:
        child.wait()


def test_a_reused_pid_is_neither_signalled_nor_waited_for() -> None:
    child = subprocess.Popen(["sleep", "3600"])
    try:
        former = ProcessIdentity(pid=child.pid, started="of an earlier process")
        signal_process(former, signal.SIGKILL)
        assert wait_until_gone([former], seconds=0) == []
        assert child.poll() is None
    finally:
        child.kill()
        child.wait()
