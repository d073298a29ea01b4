"""The embedded server against real crashes, full disks, stale files and both kinds of user."""

import asyncio
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from sightline.kit import postgres_files
from sightline.kit.postgres import EmbeddedPostgres, EmbeddedPostgresError, embedded_database
from sightline.kit.postgres_files import FolderIsHeld, packaged_binaries
from sightline.kit.process_identity import processes_of_folder

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and prctl")

RUN_UNTIL_KILLED = """
import sys, time
from pathlib import Path
from sightline.kit.postgres import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1]))
server.start()
print(server.url, flush=True)
time.sleep(600)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the server's user may enter, which pytest's own are not when root runs it."""
    path = Path(tempfile.mkdtemp(prefix="sightline-test-")).resolve()
    path.chmod(0o711)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def data_dir(folder: Path) -> Path:
    return folder / "data dir, with spaces"


@pytest.fixture(scope="module")
def shared_server() -> Iterator[EmbeddedPostgres]:
    """One server for the tests that leave its data directory whole: making one takes a second."""
    path = Path(tempfile.mkdtemp(prefix="sightline-test-")).resolve()
    path.chmod(0o711)
    yield (server := EmbeddedPostgres(path / "data dir, with spaces"))
    server.stop()
    shutil.rmtree(path)


@pytest.fixture
def server(shared_server: EmbeddedPostgres) -> EmbeddedPostgres:
    """A running server without the test table."""
    shared_server.start()
    query(shared_server.url, "DROP TABLE IF EXISTS kept")
    return shared_server


def query(url: str, sql: str) -> Any:
    """The first value of the first row."""

    async def run() -> Any:
        connection = await asyncpg.connect(url, timeout=10)
        try:
            return await connection.fetchval(sql)
        finally:
            await connection.close()

    return asyncio.run(run())


def write_row(url: str, number: int) -> None:
    query(url, "CREATE TABLE IF NOT EXISTS kept (number int)")
    query(url, f"INSERT INTO kept VALUES ({number})")


def rows(url: str) -> Any:
    return query(url, "SELECT array_agg(number ORDER BY number) FROM kept")


def eventually(condition: Callable[[], bool], *, seconds: float = 20.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def postmaster_pid(server: EmbeddedPostgres) -> int:
    return int((server.layout.cluster / "postmaster.pid").read_text().split()[0])


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


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
    assert processes_of_folder(server.layout.cluster) == []
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
    assert eventually(lambda: processes_of_folder(cluster) == [])


def test_a_server_that_does_not_stop_in_good_order_is_ended(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir, stop_seconds=0.2) as server:
        write_row(server.url, 1)
        os.kill(postmaster_pid(server), signal.SIGSTOP)
    assert processes_of_folder(server.layout.cluster) == []
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
    assert processes_of_folder(server.layout.cluster) == []


def test_an_interrupted_creation_is_begun_anew(data_dir: Path) -> None:
    command = [sys.executable, "-c", RUN_UNTIL_KILLED, str(data_dir)]
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


@pytest.fixture
def small_disk(folder: Path) -> Iterator[Path]:
    """A mounted disk of 200 MB."""
    if os.geteuid() != 0 or sys.platform != "linux":
        pytest.skip("only root on Linux can mount the small disk of this test")
    mount = folder / "disk"
    mount.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=200m,mode=711", "tmpfs", str(mount)]
    if subprocess.run(command, check=False).returncode != 0:
        pytest.skip("this system lets not even root mount the small disk of this test")
    yield mount
    subprocess.run(["umount", str(mount)], check=True)


def fill(disk: Path, *, leave: int) -> Path:
    """Fill the disk but for `leave` bytes."""
    filling = disk / "filling"
    with filling.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(disk).free - leave)
    return filling


def use_up_disk(url: str) -> None:
    """Write until table or log need room that is not there."""
    for _ in range(100):
        query(url, "CREATE TABLE more AS SELECT generate_series(1, 300000)")
        query(url, "DROP TABLE more")


