"""The embedded server's data directory: created completely or not at all."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from sightline.kit import postgres_files as files
from sightline.kit.postgres_files import EmbeddedPostgresError, Layout
from sightline.kit.process_identity import die_with_parent

_CONFIGURATION: Final = {
    "listen_addresses": "",
    "port": str(files.PORT),
    "unix_socket_permissions": "0700",
    "password_encryption": "scram-sha-256",
    "max_connections": "100",
    "shared_buffers": "256MB",
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "wal_compression": "on",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "on",
    "log_filename": "postgres-%Y%m%d-%H%M%S.log",
    "log_rotation_age": "1d",
    "log_rotation_size": "10MB",
    "log_line_prefix": "%m [%p] %q%u@%d ",
}


def server_arguments(layout: Layout, more: Mapping[str, str]) -> list[str]:
    """Arguments of `postgres`: where everything is, and our settings with `more` over them."""
    folder = str(layout.sockets).replace('"', '""')
    configuration = _CONFIGURATION | {
        "unix_socket_directories": f'"{folder}"',
        "log_directory": str(layout.logs),
        **more,
    }
    return [
        "-D",
        str(layout.cluster),
        *(f"--{key}={value}" for key, value in configuration.items()),
    ]


def as_server(layout: Layout, *, on_parent_death: signal.Signals) -> dict[str, Any]:
    """Arguments of `subprocess` that run a program as the server's user and never outliving us."""
    # None of our PG… variables: each would change what the server or its tools do.
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    arguments: dict[str, Any] = {
        "cwd": "/",
        "env": kept | {"LC_ALL": "C"},
        "preexec_fn": die_with_parent(on_parent_death),
    }
    if layout.account is not None:
        arguments |= {
            "user": layout.account.uid,
            "group": layout.account.gid,
            "extra_groups": [],
        }
    return arguments


def make_cluster(layout: Layout, binaries: Path, *, superuser: str, password: str) -> None:
    """Make the data directory beside its place, then rename it there: all of it or nothing."""
    free = files.free_bytes(layout.home)
    if free < files.DISK_NEEDED:
        raise EmbeddedPostgresError(
            f"The disk of {layout.home} is too full for a new database: it needs "
            f"{files.DISK_NEEDED:,} bytes, and {free:,} are free. Free some space, or choose "
            "another folder with --data-dir."
        )
    for half in layout.home.glob("new-*"):
        _clear(half)
    half = Path(tempfile.mkdtemp(prefix="new-", dir=layout.home))
    try:
        _initdb(layout, binaries, half, superuser=superuser, password=password)
        (half / "cluster").rename(layout.cluster)
        files.sync_folder(layout.home)
    finally:
        shutil.rmtree(half, ignore_errors=True)


def _clear(half: Path) -> None:
    """Remove what an interrupted creation left. A program of it may be ending still, and removes files of
    its own meanwhile."""
    for _ in range(50):
        shutil.rmtree(half, ignore_errors=True)
        if not half.exists():
            return
        time.sleep(0.1)
    shutil.rmtree(half)


def _initdb(layout: Layout, binaries: Path, half: Path, *, superuser: str, password: str) -> None:
    secret = half / "password"
    secret.touch(mode=0o600)
    secret.write_text(password)
    if layout.account is not None:
        for path in (half, secret):
            os.chown(path, layout.account.uid, layout.account.gid, follow_symlinks=False)
    result = subprocess.run(
        [
            *(binaries / "bin" / "initdb", "--pgdata", half / "cluster"),
            *("--username", superuser, "--pwfile", secret, "--auth", "scram-sha-256"),
            *("--locale", "C", "--encoding", "UTF8", "--data-checksums", "--no-instructions"),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        **as_server(layout, on_parent_death=signal.SIGKILL),
    )
    if result.returncode != 0:
        raise failure("The database could not be created", result.stdout, layout.home)


def check_version(layout: Layout, binaries: Path) -> None:
    """Raise unless the data directory is one that these binaries can open."""
    mark = layout.cluster / "PG_VERSION"
    if not mark.is_file():
        raise EmbeddedPostgresError(f"{layout.cluster} is not a PostgreSQL data directory.")
    made_by = mark.read_text().strip()
    printed = subprocess.run(
        [binaries / "bin" / "postgres", "--version"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    ours = printed.split()[-1] if printed else "unknown"
    if ours.split(".")[0] != made_by:
        raise EmbeddedPostgresError(
            f"{layout.cluster} was created by PostgreSQL {made_by}, and this is {ours}. "
            "Restore a backup into a new data folder."
        )


def failure(what: str, output: str, folder: Path) -> EmbeddedPostgresError:
    """The error for a server that failed, with the end of what it said."""
    full = ("No space left on device", "Check free disk space")
    if any(sign in output for sign in full) or files.free_bytes(folder) < 1_000_000:
        return files.disk_is_full(folder)
    lines = [line.strip() for line in output.splitlines() if line.strip()][-8:]
    return EmbeddedPostgresError(f"{what}. It said: " + (" / ".join(lines) or "nothing") + ".")
