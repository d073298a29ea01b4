"""A supervisor of services: started in order, restarted when they die, stopped in reverse order."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from sightline.kit.process_identity import die_with_parent, identity_of

# Between the signal to stop and being killed.
STOP_SECONDS = 5.0


class Service(Protocol):
    """What a supervisor can keep running. `start` may be called again after the service died."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def is_running(self) -> bool: ...


class ChildProcess:
    """One program run as a child that never outlives this process.

    It leads a process group of its own, so Ctrl-C in the terminal reaches the supervisor alone and
    the order of stopping stays ours; when it dies, whatever it left in its group is killed.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        environment: Mapping[str, str],
        stop_seconds: float = STOP_SECONDS,
    ) -> None:
        self._argv = list(argv)
        self._environment = dict(environment)
        self._stop_seconds = stop_seconds
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The PID of the child last started; None before the first start."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start the program; whatever is left of an earlier run is ended first."""
        self._bury()
        self._process = subprocess.Popen(
            self._argv,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=die_with_parent(signal.SIGTERM),
        )

    def is_running(self) -> bool:
        # Read from outside rather than with poll(): while its parent has not collected it, the PID
        # and its group cannot be given to another process, so _bury() hits no one else.
        return self._process is not None and identity_of(self._process.pid) is not None

    def stop(self) -> None:
        """SIGTERM, then SIGKILL to the whole group after `stop_seconds`."""
        if self._process is None:
            return
        deadline = time.monotonic() + self._stop_seconds
        if self.is_running():
            self._process.send_signal(signal.SIGTERM)
        while self.is_running() and time.monotonic() < deadline:
            time.sleep(0.02)
        self._bury()

    def kill(self) -> None:
        """End the child and its group at once."""
        self._bury()

    def send_signal(self, number: signal.Signals) -> None:
        """Forward a signal to the child if it runs."""
        if self._process is not None and self.is_running():
            self._process.send_signal(number)

    def _bury(self) -> None:
        if self._process is None or self._process.returncode is not None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    @property
    def exit_code(self) -> int | None:
        """The code of a child that has ended (negative: the signal), None while it runs."""
        if self._process is None or self.is_running():
            return None
        return self._process.wait()


@dataclass
class _Watched:
    name: str
    service: Service
    started: float
    failures: int = 0
    due: float | None = None


class Supervisor:
    """Keeps services running until it is stopped. Times are in seconds.

    A dead service is started again after `first_delay`, doubled with each failure in a row up to
    `longest_delay`; `steady` seconds of health forget earlier failures. `report` is handed one
    sentence for each thing that happens.
    """

    def __init__(
        self,
        *,
        report: Callable[[str], None],
        first_delay: float = 0.1,
        longest_delay: float = 10.0,
        steady: float = 30.0,
    ) -> None:
        self._report = report
        self._first_delay = first_delay
        self._longest_delay = longest_delay
        self._steady = steady
        self._watched: list[_Watched] = []

    def start(self, name: str, service: Service) -> None:
        """Start a service and watch it from now on; what `start` raises is passed on."""
        # Watched before it runs: a start that is interrupted half-way must still be stopped.
        watched = _Watched(name=name, service=service, started=time.monotonic())
        self._watched.append(watched)
        service.start()
        watched.started = time.monotonic()

    def failures(self, name: str) -> int:
        """How often in a row the service has died or failed to start."""
        return next(each.failures for each in self._watched if each.name == name)

    def check(self) -> None:
        """One round: notice the dead, start those that are due. Call it several times a second."""
        for watched in self._watched:
            now = time.monotonic()
            if watched.due is not None:
                if now >= watched.due:
                    self._start_again(watched)
            elif watched.service.is_running():
                if watched.failures and now - watched.started > self._steady:
                    watched.failures = 0
            else:
                self._plan_start(watched, f"{watched.name} has ended")

    def stop(self) -> None:
        """Stop every service, the last started first; one that fails to stop holds up no other."""
        while self._watched:
            watched = self._watched.pop()
            try:
                watched.service.stop()
            except Exception as error:
                self._report(f"{watched.name} did not stop cleanly: {error}")

    def _plan_start(self, watched: _Watched, what: str) -> None:
        delay = min(self._first_delay * 2**watched.failures, self._longest_delay)
        watched.failures = min(watched.failures + 1, 30)
        watched.due = time.monotonic() + delay
        self._report(f"{what}; starting it again in {delay:.1f} s.")

    def _start_again(self, watched: _Watched) -> None:
        watched.due = None
        try:
            watched.service.start()
        except Exception as error:
            self._plan_start(watched, f"{watched.name} did not start: {error}")
        watched.started = time.monotonic()
