"""The embedded database brought back to a moment, from a copy in its archive and the log since."""

import gzip
import hashlib
import io
import json
import os
import signal
import tarfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.postgres_archive import Archive, HistoryIsMissing
from sightline.kit.postgres_files import EmbeddedPostgresError, FolderIsHeld
from sightline.kit.postgres_recovery import recover, unpack_copy
from tests.kit.embedded_servers import nothing_runs_in, postmaster_pid, query, rows, write_row

NOW = "SELECT clock_timestamp()"


@pytest.fixture
def archive(data_dir: Path) -> Archive:
    return Archive(data_dir / "postgres" / "arch%ive's", days=7)


@pytest.fixture
def moment(data_dir: Path, archive: Archive) -> datetime:
    """The moment when rows 1 and 2 were there; 3 came later."""
    with EmbeddedPostgres(data_dir, archive=archive) as server:
        write_row(server.url, 1)
        assert server.copy_if_due(datetime.now(UTC)) is not None
        assert server.copy_if_due(datetime.now(UTC)) is None, "one a day"
        write_row(server.url, 2)
        found: datetime = query(server.url, NOW)
        write_row(server.url, 3)
    return found


def rows_in(data_dir: Path, archive: Archive) -> object:
    with EmbeddedPostgres(data_dir, archive=archive) as server:
        return rows(server.url)


def test_it_comes_back_as_it_was(data_dir: Path, archive: Archive, moment: datetime) -> None:
    former = recover(data_dir, archive, moment)
    assert former is not None
    assert (former / "PG_VERSION").is_file(), "what was replaced is kept"
    with EmbeddedPostgres(data_dir, archive=archive) as server:
        assert rows(server.url) == [1, 2]
        assert query(server.url, "SELECT pg_is_in_recovery()") is False
        write_row(server.url, 4)
        assert server.copy_if_due(datetime.now(UTC)) is not None, "what was undone leads nowhere"
        write_row(server.url, 5)
        second = query(server.url, NOW)
        write_row(server.url, 6)
    recover(data_dir, archive, second)
    assert rows_in(data_dir, archive) == [1, 2, 4, 5]
    recover(data_dir, archive, moment)
    assert rows_in(data_dir, archive) == [1, 2], "also across what was gone back before"


def test_a_server_that_was_killed_loses_nothing_it_had_promised(
    data_dir: Path, archive: Archive
) -> None:
    server = EmbeddedPostgres(data_dir, archive=archive)
    server.start()
    server.copy_if_due(datetime.now(UTC))
    write_row(server.url, 1)
    moment = query(server.url, NOW)
    write_row(server.url, 2)
    os.kill(postmaster_pid(server), signal.SIGKILL)
    server.stop()
    assert nothing_runs_in(server.layout.cluster)
    (server.layout.cluster / "global" / "pg_control").write_bytes(b"damaged")
    recover(data_dir, archive, moment)
    assert rows_in(data_dir, archive) == [1]


@pytest.mark.parametrize("days", [-1, 1])
def test_what_the_archive_does_not_reach_changes_nothing(
    data_dir: Path, archive: Archive, moment: datetime, days: int
) -> None:
    word = "does not reach back" if days < 0 else "ends before"
    with pytest.raises(HistoryIsMissing, match=word):
        recover(data_dir, archive, moment + timedelta(days=days))
    assert rows_in(data_dir, archive) == [1, 2, 3]
    assert not list((data_dir / "postgres").glob("new-*"))


def test_a_damaged_copy_changes_nothing(data_dir: Path, archive: Archive, moment: datetime) -> None:
    packed = archive.bases()[0][1] / "base.tar.gz"
    content = bytearray(gzip.decompress(packed.read_bytes()))
    at = content.index(b"PG_VERSION\0") + 512
    content[at : at + 2] = b"15"
    packed.write_bytes(gzip.compress(bytes(content), 1))
    with pytest.raises(EmbeddedPostgresError, match="damaged"):
        recover(data_dir, archive, moment)
    assert rows_in(data_dir, archive) == [1, 2, 3]


