"""Opens settings and database for a command, whether Sightline is running or not."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from urllib.parse import urlsplit

import typer

from sightline.cli.exits import UNAVAILABLE, CommandFailed, one_line_errors

if TYPE_CHECKING:
    from sightline.kit.postgres_archive import Archive
    from sightline.settings import Settings
    from sightline.store.database import Database, Tenant

T = TypeVar("T")

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Folder of the embedded database.")
]
Organization = Annotated[str, typer.Option("--org", help="Slug of the organization.")]


@contextmanager
def settings_with_database(data_dir: Path | None, *, begins: bool = False) -> "Iterator[Settings]":
    """Settings that name a running database.

    SIGHTLINE_DATABASE_URL if it is set; else the embedded server of the data folder: the one that
    runs, or one that runs for the length of the block. Only a command that `begins` makes a new one:
    for all others a folder without a database is a mistyped one.
    """
    settings = read_settings(data_dir)
    if settings.database_url is not None:
        try:
            yield settings
        except (ConnectionError, TimeoutError, socket.gaierror) as error:
            place = urlsplit(settings.database_url).netloc.rpartition("@")[2]
            reason = error.strerror or str(error) or "no answer in time"
            raise CommandFailed(
                f"The database at {place or 'SIGHTLINE_DATABASE_URL'} cannot be reached: {reason}.",
                code=UNAVAILABLE,
            ) from error
        return
    from sightline.kit.postgres import embedded_database, has_database

    if not begins and not has_database(settings.data_dir):
        raise CommandFailed(
            f"There is no database in {settings.data_dir}: `sightline up` or `sightline migrate`"
            " creates one. Use --data-dir or SIGHTLINE_DATA_DIR for another folder.",
            code=UNAVAILABLE,
        )
    with embedded_database(settings.data_dir, archive_of(settings)) as url:
        yield settings.model_copy(update={"database_url": url})


def archive_of(settings: "Settings") -> "Archive | None":
    """Where the history of the embedded database is kept; None when none is."""
    from sightline.kit.postgres_archive import Archive
    from sightline.kit.postgres_files import find_layout

    if not settings.archive_days:
        return None
    folder = settings.archive_dir or find_layout(settings.data_dir).home / "archive"
    return Archive(folder.expanduser().absolute(), settings.archive_days)


def read_settings(data_dir: Path | None) -> "Settings":
    """The settings, with logs set up as they say."""
    from sightline.kit.logs import configure_logs
    from sightline.settings import Settings

    settings = Settings() if data_dir is None else Settings(data_dir=data_dir)
    configure_logs(settings.log_level, settings.log_format)
    return settings


def administer(work: "Callable[[Database, Database], Awaitable[T]]", *, data_dir: Path | None) -> T:
    """Run `work(owner, app)` on a migrated database; its errors end the command in one line."""
    with one_line_errors(), settings_with_database(data_dir) as settings:
        from sightline import app

        app.prepare(settings)

        async def run() -> T:
            async with app.databases(settings) as (owner, application):
                return await work(owner, application)

        return asyncio.run(run())


async def record(tenant: "Tenant", action: str, subject: str, **details: Any) -> None:
    """Write to the audit log what a command did."""
    from sightline.store.organizations import record_audit

    await record_audit(tenant, action=action, subject=subject, details=details or None)


def administer_organization(
    slug: str,
    work: "Callable[[Tenant], Awaitable[T]]",
    *,
    data_dir: Path | None,
) -> T:
    """Run `work` as one transaction of the organization `slug`."""

    async def find_and_run(owner: "Database", application: "Database") -> T:
        from sightline.store.organizations import find_organization

        organization_id = await find_organization(owner, slug)
        async with application.tenant(organization_id) as connection:
            return await work(connection)

    return administer(find_and_run, data_dir=data_dir)
