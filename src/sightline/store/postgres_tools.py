"""PostgreSQL's own programs, `pg_dump` and `pg_restore`, with no password on their command line."""

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from sightline.kit.postgres_files import EmbeddedPostgresError, packaged_binaries


class BackupFailed(RuntimeError):
    """A backup or restore did not happen; the message says why."""


@dataclass(frozen=True)
class Tools:
    """The folder of programs that fit a server."""

    folder: Path

    async def pg_dump(self, *arguments: str | Path, url: str) -> str:
        """Run `pg_dump` on the database at `url`; returns what it printed."""
        return await self._run("pg_dump", arguments, url=url)

    async def pg_restore(self, *arguments: str | Path, url: str | None = None) -> str:
        """Run `pg_restore`, into the database at `url` if one is given; returns what it printed."""
        return await self._run("pg_restore", arguments, url=url)

    async def _run(
        self, program: str, arguments: tuple[str | Path, ...], *, url: str | None
    ) -> str:
        environment = dict(os.environ) | {"LC_ALL": "C.UTF-8", "PGAPPNAME": f"sightline {program}"}
        options: list[str | Path] = []
        if url is not None:
            address, password = without_password(url)
            # Others may read a command line; an environment they may not.
            options = ["--no-password", f"--dbname={address}"]
            if password is not None:
                environment["PGPASSWORD"] = password
        process = await asyncio.create_subprocess_exec(
            self.folder / program,
            *options,
            *arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )
        try:
            printed, said = await process.communicate()
        except asyncio.CancelledError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            raise
        if process.returncode != 0:
            raise BackupFailed(_explain(program, said.decode(errors="replace")))
        return printed.decode(errors="replace")


def find_tools(server_version: int) -> Tools:
    """The packaged programs, or those on the PATH: the first that are not older than the server.

    `server_version` is PostgreSQL's number, as 160004. Raises BackupFailed.
    """
    found = []
    for folder in _folders():
        major = _major(folder / "pg_dump")
        if major is not None and (folder / "pg_restore").is_file():
            if major >= server_version // 10_000:
                return Tools(folder)
            found.append(f"{major} in {folder}")
    raise BackupFailed(
        f"No pg_dump fits this server, PostgreSQL {server_version // 10_000} "
        f"(found: {', '.join(found) or 'none'}). Install its client programs."
    )


def without_password(url: str) -> tuple[str, str | None]:
    """A PostgreSQL address without its password, and the password."""
    parts = urlsplit(url)
    user, _, place = parts.netloc.rpartition("@")
    name, _, password = user.partition(":")
    query = parse_qsl(parts.query, keep_blank_values=True)
    given = [value for key, value in query if key == "password"]
    kept = urlencode([(key, value) for key, value in query if key != "password"])
    address = parts._replace(netloc=f"{name}@{place}" if name else place, query=kept).geturl()
    return address, given[-1] if given else unquote(password) if password else None


def _folders() -> Iterator[Path]:
    with suppress(EmbeddedPostgresError):
        yield packaged_binaries() / "bin"
    on_path = shutil.which("pg_dump")
    if on_path is not None:
        yield Path(on_path).parent


def _major(program: Path) -> int | None:
    try:
        printed = subprocess.run(
            [program, "--version"], capture_output=True, text=True, check=True, timeout=20
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    number = re.search(r"(\d+)(\.\d+|devel|beta|rc)", printed)
    return int(number[1]) if number else None


def _explain(program: str, said: str) -> str:
    text = " ".join(said.split())[-500:]
    if "row-level security" in said:
        text += " The role must read all rows: a superuser runs ALTER ROLE … BYPASSRLS."
    return f"{program} failed: {text or 'it said nothing.'}"
