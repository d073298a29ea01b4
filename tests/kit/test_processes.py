"""Children are restarted, stopped in order and in time, and never left behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sightline.kit.process_identity import identity_of
from sightline.kit.processes import ChildProcess, Supervisor
from tests.waiting import eventually


def is_alive(pid: int) -> bool:
    return identity_of(pid) is not None


class FakeService:
    """Alive or dead as configured; notes its starts and stops in a shared diary."""

    def __init__(self, name: str, diary: list[str], *, failing_starts: int = 0) -> None:
        self.name = name
        self.diary = diary
        self.failing_starts = failing_starts
        self.alive = False

    def start(self) -> None:
        self.diary.append(f"start {self.name}")
        if self.failing_starts:
            self.failing_starts -= 1
            raise RuntimeError("no room")
        self.alive = True

    def stop(self) -> None:
        self.diary.append(f"stop {self.name}")
        self.alive = False

    def is_running(self) -> bool:
        return self.alive


def test_services_stop_in_reverse_order_and_one_failure_holds_up_no_other() -> None:
    diary: list[str] = []
    said: list[str] = []
    supervisor = Supervisor(report=said.append)
    stubborn = FakeService("b", diary)

    def fail() -> None:
        raise RuntimeError("will not")

    stubborn.stop = fail  # type: ignore[method-assign]
    supervisor.start("a", FakeService("a", diary))
    supervisor.start("b", stubborn)
    supervisor.start("c", FakeService("c", diary))
    supervisor.stop()
    assert diary == ["start a", "start b", "start c", "stop c", "stop a"]
    assert said == ["b did not stop cleanly: will not"]


def test_a_dead_service_is_started_again_with_growing_delays() -> None:
    diary: list[str] = []
    said: list[str] = []
    supervisor = Supervisor(report=said.append, first_delay=0.1, longest_delay=0.3)
    service = FakeService("a", diary)
    supervisor.start("a", service)
    service.alive = False
    service.failing_starts = 3

    def recovered() -> bool:
        supervisor.check()
        return service.alive

    assert eventually(recovered)
    assert diary == ["start a"] * 5
    assert [sentence.split("again in ")[1] for sentence in said] == [
        "0.1 s.",
        "0.2 s.",
        "0.3 s.",
        "0.3 s.",
    ]
    assert supervisor.failures("a") == 4
    assert said[0].startswith("a has ended")
    assert said[1].startswith("a did not start: no room")


def test_health_forgets_earlier_failures() -> None:
    supervisor = Supervisor(report=lambda said: None, first_delay=0.0, steady=0.0)
    service = FakeService("a", [])
    supervisor.start("a", service)
    service.alive = False
    supervisor.check()
    assert supervisor.failures("a") == 1
    supervisor.check()
    assert service.alive

    def forgotten() -> bool:
        supervisor.check()
        return supervisor.failures("a") == 0

    assert eventually(forgotten)


def test_a_killed_child_is_started_again() -> None:
    supervisor = Supervisor(report=lambda said: None, first_delay=0.01)
    child = ChildProcess(["sleep", "3600"], environment=os.environ)
    supervisor.start("sleeper", child)
    try:
        first = child.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)

        def restarted() -> bool:
            supervisor.check()
            return child.pid != first and child.is_running()

        assert eventually(restarted)
        assert not is_alive(first)
    finally:
        supervisor.stop()
    assert child.exit_code == -signal.SIGKILL or child.exit_code == -signal.SIGTERM


def test_a_child_that_ignores_sigterm_is_killed_in_time(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    code = (
        "import signal, sys, time, pathlib; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "pathlib.Path(sys.argv[1]).touch(); time.sleep(3600)"
    )
    argv = [sys.executable, "-c", code, str(ready)]
    child = ChildProcess(argv, environment=os.environ, stop_seconds=0.2)
    child.start()
    assert eventually(ready.exists)
    child.stop()
    assert child.exit_code == -signal.SIGKILL


def test_what_a_dead_child_left_in_its_group_is_killed(tmp_path: Path) -> None:
    note = tmp_path / "grandchild"
    argv = ["sh", "-c", 'sleep 3600 & echo $! > "$0.part"; mv "$0.part" "$0"; wait', str(note)]
    child = ChildProcess(argv, environment=os.environ)
    child.start()
    assert eventually(note.exists)
    grandchild = int(note.read_text())
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    assert eventually(lambda: not child.is_running())
    assert is_alive(grandchild)
    child.start()
    assert eventually(lambda: not is_alive(grandchild))
    child.kill()
    assert not child.is_running()


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's help exists on Linux only")
def test_a_child_dies_with_a_killed_parent() -> None:
    code = (
        "import os, time; from sightline.kit.processes import ChildProcess;"
        "c = ChildProcess(['sleep', '3600'], environment=os.environ); c.start();"
        "print(c.pid, flush=True); time.sleep(3600)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.stdout.close()
        assert is_alive(child)
    finally:
        parent.kill()
        parent.wait()
    assert eventually(lambda: not is_alive(child))
