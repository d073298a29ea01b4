"""Migrations over a database that has rows since the first release, and what they lock meanwhile."""

import asyncio
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import asyncpg
import pytest

from sightline.kit.postgres import EmbeddedPostgres
from sightline.store import migrate
from sightline.store.backup_check import read_contents
from sightline.store.inspection import inspect_database
from tests.conftest import fresh_database
from tests.store.filling import fill, rows_of
from tests.waiting import until

RENAMED = {"signal_tellings": "signal_mentions"}
# Tables that grow with accounts, companies or time.
SMALL = frozenset(
    {"organizations", "console_sessions", "source_days", "source_states", "schedules"}
)
# What a migration drops -> the release before it neither reads nor writes it. Only what is listed may go.
RETIRED = {"account_versions": "0038"}
# What the releases before this check did, which ran over small databases. This list only shrinks.
OLD = frozenset(
    {
        "0003: an index on companies without CONCURRENTLY",
        "0008: an index on audit_log without CONCURRENTLY",
        "0015: an index on accounts without CONCURRENTLY",
        # A view has the old name, so that the release before goes on.
        "0020: signal_tellings: a column dropped or renamed under the release before",
        "0021: imports: a scan for a check or a foreign key; add it NOT VALID",
        "0021: operations: a scan for a check or a foreign key; add it NOT VALID",
    }
)


async def test_rows_of_every_release_are_there_after_all_migrations(
    server: EmbeddedPostgres, database_url: str
) -> None:
    """The first release's tables have rows from the beginning, each later one's from its own release on."""
    async with fresh_database(server, "template0") as url:
        before: dict[str, int] = {}
        for version in migrate.SCRIPTS:
            await migrate.upgrade(url, to=version)
            connection = await asyncpg.connect(url)
            try:
                after = await rows_of(connection)
                lost = {
                    table
                    for table, rows in before.items()
                    if RETIRED.get(table) != version
                    and after.get(table, after.get(RENAMED.get(table, ""), -1)) < rows
                }
                assert not lost, f"{version} loses rows of {lost}"
                before = await fill(connection)
                assert all(before.values())
            finally:
                await connection.close()
        assert len(before) > 80
        assert not (await inspect_database(url)).unprotected_tables
        assert await definitions(url) == await definitions(database_url)


async def definitions(url: str) -> object:
    """The version of a database, and what its indexes, constraints and policies are."""
    connection = await asyncpg.connect(url)
    try:
        found = await read_contents(connection)
        return await migrate.current_version(connection), found.definitions
    finally:
        await connection.close()


