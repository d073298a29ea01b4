"""A disk that can be filled: a file system in memory, mounted for the length of a block."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MEGABYTES = 1500
_BLOCK = 1 << 20


class Disk:
    """The disk below a folder; None: one that cannot be filled."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def fill(self) -> None:
        """Take every byte that is free."""
        assert self.folder is not None
        with (self.folder / "ballast").open("wb", buffering=0) as file:
            for size in (_BLOCK, 4096):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    continue

    def make_room(self) -> None:
        """Give back what `fill` took."""
        assert self.folder is not None
        (self.folder / "ballast").unlink(missing_ok=True)


@contextmanager
def small_disk(folder: Path) -> Iterator[Disk | None]:
    """A folder on a disk of its own; None where we may not mount one: then it is an ordinary folder."""
    folder.mkdir(mode=0o755)
    size = f"size={_MEGABYTES}m,mode=755"
    is_mounted = os.geteuid() == 0 and not _run("mount", "-t", "tmpfs", "-o", size, "tmpfs", folder)
    try:
        yield Disk(folder) if is_mounted else None
    finally:
        if is_mounted:
            _run("umount", "--lazy", folder)


def _run(*command: str | Path) -> int:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode
    except FileNotFoundError:
        return 1