def test_a_full_disk_is_named_and_nothing_is_damaged(small_disk: Path) -> None:
    filling = fill(small_disk, leave=1_000_000)
    server = EmbeddedPostgres(small_disk / "data")
    with pytest.raises(EmbeddedPostgresError, match=r"too full for a new database.*\d are free"):
        server.start()
    filling.unlink()
    with server:
        write_row(server.url, 1)
        superuser_url = server.superuser_url
        filling = fill(small_disk, leave=0)
        with pytest.raises((asyncpg.PostgresError, OSError)):
            use_up_disk(superuser_url)
    with pytest.raises(EmbeddedPostgresError, match=r"disk of .* is full: \d.* bytes are free"):
        server.start()
    assert processes_of_folder(server.layout.cluster) == []
    filling.unlink()
    with server:
        assert rows(server.url) == [1]


def test_a_disk_that_fills_up_during_creation_is_named(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_files, "DISK_NEEDED", 0)
    filling = fill(small_disk, leave=20_000_000)
    server = EmbeddedPostgres(small_disk / "data")
    with pytest.raises(EmbeddedPostgresError, match="is full"):
        server.start()
    assert not server.layout.cluster.exists()
    assert list(server.layout.home.glob("new-*")) == []
    filling.unlink()
    with server:
        assert query(server.url, "SELECT 1") == 1


@as_root
def test_root_runs_the_server_as_another_user(server: EmbeddedPostgres, folder: Path) -> None:
    assert server.layout.account is not None
    assert server.layout.account.uid != 0
    for process in processes_of_folder(server.layout.cluster):
        assert Path(f"/proc/{process.pid}").stat().st_uid == server.layout.account.uid
    assert server.layout.data_dir.stat().st_uid == 0
    assert (server.layout.data_dir / "secrets").stat().st_uid == 0
    assert server.layout.home.stat().st_uid == server.layout.account.uid
    assert mode(folder) == 0o711


@as_root
def test_a_folder_the_servers_user_may_not_enter_is_left_as_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = folder / "home of root"
    closed.mkdir(mode=0o700)
    monkeypatch.setattr(postgres_files, "SYSTEM_FOLDER", folder / "var lib sightline")
    # A copy of the programs too, as when the environment lies under /root.
    package = packaged_binaries().parent
    shutil.copytree(package / "pginstall", closed / "wheel" / package.name / "pginstall")
    libraries = package.parent / f"{package.name}.libs"
    if libraries.is_dir():
        shutil.copytree(libraries, closed / "wheel" / libraries.name)
    binaries = closed / "wheel" / package.name / "pginstall"
    with EmbeddedPostgres(closed / "data", binaries=binaries) as server:
        write_row(server.url, 1)
        assert server.layout.home.is_relative_to(folder / "var lib sightline")
        note = closed / "data" / "database-is-elsewhere.txt"
        assert note.read_text().startswith(f"{server.layout.home}\n")
    assert mode(closed) == 0o700
    closed.chmod(0o711)
    with EmbeddedPostgres(closed / "data", binaries=binaries) as server:
        assert rows(server.url) == [1]


@as_root
def test_an_ordinary_user_runs_it_as_itself(folder: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    user: dict[str, Any] = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    python = next(
        (
            each
            for each in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}")
            if subprocess.run(["test", "-x", each], check=False, **user).returncode == 0
        ),
        None,
    )
    if python is None:
        pytest.skip("no Python of this version that user nobody may run")
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PATH": os.defpath}
    code = RUN_UNTIL_KILLED.replace(
        "time.sleep(600)", "import os; print(os.geteuid()); server.stop()"
    )
    result = subprocess.run(
        [python, "-c", code, str(folder / "data")],
        env=environment,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
        **user,
    )
    assert result.stderr == ""
    assert result.stdout.splitlines()[-1] == str(nobody.pw_uid)
    assert mode(folder / "data") == 0o700
    # Root then takes the same folder over as that user, and leaves it usable for them.
    with EmbeddedPostgres(folder / "data") as server:
        assert server.layout.account is not None
        assert server.layout.account.uid == nobody.pw_uid
    strangers = [path for path in (folder / "data").rglob("*") if path.stat().st_uid == 0]
    assert strangers == []


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
    with pytest.raises(EmbeddedPostgresError, match=r"made by PostgreSQL 9, and this is 16\."):
        server.start()
    version.write_text("16\n")


def test_a_server_that_answers_too_late_is_stopped_and_its_log_is_told(
    server: EmbeddedPostgres,
) -> None:
    server.stop()
    hasty = EmbeddedPostgres(server.layout.data_dir, start_seconds=0)
    with pytest.raises(EmbeddedPostgresError, match=r"did not answer within 0 s. It said"):
        hasty.start()
    assert processes_of_folder(server.layout.cluster) == []


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
