"""The first start: sample companies loaded once and complete, a kept key, and how to be rid of them."""

import csv
import stat
from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path
from uuid import UUID

import pytest

from sightline.domain.bands import EMPLOYEE_BANDS
from sightline.domain.callers import OrganizationId
from sightline.domain.keys import digest
from sightline.imports.run import import_accounts
from sightline.imports.spool import ImportOptions
from sightline.sample.load import KEY_FILE, ensure_key, load_sample
from sightline.store import events
from sightline.store.account_writes import point_account
from sightline.store.catalogue import leave_alias
from sightline.store.database import Connection, Database
from sightline.store.keys import find_caller
from sightline.store.operations import Asker, add_operations
from sightline.store.sample import SOURCE_SYSTEM, count_companies, remove_sample
from tests.api.accounts_data import add_accounts, add_catalogue_company
from tests.cli.conftest import Shell
from tests.conftest import MakeTenant

LIST = files("sightline.sample").joinpath("accounts.csv")
AS_SAMPLE = ImportOptions(source_system=SOURCE_SYSTEM)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "secrets"


@pytest.fixture
async def loaded(database: Database, organization: OrganizationId) -> OrganizationId:
    await load_sample(database, organization)
    return organization


@pytest.fixture
async def inside(loaded: OrganizationId, database: Database) -> AsyncIterator[Connection]:
    """A transaction of the organization with the sample."""
    async with database.tenant(loaded) as connection:
        yield connection


@pytest.fixture
async def key(database: Database, organization: OrganizationId, folder: Path) -> str:
    return (await ensure_key(database, organization, folder))[0]


async def test_every_value_of_the_list_arrives(inside: Connection) -> None:
    with LIST.open(encoding="utf-8") as stream:
        written = list(csv.DictReader(stream))
    rows = await inside.fetch(
        "SELECT a.*, own, own_sources FROM accounts a JOIN account_records USING (account_id)"
    )
    assert len(rows) == len(written) == 15
    by_name = {row["company_name"]: row for row in rows}
    for line in written:
        row = by_name[line["Company Name"]]
        own = row["own"]
        assert row["website_domain"] == line["Website"].removeprefix("https://").removeprefix(
            "www."
        )
        assert row["industry"] == line["Industry"]
        assert row["sector"] == line["Sector"]
        assert row["full_time_employees"] == int(line["Employees"])
        assert row["public_company"] is (line["Public"] == "Yes")
        assert own["hq_city"] == line["City"]
        assert own["hq_country_name"] == line["Country"]
        assert own["ceo"] == line["CEO"]
        assert own["description"] == line["Description"]
        assert own.get("stock_ticker") == (line["Ticker"] or None)
        assert own.get("alternative_names", []) == _parts(line["Alternative Names"])
        assert own.get("alternative_domains", []) == _parts(line["Alternative Domains"])
        assert own["tags"] == _parts(line["Tags"])
    (progress,) = await inside.fetch("SELECT state, created, bad FROM imports")
    assert dict(progress) == {"state": "finished", "created": 15, "bad": 0}
    references = await inside.fetch("SELECT external_id FROM account_references")
    assert {row["external_id"] for row in references} >= {line["id"] for line in written}


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


async def test_the_companies_are_invented_and_varied(inside: Connection) -> None:
    rows = await inside.fetch("SELECT * FROM accounts")
    domains = await inside.fetch("SELECT domain FROM account_domains")
    assert all(row["domain"].endswith(".example") for row in domains)
    assert len({row["industry"] for row in rows}) == 14
    assert {row["employee_size_category"] for row in rows} == set(EMPLOYEE_BANDS)
    assert len({row["revenue_category"] for row in rows}) >= 6
    assert len({row["country_code"] for row in rows}) >= 8
    assert 3 <= sum(row["public_company"] for row in rows) <= 9
    assert any(not row["company_name"].isascii() for row in rows)
    assert len(domains) > len(rows) + 3


