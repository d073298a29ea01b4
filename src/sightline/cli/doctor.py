"""The checks of `sightline doctor`: findings, and how to fix them."""

import asyncio
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

from sightline.app import make_encoder
from sightline.cli.address import running_url
from sightline.cli.context import archive_of
from sightline.cli.exits import one_line
from sightline.cli.sources import in_words as quarantined_in_words
from sightline.kit.postgres import EmbeddedPostgres, embedded_database, has_database
from sightline.kit.postgres_files import DISK_NEEDED, EmbeddedPostgresError
from sightline.reading.answers import answer_heads
from sightline.reading.bundled import BundledFileIsBroken
from sightline.reading.encoder import BUNDLED, EncoderFailed
from sightline.settings import Settings
from sightline.store.inspection import Inspection, inspect_database
from sightline.store.migrate import HEAD, MINIMUM_SERVER

OLDEST_PYTHON: Final = (3, 11)
SPACE_ADVISED: Final = 2_000_000_000
"""Bytes that should be free where the database is."""
CLOCK_TOLERANCE: Final = 5.0
"""Seconds by which this machine and the database may differ: key expiry and limits compare both."""

Status = Literal["ok", "warn", "fail"]


@dataclass(frozen=True)
class Check:
    """One finding. `advice` says what to do, and is empty when all is well."""

    name: str
    status: Status
    found: str
    advice: str = ""


def examine(data_dir: Path | None) -> list[Check]:
    """Run all checks. Starts the embedded server for their length if it is there and stopped."""
    checks = [_python()]
    try:
        settings = Settings() if data_dir is None else Settings(data_dir=data_dir)
    except Exception as error:  # a check reports whatever is wrong
        advice = "Fix the environment variable or the line of the TOML file."
        return [*checks, Check("settings", "fail", one_line(error), advice)]
    checks.append(Check("settings", "ok", f"read; data folder {settings.data_dir}"))
    if settings.database_url is None:
        checks += [_folder(settings.data_dir), _binaries(settings.data_dir)]
    checks += _database(settings)
    checks += [_encoder(settings), _answers(settings), _redis(settings.redis_url), _port(settings)]
    return checks


def _python() -> Check:
    version = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info < OLDEST_PYTHON:
        return Check("python", "fail", version, "Install Python 3.11 or newer.")
    return Check("python", "ok", version)


def _folder(data_dir: Path) -> Check:
    name = "data folder"
    folder = data_dir.expanduser().absolute()
    existing = next(each for each in (folder, *folder.parents) if each.exists())
    probe = existing / f".sightline-doctor-{socket.gethostname()}"
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        reason = error.strerror or str(error)
        return Check(
            name, "fail", f"{existing}: {reason}", "Make it writable, or choose another --data-dir."
        )
    free = shutil.disk_usage(existing).free
    found = f"{folder} is writable, {free / 1e9:.1f} GB free"
    if free < DISK_NEEDED:
        return Check(
            name, "fail", found, "Free some disk space: the database cannot start without it."
        )
    if free < SPACE_ADVISED:
        return Check(name, "warn", found, "Free some disk space soon: keep at least 2 GB free.")
    return Check(name, "ok", found)


def _binaries(data_dir: Path) -> Check:
    name = "embedded binaries"
    try:
        paths = [
            EmbeddedPostgres(data_dir).binary(program)
            for program in ("postgres", "initdb", "pg_dump", "pg_restore")
        ]
        for path in paths:
            printed = subprocess.run(
                [path, "--version"], capture_output=True, text=True, check=True, timeout=20
            ).stdout
    except (OSError, subprocess.SubprocessError, EmbeddedPostgresError) as error:
        advice = "Install the locked packages again (make run), or set SIGHTLINE_DATABASE_URL."
        return Check(name, "fail", one_line(error), advice)
    return Check(name, "ok", f"{printed.split()[-1]} in {paths[0].parent}")


