"""Backup and restore: the old state comes back whole, or nothing changes."""

import asyncio
import shutil
import stat
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest
from typer.testing import CliRunner

from sightline.cli.commands import app
from sightline.cli.context import archive_of
from sightline.domain.keys import digest
from sightline.kit.postgres import EmbeddedPostgres
from sightline.settings import Settings
from sightline.store import backup
from sightline.store.database import open_database
from sightline.store.inspection import inspect_database
from sightline.store.keys import find_caller
from sightline.store.postgres_tools import Tools, without_password
from tests.cli.conftest import MakeKey, Outcome, Shell


def sibling(url: str, name: str) -> str:
    return urlsplit(url)._replace(path=f"/{name}").geturl()


def run(url: str, *statements: str) -> None:
    async def execute() -> None:
        connection = await asyncpg.connect(url)
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    asyncio.run(execute())


def databases_like(sightline: Shell) -> set[str]:
    """This test's database, and any that a restore has left beside it."""
    name = urlsplit(sightline.url).path[1:]
    rows = sightline.rows("SELECT datname FROM pg_database WHERE datname LIKE $1", f"{name}%")
    return {row["datname"].removeprefix(name) for row in rows}


@pytest.fixture
def saved(sightline: Shell, tmp_path: Path) -> Path:
    """A backup of a database with 7 credits in it."""
    file = tmp_path / "saved.backup"
    grant = ("credits", "grant", "--credit", "company", "--amount", "7")
    assert sightline(*grant).code == 0
    made = sightline("backup", str(file), "--json").json
    assert made["bytes"] == file.stat().st_size > 1000
    assert made["file"] == str(file)
    return file


def balance(sightline: Shell, url: str | None = None) -> int:
    shown = sightline("credits", "show", "--json", url=url).json
    company: int = shown["credits"]["company"]
    return company


def test_a_restore_brings_the_old_state_back(
    sightline: Shell, make_key: MakeKey, tmp_path: Path
) -> None:
    grant = ("credits", "grant", "--credit", "company", "--amount", "7")
    key, file = make_key()["key"], str(tmp_path / "old.backup")
    assert sightline(*grant).code == 0
    assert sightline("backup", file).out.startswith(f"Wrote {file}: ")
    later = make_key()["key"]
    assert sightline(*grant).code == 0
    assert sightline("org", "create", "later").code == 0

    restored = sightline("restore", file, "--replace", "--yes", "--json").json
    assert restored["file"] == file
    assert balance(sightline) == 7
    assert [row["slug"] for row in sightline("org", "list", "--json").json] == ["default"]

    async def callers() -> list[bool]:
        database = await open_database(sightline.url)
        try:
            return [await find_caller(database, digest(each)) is not None for each in (key, later)]
        finally:
            await database.close()

    assert asyncio.run(callers()) == [True, False]
    found = asyncio.run(inspect_database(sightline.url))
    assert found.tenant_tables > 10
    assert found.unprotected_tables == found.mighty_roles == found.missing_queue_tables == ()
    assert databases_like(sightline) == {""}
    checks = sightline("doctor", "--json").json["checks"]
    assert [check for check in checks if check["status"] == "fail"] == []


def test_a_backup_is_private_and_replaces_nothing_unasked(sightline: Shell, saved: Path) -> None:
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    before = saved.read_bytes()
    sightline("backup", str(saved)).says(1, "exists", "--force")
    assert saved.read_bytes() == before
    assert sightline("org", "create", "more").code == 0
    assert sightline("backup", str(saved), "--force").code == 0
    assert saved.read_bytes() != before
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    sightline("backup", str(saved.parent)).says(1, "exists")
    sightline("backup", str(saved.parent), "--force").says(1, "is a folder")
    sightline("backup", str(saved.parent / "no" / "x")).says(1, "no folder")
    assert [path.name for path in saved.parent.iterdir() if path.is_file()] == [saved.name]


def test_an_empty_database_needs_no_permission(sightline: Shell, saved: Path) -> None:
    name = urlsplit(sightline.url).path[1:] + "_empty"
    url = sibling(sightline.url, name)
    run(sightline.url, f"CREATE DATABASE {name}")
    try:
        assert sightline("restore", str(saved), url=url).code == 0
        assert balance(sightline, url) == 7
        sightline("restore", str(saved), url=url).says(1, "not empty", "--replace")
    finally:
        run(sightline.url, f"DROP DATABASE {name} WITH (FORCE)")