async def test_what_a_person_imported_under_the_same_suffix_stays(
    loaded: OrganizationId, database: Database, tmp_path: Path
) -> None:
    own = tmp_path / "accounts.csv"
    own.write_text("id,Company Name,Website\nC-1,Ours,ours.example\nC-2,Theirs,theirs.example\n")
    await import_accounts(database, loaded, own)
    async with database.tenant(loaded) as connection:
        assert await count_companies(connection) == (True, 15)
        assert await remove_sample(connection) == 15
        left = await connection.fetch("SELECT company_name FROM accounts ORDER BY sort_key")
        assert [row["company_name"] for row in left] == ["Ours", "Theirs"]
        assert await count_companies(connection) == (True, 0)


async def test_the_sample_is_loaded_once(
    loaded: OrganizationId, database: Database, inside: Connection
) -> None:
    for table, rows in (("imports", 1), ("operations", 15)):
        assert await inside.fetchval(f"SELECT count(*) FROM {table}") == rows
    await inside.execute("DELETE FROM accounts")
    await inside.execute("COMMIT; BEGIN")
    await load_sample(database, loaded)
    async with database.tenant(loaded) as connection:
        assert await connection.fetchval("SELECT count(*) FROM accounts") == 0


async def test_a_load_that_was_cut_off_is_completed(
    database: Database, organization: OrganizationId
) -> None:
    await import_accounts(database, organization, Path(str(LIST)), options=AS_SAMPLE)
    await load_sample(database, organization)
    async with database.tenant(organization) as connection:
        assert await connection.fetchval("SELECT count(*) FROM accounts") == 15
        assert await connection.fetchval("SELECT count(*) FROM operations") == 15


async def test_nothing_is_put_beside_companies_of_ones_own(
    database: Database, organization: OrganizationId
) -> None:
    await add_accounts(database, organization, [{"company_name": "Ours"}])
    await load_sample(database, organization)
    async with database.tenant(organization) as connection:
        assert await connection.fetchval("SELECT count(*) FROM accounts") == 1


async def test_removing_the_sample_leaves_what_is_ones_own(
    loaded: OrganizationId, database: Database
) -> None:
    own = await add_accounts(
        database, loaded, [{"company_name": "Ours", "website_domain": "ours.test"}]
    )
    async with database.tenant(loaded) as connection:
        sample = await connection.fetchval(
            "SELECT company_id FROM accounts WHERE website_domain = 'quillmark.example'"
        )
        reported = [
            events.NewEvent(
                story=str(n), type="acquires", family=None, title=f"Event {n}", company_id=company
            )
            for n, company in enumerate((sample, own[0].company_id))
        ]
        await events.publish_events(connection, reported)
    async with database.tenant(loaded) as connection:
        assert await remove_sample(connection) == 15
    async with database.tenant(loaded) as connection:
        left = await connection.fetch("SELECT company_name FROM accounts")
        assert [row["company_name"] for row in left] == ["Ours"]
        assert await connection.fetchval("SELECT title FROM events") == "Event 1"
        asked = await connection.fetch("SELECT cancel_requested FROM operations")
        assert len(asked) == 15
        assert all(row["cancel_requested"] for row in asked)
        assert await remove_sample(connection) == 0


async def test_what_was_kept_under_an_older_id_of_a_company_is_removed_too(
    loaded: OrganizationId, database: Database, owner: Database
) -> None:
    """Its id was its organization's own until it was enriched."""
    found = await add_catalogue_company(owner, {"company_name": "Quillmark"})
    async with database.tenant(loaded) as connection:
        row = await connection.fetchrow(
            "SELECT account_id, company_id FROM accounts WHERE website_domain = 'quillmark.example'"
        )
        assert row is not None
        before: UUID = row["company_id"]
        event = events.NewEvent(
            story="1", type="acquires", family=None, title="Known early", company_id=before
        )
        await events.publish_events(connection, [event])
        await events.begin_monitoring(connection, before)
        await add_operations(
            connection, [{"id": str(before)}], amounts=[0], asker=Asker(None, None, None)
        )
    async with owner.tenant(loaded) as connection:
        await leave_alias(connection, before, found)
        await point_account(connection, row["account_id"], company_id=found)
    async with database.tenant(loaded) as connection:
        assert await remove_sample(connection) == 15
        for table in ("events", "monitored_companies"):
            assert await connection.fetchval(f"SELECT count(*) FROM {table}") == 0
        asked = await connection.fetch("SELECT cancel_requested FROM operations")
        assert [row["cancel_requested"] for row in asked] == [True] * 16