def _database(settings: Settings) -> list[Check]:
    embedded = settings.database_url is None
    if embedded and not has_database(settings.data_dir):
        return [Check("database", "warn", "none yet", "`sightline up` or `migrate` creates it.")]
    try:
        if settings.database_url is not None:
            found, model = asyncio.run(_inspect(settings.database_url, settings))
        else:
            with embedded_database(settings.data_dir, archive_of(settings)) as url:
                found, model = asyncio.run(_inspect(url, settings))
    except Exception as error:  # a check reports whatever is wrong
        advice = (
            "Its log is in the data folder, under postgres/log."
            if embedded
            else "Check SIGHTLINE_DATABASE_URL, the network, and the role's password."
        )
        return [Check("database", "fail", one_line(error), advice)]
    return [*_judge(found, embedded=embedded), model]


async def _inspect(url: str, settings: Settings) -> tuple[Inspection, Check]:
    found = await inspect_database(url)
    return found, await _model(settings, url if found.migration == HEAD else None)


async def _model(settings: Settings, url: str | None) -> Check:
    """The language model, and whether it was tried as a verifier; `url` is None where none can say."""
    from sightline.app import model_config
    from sightline.reading.model_check import in_words, is_trusted, last_check
    from sightline.store.database import open_database

    name, config = "language model", model_config(settings)
    if config is None:
        return Check(name, "ok", "none configured; all text is quotes")
    tried = (config.verifier or config).name
    what = config.name if config.verifier is None else f"{config.name}, verified by {tried}"
    if url is None:
        return Check(name, "ok", what)
    database = await open_database(url, role="owner", size=1)
    try:
        async with database.connection() as connection:
            found = await last_check(connection, config)
    finally:
        await database.close()
    if found is None:
        advice = "Run `sightline model check`: it tells you whether the model can be trusted."
        return Check(name, "warn", f"{what}; never checked", advice)
    said = f"{what}; {in_words(found)}"
    if not is_trusted(found):
        return Check(
            name, "warn", f"{said}: quotes only", "Name a better SIGHTLINE_VERIFIER_MODEL."
        )
    return Check(name, "ok", said)


def _judge(found: Inspection, *, embedded: bool) -> Iterator[Check]:
    kind = "embedded" if embedded else "your own"
    if found.server_version < MINIMUM_SERVER:
        advice = "Sightline needs PostgreSQL 16 or newer."
        yield Check("database", "fail", f"PostgreSQL {found.server_name}", advice)
    else:
        yield Check("database", "ok", f"PostgreSQL {found.server_name}, {kind}")
    yield _clock(found.now)
    if found.migration is None:
        yield Check("migrations", "warn", "the database is empty", "Run `sightline migrate`.")
        return
    if found.migration < HEAD:
        behind = f"at {found.migration}, this release needs {HEAD}"
        yield Check("migrations", "fail", behind, "Run `sightline migrate`.")
    elif found.migration > HEAD:
        newer = f"at {found.migration}, newer than this release ({HEAD})"
        yield Check("migrations", "fail", newer, "Install the release that created it.")
    else:
        yield Check("migrations", "ok", f"at {HEAD}")
    yield _roles(found)
    yield _row_security(found)
    missing = ", ".join(found.missing_queue_tables)
    if missing:
        yield Check("queue", "fail", f"missing: {missing}", "Restore a backup.")
    else:
        yield Check("queue", "ok", "all tables exist")
    if found.quarantined:
        yield Check(
            "quarantine",
            "warn",
            quarantined_in_words(found.quarantined),
            "`sightline sources quarantined` lists them, `sightline sources retry` frees them.",
        )
    for source, why in found.failing_sources:
        advice = "`sightline sources` shows all; switch off what you cannot reach."
        yield Check("source", "warn", f"{source} failed when last asked: {why}", advice)
    if found.unarchived:
        failed = f"{found.unarchived} could not be archived when last tried"
        advice = (
            "Free space in the archive folder; until then the database's disk keeps filling up."
        )
        yield Check("archive", "fail", failed, advice)
    if not found.may_back_up:
        yield Check(
            "backup",
            "warn",
            "the login role cannot read all rows",
            "For `sightline backup`, a superuser runs: ALTER ROLE … BYPASSRLS.",
        )


