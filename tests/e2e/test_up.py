"""`sightline up` as a user runs it: one process tree that starts, recovers and stops whole."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest

from sightline.cli import exits
from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.process_identity import identity_of
from tests.kit.embedded_servers import MAKE_UNTIL_KILLED, nothing_runs_in, query
from tests.waiting import LONGEST_SECONDS, eventually, free_port

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads the process tree in /proc")


# The command, with all the patience that a busy machine may need.
UP = """
from sightline.cli import main, up
up.HEALTH_SECONDS = up.PORT_SECONDS = 600.0
main.main()
"""
PATIENT_SERVER = {"SIGHTLINE_POOL_WAIT_SECONDS": "60", "SIGHTLINE_STATEMENT_TIMEOUT_SECONDS": "600"}


def children_of(pid: int) -> dict[int, str]:
    """PID and command line of each living child."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and identity_of(int(entry.name)) is not None:
            try:
                fields = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
                if int(fields[1]) == pid:
                    command = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
                    found[int(entry.name)] = command.decode(errors="replace")
            except (FileNotFoundError, ProcessLookupError):
                continue
    return found


class Up:
    """One run of the command, its output read line by line."""

    def __init__(self, data_dir: Path, *arguments: str, port: int, code: str = UP) -> None:
        self.port = port
        kept = {k: v for k, v in os.environ.items() if not k.startswith("SIGHTLINE_")}
        command = [sys.executable, "-c", code, "up", "--data-dir", str(data_dir)]
        self.process = subprocess.Popen(
            [*command, "--port", str(port), *arguments],
            env=kept | PATIENT_SERVER,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        self._queue: Queue[str | None] = Queue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as output:
            for line in output:
                self._queue.put(line.rstrip("\n"))
        self._queue.put(None)

    def wait_for(self, pattern: str) -> re.Match[str]:
        """The first line, old or new, that matches."""
        for seen in self.lines:
            if found := re.search(pattern, seen):
                return found
        while True:
            try:
                line = self._queue.get(timeout=LONGEST_SECONDS)
            except Empty:
                break
            if line is None:
                break
            self.lines.append(line)
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"No line matches {pattern!r} in:\n" + "\n".join(self.lines))

    def is_healthy(self) -> bool:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", "/health")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()

    def child(self, word: str) -> int:
        """The PID of the child whose command line has the word in it."""
        return next(
            pid for pid, command in children_of(self.process.pid).items() if f" {word} " in command
        )

    def end(self, number: signal.Signals) -> int:
        """The exit code."""
        self.process.send_signal(number)
        code = self.process.wait(timeout=LONGEST_SECONDS)
        self._reader.join(timeout=LONGEST_SECONDS)
        return code


@pytest.fixture
def data_dir() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="sightline-test-")).resolve()
    folder.chmod(0o711)
    yield folder / "a folder"
    shutil.rmtree(folder)


@pytest.fixture
def runs() -> Iterator[list[Up]]:
    """Runs to be ended with the test, whatever became of them."""
    started: list[Up] = []
    yield started
    for run in started:
        if run.process.poll() is None:
            run.end(signal.SIGTERM)


def is_replaced(up: Up, killed: int) -> bool:
    now = children_of(up.process.pid)
    return killed not in now and len(now) == 3


def assert_nothing_is_left(data_dir: Path, pids: dict[int, str]) -> None:
    cluster = EmbeddedPostgres(data_dir).layout.cluster
    assert eventually(lambda: not any(identity_of(pid) for pid in pids)), pids
    assert nothing_runs_in(cluster)


def what_is_there(data_dir: Path) -> str:
    """Tells apart two clusters, two schemas and two loads of the sample."""
    found = query(
        EmbeddedPostgres(data_dir).url,
        """
        SELECT concat_ws(' ', (SELECT system_identifier FROM pg_control_system()),
          'accounts'::regclass::oid, (SELECT xmin FROM alembic_version),
          (SELECT count(*) FROM accounts), (SELECT max(created_at) FROM accounts))
        """,
    )
    return str(found)


