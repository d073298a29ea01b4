"""Backup and restore: the old state comes back whole, or nothing changes."""

import asyncio
import stat
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from sightline.domain.keys import digest
from sightline.kit.postgres import EmbeddedPostgres
from sightline.store.database import open_database
from sightline.store.inspection import inspect_database
from sightline.store.keys import find_caller
from sightline.store.postgres_tools import Tools, without_password
from tests.cli.conftest import MakeKey, Shell


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
