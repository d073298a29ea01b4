"""The embedded server on full disks, in closed folders, and for both kinds of user."""

import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from sightline.kit import postgres_files
from sightline.kit.postgres import EmbeddedPostgres, EmbeddedPostgresError
from sightline.kit.postgres_files import packaged_binaries
from sightline.kit.process_identity import processes_of_folder
from tests.kit.embedded_servers import (
    RUN_UNTIL_KILLED,
    mode,
    nothing_runs_in,
    query,
    rows,
    write_row,
)
from tests.waiting import eventually

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


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

    def is_unmounted() -> bool:
        return subprocess.run(["umount", str(mount)], check=False).returncode == 0

    assert eventually(is_unmounted)


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
    assert nothing_runs_in(server.layout.cluster)
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