def _clock(database_now: datetime) -> Check:
    apart = abs((datetime.now(UTC) - database_now).total_seconds())
    found = f"{apart:.1f} s apart from the database"
    if apart > CLOCK_TOLERANCE:
        return Check("clock", "warn", found, "Synchronize both clocks with NTP.")
    return Check("clock", "ok", found)


def _roles(found: Inspection) -> Check:
    if found.missing_roles:
        missing = f"missing: {', '.join(found.missing_roles)}"
        return Check("roles", "fail", missing, "Restore a backup, or create the roles by hand.")
    if found.mighty_roles:
        mighty = ", ".join(found.mighty_roles)
        return Check(
            "roles",
            "fail",
            f"{mighty} can bypass row-level security",
            "ALTER ROLE … NOSUPERUSER NOBYPASSRLS NOCREATEROLE; they must own no table.",
        )
    return Check("roles", "ok", "no superuser, no bypass, owns no tables")


def _row_security(found: Inspection) -> Check:
    name = "row-level security"
    if found.unprotected_tables:
        open_tables = f"not forced on: {', '.join(found.unprotected_tables)}"
        advice = "ALTER TABLE … ENABLE and FORCE ROW LEVEL SECURITY, and restore its policy."
        return Check(name, "fail", open_tables, advice)
    return Check(name, "ok", f"forced on all {found.tenant_tables} tenant tables")


def _encoder(settings: Settings) -> Check:
    encoder = make_encoder(settings)
    if encoder is None:
        return Check("encoder", "ok", "none; search is by words only")
    try:
        dimensions = encoder.encode_now(["revenue"]).shape[1]
    except EncoderFailed as error:
        advice = "Until then search is by words only. "
        advice += (
            "Install the locked packages again (make run)."
            if settings.encoder == BUNDLED
            else "Check SIGHTLINE_ENCODER and its server or folder."
        )
        return Check("encoder", "warn", one_line(error), advice)
    return Check("encoder", "ok", f"{encoder.name}, {dimensions} dimensions")


def _answers(settings: Settings) -> Check:
    """Whether it is known what answers a question without a language model."""
    if settings.encoder != BUNDLED:
        return Check("answers", "ok", "quotes are chosen by words only with this encoder")
    try:
        answer_heads()
    except BundledFileIsBroken as error:
        advice = "Until then quotes are chosen by words only. Install the locked packages again."
        return Check("answers", "warn", one_line(error), advice)
    return Check("answers", "ok", "quotes are weighed before they are shown")


def _redis(url: str | None) -> Check:
    if url is None:
        return Check("redis", "ok", "not configured; each process counts its own requests")
    try:
        asyncio.run(_ping(url))
    except ModuleNotFoundError:
        return Check("redis", "fail", "its client is missing", "pip install 'sightline[redis]'")
    except Exception as error:  # a check reports whatever is wrong
        return Check("redis", "warn", one_line(error), "Check SIGHTLINE_REDIS_URL.")
    return Check("redis", "ok", "answers")


async def _ping(url: str) -> None:
    from redis.asyncio import Redis

    client = Redis.from_url(url, socket_timeout=3, socket_connect_timeout=3)
    try:
        answer = client.ping()
        if not isinstance(answer, bool):
            await answer
    finally:
        await client.aclose()


def _port(settings: Settings) -> Check:
    host, port = settings.host, settings.port
    running = running_url(settings)
    if running is not None:
        return Check("port", "ok", f"Sightline answers at {running}")
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            reason = error.strerror or str(error)
            advice = "Fine if that is Sightline; otherwise choose another --port."
            return Check("port", "warn", f"{host}:{port}: {reason}", advice)
    return Check("port", "ok", f"{host}:{port} is free")