async def test_a_migration_lets_those_pass_who_use_the_table(
    server: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not hold up all who come after a long query; it comes back when the query has ended."""
    monkeypatch.setattr(migrate, "LOCK_SECONDS", 1)
    monkeypatch.setattr(migrate, "_BETWEEN_TRIES_SECONDS", 0.1)
    async with fresh_database(server, "template0") as url:
        await migrate.upgrade(url, to="0021")
        reader, other = await asyncpg.connect(url), await asyncpg.connect(url)
        held = reader.transaction()
        await held.start()
        await reader.fetch("SELECT * FROM console_sessions")
        migrating = asyncio.create_task(migrate.upgrade(url, to="0022"))
        await until(lambda: other.fetchval("SELECT true FROM pg_locks WHERE NOT granted LIMIT 1"))
        async with asyncio.timeout(60):  # behind the migration, which waits for the reader
            await other.fetch("SELECT * FROM console_sessions")
        assert not migrating.done()
        await held.rollback()
        await migrating
        assert await migrate.current_version(other) == "0022"
        await reader.close()
        await other.close()


async def test_an_index_can_be_made_beside_those_who_write(
    server: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Statements outside of a transaction come after the others, and again where one of them failed."""
    path = tmp_path / "9998_tried.sql"
    begun = f"ALTER TABLE accounts ADD COLUMN IF NOT EXISTS tried int;\n{migrate.OUTSIDE}"
    index = "CREATE INDEX CONCURRENTLY IF NOT EXISTS tried ON accounts (tried);\n"
    monkeypatch.setitem(migrate.SCRIPTS, "9998", path)
    async with fresh_database(server, "template0") as url:
        path.write_text(begun + index + "DROP INDEX CONCURRENTLY missing;\n")
        with pytest.raises(asyncpg.UndefinedObjectError):
            await migrate.upgrade(url, to="9998")
        connection = await asyncpg.connect(url)
        assert await migrate.current_version(connection) == migrate.HEAD
        path.write_text(begun + index)
        await migrate.upgrade(url, to="9998")
        assert await connection.fetchval(
            "SELECT count(*) FROM pg_indexes WHERE indexname = 'tried'"
        )
        assert await migrate.current_version(connection) == "9998"
        await connection.close()


def faults(statement: str, made: set[str]) -> Iterator[str]:
    """What a statement does to a big table that was there before it: who waits, and for what."""
    text = " ".join(re.sub(r"'[^']*'", "''", statement).split())
    if found := re.match(
        r"CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?.*? ON (?:ONLY )?(\w+)", text, re.I
    ):
        if not found[1] and is_old(found[2], made):
            yield f"an index on {found[2]} without CONCURRENTLY"
    elif found := re.match(r"(?:UPDATE|DELETE FROM|INSERT INTO) (\w+)", text, re.I):
        if is_old(found[1], made) and not text.upper().startswith("INSERT"):
            yield f"many rows of {found[1]} changed in one transaction"
    elif found := re.match(r"DROP TABLE (?:IF EXISTS )?(\w+)", text, re.I):
        yield f"{found[1]} dropped under the release before"
    elif (found := re.match(r"ALTER TABLE (?:ONLY )?(\w+) (.*)", text, re.I)) and is_old(
        found[1], made
    ):
        yield from (f"{found[1]}: {fault}" for fault in alterations(found[2]))


def alterations(text: str) -> Iterator[str]:
    rules: dict[str, Callable[[str], object]] = {
        "a column that must have a value, without a default": lambda each: (
            re.match(r"ADD (?:COLUMN )?(?!CONSTRAINT)\w+ .*NOT NULL", each, re.I)
            and not re.search(r"\bDEFAULT\b", each, re.I)
        ),
        "a default that is another one for each row, which rewrites the table": lambda each: (
            re.match(
                r"ADD (?:COLUMN )?\w+ .*DEFAULT (?:gen_random_uuid|clock_timestamp|random)",
                each,
                re.I,
            )
        ),
        "a generated column, which rewrites the table": lambda each: re.search(
            r"GENERATED ALWAYS AS \(.*STORED", each, re.I
        ),
        "another type, which rewrites the table": lambda each: re.match(
            r"ALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE", each, re.I
        ),
        "a scan for missing values": lambda each: re.match(
            r"ALTER (?:COLUMN )?\w+ SET NOT NULL", each, re.I
        ),
        "a scan for a check or a foreign key; add it NOT VALID": lambda each: (
            re.match(r"ADD (?:CONSTRAINT \w+ )?(?:CHECK|FOREIGN KEY)", each, re.I)
            and "NOT VALID" not in each.upper()
        ),
        "an index for a key; make it CONCURRENTLY first": lambda each: (
            re.match(r"ADD (?:CONSTRAINT \w+ )?(?:PRIMARY KEY|UNIQUE)", each, re.I)
            and "USING INDEX" not in each.upper()
        ),
        "a column dropped or renamed under the release before": lambda each: re.match(
            r"(?:DROP (?:COLUMN )?(?!CONSTRAINT|DEFAULT)\w+|RENAME)", each, re.I
        ),
    }
    for each in split_outside_brackets(text):
        yield from (what for what, applies in rules.items() if applies(each.strip()))


def split_outside_brackets(text: str) -> list[str]:
    depth, parts = 0, [""]
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def is_old(table: str, made: set[str]) -> bool:
    """Whether a table may have many rows when a migration comes."""
    return table not in made and table not in SMALL


def statements_of(script: str) -> list[str]:
    """What a migration would run, split at semicolons outside of function bodies."""
    bare = re.sub(r"--[^\n]*", "", script)
    parts = re.split(r";(?=(?:[^$]*\$\w*\$[^$]*\$\w*\$)*[^$]*$)", bare)
    return [each.strip() for each in parts if each.strip()]


def locks_of(version: str) -> set[str]:
    made: set[str] = set()
    found = set()
    for statement in statements_of(migrate.SCRIPTS[version].read_text("utf-8")):
        if new := re.match(r"CREATE TABLE (?:IF NOT EXISTS )?(\w+)", statement, re.I):
            made.add(new[1])
        found |= {f"{version}: {fault}" for fault in faults(statement, made)}
    return found


def test_no_migration_locks_a_big_table_for_long() -> None:
    found = set[str]().union(*(locks_of(version) for version in migrate.SCRIPTS))
    retired = {f"{at}: {what} dropped under the release before" for what, at in RETIRED.items()}
    assert found - OLD == retired
    assert OLD - found == set(), "fixed: remove it from the list"


@pytest.mark.parametrize("table", RETIRED)
def test_nothing_uses_a_table_that_goes(table: str) -> None:
    source = Path(migrate.__file__).parent.parent
    assert [
        path
        for path in source.rglob("*.py")
        if "migrations" not in path.parts and table in path.read_text("utf-8")
    ] == []


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("CREATE INDEX i ON accounts (name)", "without CONCURRENTLY"),
        ("CREATE UNIQUE INDEX i ON accounts (name)", "without CONCURRENTLY"),
        ("ALTER TABLE accounts ADD COLUMN a int NOT NULL", "without a default"),
        ("ALTER TABLE accounts ADD a int DEFAULT 0, ADD b int NOT NULL", "without a default"),
        ("ALTER TABLE accounts ADD a uuid DEFAULT gen_random_uuid()", "rewrites"),
        ("ALTER TABLE accounts ADD a text GENERATED ALWAYS AS (lower(name)) STORED", "rewrites"),
        ("ALTER TABLE accounts ALTER COLUMN a TYPE bigint", "rewrites"),
        ("ALTER TABLE accounts ALTER a SET NOT NULL", "scan"),
        ("ALTER TABLE accounts ADD CONSTRAINT c CHECK (a > 0)", "scan"),
        ("ALTER TABLE accounts ADD FOREIGN KEY (a) REFERENCES b", "scan"),
        ("ALTER TABLE accounts ADD CONSTRAINT c UNIQUE (a, b)", "CONCURRENTLY first"),
        ("ALTER TABLE accounts DROP COLUMN a", "release before"),
        ("ALTER TABLE accounts RENAME TO b", "release before"),
        ("DROP TABLE accounts", "release before"),
        ("UPDATE accounts SET a = 1", "one transaction"),
    ],
)
def test_what_locks_is_seen(statement: str, word: str) -> None:
    found = list(faults(statement, set()))
    assert len(found) == 1, found
    assert word in found[0]


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE INDEX CONCURRENTLY i ON accounts (name)",
        "CREATE INDEX i ON fresh (name)",
        "ALTER TABLE accounts ADD COLUMN a int",
        "ALTER TABLE accounts ADD a boolean NOT NULL DEFAULT false, ADD b timestamptz",
        "ALTER TABLE accounts ADD CONSTRAINT c CHECK (a > 0) NOT VALID",
        "ALTER TABLE accounts ADD CONSTRAINT c UNIQUE USING INDEX i",
        "ALTER TABLE accounts DROP CONSTRAINT c",
        "ALTER TABLE accounts ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE fresh ALTER COLUMN a SET STORAGE EXTERNAL",
    ],
)
def test_what_is_over_at_once_is_let_be(statement: str) -> None:
    assert list(faults(statement, {"fresh"})) == []