def tar_of(base: Path, *members: tuple[tarfile.TarInfo, bytes], hashes: dict[str, str]) -> None:
    """A copy of the given members, whose manifest has the given hashes."""
    base.mkdir()
    with tarfile.open(base / "base.tar.gz", "w:gz") as packed:
        for member, content in members:
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))
    listed = [
        {"Path": name, "Checksum-Algorithm": "SHA256", "Checksum": digest}
        for name, digest in hashes.items()
    ]
    (base / "backup_manifest").write_text(json.dumps({"Files": listed}))


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    found = tarfile.TarInfo(name)
    found.type, found.linkname = kind, target
    return found


@pytest.mark.parametrize(
    "bad",
    [
        member("/outside"),
        member("../outside"),
        member("base/../../outside"),
        member("..", tarfile.DIRTYPE),
        member("link", tarfile.SYMTYPE, ".."),
        member("hard", tarfile.LNKTYPE, "PG_VERSION"),
        member("pipe", tarfile.FIFOTYPE),
        member("disk", tarfile.BLKTYPE),
    ],
    ids=lambda each: each.name,
)
def test_a_copy_of_anything_but_files_is_not_unpacked(tmp_path: Path, bad: tarfile.TarInfo) -> None:
    good = hashlib.sha256(b"16").hexdigest()
    tar_of(
        tmp_path / "copy", (member("PG_VERSION"), b"16"), (bad, b""), hashes={"PG_VERSION": good}
    )
    with pytest.raises(EmbeddedPostgresError, match="no copy of ours"):
        unpack_copy(tmp_path / "copy", tmp_path / "cluster")
    assert [path.name for path in tmp_path.iterdir()] == ["copy"], "nothing was written"


def test_a_file_of_another_hash_is_found_before_anything_is_written(tmp_path: Path) -> None:
    files = ((member("base", tarfile.DIRTYPE), b""), (member("base/1"), b"one"))
    right = {"base/1": hashlib.sha256(b"one").hexdigest()}
    tar_of(tmp_path / "copy", *files, hashes=right)
    unpack_copy(tmp_path / "copy", tmp_path / "cluster")
    assert (tmp_path / "cluster/base/1").read_bytes() == b"one"
    assert (tmp_path / "cluster/base/1").stat().st_mode & 0o077 == 0
    tar_of(tmp_path / "other", *files, hashes={"base/1": hashlib.sha256(b"two").hexdigest()})
    with pytest.raises(EmbeddedPostgresError, match="damaged: base/1"):
        unpack_copy(tmp_path / "other", tmp_path / "second")
    assert not (tmp_path / "second").exists()


def test_a_running_server_is_left_alone(data_dir: Path, archive: Archive, moment: datetime) -> None:
    with EmbeddedPostgres(data_dir, archive=archive) as server:
        with pytest.raises(FolderIsHeld):
            recover(data_dir, archive, moment)
        assert rows(server.url) == [1, 2, 3]


def test_after_a_gap_in_the_log_the_next_copy_is_due(
    data_dir: Path, archive: Archive, moment: datetime
) -> None:
    del moment
    with EmbeddedPostgres(data_dir) as server:
        write_row(server.url, 4)
    with EmbeddedPostgres(data_dir, archive=archive) as server:
        assert server.copy_if_due(datetime.now(UTC)) is not None


def test_copies_and_log_are_kept_for_as_many_days_as_asked(tmp_path: Path) -> None:
    archive = Archive(tmp_path, days=3)
    archive.log.mkdir()
    for day, segment in ((1, 2), (2, 4), (5, 6), (9, 8)):
        (tmp_path / f"base-202605{day:02}T000000.000000Z-{segment:024}").mkdir()
    for segment in range(1, 9):
        (archive.log / f"{segment:024}.gz").touch()
    (archive.log / "00000002.history.gz").touch()
    archive.forget(datetime(2026, 5, 9, tzinfo=UTC))
    assert [moment.day for moment, _ in archive.bases()] == [5, 9], "the 6th begins with the 5th"
    kept = {path.name for path in archive.log.iterdir()}
    assert kept == {"00000002.history.gz", *(f"{segment:024}.gz" for segment in (6, 7, 8))}
