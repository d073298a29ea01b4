"""Lists into accounts, on a real database."""

import asyncio
import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sightline.domain.callers import OrganizationId
from sightline.imports.run import ImportSummary, import_accounts
from sightline.imports.spool import ImportOptions
from sightline.kit.ids import new_id
from sightline.store.account_writes import set_user_values
from sightline.store.database import Database
from sightline.store.imports import ImportIsRunningElsewhere, begin_import, record_progress

Import = Callable[..., Any]


@pytest.fixture
def bring(database: Database, organization: OrganizationId, tmp_path: Path) -> Import:
    """Import rows (the first names the columns) as a file; returns the summary."""

    async def bring(
        rows: list[list[Any]], *, name: str = "list.csv", **options: Any
    ) -> ImportSummary:
        path = tmp_path / name
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(rows)
        chosen = ImportOptions(**options)
        return await import_accounts(database, organization, path, options=chosen)

    return bring


@pytest.fixture
def stored(database: Database, organization: OrganizationId) -> Callable[[], Any]:
    """All accounts by name, with what is served of them."""

    async def stored() -> dict[str, dict[str, Any]]:
        async with database.tenant(organization) as connection:
            rows = await connection.fetch(
                """
                SELECT a.*, r.own, r.own_sources, r.item_head || substr(r.document, 2) AS item
                FROM accounts a JOIN account_records r USING (organization_id, account_id)
                ORDER BY a.account_id
                """
            )
        found = [dict(row) | {"item": json.loads(row["item"])} for row in rows]
        assert len({row["company_name"] for row in found}) == len(found), "names repeat"
        return {row["company_name"]: row for row in found}

    return stored


def counts(summary: ImportSummary) -> tuple[int, int, int, int]:
    return summary.created, summary.updated, summary.unchanged, summary.bad


HEADER = [
    "Id",
    "Company Name",
    "Website",
    "City",
    "State",
    "Country",
    "Industry",
    "Employees",
    "Tags",
]
ROWS: list[list[Any]] = [
    HEADER,
    [
        "1",
        "Oro Metals Inc.",
        "https://www.oro.example",
        "Austin",
        "TX",
        "USA",
        "Steel",
        1200,
        "a; b",
    ],
    ["2", "Uno Foods", "uno.example", "Turku", "", "Finland", "Food Production", 30, ""],
    ["3", "Duo Tools", "", "Hull", "", "UK", "", "", ""],
]


async def test_what_is_served(bring: Import, stored: Callable[[], Any]) -> None:
    assert counts(await bring(ROWS)) == (3, 0, 0, 0)
    oro = (await stored())["Oro Metals Inc."]
    assert oro["item"] == {
        "id": str(oro["account_id"]), "domain": "oro.example", "website": "https://www.oro.example",
        "employee_size_category": "1001-5000", "revenue_category": None, "country": "United States",
        "company_id": str(oro["company_id"]), "company_name": "Oro Metals Inc.",
        "website_domain": "oro.example", "country_code": "US", "profile_network_url": None,
        "hq_city": "Austin", "hq_state": "TX", "hq_address": None, "hq_postcode": None,
        "hq_country_name": "United States", "region": "North America", "ceo": None,
        "sector": oro["sector"], "industry": oro["industry"], "revenue_range": None,
        "employee_count_range": "1001-5000", "full_time_employees": 1200, "alternative_domains": None,
        "alternative_names": None, "tags": ["a", "b"], "description": None, "stock_ticker": None,
        "stock_currency": None, "stock_exchange_name": None, "stock_exchange_symbol": None,
        "market_cap": None,
    }  # fmt: skip
    assert oro["industry"] is not None
    assert (oro["name_key"], oro["employee_size_category"]) == ("oro metals", "1001-5000")
    assert "oro metals" in oro["search_text"]


async def test_the_same_file_again_changes_nothing(
    bring: Import, stored: Callable[[], Any]
) -> None:
    await bring(ROWS)
    before = await stored()
    assert counts(await bring(ROWS)) == (0, 0, 3, 0)
    assert await stored() == before


async def test_the_same_values_from_another_file_touch_no_account(
    bring: Import, stored: Callable[[], Any]
) -> None:
    await bring(ROWS)
    before = await stored()
    assert counts(await bring([*ROWS, ["4", "New One", "new.example", *[""] * 6]])) == (1, 0, 3, 0)
    after = await stored()
    for name, account in before.items():
        assert after[name]["updated_at"] == account["updated_at"]
        assert after[name]["item"] == account["item"]


