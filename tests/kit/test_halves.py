"""Two halves of a task in two processes."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from sightline.kit import halves


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("This system cannot copy a process.")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    # Other tests may have left threads of their own.
    monkeypatch.setattr(threading, "active_count", lambda: 1)


def test_the_second_half_is_done_in_another_process(two_cores: None) -> None:
    mine, other = halves.both(os.getpid, os.getpid)
    assert mine == os.getpid() != other


def test_results_larger_than_a_pipe_arrive_whole(two_cores: None) -> None:
    one, other = halves.both(lambda: np.zeros(1), lambda: np.arange(300_000))
    assert len(one) == 1
    assert np.array_equal(other, np.arange(300_000))


def test_a_copy_that_fails_is_made_good(two_cores: None) -> None:
    parent = os.getpid()

    def only_here() -> str:
        if os.getpid() != parent:
            raise MemoryError
        return "done"

    assert halves.both(lambda: "first", only_here) == ("first", "done")


def test_a_failure_here_is_told_and_leaves_no_process(
    two_cores: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies: list[int] = []
    fork = os.fork

    def watched() -> int:
        copies.append(fork())
        return copies[-1]

    monkeypatch.setattr(os, "fork", watched)
    with pytest.raises(ZeroDivisionError):
        halves.both(lambda: 1 // 0, lambda: b"x" * 1_000_000)
    with pytest.raises(ChildProcessError):
        os.waitpid(copies[0], os.WNOHANG)


def test_programs_with_threads_are_not_copied(
    two_cores: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert halves.both(os.getpid, os.getpid) == (os.getpid(), os.getpid())


def test_where_no_process_can_be_added_one_does_both(
    two_cores: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> int:
        raise BlockingIOError("Resource temporarily unavailable")

    before = len(list(Path("/proc/self/fd").iterdir()))
    monkeypatch.setattr(os, "fork", full)
    assert halves.both(os.getpid, os.getpid) == (os.getpid(), os.getpid())
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_program_that_ignores_its_children_gets_both_results(two_cores: None) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert halves.both(lambda: 1, lambda: 2) == (1, 2)
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_a_copy_that_nobody_waits_for_is_ended(two_cores: None) -> None:
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        halves.both(_interrupted, lambda: time.sleep(600))
    assert time.monotonic() - started < 300


def _interrupted() -> None:
    raise KeyboardInterrupt
