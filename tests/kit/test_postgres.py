"""The embedded server against real crashes, stale files and second starts."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest

from sightline.kit.postgres import EmbeddedPostgres, EmbeddedPostgresError, embedded_database
from sightline.kit.postgres_files import FolderIsHeld
from sightline.kit.process_identity import processes_of_folder
from tests.kit.embedded_servers import (
    MAKE_UNTIL_KILLED,
    RUN_UNTIL_KILLED,
    mode,
    nothing_runs_in,
    postmaster_pid,
    query,
    rows,
    write_row,
)
from tests.waiting import eventually

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and prctl")


def test_data_survive_a_stop_and_nothing_but_the_password_lets_in(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as server:
        url = server.url
        write_row(url, 1)
        assert query(url, "SHOW listen_addresses") == ""
        assert query(url, "SHOW data_checksums") == "on"
        assert query(url, "SHOW server_encoding") == "UTF8"
        collation = "SELECT datcollate FROM pg_database WHERE datname = current_database()"
        assert query(url, collation) == "C"
        superuser = "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"
        assert query(url, superuser) is False
        assert query(server.superuser_url, superuser) is True
        password = (data_dir / "secrets" / "sightline_owner").read_text().strip()
        with pytest.raises(asyncpg.InvalidPasswordError):
            query(url.replace(password, "wrong"), "SELECT 1")
        assert mode(data_dir / "secrets" / "sightline_owner") == 0o600
        assert mode(data_dir / "secrets") == 0o700
        assert mode(server.layout.home) == 0o700
        assert server.log_path.read_text()
    assert not server.is_running()
    assert nothing_runs_in(server.layout.cluster)
    with EmbeddedPostgres(data_dir) as server:
        assert rows(server.url) == [1]
        assert server.url == url


def test_a_stale_pid_file_of_a_living_stranger_is_ignored(server: EmbeddedPostgres) -> None:
    write_row(server.url, 1)
    server.stop()
    stranger = subprocess.Popen(["sleep", "60"])
    try:
        pid_file = server.layout.cluster / "postmaster.pid"
        lines = [str(stranger.pid), str(server.layout.cluster), "1", "5432", "", "", "", "ready"]
        pid_file.write_text("\n".join(lines) + "\n")
        socket = server.layout.sockets / ".s.PGSQL.5432"
        socket.touch()
        Path(f"{socket}.lock").write_text("\n".join(lines) + "\n")
        started = {"pid": stranger.pid, "started": "then", "cluster": str(server.layout.cluster)}
        server.layout.state.write_text(str(started).replace("'", '"'))
        server.start()
        assert rows(server.url) == [1]
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_killed_server_is_recovered_by_the_next_start(server: EmbeddedPostgres) -> None:
    write_row(server.url, 1)
    os.kill(postmaster_pid(server), signal.SIGKILL)
    assert eventually(lambda: not server.is_running())
    server.start()
    assert rows(server.url) == [1]


def test_a_killed_backend_leaves_the_server_running(server: EmbeddedPostgres) -> None:
    write_row(server.url, 1)
    backends = [
        each
        for each in processes_of_folder(server.layout.cluster)
        if each.pid != postmaster_pid(server)
    ]
    os.kill(backends[-1].pid, signal.SIGKILL)

    def answers() -> bool:
        try:
            return bool(rows(server.url) == [1])
        except (asyncpg.PostgresError, OSError):
            return False

    assert eventually(answers)
    assert server.is_running()


@on_linux
def test_a_killed_supervisor_leaves_no_orphan(data_dir: Path) -> None:
    command = [sys.executable, "-c", RUN_UNTIL_KILLED, str(data_dir)]
    supervisor = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert supervisor.stdout is not None
        url = supervisor.stdout.readline().strip()
        supervisor.stdout.close()
        write_row(url, 1)
    finally:
        supervisor.kill()
        supervisor.wait()
    # At once, without waiting for the orphan to notice: the start must see to it by itself.
    with EmbeddedPostgres(data_dir) as server:
        assert rows(server.url) == [1]


@on_linux
def test_the_kernel_stops_the_server_of_a_killed_supervisor(data_dir: Path) -> None:
    command = [sys.executable, "-c", RUN_UNTIL_KILLED, str(data_dir)]
    supervisor = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert supervisor.stdout is not None
        assert supervisor.stdout.readline().startswith("postgresql://")
        supervisor.stdout.close()
    finally:
        supervisor.kill()
        supervisor.wait()
    cluster = EmbeddedPostgres(data_dir).layout.cluster
    assert nothing_runs_in(cluster)


def test_a_server_that_does_not_stop_in_good_order_is_ended(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir, stop_seconds=0.2) as server:
        write_row(server.url, 1)
        os.kill(postmaster_pid(server), signal.SIGSTOP)
    assert nothing_runs_in(server.layout.cluster)
    with server:
        assert rows(server.url) == [1]


def test_two_starts_on_one_folder_get_a_clear_message(server: EmbeddedPostgres) -> None:
    second = EmbeddedPostgres(server.layout.data_dir)
    with pytest.raises(FolderIsHeld, match=rf"already running on .*\(process {os.getpid()}\)"):
        second.start()
    assert server.is_running()
    with embedded_database(server.layout.data_dir) as url:
        assert url == server.url
        assert query(url, "SELECT 1") == 1
    assert server.is_running()
    server.stop()
    with embedded_database(server.layout.data_dir) as url:
        assert query(url, "SELECT 1") == 1
    assert nothing_runs_in(server.layout.cluster)


def test_an_interrupted_creation_is_begun_anew(data_dir: Path) -> None:
    command = [sys.executable, "-c", MAKE_UNTIL_KILLED + RUN_UNTIL_KILLED, str(data_dir)]
    supervisor = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    layout = EmbeddedPostgres(data_dir).layout
    try:
        assert eventually(lambda: any(layout.home.glob("new-*/cluster/global")))
    finally:
        supervisor.kill()
        supervisor.wait()
    assert not layout.cluster.exists()
    with EmbeddedPostgres(data_dir) as server:
        write_row(server.url, 1)
        assert rows(server.url) == [1]
    assert list(layout.home.glob("new-*")) == []


def test_a_path_too_long_for_a_socket_gets_a_private_folder_elsewhere(folder: Path) -> None:
    data_dir = folder / ("long " * 20) / "data"
    data_dir.parent.mkdir(mode=0o711)
    data_dir.parent.chmod(0o711)
    with EmbeddedPostgres(data_dir) as server:
        socket = server.layout.sockets / ".s.PGSQL.5432"
        assert len(os.fsencode(socket)) <= 100
        assert socket.is_socket()
        assert mode(server.layout.sockets) == 0o700
        assert query(server.url, "SELECT 1") == 1
    if os.geteuid() == 0:
        os.chown(server.layout.sockets, 12345, 12345)
        with pytest.raises(EmbeddedPostgresError, match="belongs to user 12345"):
            server.start()
    server.layout.sockets.rmdir()


def test_a_lost_password_of_the_owner_is_made_anew(server: EmbeddedPostgres) -> None:
    write_row(server.url, 1)
    server.stop()
    (server.layout.secrets / "sightline_owner").unlink()
    server.start()
    assert rows(server.url) == [1]


def test_a_server_that_does_not_start_says_why(server: EmbeddedPostgres) -> None:
    server.stop()
    configuration = server.layout.cluster / "postgresql.conf"
    good = configuration.read_text()
    configuration.write_text(good + "no_such_setting = 1\n")
    with pytest.raises(EmbeddedPostgresError, match=r"did not start.*no_such_setting"):
        server.start()
    configuration.write_text(good)
    version = server.layout.cluster / "PG_VERSION"
    version.write_text("9\n")
    with pytest.raises(EmbeddedPostgresError, match=r"created by PostgreSQL 9, and this is 16\."):
        server.start()
    version.write_text("16\n")


def test_a_server_that_answers_too_late_is_stopped_and_its_log_is_told(
    server: EmbeddedPostgres,
) -> None:
    server.stop()
    hasty = EmbeddedPostgres(server.layout.data_dir, start_seconds=0)
    with pytest.raises(EmbeddedPostgresError, match=r"did not answer within 0 s. It said"):
        hasty.start()
    assert nothing_runs_in(server.layout.cluster)


def test_log_files_are_bounded_in_number(server: EmbeddedPostgres) -> None:
    for day in range(1, 31):
        (server.layout.logs / f"postgres-200101{day:02}-000000.log").touch()
    everything = sorted(path.name for path in server.layout.logs.iterdir())
    server.prune_logs()
    kept = sorted(path.name for path in server.layout.logs.iterdir())
    assert kept == everything[-10:]
    assert server.log_path.name == kept[-1]
    assert query(server.url, "SHOW log_rotation_size") == "10MB"


def test_a_missing_program_is_named(data_dir: Path, folder: Path) -> None:
    with pytest.raises(EmbeddedPostgresError, match=r"no PostgreSQL server at .*bin/postgres"):
        EmbeddedPostgres(data_dir, binaries=folder).start()