async def test_a_newer_list_replaces_an_address_as_a_whole(
    bring: Import, stored: Callable[[], Any]
) -> None:
    await bring(ROWS)
    summary = await bring(
        [["Website", "City", "Country"], ["oro.example", "Lyon", "France"]], name="b.csv"
    )
    assert counts(summary) == (0, 1, 0, 0)
    own = (await stored())["Oro Metals Inc."]["own"]
    assert (own["hq_city"], own.get("hq_state"), own["country_code"]) == ("Lyon", None, "FR")
    assert own["full_time_employees"] == 1200


async def test_what_a_person_set_stays(
    bring: Import, stored: Callable[[], Any], database: Database, organization: OrganizationId
) -> None:
    await bring(ROWS)
    account_id = (await stored())["Oro Metals Inc."]["account_id"]
    async with database.tenant(organization) as connection:
        values = {"company_name": "Oro", "hq_city": "Houston", "tags": None, "industry": "Software"}
        assert await set_user_values(
            connection, account_id, values=values, observed_at="2026-01-01T00:00:00Z"
        )
    await bring(ROWS)
    newer = [HEADER, ["1", "Oro SE", "oro.example", "Berlin", "", "Germany", "Banking", 9, "x"]]
    await bring(newer, name="newer.csv")
    own = (await stored())["Oro"]["own"]
    assert (own["hq_city"], own["country_code"], own["industry"]) == ("Houston", "US", "Software")
    assert own["full_time_employees"] == 9
    assert "tags" not in own
    async with database.tenant(organization) as connection:
        absent = await set_user_values(
            connection, new_id(), values={}, observed_at="2026-01-01T00:00:00Z"
        )
    assert absent is False


async def test_one_employer_in_several_cities_is_one_account(
    bring: Import, stored: Callable[[], Any]
) -> None:
    header = ["Employer", "State", "City"]
    rows = [["ORO METALS INC", "TX", "AUSTIN"], ["ORO METALS, INC.", "CA", "FRESNO"],
            ["ORO METALS LLC DBA GOLDSHOP", "", ""], ["UNO FOODS CO", "TX", "AUSTIN"]]  # fmt: skip
    assert counts(await bring([header, *rows])) == (2, 1, 1, 0)
    oro = (await stored())["Oro Metals Inc"]
    assert (oro["own"]["hq_city"], oro["own"]["alternative_names"]) == ("Austin", ["Goldshop"])
    assert counts(await bring([header, *rows])) == (0, 0, 4, 0)


async def test_a_name_alone_does_not_join_countries_domains_or_ids(
    bring: Import, database: Database, organization: OrganizationId
) -> None:
    header = ["Id", "Company", "Website", "Country"]
    rows = [["", "Next", "", "UK"], ["", "Next", "", "Japan"], ["", "Next", "next.example", "UK"],
            ["", "Next", "next-tools.example", "UK"],
            ["7", "Atlas", "", "US"], ["8", "Atlas", "", "US"]]  # fmt: skip
    summary = await bring([header, *rows])
    assert counts(summary) == (5, 1, 0, 0)
    assert counts(await bring([header, *rows])) == (0, 0, 6, 0)
    async with database.tenant(organization) as connection:
        assert await connection.fetchval("SELECT count(*) FROM accounts") == 5
        assert await connection.fetchval("SELECT count(*) FROM account_references") == 2


async def test_a_domain_is_one_company_whatever_it_is_called(
    bring: Import, stored: Callable[[], Any]
) -> None:
    header = ["Company", "Website"]
    await bring([header, ["Oro Metals", "oro.example"], ["Goldshop", "www.oro.example/shop"]])
    assert (await stored())["Oro Metals"]["own"]["alternative_names"] == ["Goldshop"]


async def test_a_ticker_joins_only_names_that_agree(
    bring: Import, stored: Callable[[], Any]
) -> None:
    header = ["Symbol", "Name", "Sector"]
    await bring([header, ["Q", "Quarry Software", "Energy"], ["ORO", "Oro Metals", "Materials"]])
    later = [header, ["Q", "Nimbus Foods", "Energy"], ["ORO", "Oro Global Mining", "Materials"]]
    assert counts(await bring(later, name="later.csv")) == (1, 1, 0, 0)
    found = await stored()
    assert set(found) == {"Quarry Software", "Nimbus Foods", "Oro Global Mining"}
    assert found["Oro Global Mining"]["own"]["alternative_names"] == ["Oro Metals"]
    assert counts(await bring(later, name="later.csv")) == (0, 0, 2, 0)


