"""The sample workspace: loaded once, complete, and open to the key that is kept beside it."""

import csv
import stat
import time
from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path

import pytest

from sightline.domain.bands import EMPLOYEE_BANDS
from sightline.domain.keys import digest, is_well_formed
from sightline.sample.load import CREDITS, KEY_FILE, prepare_sample
from sightline.store.credits import balances
from sightline.store.database import Connection, Database
from sightline.store.keys import find_caller
from sightline.store.organizations import find_organization

LIST = files("sightline.sample").joinpath("accounts.csv")


@pytest.fixture
async def loaded(owner: Database, database: Database, tmp_path: Path) -> str:
    return await prepare_sample(owner, database, tmp_path / "secrets")


@pytest.fixture
async def inside(loaded: str, owner: Database, database: Database) -> AsyncIterator[Connection]:
    """A transaction of the sample organization."""
    async with database.tenant(await find_organization(owner, "sample")) as connection:
        yield connection


async def test_every_value_of_the_list_arrives(inside: Connection) -> None:
    with LIST.open(encoding="utf-8") as stream:
        written = list(csv.DictReader(stream))
    rows = await inside.fetch(
        "SELECT a.*, own, own_sources FROM accounts a JOIN account_records USING (account_id)"
    )
    assert len(rows) == len(written) == 12
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
    assert dict(progress) == {"state": "finished", "created": 12, "bad": 0}
    references = await inside.fetch("SELECT external_id FROM account_references")
    assert {row["external_id"] for row in references} >= {line["id"] for line in written}


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


async def test_the_companies_are_invented_and_varied(inside: Connection) -> None:
    rows = await inside.fetch("SELECT * FROM accounts")
    domains = await inside.fetch("SELECT domain FROM account_domains")
    assert all(row["domain"].endswith(".example") for row in domains)
    assert len({row["industry"] for row in rows}) == 12
    assert {row["employee_size_category"] for row in rows} == set(EMPLOYEE_BANDS)
    assert len({row["revenue_category"] for row in rows}) >= 6
    assert len({row["country_code"] for row in rows}) >= 8
    assert 3 <= sum(row["public_company"] for row in rows) <= 9
    assert any(not row["company_name"].isascii() for row in rows)
    assert len(domains) > len(rows) + 3


async def test_credits_are_granted_once(
    loaded: str, inside: Connection, owner: Database, database: Database, tmp_path: Path
) -> None:
    (tmp_path / "secrets" / KEY_FILE).unlink()
    await prepare_sample(owner, database, tmp_path / "secrets")
    organization_id = await find_organization(owner, "sample")
    assert await balances(inside, organization_id) == CREDITS


async def test_the_second_start_notices_at_once(
    loaded: str, owner: Database, database: Database, tmp_path: Path
) -> None:
    before = (tmp_path / "secrets" / KEY_FILE).stat()
    durations = []
    for _ in range(5):
        started = time.perf_counter()
        assert await prepare_sample(owner, database, tmp_path / "secrets") == loaded
        durations.append(time.perf_counter() - started)
    assert min(durations) < 0.05
    assert (tmp_path / "secrets" / KEY_FILE).stat().st_mtime_ns == before.st_mtime_ns
    organization_id = await find_organization(owner, "sample")
    async with database.tenant(organization_id) as connection:
        assert await connection.fetchval("SELECT count(*) FROM api_keys") == 1
        assert await connection.fetchval("SELECT count(*) FROM imports") == 1


async def test_the_key_is_kept_in_a_private_file(
    loaded: str, database: Database, tmp_path: Path
) -> None:
    file = tmp_path / "secrets" / KEY_FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert file.read_text() == loaded + "\n"
    assert is_well_formed(loaded)
    caller = await find_caller(database, digest(loaded))
    assert caller is not None
    assert caller.scopes == ("*",)


async def test_a_lost_key_is_revoked_and_made_anew(
    loaded: str, owner: Database, database: Database, tmp_path: Path
) -> None:
    file = tmp_path / "secrets" / KEY_FILE
    before = loaded
    for content in (None, b"", b"slk_live_nonsense\n", b"\xff\xfe"):
        file.unlink()
        if content is not None:
            file.write_bytes(content)
        anew = await prepare_sample(owner, database, tmp_path / "secrets")
        assert anew != before
        assert file.read_text() == anew + "\n"
        assert await find_caller(database, digest(before)) is None
        assert await find_caller(database, digest(anew)) is not None
        before = anew
    async with database.tenant(await find_organization(owner, "sample")) as connection:
        assert await connection.fetchval("SELECT count(*) FROM accounts") == 12
        acts = await connection.fetch("SELECT action FROM audit_log WHERE subject LIKE 'key:%'")
        assert sorted(row["action"] for row in acts) == ["create"] * 5 + ["revoke"] * 4


async def test_a_key_of_another_organization_is_no_sample_key(
    loaded: str, owner: Database, database: Database, tmp_path: Path, tenant: object
) -> None:
    file = tmp_path / "secrets" / KEY_FILE
    file.write_text(tenant.key + "\n")  # type: ignore[attr-defined]
    assert await prepare_sample(owner, database, tmp_path / "secrets") not in {loaded, tenant.key}  # type: ignore[attr-defined]


async def test_two_machines_on_one_database_keep_a_key_each(
    loaded: str, owner: Database, database: Database, tmp_path: Path
) -> None:
    other = await prepare_sample(owner, database, tmp_path / "elsewhere" / "secrets")
    assert other != loaded
    assert await find_caller(database, digest(loaded)) is not None
    kept = [path.name for path in (tmp_path / "elsewhere" / "secrets").iterdir()]
    assert kept == [KEY_FILE]
