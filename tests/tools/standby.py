"""A streaming replica of an embedded server, made of a base backup, with its programs."""

import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote, urlsplit

from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.postgres_cluster import as_server
from sightline.kit.postgres_sessions import probe


class Standby:
    """Follows its primary until it is stopped or killed; `start` has it catch up again."""

    def __init__(self, primary: EmbeddedPostgres, folder: Path) -> None:
        self._primary, self.folder = primary, folder
        self._cluster = folder / "cluster"
        self.process: subprocess.Popen[bytes] | None = None
        self._as_server = as_server(primary.layout, on_parent_death=signal.SIGQUIT)
        folder.mkdir(parents=True, exist_ok=True)
        if (account := primary.layout.account) is not None:
            shutil.chown(folder, account.uid, account.gid)
        # -R writes down where the primary is.
        self._run("pg_basebackup", "-R", "-X", "stream", "-c", "fast", "-d", primary.superuser_url,
                  "-D", str(self._cluster))  # fmt: skip

    def url_of(self, url: str) -> str:
        """The address on the replica of what has that one on the primary."""
        place = urlsplit(url).netloc.rpartition("@")[2]
        return url.replace(place, f"{quote(str(self.folder), safe='')}:{place.rpartition(':')[2]}")

    def start(self) -> None:
        settings = {
            "listen_addresses": "", "unix_socket_directories": str(self.folder), "port": "5432",
            "unix_socket_permissions": "0700", "shared_buffers": "64MB", "max_connections": "100",
        }  # fmt: skip
        log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(
            [self._primary.binary("postgres"), "-D", self._cluster,
             *(f"--{name}={value}" for name, value in settings.items())],
            stdout=log, stderr=log, **self._as_server,
        )  # fmt: skip
        log.close()
        url = self.url_of(self._primary.superuser_url)
        while probe(url) != "ready":
            if self.process.poll() is not None:
                raise RuntimeError((self.folder / "log").read_text(errors="replace")[-2_000:])
            time.sleep(0.05)

    def kill(self) -> None:
        """As when the power goes: every process of it."""
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()
            self.process = None

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._primary.binary(program), *arguments], check=True, capture_output=True,
            **self._as_server,
        )  # fmt: skip


@contextmanager
def standby(primary: EmbeddedPostgres) -> Iterator[Standby]:
    """A running replica in a folder of its own."""
    with tempfile.TemporaryDirectory(
        prefix="sightline-standby-", ignore_cleanup_errors=True
    ) as name:
        Path(name).chmod(0o755)
        made = Standby(primary, Path(name) / "standby")
        made.start()
        try:
            yield made
        finally:
            with suppress(ProcessLookupError):
                made.kill()