def test_a_replacement_is_asked_for(sightline: Shell, saved: Path) -> None:
    assert sightline("org", "create", "kept").code == 0
    sightline("restore", str(saved)).says(1, "not empty", "--replace")
    sightline("restore", str(saved), "--replace").says(2, "--yes")
    assert "kept" in sightline("org", "list").out


def test_a_running_sightline_is_not_cut_off(sightline: Shell, saved: Path) -> None:
    async def restore_while_running() -> None:
        database = await open_database(sightline.url)
        try:
            arguments = ("restore", str(saved), "--replace", "--yes")
            outcome = await asyncio.to_thread(sightline, *arguments)
            outcome.says(1, "Sightline is running", "Stop it first")
            async with database.connection() as connection:
                assert await connection.fetchval("SELECT 1") == 1
        finally:
            await database.close()

    asyncio.run(restore_while_running())


def test_other_sessions_do_not_hinder_a_restore(sightline: Shell, saved: Path) -> None:
    async def restore_beside_a_session() -> None:
        other = await asyncpg.connect(sightline.url)
        arguments = ("restore", str(saved), "--replace", "--yes")
        outcome = await asyncio.to_thread(sightline, *arguments)
        assert outcome.code == 0, outcome.err
        other.terminate()

    asyncio.run(restore_beside_a_session())
    assert balance(sightline) == 7


