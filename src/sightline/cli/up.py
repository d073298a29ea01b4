"""`up`, `serve` and `worker`: the commands that run until they are stopped."""

import errno
import json
import os
import shlex
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, Final

import typer
from pydantic import SecretStr
from rich.console import Console
from rich.markup import escape

from sightline.cli.address import forget_address, is_healthy, leave_address, reachable_url
from sightline.cli.context import archive_of
from sightline.cli.exits import INTERRUPTED, UNAVAILABLE, CommandFailed, one_line_errors
from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.postgres_files import EmbeddedPostgresError
from sightline.kit.processes import ChildProcess, Supervisor
from sightline.settings import Settings

API: Final = "The API"
WORKER: Final = "The worker"
DATABASE: Final = "PostgreSQL"
COMMANDS: Final = {API: "serve", WORKER: "worker"}
LOGINS: Final = {API: "sightline_app", WORKER: "sightline_worker"}

HEALTH_SECONDS: Final = 90.0
"""Longest wait for the first answer of `GET /health`."""
STARTS_ALLOWED: Final = 3
"""A child that dies so often before the first answer will not come up by itself."""
HOUSEKEEPING_SECONDS: Final = 60.0
PORT_SECONDS: Final = 6.0
"""After a crash, the old API may need this long to notice and release the port."""

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Folder of the embedded database and its logs.")
]
Host = Annotated[str | None, typer.Option("--host", help="Address the API listens on.")]
Port = Annotated[
    int | None, typer.Option("--port", min=1, max=65535, help="Port the API listens on.")
]


class _StopRequested(KeyboardInterrupt):
    """SIGINT, SIGTERM or SIGHUP arrived."""


def up(
    data_dir: DataDir = None,
    host: Host = None,
    port: Port = None,
    sample: Annotated[
        bool,
        typer.Option("--sample/--no-sample", help="Load the sample companies on first start."),
    ] = True,
) -> None:
    """Start everything on this machine: database, API and worker. Ctrl-C stops all of it."""
    with one_line_errors():
        settings = load_settings(data_dir=data_dir, host=host, port=port)
        server = None if settings.database_url else _embedded(settings)
        _Stack(settings, server).run((API, WORKER), sample=sample)


def serve(data_dir: DataDir = None, host: Host = None, port: Port = None) -> None:
    """Run the API. Without SIGHTLINE_DATABASE_URL it uses the embedded database in the data
    folder."""
    with one_line_errors():
        _run_one(API, load_settings(data_dir=data_dir, host=host, port=port))


def worker(data_dir: DataDir = None) -> None:
    """Run the worker. Without SIGHTLINE_DATABASE_URL it uses the embedded database in the data
    folder."""
    with one_line_errors():
        _run_one(WORKER, load_settings(data_dir=data_dir))


def load_settings(**given: Any) -> Settings:
    """The settings, with the command line's values (None: not given) before all others."""
    return Settings(**{name: value for name, value in given.items() if value is not None})


def _run_one(name: str, settings: Settings) -> None:
    if settings.database_url is None:
        server = _embedded(settings)
        url = server.join_or_hold()
        if url is None:
            _Stack(settings, server).run((name,), sample=False)
            return
        settings = settings.model_copy(update={"database_url": server.login_url(LOGINS[name])})
    if name == API:
        _check_port(settings, seconds=0)
    os.environ.update(_environment(settings))  # uvicorn's own processes read them there
    from sightline import app

    try:
        app.serve(settings) if name == API else app.work(settings)
    except KeyboardInterrupt:  # uvicorn stops in good order, then passes the signal on
        return


def _embedded(settings: Settings) -> EmbeddedPostgres:
    return EmbeddedPostgres(settings.data_dir, archive=archive_of(settings))