def test_up_prints_what_works_recovers_from_kills_and_stops_whole(
    data_dir: Path, runs: list[Up]
) -> None:
    port = free_port()
    runs.append(up := Up(data_dir, port=port))
    up.wait_for(r"is ready after")
    assert up.wait_for(r"URL +(.+)")[1] == f"http://127.0.0.1:{port}"
    key = up.wait_for(r"API key +(.+)")[1]
    curl = up.wait_for(r"Try it +(curl .+)")[1]
    assert key not in curl, "what is printed at every start holds no key"
    pasted = subprocess.run(
        ["sh", "-c", curl.replace("curl ", "curl -sS -o /dev/null -w '%{http_code}' ", 1)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert pasted.stdout == "200", pasted.stderr
    password = (data_dir / "secrets" / "sightline_owner").read_text().strip()
    tree = children_of(up.process.pid)
    assert len(tree) == 3
    assert not any(password in command or key in command for command in tree.values())

    for word in ("serve", "worker"):
        environment = Path(f"/proc/{up.child(word)}/environ").read_text()
        assert password not in environment, "only who migrates knows the owner's password"
    logins = query(
        EmbeddedPostgres(data_dir).url,
        """
        SELECT array_agg(DISTINCT usename::text) FROM pg_stat_activity
        WHERE datname = 'sightline' AND pid <> pg_backend_pid() AND backend_type = 'client backend'
        """,
    )
    assert "sightline_app" in logins
    assert "sightline_owner" not in logins

    for word in ("serve", "worker", "-D"):
        killed = up.child(word)
        os.kill(killed, signal.SIGKILL)
        assert eventually(partial(is_replaced, up, killed))
        assert eventually(up.is_healthy)

    made = what_is_there(data_dir)
    tree = children_of(up.process.pid)
    assert up.end(signal.SIGINT) == exits.OK
    assert_nothing_is_left(data_dir, tree)

    # A later start makes no cluster, no schema and no sample again.
    runs.append(again := Up(data_dir, port=port))
    again.wait_for(r"Try it +curl")
    assert "keys create" in again.wait_for(r"API key +(.+)")[1]
    assert not any(key in line for line in again.lines)
    assert what_is_there(data_dir) == made
    assert again.end(signal.SIGTERM) == exits.OK


def test_a_killed_up_leaves_nothing_and_the_next_one_recovers(
    data_dir: Path, runs: list[Up]
) -> None:
    port = free_port()
    runs.append(up := Up(data_dir, "--no-sample", port=port))
    up.wait_for(r"Try it")
    tree = children_of(up.process.pid)
    up.process.kill()
    up.process.wait()
    runs.append(again := Up(data_dir, "--no-sample", port=port))
    again.wait_for(r"Try it")
    assert not any(identity_of(pid) for pid in tree)
    tree = children_of(again.process.pid)
    again.process.kill()
    again.process.wait()
    assert_nothing_is_left(data_dir, tree)


def test_a_taken_port_or_folder_is_told_in_one_line(data_dir: Path, runs: list[Up]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = int(taken.getsockname()[1])
        runs.append(refused := Up(data_dir, port=port))
        assert refused.process.wait(timeout=LONGEST_SECONDS) == exits.UNAVAILABLE
        refused.wait_for(
            rf"^Error: Port {port} on 127.0.0.1 is taken; choose another with --port\.$"
        )
        assert len(refused.lines) == 1
    runs.append(up := Up(data_dir, "--no-sample", port=free_port()))
    up.wait_for(r"Try it")
    runs.append(second := Up(data_dir, "--no-sample", port=free_port()))
    assert second.process.wait(timeout=LONGEST_SECONDS) == exits.UNAVAILABLE
    second.wait_for(rf"^Error: Sightline is already running on .*\(process {up.process.pid}\)")
    assert up.is_healthy()


def test_an_interrupted_start_stops_what_it_began(data_dir: Path, runs: list[Up]) -> None:
    runs.append(up := Up(data_dir, port=free_port(), code=MAKE_UNTIL_KILLED + UP))
    cluster = data_dir / "postgres"
    assert eventually(lambda: cluster.is_dir() and any(cluster.glob("new-*")))
    tree = children_of(up.process.pid)
    assert up.end(signal.SIGINT) == exits.INTERRUPTED
    assert_nothing_is_left(data_dir, tree)


def test_wrong_settings_are_told_in_one_line(data_dir: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sightline", "up", "--data-dir", str(data_dir)],
        env=os.environ | {"SIGHTLINE_POOL_SIZE": "many"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == exits.CONFIGURATION
    assert re.fullmatch(r"Error: The settings are wrong: pool_size: .+\n", done.stderr)
    assert not data_dir.exists()
