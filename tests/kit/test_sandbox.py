"""Calls in processes that can be killed: what comes back, what ends them, what they can reach."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvloop

from sightline.kit.process_identity import identity_of
from sightline.kit.sandbox.pool import CallIsNotPortable, ChildDied, Sandbox
from tests.kit import sandbox_functions as work

MODULES = ("tests.kit.sandbox_functions",)
linux = pytest.mark.skipif(sys.platform != "linux", reason="a measure of Linux")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    made = Sandbox(size=3, modules=MODULES, memory_bytes=200_000_000)
    yield made
    made.close()


def call(sandbox: Sandbox, function: Callable[..., Any], *arguments: Any, cpu: float = 5.0) -> Any:
    return sandbox.call(function, *arguments, cpu_seconds=cpu)


def gone(*pids: int, seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while any(identity_of(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(identity_of(pid) for pid in pids)


def test_results_come_back(sandbox: Sandbox) -> None:
    body = b"x" * 5_000_000
    assert call(sandbox, len, body) == len(body)
    assert call(sandbox, bytes.upper, body) == body.upper()


def test_errors_come_back_as_they_were(sandbox: Sandbox) -> None:
    with pytest.raises(work.Refusal, match="No") as raised:
        call(sandbox, work.refuse)
    assert raised.value.status == 403
    assert "sandbox_functions.py" in raised.value.__notes__[0]
    with pytest.raises(RecursionError):
        call(sandbox, work.recurse)


def test_what_no_other_process_can_have_is_refused_before_and_after(sandbox: Sandbox) -> None:
    with pytest.raises(CallIsNotPortable):
        call(sandbox, lambda: None)
    with pytest.raises(TypeError, match="pickle"):
        call(sandbox, work.unpicklable)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (work.spin, "time"),
        pytest.param(work.eat, "memory", marks=linux),
        (work.crash, "crash"),
        (work.exit_at_once, "crash"),
        (work.kill_itself, "killed"),
    ],
)
def test_a_call_that_ends_its_process_costs_nothing_else(
    sandbox: Sandbox, function: Callable[[], None], reason: str
) -> None:
    with pytest.raises(ChildDied) as died:
        call(sandbox, function, cpu=1.0)
    assert died.value.reason == reason
    assert call(sandbox, abs, -1) == 1


def test_a_call_that_sleeps_is_ended_by_the_clock(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sightline.kit.sandbox.pool._WALL_FLOOR", 0.5)
    with pytest.raises(ChildDied) as died:
        call(sandbox, work.sleep, 60.0, cpu=0.1)
    assert died.value.reason == "time"


def test_a_child_is_kept_for_the_next_call(sandbox: Sandbox) -> None:
    assert call(sandbox, os.getpid) == call(sandbox, os.getpid)


def test_a_child_that_was_killed_between_calls_is_replaced(sandbox: Sandbox) -> None:
    before = call(sandbox, os.getpid)
    os.kill(before, signal.SIGKILL)
    assert gone(before)
    assert call(sandbox, os.getpid) != before


def test_a_template_that_was_killed_is_replaced(sandbox: Sandbox) -> None:
    _, template = call(sandbox, work.parents)
    os.kill(template, signal.SIGKILL)
    assert gone(template)
    assert call(sandbox, abs, -2) == 2


def test_processes_end_when_there_is_no_work() -> None:
    short = Sandbox(size=1, idle_seconds=0.3)
    child, template = call(short, work.parents)
    assert gone(child, template)
    assert call(short, abs, -3) == 3
    short.close()


def test_close_leaves_nothing() -> None:
    closed = Sandbox(size=1)
    child, template = call(closed, work.parents)
    closed.close()
    assert gone(child, template)


def test_nothing_secret_and_no_socket_is_inherited(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIGHTLINE_SECRET_KEY", "secret")
    fresh = Sandbox(size=1)
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as client:
        client.connect(server.getsockname())
        assert not any("SIGHTLINE" in name for name in call(fresh, work.environment))
        if sys.platform == "linux":
            sockets = [name for name in call(fresh, work.descriptors) if name.startswith("socket")]
            assert len(sockets) == 1  # the one that its calls come by
    fresh.close()


@linux
def test_the_network_and_other_programs_are_refused(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.raises(PermissionError):
        call(sandbox, work.connect, server.getsockname()[1])
    with pytest.raises(PermissionError):
        call(sandbox, work.run_program)


@pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_the_event_loop_goes_on_meanwhile(
    sandbox: Sandbox, new_loop: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    async def both() -> int:
        ticks = 0
        spinning = asyncio.create_task(sandbox.run(work.spin, cpu_seconds=1.0))
        while not spinning.done():
            ticks += 1
            await asyncio.sleep(0.02)
        with pytest.raises(ChildDied):
            await spinning
        return ticks

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert runner.run(both()) > 10


async def test_calls_run_beside_each_other(sandbox: Sandbox) -> None:
    began = time.monotonic()
    pids = await asyncio.gather(*(sandbox.run(work.sleep, 1.0, cpu_seconds=5.0) for _ in range(3)))
    assert len(set(pids)) == 3
    assert time.monotonic() - began < 2.9


@linux
def test_kill_9_of_the_caller_leaves_no_process(tmp_path: Path) -> None:
    """Also of one whose child spins and would never read its end of the socket."""
    program = (
        "import sys; from sightline.kit.sandbox.pool import Sandbox\n"
        "from tests.kit import sandbox_functions as work\n"
        "made = Sandbox(size=2)\n"
        "print(*made.call(work.parents, cpu_seconds=5.0), flush=True)\n"
        "made.call(work.spin, cpu_seconds=600.0)\n"
    )
    caller = subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert caller.stdout is not None
    child, template = map(int, caller.stdout.readline().split())
    assert identity_of(child)
    assert identity_of(template)
    caller.kill()
    caller.wait()
    caller.stdout.close()
    assert gone(child, template)
