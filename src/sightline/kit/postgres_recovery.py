"""Restores the embedded database to a moment, from a copy in its archive and the log since."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import tarfile
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final

from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.postgres_archive import MARK, Archive, HistoryIsMissing, quoted
from sightline.kit.postgres_cluster import as_server, failure
from sightline.kit.postgres_files import EmbeddedPostgresError, FolderIsHeld, Layout

# Reading the log of a busy day takes a while.
_START_SECONDS: Final = 3600.0
_NOT_REACHED: Final = "before configured recovery target was reached"


def recover(data_dir: Path, archive: Archive, moment: datetime) -> Path | None:
    """Bring the database of a folder back to a moment; where the former one is kept, if there was one.

    The new one is made beside it and must reach the moment, or the former one is put back. Sightline must
    not be running (FolderIsHeld). Raises HistoryIsMissing.
    """
    base = archive.base_before(moment)
    configuration = _configuration(archive, moment)
    server = EmbeddedPostgres(
        data_dir, archive=archive, configuration=configuration, start_seconds=_START_SECONDS
    )
    layout = server.layout
    if layout.cluster.is_dir():
        _archive_the_rest(data_dir, archive)
    server.hold()
    try:
        made = Path(tempfile.mkdtemp(prefix="new-", dir=layout.home)) / "cluster"
        _unpack(base, made, layout=layout, verify=server.binary("pg_verifybackup"))
        _begin_with_recovery(made, layout=layout)
        former = _put_in_place(made, layout)
        try:
            server.start()  # ready once it has reached the moment
        except EmbeddedPostgresError as error:
            server.stop()
            shutil.rmtree(layout.cluster)
            if former is not None:
                former.rename(layout.cluster)
            if _NOT_REACHED in str(error):
                raise HistoryIsMissing(
                    f"The archive in {archive.folder} ends before {moment.isoformat()}."
                ) from error
            raise
        archive.forget_after(moment)
        (layout.home / MARK).unlink()  # the next start copies what there is now
    finally:
        server.stop()
        for half in layout.home.glob("new-*"):
            shutil.rmtree(half)
    return former


def _archive_the_rest(data_dir: Path, archive: Archive) -> None:
    """Let the server write what it had not archived: it does so when it stops."""
    try:
        with EmbeddedPostgres(data_dir, archive=archive):
            pass
    except FolderIsHeld:
        raise
    except EmbeddedPostgresError:  # one that is damaged is what this is for
        return


def _configuration(archive: Archive, moment: datetime) -> dict[str, str]:
    source = quoted(archive.log / "%f.gz")
    return {
        "restore_command": f'test -f {source} && gzip -dc {source} >"%p"',
        "recovery_target_time": moment.astimezone(UTC).isoformat(),
        "recovery_target_action": "promote",
        "recovery_target_timeline": "latest",
        "hot_standby": "off",  # no one is answered before the moment is reached
    }


def _unpack(base: Path, cluster: Path, *, layout: Layout, verify: Path) -> None:
    """Make a data directory of a copy, and check it against its list of hashes."""
    unpack_copy(base, cluster)
    shutil.copy(base / "backup_manifest", cluster)
    _give_to_server(cluster.parent, layout)
    done = subprocess.run(
        [verify, "--no-parse-wal", cluster],
        capture_output=True,
        text=True,
        check=False,
        **as_server(layout, on_parent_death=signal.SIGKILL),
    )
    if done.returncode:
        raise failure(f"The copy in {base} is damaged", done.stderr, layout.home)


def unpack_copy(base: Path, cluster: Path) -> None:
    """Write the files of a copy below a new folder. Before the first is written all of them are read: each
    must be a plain file or folder inside it, with the hash that the manifest has (older
    copies have one that only the server's own check reads). Raises EmbeddedPostgresError."""
    manifest = json.loads((base / "backup_manifest").read_text(encoding="utf-8"))
    hashes = {
        each["Path"]: each["Checksum"]
        for each in manifest["Files"]
        if each.get("Checksum-Algorithm") == "SHA256"
    }
    with tarfile.open(base / "base.tar.gz") as copied:
        for member in copied:
            _place_of(member, cluster)
            if member.name in hashes and _hash_of(copied, member) != hashes[member.name]:
                raise EmbeddedPostgresError(f"The copy in {base} is damaged: {member.name}.")
    cluster.mkdir(mode=0o700)
    with tarfile.open(base / "base.tar.gz") as copied:
        for member in copied:
            place = _place_of(member, cluster)
            if member.isdir():
                place.mkdir(mode=0o700, parents=True, exist_ok=True)
            elif (source := copied.extractfile(member)) is not None:
                with open(place, "xb", opener=_private) as target:
                    shutil.copyfileobj(source, target)


def _place_of(member: tarfile.TarInfo, cluster: Path) -> Path:
    """Where a member goes. Raises EmbeddedPostgresError for links, devices and what would lie outside."""
    parts = PurePosixPath(member.name).parts
    if not (member.isfile() or member.isdir()) or ".." in parts or member.name.startswith("/"):
        raise EmbeddedPostgresError(f"The copy holds what no copy of ours does: {member.name!r}.")
    return cluster.joinpath(*parts)


def _hash_of(copied: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    digest = hashlib.sha256()
    if (source := copied.extractfile(member)) is not None:
        for piece in iter(lambda: source.read(1 << 20), b""):
            digest.update(piece)
    return digest.hexdigest()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _begin_with_recovery(cluster: Path, *, layout: Layout) -> None:
    """Also from the log that a damaged server could archive no more."""
    (cluster / "recovery.signal").touch(mode=0o600)
    with suppress(FileNotFoundError):
        for path in (layout.cluster / "pg_wal").iterdir():
            if path.is_file() and len(path.name) == 24:
                shutil.copy2(path, cluster / "pg_wal" / path.name)
    _give_to_server(cluster, layout)


def _put_in_place(made: Path, layout: Layout) -> Path | None:
    """Give the new data directory the name of the former one; where that is now."""
    former = None
    if layout.cluster.is_dir():
        former = layout.home / f"cluster-before-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
        layout.cluster.rename(former)
    made.rename(layout.cluster)
    return former


def _give_to_server(folder: Path, layout: Layout) -> None:
    if layout.account is not None:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, layout.account.uid, layout.account.gid, follow_symlinks=False)