def test_what_is_no_backup_changes_nothing(sightline: Shell, saved: Path) -> None:
    restore = ("restore", str(saved), "--replace", "--yes")
    whole = saved.read_bytes()
    for damaged in (b"", b"name,website\n", whole[: len(whole) // 2], whole[:-1000]):
        saved.write_bytes(damaged)
        sightline(*restore).says(1, "pg_restore failed")
    saved.unlink()
    sightline(*restore).says(1, "no file")
    assert balance(sightline) == 7
    assert databases_like(sightline) == {""}


def test_a_restore_that_fails_half_way_leaves_the_old_database(
    sightline: Shell, tmp_path: Path
) -> None:
    file = str(tmp_path / "stranger.backup")
    role = "stranger_of_" + urlsplit(sightline.url).path[-12:]
    run(sightline.url, f"CREATE ROLE {role}", f"GRANT SELECT ON companies TO {role}")
    assert sightline("backup", file).code == 0
    run(sightline.url, f"DROP OWNED BY {role}", f"DROP ROLE {role}")
    assert sightline("org", "create", "kept").code == 0
    outcome = sightline("restore", file, "--replace", "--yes")
    outcome.says(1, "pg_restore failed", f'role "{role}" does not exist')
    assert "kept" in sightline("org", "list").out
    assert databases_like(sightline) == {""}


def test_a_backup_of_a_newer_release_is_refused(sightline: Shell, tmp_path: Path) -> None:
    file = str(tmp_path / "newer.backup")
    assert sightline("migrate").code == 0
    run(sightline.url, "UPDATE alembic_version SET version_num = '9999'")
    assert sightline("backup", file, "--json").json["version"] == "9999"
    name = urlsplit(sightline.url).path[1:] + "_older"
    run(sightline.url, f"CREATE DATABASE {name}")
    try:
        url = sibling(sightline.url, name)
        sightline("restore", file, url=url).says(4, "version 9999, newer than this release")
    finally:
        run(sightline.url, f"DROP DATABASE {name} WITH (FORCE)")


def test_another_role_may_own_the_restored_database(
    sightline: Shell, server: EmbeddedPostgres, saved: Path
) -> None:
    """From the embedded database to one of your own, for example."""
    role = "owner_of_" + urlsplit(sightline.url).path[-12:]
    superuser = server.superuser_url
    run(
        superuser,
        f"CREATE ROLE {role} LOGIN CREATEDB CREATEROLE BYPASSRLS PASSWORD 'not-secret'",
        f"GRANT sightline_app, sightline_worker TO {role} WITH ADMIN OPTION",
        f"CREATE DATABASE {role} OWNER {role}",
    )
    parts = urlsplit(superuser)
    place = parts.netloc.rpartition("@")[2]
    url = parts._replace(netloc=f"{role}:not-secret@{place}", path=f"/{role}").geturl()
    try:
        assert sightline("restore", str(saved), url=url).code == 0
        assert balance(sightline, url) == 7
        owners = sightline.rows(
            "SELECT DISTINCT tableowner::text FROM pg_tables WHERE schemaname = 'public'", url=url
        )
        assert owners == [{"tableowner": role}]
    finally:
        run(superuser, f"DROP DATABASE {role} WITH (FORCE)", f"DROP ROLE {role}")


@pytest.mark.parametrize(
    ("url", "address", "password"),
    [
        (
            "postgresql://u:p%40w@h:1/d?sslmode=require",
            "postgresql://u@h:1/d?sslmode=require",
            "p@w",
        ),
        ("postgresql://u@%2Frun%2Fpg/d", "postgresql://u@%2Frun%2Fpg/d", None),
        ("postgresql://u@h/d?password=x", "postgresql://u@h/d", "x"),
        ("postgresql://h/d", "postgresql://h/d", None),
    ],
)
def test_a_password_is_taken_out_of_an_address(
    url: str, address: str, password: str | None
) -> None:
    assert without_password(url) == (address, password)


def test_no_password_is_on_the_command_line(tmp_path: Path) -> None:
    program = tmp_path / "pg_dump"
    program.write_text('#!/bin/sh\necho "$@"\necho "$PGPASSWORD"\n')
    program.chmod(0o755)
    printed = asyncio.run(Tools(tmp_path).pg_dump("--version", url="postgresql://u:secret@h/d"))
    assert printed.splitlines() == ["--no-password --dbname=postgresql://u@h/d --version", "secret"]


def test_a_checked_backup_was_restored_and_compared(sightline: Shell, tmp_path: Path) -> None:
    grant = ("credits", "grant", "--credit", "company", "--amount", "7")
    assert sightline(*grant).code == 0
    checked = sightline("backup", str(tmp_path / "a"), "--check", "--json").json
    assert checked["tables"] > 50
    assert checked["rows"] > 5
    said = sightline("backup", str(tmp_path / "b"), "--check").out
    assert "the same, row by row" in said
    assert databases_like(sightline) == {""}


@pytest.mark.parametrize(
    "loss",
    [
        "DELETE FROM credit_ledger",
        "UPDATE organizations SET name = name || '.'",
        "DROP POLICY tenant ON api_keys",
        "DROP INDEX credit_ledger_recent",
    ],
)
def test_a_backup_that_restores_something_else_is_refused(
    sightline: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loss: str
) -> None:
    pour = backup._pour

    async def lossy(*given: Any, **named: Any) -> str:
        url = await pour(*given, **named)
        connection = await asyncpg.connect(url)
        await connection.execute(loss)
        await connection.close()
        return url

    assert sightline("credits", "grant", "--credit", "company", "--amount", "7").code == 0
    monkeypatch.setattr(backup, "_pour", lossy)
    sightline("backup", str(tmp_path / "x"), "--check").says(1, "differs from the database")
    assert not list(tmp_path.glob("*x*"))
    assert databases_like(sightline) == {""}


@pytest.fixture
def archived(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddedPostgres]:
    """An embedded database that keeps its history, with a copy of the day, stopped."""
    folder = Path(tempfile.mkdtemp(prefix="sightline-test-")).resolve()
    folder.chmod(0o711)
    for name, value in (("DATA_DIR", folder / "data"), ("ARCHIVE_DAYS", 3), ("INITIAL_CREDITS", 0)):
        monkeypatch.setenv(f"SIGHTLINE_{name}", str(value))
    monkeypatch.delenv("SIGHTLINE_DATABASE_URL", raising=False)
    server = EmbeddedPostgres(folder / "data", archive=archive_of(Settings()))
    with server:
        server.copy_if_due(datetime.now(UTC))
    yield server
    shutil.rmtree(folder)


def test_a_moment_is_gone_back_to(archived: EmbeddedPostgres) -> None:
    def run_here(*words: str) -> Outcome:
        result = CliRunner().invoke(app, list(words))
        return Outcome(result.exit_code, result.stdout, result.stderr)

    grant = ("credits", "grant", "--credit", "company", "--amount")
    assert run_here("migrate").code == 0
    assert run_here(*grant, "7").code == 0
    moment = datetime.now(UTC).isoformat()
    assert run_here(*grant, "5").code == 0
    run_here("restore", "--at", moment).says(2, "--yes")
    run_here("restore", "--at", moment, "x.backup", "--yes").says(2, "FILE", "--at")
    run_here("restore", "--at", "2026-01-01T00:00:00Z", "--yes").says(4, "does not reach back")
    with archived:
        run_here("restore", "--at", moment, "--yes").says(4, "already running")
    done = run_here("restore", "--at", moment, "--yes", "--json").json
    assert Path(done["former"]).is_dir()
    assert run_here("credits", "show", "--json").json["credits"]["company"] == 7


def test_going_back_needs_an_archive(sightline: Shell) -> None:
    sightline("restore", "--at", "2026-01-01T00:00:00Z", "--yes").says(2, "SIGHTLINE_ARCHIVE_DAYS")
    sightline("restore").says(2, "FILE", "--at")