class _Stack:
    """The embedded database, if it is the one in use, and our programs on top of it."""

    def __init__(self, settings: Settings, server: EmbeddedPostgres | None) -> None:
        self._settings = settings
        self._began = time.monotonic()
        self._is_ready = False
        self._supervisor = Supervisor(report=_report)
        self._server = server
        self._copying: threading.Thread | None = None

    def run(self, children: Sequence[str], *, sample: bool) -> None:
        """Start all, wait until it answers, and keep it running until a signal stops it."""
        with _raising_on_signals():
            try:
                self._start(children, sample=sample)
                self._keep_running()
            except _StopRequested:
                print("Stopping…", file=sys.stderr, flush=True)
                if not self._is_ready:
                    raise typer.Exit(INTERRUPTED) from None
            finally:
                _ignore_signals()
                if API in children:
                    forget_address(self._settings)
                self._supervisor.stop()
                if self._server is not None:
                    self._server.stop()

    def _start(self, children: Sequence[str], *, sample: bool) -> None:
        if (
            sys.stderr.isatty()
            and not {"log_level", "log_format"} & self._settings.model_fields_set
        ):
            # Someone is watching: lines of every request would bury the address and the key.
            quiet = {"log_level": "warning", "log_format": "console"}
            self._settings = self._settings.model_copy(update=quiet)
        patience = 0.0
        if self._server is not None:
            self._server.hold()
            patience = 0.0 if self._server.was_stopped_cleanly() else PORT_SECONDS
        if API in children:
            _check_port(self._settings, seconds=patience)
        if self._server is not None:
            self._supervisor.start(DATABASE, self._server)
            update = {"database_url": self._server.url}
            self._settings = self._settings.model_copy(update=update)
        # Imported here: a wrong option or a taken port should be reported before half a second of it.
        from sightline import app
        from sightline.cli.welcome import welcome as make_welcome

        app.prepare(self._settings)
        # A link is made only where someone reads what `up` prints.
        welcome = make_welcome(self._settings, sample=sample) if len(children) > 1 else None
        for name in children:  # one after the other: what is waited for is the API
            environment = _environment(self._settings_of(name))
            argv = [sys.executable, "-m", "sightline", COMMANDS[name]]
            self._supervisor.start(name, ChildProcess(argv, environment=environment))
            if name == API:
                self._wait_for_health()
                leave_address(self._settings)
        self._is_ready = True  # before it is said: who reads it may stop us at once
        if welcome is not None:
            _announce(
                self._settings,
                key=welcome.key,
                sign_in=welcome.sign_in,
                seconds=time.monotonic() - self._began,
            )

    def _settings_of(self, name: str) -> Settings:
        """Those of a program of ours: on the embedded database it logs in as the role that it needs."""
        if self._server is None:
            return self._settings
        return self._settings.model_copy(
            update={"database_url": self._server.login_url(LOGINS[name])}
        )

    def _wait_for_health(self) -> None:
        deadline = time.monotonic() + HEALTH_SECONDS
        while not is_healthy(reachable_url(self._settings)):
            self._supervisor.check()
            if self._supervisor.failures(API) >= STARTS_ALLOWED:
                raise CommandFailed(
                    "The API failed to start; see its message above.", code=UNAVAILABLE
                )
            if time.monotonic() > deadline:
                raise CommandFailed(
                    f"The API did not respond within {HEALTH_SECONDS:.0f} s.", code=UNAVAILABLE
                )
            time.sleep(0.02)

    def _keep_running(self) -> None:
        housekeeping = time.monotonic()
        while True:
            self._supervisor.check()
            if self._server is not None and time.monotonic() > housekeeping:
                self._server.prune_logs()
                self._copy_beside(self._server)
                housekeeping = time.monotonic() + HOUSEKEEPING_SECONDS
            time.sleep(0.2)

    def _copy_beside(self, server: EmbeddedPostgres) -> None:
        """Copy the database into its archive if it is time, while the supervisor goes on looking."""
        if self._copying is not None and self._copying.is_alive():
            return

        def copy() -> None:
            try:
                server.copy_if_due(datetime.now(UTC))
            except (EmbeddedPostgresError, OSError) as error:
                _report(f"No copy for the archive: {error}")

        self._copying = threading.Thread(target=copy, daemon=True)
        self._copying.start()


@contextmanager
def _raising_on_signals() -> Iterator[None]:
    """Let the first stop signal raise `_StopRequested`; put the old handlers back at the end."""

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        _ignore_signals()  # stopping takes seconds at most, and must not be cut short
        raise _StopRequested

    stopping = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    former = {number: signal.signal(number, stop) for number in stopping}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _ignore_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _check_port(settings: Settings, *, seconds: float) -> None:
    """Raise unless the API could listen on its address, waiting so long for it to come free."""
    deadline = time.monotonic() + seconds
    while (problem := _port_problem(settings.host, settings.port)) is not None:
        if time.monotonic() >= deadline:
            raise CommandFailed(problem, code=UNAVAILABLE)
        time.sleep(0.1)


def _port_problem(host: str, port: int) -> str | None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        return f"{host} is not an address of this machine ({error.strerror or error}); give --host."
    family, kind, protocol, _, address = found[0]
    with socket.socket(family, kind, protocol) as probe:
        # As uvicorn does: a connection that is only closing does not count as a taken port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except PermissionError:
            return f"Port {port} needs more privileges than this user has; choose another port with --port."
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return f"Port {port} on {host} is taken; choose another with --port."
            return f"Cannot listen on {host}, port {port}: {error.strerror or error}."
    return None


def _environment(settings: Settings) -> dict[str, str]:
    """This environment with every setting in it, passwords too: unlike argv, it is private."""
    environment = dict(os.environ)
    plain = settings.model_dump(mode="json")
    for name, value in settings:
        if isinstance(value, SecretStr):
            plain[name] = value.get_secret_value()
    for name, value in plain.items():
        if value is not None:
            text = value if isinstance(value, str) else json.dumps(value)
            environment[f"SIGHTLINE_{name.upper()}"] = text
    return environment


def _announce(settings: Settings, *, key: str | None, sign_in: str, seconds: float) -> None:
    url = reachable_url(settings)
    from sightline.sample.load import KEY_FILE

    kept = settings.data_dir / "secrets" / KEY_FILE
    another = "another: sightline keys create --name NAME --scope '*'"
    curl = (
        f'curl {url}/public-api/v1/accounts -H "x-api-key: $(cat {shlex.quote(str(kept))})" '
        "-H 'Content-Type: application/json' -d '{}'"
    )
    console = Console(highlight=False)
    lines = [
        f"[bold green]Sightline is ready[/] after {seconds:.1f} s. Ctrl-C stops it.",
        f"  [bold]URL[/]      {escape(url)}",
        f"  [bold]Console[/]  {escape(url + sign_in)}  (signs in once, within a day)",
        f"  [bold]API key[/]  {escape(key)}" if key else f"  [bold]API key[/]  {escape(another)}",
        f"           {'shown only once; it is' if key else 'the first one is'} kept in {escape(str(kept))}",
        f"  [bold]Docs[/]     {escape(url)}/docs",
        f"  [bold]Try it[/]   {escape(curl)}",
    ]
    for line in lines:
        # Never wrapped: a line that the terminal broke could not be pasted.
        console.print(line, soft_wrap=True)
    sys.stdout.flush()


def _report(sentence: str) -> None:
    print(f"sightline: {' '.join(sentence.split())}", file=sys.stderr, flush=True)