async def test_what_was_made_for_a_seller_is_removed_too(
    loaded: OrganizationId, database: Database
) -> None:
    async with database.tenant(loaded) as connection:
        await connection.execute(
            """
            INSERT INTO organization_sections (organization_id, company_id, section, state, method,
              body, plain, statements, evidence, context_version, generated_at, checked_at)
            SELECT $1, company_id, 'risks', 'ready', 'extractive', '[]', '[]', 0, '', 1, now(), now()
            FROM accounts
            """,
            loaded,
        )
        await remove_sample(connection)
        assert await connection.fetchval("SELECT count(*) FROM organization_sections") == 0


async def test_a_sample_of_one_organization_is_removed_there_alone(
    loaded: OrganizationId, database: Database, make_tenant: MakeTenant
) -> None:
    other = (await make_tenant("other")).organization_id
    await load_sample(database, other)
    async with database.tenant(loaded) as connection:
        assert await remove_sample(connection) == 15
    async with database.tenant(other) as connection:
        assert await connection.fetchval("SELECT count(*) FROM accounts") == 15
        assert not await connection.fetchval("SELECT bool_or(cancel_requested) FROM operations")


def test_the_command_removes_the_sample_and_writes_it_down(sightline: Shell) -> None:
    sightline("sample", "remove").says(2, "pass --yes")
    removed = sightline("sample", "remove", "--yes", "--json").json
    assert removed == {"organization": "default", "removed": 0}
    assert ("remove", "sample") in sightline.acts()


async def test_what_was_removed_before_it_was_all_loaded_does_not_come_back(
    database: Database, organization: OrganizationId
) -> None:
    await import_accounts(database, organization, Path(str(LIST)), options=AS_SAMPLE)
    async with database.tenant(organization) as connection:
        assert await remove_sample(connection) == 15
    await load_sample(database, organization)
    async with database.tenant(organization) as connection:
        assert await connection.fetchval("SELECT count(*) FROM accounts") == 0


async def test_the_key_is_kept_in_a_private_file(
    key: str, database: Database, organization: OrganizationId, folder: Path
) -> None:
    file = folder / KEY_FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert file.read_text() == key + "\n"
    caller = await find_caller(database, digest(key))
    assert caller is not None
    assert caller.scopes == ("*",)
    before = file.stat().st_mtime_ns
    assert await ensure_key(database, organization, folder) == (key, False)
    assert file.stat().st_mtime_ns == before


async def test_a_lost_key_is_revoked_and_made_anew(
    key: str, database: Database, organization: OrganizationId, folder: Path
) -> None:
    file = folder / KEY_FILE
    before = key
    for content in (None, b"", b"slk_live_nonsense\n", b"\xff\xfe"):
        file.unlink()
        if content is not None:
            file.write_bytes(content)
        second, is_new = await ensure_key(database, organization, folder)
        assert is_new
        assert second != before
        assert file.read_text() == second + "\n"
        assert await find_caller(database, digest(before)) is None
        assert await find_caller(database, digest(second)) is not None
        before = second
    async with database.tenant(organization) as connection:
        acts = await connection.fetch("SELECT action FROM audit_log WHERE actor = 'up'")
        assert sorted(row["action"] for row in acts) == ["create"] * 5 + ["revoke"] * 4


async def test_a_key_of_another_organization_is_not_taken(
    key: str,
    database: Database,
    organization: OrganizationId,
    folder: Path,
    make_tenant: MakeTenant,
) -> None:
    other = await make_tenant("other")
    (folder / KEY_FILE).write_text(other.key + "\n")
    assert (await ensure_key(database, organization, folder))[0] not in {key, other.key}


async def test_two_machines_on_one_database_keep_a_key_each(
    key: str, database: Database, organization: OrganizationId, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere" / "secrets"
    assert (await ensure_key(database, organization, elsewhere))[0] != key
    assert await find_caller(database, digest(key)) is not None
    assert [path.name for path in elsewhere.iterdir()] == [KEY_FILE]
