"""The embedded PostgreSQL: started, watched and stopped by this process, and never orphaned."""

import fcntl
import logging
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote

from sightline.kit import postgres_files as files
from sightline.kit.postgres_archive import MARK, Archive
from sightline.kit.postgres_cluster import (
    as_server,
    check_version,
    failure,
    make_cluster,
    server_arguments,
)
from sightline.kit.postgres_files import EmbeddedPostgresError, FolderIsHeld, Layout
from sightline.kit.postgres_sessions import let_log_in, probe, set_up
from sightline.kit.process_identity import (
    ProcessIdentity,
    identity_of,
    processes_of_folder,
    signal_process,
    wait_until_gone,
)

__all__ = ["EmbeddedPostgres", "EmbeddedPostgresError", "embedded_database", "has_database"]

log = logging.getLogger(__name__)

DATABASE: Final = "sightline"
OWNER: Final = "sightline_owner"
SUPERUSER: Final = "postgres"
LOG_FILES_KEPT: Final = 10
"""Of 10 MB or one day each."""
NONE_MORE: Final[Mapping[str, str]] = {}


class EmbeddedPostgres:
    """One PostgreSQL server over the data folder `data_dir`, reached by a Unix socket only.

    The login role owns the database `sightline` and may create databases and roles; it is no
    superuser. All methods block. Every failure is an `EmbeddedPostgresError`.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        binaries: Path | None = None,
        archive: Archive | None = None,
        configuration: Mapping[str, str] = NONE_MORE,
        start_seconds: float = 120.0,
        stop_seconds: float = 15.0,
    ) -> None:
        """`binaries` is a folder with `bin/postgres` in it; default: the packaged one. An `archive`
        keeps the server's history; `configuration` holds more settings of PostgreSQL."""
        self._data_dir = data_dir
        self._archive = archive
        self._more = {**(archive.configuration() if archive else {}), **configuration}
        self._binaries = binaries
        self._start_seconds = start_seconds
        self._stop_seconds = stop_seconds
        self._found_layout: Layout | None = None
        self._lock: int | None = None
        self._server_binaries = Path()
        self._server: subprocess.Popen[bytes] | None = None
        self._identity: ProcessIdentity | None = None
        self._spawned = 0.0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def layout(self) -> Layout:
        """Where the server's files are."""
        if self._found_layout is None:
            self._found_layout = files.find_layout(self._data_dir)
        return self._found_layout

    @property
    def url(self) -> str:
        """DSN of the owner of the database `sightline`, with the password in it."""
        return self._url(OWNER, DATABASE)

    @property
    def superuser_url(self) -> str:
        """DSN of the superuser, for backup and restore."""
        return self._url(SUPERUSER, DATABASE)

    def login_url(self, role: str) -> str:
        """DSN of a role that the owner has made, with a password of its own. The server must run."""
        let_log_in(self.url, role, files.secret(self.layout, role))
        return self._url(role, DATABASE)

    def _url(self, role: str, database: str) -> str:
        password = files.secret(self.layout, role)
        # The folder stands where a host would: many parsers refuse a URL without a host.
        host = quote(str(self.layout.sockets), safe="")
        return f"postgresql://{role}:{password}@{host}:{files.PORT}/{database}"

    @property
    def log_path(self) -> Path:
        """The newest log file; before the server's first one, what it said while starting."""
        return (self._log_files() or [self.layout.startup_log])[-1]

    def binary(self, name: str) -> Path:
        """A program of this PostgreSQL, such as `pg_dump`."""
        return (self._binaries or files.packaged_binaries()) / "bin" / name

    def is_running(self) -> bool:
        """Whether the server that this object started is alive."""
        return self._identity is not None and identity_of(self._identity.pid) == self._identity

    def hold(self) -> None:
        """Take the data folder for this object until `stop`, or raise `FolderIsHeld`."""
        if self._lock is not None:
            return
        layout = self.layout
        try:
            files.prepare_folders(layout)
            handle = files.open_private(layout.lock, os.O_RDWR)
        except OSError as error:
            raise files.explain_os_error(error, layout.base) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 32, 0).decode(errors="replace").strip()
            os.close(handle)
            raise FolderIsHeld(
                f"Sightline is already running on {layout.data_dir} (process "
                f"{holder or 'unknown'}). Stop it first, or choose another folder with --data-dir."
            ) from None
        self._lock = handle
        with suppress(OSError):  # naming the holder is a courtesy; on a full disk it stays out
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)

    def was_stopped_cleanly(self) -> bool:
        """Whether the last server here was stopped, or none ever ran, rather than cut off."""
        return files.read_state(self.layout) is None

    def start(self) -> None:
        """Start the server, create the database on first use, and return when it answers queries.

        Recovers from whatever a crash left: a half-made data directory, a stale PID file or socket,
        an orphaned server. Takes under a second on existing data after a clean stop.
        """
        if self.is_running():
            return
        try:
            self.hold()
            files.prepare_folders(self.layout)
            self._end_leftovers()
            self._mark_archived()
            self._server_binaries = files.reachable_binaries(
                self._binaries or files.packaged_binaries(), self.layout.account
            )
            if not self.layout.cluster.is_dir():
                password = files.secret(self.layout, SUPERUSER)
                make_cluster(
                    self.layout, self._server_binaries, superuser=SUPERUSER, password=password
                )
            check_version(self.layout, self._server_binaries)
            self._spawn()
            self._wait_until_ready()
        except OSError as error:
            self.stop()
            raise files.explain_os_error(error, self.layout.home) from error
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the server, ending its sessions, and release the data folder.

        A clean stop within `stop_seconds`, else an immediate one, which the next start recovers.
        """
        if self._server is not None:
            # Asked again: an interrupted start may have left no record.
            identity = self._identity or identity_of(self._server.pid)
            if identity is not None:
                _end_server([identity], seconds=self._stop_seconds)
            self._server.wait()
            self._server = self._identity = None
            with suppress(OSError):
                self.layout.state.unlink(missing_ok=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def join_or_hold(self, *, seconds: float = 120.0) -> str | None:
        """The URL of the server that another process runs here, waiting while it starts.

        None when there is none: the folder is then held by this object, for `start` or `stop`.
        """
        deadline = time.monotonic() + seconds
        while True:
            url = self._running_url()
            if url is not None:
                return url
            try:
                self.hold()
            except FolderIsHeld:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
            else:
                return None

    def _running_url(self) -> str | None:
        server = files.read_state(self.layout)
        if server is None or identity_of(server.pid) != server:
            return None
        return self.url if probe(self.url) == "ready" else None

    def prune_logs(self) -> None:
        """Remove all but the newest log files."""
        for path in self._log_files()[:-LOG_FILES_KEPT]:
            path.unlink(missing_ok=True)

    def _log_files(self) -> list[Path]:
        return sorted(self.layout.logs.glob("postgres-*.log"))

    def _end_leftovers(self) -> None:
        """Make sure that no process of this data directory lives, then clear its stale files.

        A PID file proves nothing: its number may be another program's by now. A process is the
        server when it is a PostgreSQL that works in our data directory or, where that cannot be
        read, when PID and start time are those we recorded.
        """
        cluster = self.layout.cluster
        found = processes_of_folder(cluster)
        recorded = files.read_state(self.layout)
        if recorded is not None and identity_of(recorded.pid) == recorded:
            found = list(dict.fromkeys([recorded, *found]))
        if found:
            pids = [each.pid for each in found]
            log.warning("Stopping a server that was left running: %s.", pids)
            _end_server(found, seconds=self._stop_seconds)
        socket = self.layout.sockets / f".s.PGSQL.{files.PORT}"
        pid_file = cluster / "postmaster.pid"
        for stale in (pid_file, socket, Path(f"{socket}.lock"), self.layout.state):
            stale.unlink(missing_ok=True)

    def _mark_archived(self) -> None:
        """Note since when every part of the log is archived: copies from before then reach no further."""
        mark = self.layout.home / MARK
        if self._archive is None:
            mark.unlink(missing_ok=True)
            return
        self._archive.prepare(self.layout)
        if not mark.is_file() or mark.read_text() != str(self._archive.folder):
            mark.write_text(str(self._archive.folder))

    def copy_if_due(self, now: datetime) -> Path | None:
        """Copy the running server into its archive when the newest copy is too old; where it is."""
        archive, mark = self._archive, self.layout.home / MARK
        if archive is None:
            return None
        since = datetime.fromtimestamp(mark.stat().st_mtime, UTC)
        if not archive.is_base_due(now, since=since):
            return None
        return archive.take_base(
            self.layout,
            self.binary("pg_basebackup"),
            user=SUPERUSER,
            password=files.secret(self.layout, SUPERUSER),
            now=now,
        )

    def _spawn(self) -> None:
        layout = self.layout
        if self._server is not None:
            self._server.wait()
        self.prune_logs()
        self._spawned = time.time()
        handle = files.open_private(layout.startup_log, os.O_WRONLY | os.O_TRUNC)
        try:
            self._server = subprocess.Popen(
                [self._server_binaries / "bin" / "postgres", *server_arguments(layout, self._more)],
                stdin=subprocess.DEVNULL,
                stdout=handle,
                stderr=handle,
                start_new_session=True,
                **as_server(layout, on_parent_death=signal.SIGINT),
            )
        finally:
            os.close(handle)
        self._identity = identity_of(self._server.pid)
        if self._identity is not None:
            files.write_state(layout, self._identity)

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + self._start_seconds
        while True:
            if not self.is_running():
                # The backends of a killed server hold its shared memory until they notice.
                if "still in use" not in self._log_tail() or time.monotonic() > deadline:
                    raise failure("PostgreSQL did not start", self._log_tail(), self.layout.home)
                time.sleep(0.1)
                self._spawn()
            # The server says so in its PID file; the query is the proof.
            elif _says_ready(self.layout.cluster / "postmaster.pid"):
                readiness = probe(self.url)
                if readiness == "not_set_up":
                    self._set_up()
                elif readiness == "ready":
                    return
            if time.monotonic() > deadline:
                raise failure(
                    f"PostgreSQL did not answer within {self._start_seconds:.0f} s",
                    self._log_tail(),
                    self.layout.home,
                )
            time.sleep(0.01)

    def _set_up(self) -> None:
        set_up(
            self._url(SUPERUSER, "postgres"),
            owner=OWNER,
            password=files.secret(self.layout, OWNER),
            database=DATABASE,
        )

    def _log_tail(self) -> str:
        """What the server said since it was last started."""
        texts = [self.layout.startup_log.read_text(errors="replace")[-2000:]]
        if self.log_path.stat().st_mtime >= self._spawned and self._log_files():
            texts.append(self.log_path.read_text(errors="replace")[-2000:])
        return "\n".join(texts)


def has_database(data_dir: Path) -> bool:
    """Whether the folder holds a database; True where only opening it can say what is wrong."""
    try:
        return EmbeddedPostgres(data_dir).layout.cluster.is_dir()
    except (OSError, EmbeddedPostgresError):
        return True


@contextmanager
def embedded_database(data_dir: Path, archive: Archive | None = None) -> Iterator[str]:
    """The URL of the folder's database: of the server that runs already, else of one started here.

    A server started here is stopped at the end of the block, also under others who joined it.
    """
    server = EmbeddedPostgres(data_dir, archive=archive)
    url = server.join_or_hold()
    if url is not None:
        yield url
        return
    with server:
        yield server.url


def _end_server(processes: list[ProcessIdentity], *, seconds: float) -> None:
    """A fast shutdown (sessions end, all is written), then an immediate one, then SIGKILL."""
    for number, patience in (
        (signal.SIGINT, seconds),
        (signal.SIGQUIT, min(seconds, 5.0)),
        (signal.SIGKILL, 5.0),
    ):
        for process in processes:
            signal_process(process, number)
        processes = wait_until_gone(processes, seconds=patience)
        if not processes:
            return
    raise EmbeddedPostgresError(f"PostgreSQL process {processes[0].pid} does not end.")


def _says_ready(path: Path) -> bool:
    try:
        lines = path.read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return False
    return len(lines) > 7 and lines[7].strip() == "ready"