async def test_a_catalogue_company_lends_its_id_and_values(
    bring: Import, stored: Callable[[], Any], owner: Database
) -> None:
    company_id = new_id()
    record = {"company_name": "Oro Metals", "website_domain": "oro.example", "hq_city": "Austin",
              "hq_state": "TX", "country_code": "US", "ceo": "Ada Oro", "industry": "Steel"}  # fmt: skip
    async with owner.connection() as connection:
        await connection.execute(
            """
            INSERT INTO companies (company_id, company_name, website_domain, name_key, country_code,
              hq_city, record, document)
            VALUES ($1, 'Oro Metals', 'oro.example', 'oro metals', 'US', 'Austin', $2, '{}')
            """,
            company_id,
            record,
        )
    await bring(
        [["Company", "Website", "City", "Country"], ["ORO", "oro.example", "Lyon", "France"]]
    )
    oro = (await stored())["ORO"]
    assert oro["company_id"] == company_id
    item = oro["item"]
    assert (item["ceo"], item["hq_city"], item["hq_state"], item["country_code"]) == (
        "Ada Oro", "Lyon", None, "FR",
    )  # fmt: skip
    again = await bring(
        [["Company", "City", "State"], ["Oro Metals", "Austin", "TX"]], name="b.csv"
    )
    assert counts(again) == (0, 1, 0, 0), "known by the catalogue's name and place"
    assert (await stored())["Oro Metals"]["item"]["hq_state"] == "TX"


async def test_bad_rows_are_reported_and_stop_nothing(bring: Import, tmp_path: Path) -> None:
    rows = [*ROWS, ["5"], ["6", "", "", "Rome", "", "Italy", "", "", ""],
            ["7", "Tre", "tre.example", "", "", "", "", -5, "=1+1"]]  # fmt: skip
    report = tmp_path / "bad" / "report.csv"
    report.parent.mkdir()
    summary = await bring(rows, report=report)
    assert counts(summary) == (4, 0, 0, 2)
    assert (summary.dropped, summary.report) == (1, report)
    with report.open(encoding="utf-8", newline="") as stream:
        listed = list(csv.reader(stream))
    assert listed[0] == ["line", "column", "reason", "value", "effect"]
    assert [(row[0], row[4]) for row in listed[1:]] == [
        ("5", "row skipped"), ("6", "row skipped"), ("7", "value dropped"),
    ]  # fmt: skip
    assert listed[3][3] == "'-5", "a spreadsheet must not run a cell as a formula"


async def test_the_report_goes_elsewhere_when_the_folder_is_read_only(
    database: Database,
    organization: OrganizationId,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, here = tmp_path / "locked", tmp_path / "here"
    folder.mkdir()
    here.mkdir()
    path = folder / "list.csv"
    path.write_text("Name,Website\nOro,oro.example\n,\nx\n")
    monkeypatch.chdir(here)
    # Also root, who may write anywhere, must see a folder that takes nothing.
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda p, mode: Path(p) != folder and allowed(p, mode))
    summary = await import_accounts(database, organization, path)
    assert summary.report == here / "list.csv.problems.csv"
    assert not (folder / "list.csv.problems.csv").exists()


async def test_a_dry_run_counts_exactly_and_writes_nothing(
    bring: Import, stored: Callable[[], Any], database: Database, organization: OrganizationId
) -> None:
    await bring(ROWS[:2])
    before = await stored()
    twice = [
        *ROWS,
        ["", "Neu", "neu.example", *[""] * 6],
        ["", "Neu", "neu.example", "Rome", *[""] * 5],
    ]
    previewed = await bring(twice, dry_run=True, chunk_rows=2)
    assert counts(previewed) == (3, 1, 1, 0)
    assert await stored() == before
    async with database.tenant(organization) as connection:
        assert await connection.fetchval("SELECT count(*) FROM imports") == 1
    real = await bring(twice, chunk_rows=2)
    assert counts(real) == counts(previewed)


class PowerCut(Exception):
    """Stands for whatever ends a process between two chunks."""


