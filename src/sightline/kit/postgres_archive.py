"""The embedded server's history: a daily copy and the write-ahead log, compressed.

From a copy that was finished before a moment, and the log since, the server comes back as it was then.
"""

import shlex
import shutil
import signal
import subprocess
import tarfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from sightline.kit import postgres_files as files
from sightline.kit.postgres_cluster import as_server, failure
from sightline.kit.postgres_files import EmbeddedPostgresError, Layout

BASE_EVERY: Final = timedelta(days=1)
# Of what is lost at most when the disk of the server goes and the archive stays.
_SEGMENT_SECONDS: Final = 60
_STAMP: Final = "%Y%m%dT%H%M%S.%fZ"
_LABEL: Final = "backup_label"
MARK: Final = "archived"
"""A file beside the database: since when, and in which folder, every part of the log is archived."""


class HistoryIsMissing(EmbeddedPostgresError):
    """The archive does not reach the moment; the message says what it reaches."""


@dataclass(frozen=True)
class Archive:
    """Where the history of one server is, and for how many days it is kept.

    `folder` belongs to the server's user: by default it lies beside the database, where it helps
    against mistakes; on another disk it helps against the loss of the first one as well.
    """

    folder: Path
    days: int

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def prepare(self, layout: Layout) -> None:
        """Make the folders, as the server's user's own."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        for folder in (self.folder, self.log):
            files.own_folder(folder, layout.account)
        if not files.may_enter(self.folder, layout.account):
            raise EmbeddedPostgresError(
                f"The database user cannot enter {self.folder}; choose another archive folder."
            )

    def configuration(self) -> dict[str, str]:
        """Settings of a server that writes its log into the archive."""
        target = quoted(self.log / "%f.gz")
        half = quoted(self.log / "%f.half")
        # Written again if it is there: a server that was killed in between asks for it again.
        command = f'gzip -c "%p" >{half} && {{ sync {half} || sync; }} && mv {half} {target}'
        return {
            "archive_mode": "on",
            "archive_command": command,
            "archive_timeout": str(_SEGMENT_SECONDS),
        }

    def bases(self) -> list[tuple[datetime, Path]]:
        """The copies, oldest first, each with the moment at which it was finished."""
        if not self.folder.is_dir():
            return []
        return [(_read_stamp(path), path) for path in sorted(self.folder.glob("base-*"))]

    def is_base_due(self, now: datetime, *, since: datetime) -> bool:
        """Whether the next copy should be made; the log is whole `since` then."""
        finished = [moment for moment, _ in self.bases()]
        return not finished or not max(since, now - BASE_EVERY) < finished[-1] <= now

    def base_before(self, moment: datetime) -> Path:
        """The copy to begin with. Raises HistoryIsMissing."""
        bases = self.bases()
        fitting = [path for finished, path in bases if finished <= moment]
        if not fitting:
            first = f"it begins at {bases[0][0].isoformat()}" if bases else "it is empty"
            raise HistoryIsMissing(
                f"The archive in {self.folder} does not reach back to {moment.isoformat()}: {first}."
            )
        return fitting[-1]

    def take_base(
        self, layout: Layout, program: Path, *, user: str, password: str, now: datetime
    ) -> Path:
        """Copy the running server by `program` (`pg_basebackup`), and forget what is too old. Reads as many
        bytes as the database has; the server stays in use."""
        for half in self.folder.glob("half-*"):
            shutil.rmtree(half)
        half = self.folder / f"half-{now.strftime(_STAMP)}"
        arguments = as_server(layout, on_parent_death=signal.SIGKILL)
        arguments["env"] |= {"PGPASSWORD": password}
        place = ("--host", layout.sockets, "--port", str(files.PORT), "--username", user)
        manner = (
            "--format=tar",
            "--gzip",
            "--compress=1",
            "--checkpoint=fast",
            "--wal-method=none",
            "--manifest-checksums=SHA256",
        )
        done = subprocess.run(
            [program, "--no-password", *place, "--pgdata", half, *manner],
            capture_output=True,
            text=True,
            check=False,
            **arguments,
        )
        if done.returncode:
            shutil.rmtree(half, ignore_errors=True)
            raise failure("The database could not be copied", done.stderr, layout.home)
        with tarfile.open(half / "base.tar.gz") as copied:
            label = copied.extractfile(_LABEL)
            began = label.read().decode() if label is not None else ""
        # START WAL LOCATION: 0/2000028 (file 000000010000000000000002)
        segment = began.partition("(file ")[2].partition(")")[0]
        finished = self.folder / f"base-{datetime.now(UTC).strftime(_STAMP)}-{segment}"
        half.rename(finished)
        files.sync_folder(self.folder)
        self.forget(now)
        return finished

    def forget(self, now: datetime) -> None:
        """Remove copies and log that no moment of the last `days` needs."""
        bases = self.bases()
        old = [path for finished, path in bases if finished < now - timedelta(days=self.days)]
        for path in old[:-1]:  # the last of them is where the oldest moment begins
            shutil.rmtree(path)
        if not (kept := self.bases()):
            return
        # Names of segments end in their place in the log, after eight digits of the timeline.
        first = kept[0][1].name.rpartition("-")[2][8:]
        for path in self.log.glob("*.gz"):
            if len(path.stem) == 24 and path.stem[8:] < first:
                path.unlink()

    def forget_after(self, moment: datetime) -> None:
        """Remove the copies of what was undone by going back to a moment: no log leads on from them."""
        for finished, path in self.bases():
            if finished > moment:
                shutil.rmtree(path)


def _read_stamp(path: Path) -> datetime:
    return datetime.strptime(path.name.split("-")[1], _STAMP).replace(tzinfo=UTC)


def quoted(path: Path) -> str:
    """A path for the server's shell commands, in which a % of a folder would have a meaning."""
    return f"{shlex.quote(str(path.parent).replace('%', '%%'))}/{path.name}"