def many(count: int) -> list[list[Any]]:
    """Companies of which each comes twice, far apart, with one bad row in ten."""
    rows: list[list[Any]] = [["Company", "Website", "Employees"]]
    for n in range(count):
        m = n % (count // 2)
        rows.append(["", "", n] if n % 10 == 3 else [f"Company {m}", f"company-{m}.example", n + 1])
    return rows


async def test_an_import_that_is_cut_off_goes_on_where_it_stopped(
    bring: Import, stored: Callable[[], Any], database: Database, make_tenant: Any, tmp_path: Path
) -> None:
    seen: list[int] = []

    def cut(rows: int, _total: int) -> None:
        seen.append(rows)
        if rows >= 60:
            raise PowerCut

    path = tmp_path / "many.csv"
    await bring(ROWS)
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows(many(200))
    organization = (await make_tenant("cut")).organization_id
    with pytest.raises(PowerCut):
        await import_accounts(
            database, organization, path, options=ImportOptions(chunk_rows=20), progress=cut
        )
    assert seen == [0, 20, 40, 60]
    resumed = await import_accounts(
        database, organization, path, options=ImportOptions(chunk_rows=20)
    )
    assert resumed.resumed_after == 60
    whole = await bring(many(200), name="many.csv", chunk_rows=20)
    assert counts(resumed) == counts(whole)
    assert resumed.rows == 200
    assert resumed.report is not None
    lines = resumed.report.read_text().splitlines()
    assert len(lines) == 1 + resumed.bad, "the report is whole after a resumption"


KILLED = """
import asyncio, sys, time
from pathlib import Path
from uuid import UUID
from sightline.imports.run import import_accounts
from sightline.imports.spool import ImportOptions
from sightline.store.database import open_database

async def main(url, organization, path):
    database = await open_database(url, size=2, wait_seconds=300, statement_timeout_seconds=300)
    def progress(rows, total):
        print(rows, flush=True)
        time.sleep(3600 if rows >= 1000 else 0.05)  # it is killed before its end, however late
    await import_accounts(
        database, UUID(organization), Path(path), options=ImportOptions(chunk_rows=50), progress=progress
    )

asyncio.run(main(*sys.argv[1:]))
"""


async def test_kill_9_leaves_whole_chunks_and_the_next_run_ends_like_an_uncut_one(
    database: Database,
    organization: OrganizationId,
    make_tenant: Any,
    database_url: str,
    tmp_path: Path,
) -> None:
    path = tmp_path / "many.csv"
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows(many(3000))

    def kill_once() -> None:
        command = [sys.executable, "-c", KILLED, database_url, str(organization), str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            for line in child.stdout:
                if int(line) >= 500:
                    time.sleep(0.02)
                    os.kill(child.pid, signal.SIGKILL)
                    break
            child.stdout.read()
        assert child.returncode == -signal.SIGKILL

    await asyncio.to_thread(kill_once)
    async with database.tenant(organization) as connection:
        done = await connection.fetchrow("SELECT state, rows_done, created FROM imports")
        accounts = await connection.fetchval("SELECT count(*) FROM accounts")
        records = await connection.fetchval("SELECT count(*) FROM account_records")
    assert done["state"] == "running"
    assert 500 <= done["rows_done"] < 3000
    assert done["rows_done"] % 50 == 0
    assert accounts == records == done["created"]
    resumed = await import_accounts(
        database, organization, path, options=ImportOptions(chunk_rows=50)
    )
    assert resumed.resumed_after == done["rows_done"]
    other = (await make_tenant("uncut")).organization_id
    whole = await import_accounts(database, other, path, options=ImportOptions(chunk_rows=50))
    assert counts(resumed) == counts(whole)
    again = await import_accounts(
        database, organization, path, options=ImportOptions(chunk_rows=50)
    )
    assert counts(again)[:2] == (0, 0)


async def test_two_processes_never_import_one_file_at_once(
    database: Database, organization: OrganizationId
) -> None:
    async with database.tenant(organization) as connection:
        begun = await begin_import(
            connection, kind="accounts", file_name="a", file_sha256=b"x", options={}, rows=1
        )
        other = type(begun)(begun.import_id, 10, 10, 0, 0, 0)
        await record_progress(connection, before=begun, after=other)
        with pytest.raises(ImportIsRunningElsewhere):
            await record_progress(connection, before=begun, after=other)


async def test_an_import_stays_within_its_organization(
    bring: Import, database: Database, make_tenant: Any, tmp_path: Path
) -> None:
    await bring(ROWS)
    other = (await make_tenant("second")).organization_id
    summary = await import_accounts(database, other, tmp_path / "list.csv")
    assert counts(summary) == (3, 0, 0, 0)
    async with database.tenant(other) as connection:
        assert await connection.fetchval("SELECT count(*) FROM accounts") == 3
