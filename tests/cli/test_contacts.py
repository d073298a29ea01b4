"""`import contacts`, `export`, `contacts erase` and `suppressions` on a real database."""

import asyncio
import csv
import io
import json
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest
from pyarrow import parquet

from sightline.api.exporting import ACCOUNT_COLUMNS
from sightline.domain.records import company_document, item_head
from tests.api.accounts_data import FULL_RECORD
from tests.cli.conftest import Shell

PEOPLE = """Name,Email,Title,Company
Mira Tanaka,mira@harbor.example,VP Sales,Harbor
John Okoro,john@quarry.example,CFO,Quarry
"""


@pytest.fixture
def filled(sightline: Shell, tmp_path: Path) -> Shell:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    made = sightline("import", "contacts", str(path), "--json").json
    assert (made["created"], made["suppressed"]) == (2, 0)
    return sightline


def test_import_says_what_it_did(sightline: Shell, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE + ",nonsense,,\n")
    dry = sightline("import", "contacts", str(path), "--dry-run")
    assert (dry.code, "2 contacts would be created" in dry.out) == (5, True)
    outcome = sightline("import", "contacts", str(path))
    assert (outcome.code, "2 contacts created" in outcome.out) == (5, True)
    again = sightline("import", "contacts", str(path), "--json", "--map", "Title=")
    assert json.loads(again.out)["unchanged"] == 2


def test_export_writes_whole_files(filled: Shell, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert filled("export", "contacts", "--out", str(out)).code == 0
    assert [row["full_name"] for row in csv.DictReader(io.StringIO(out.read_text()))] == [
        "Mira Tanaka",
        "John Okoro",
    ]
    table = tmp_path / "out.parquet"
    search = json.dumps({"title": "cfo"})
    filled("export", "contacts", "--format", "parquet", "--out", str(table), "--search", search)
    assert parquet.read_table(table)["full_name"].to_pylist() == ["John Okoro"]
    lines = filled("export", "contacts", "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["full_name"] for line in lines] == ["Mira Tanaka", "John Okoro"]
    assert filled("export", "accounts").out.startswith("id,company_id,website,")
    assert filled.acts()[-1] == ("export", "accounts")


def test_no_column_of_the_accounts_repeats_another() -> None:
    one, other = UUID(int=1), UUID(int=2)
    head = item_head(one, FULL_RECORD)
    item = json.loads(head + company_document(other, FULL_RECORD)[1:])
    values = [str(item[name]) for name in ACCOUNT_COLUMNS if name in item]
    assert len(values) == len(ACCOUNT_COLUMNS) - 1  # but for updated_at
    assert len(values) == len(set(values))


def test_a_list_is_exported_alone(sightline: Shell, tmp_path: Path) -> None:
    """Of accounts and of their contacts, by the name of the list."""
    for kind, text in (
        ("accounts", "Company,Domain\nHarbor,harbor.example\nQuarry,quarry.example\n"),
        ("contacts", PEOPLE),
    ):
        path = tmp_path / f"{kind}.csv"
        path.write_text(text)
        assert sightline("import", kind, str(path)).code == 0

    async def put_into_a_list() -> None:
        connection = await asyncpg.connect(sightline.url)
        await connection.execute(
            """
            WITH made AS (
              INSERT INTO account_lists (organization_id, list_id, name, description, kind, created_by)
              SELECT organization_id, gen_random_uuid(), 'Ports', '', 'accounts', user_id
              FROM users LIMIT 1 RETURNING organization_id, list_id)
            INSERT INTO account_list_members (organization_id, list_id, account_id)
            SELECT organization_id, list_id, account_id FROM made JOIN accounts USING (organization_id)
            WHERE company_name = 'Harbor'
            """
        )
        await connection.close()

    asyncio.run(put_into_a_list())
    lines = sightline("export", "accounts", "--format", "jsonl", "--list", "Ports").out.splitlines()
    assert [json.loads(line)["company_name"] for line in lines] == ["Harbor"]
    lines = sightline("export", "contacts", "--format", "jsonl", "--list", "Ports").out.splitlines()
    assert [json.loads(line)["full_name"] for line in lines] == ["Mira Tanaka"]
    sightline("export", "accounts", "--list", "Docks").says(1, "no list", "sightline lists")


@pytest.mark.parametrize("search", ["{", '{"colour": 1}', '{"account_filter": {"field": "x"}}'])
def test_a_wrong_search_leaves_no_file(filled: Shell, tmp_path: Path, search: str) -> None:
    out = tmp_path / "out.csv"
    filled("export", "contacts", "--out", str(out), "--search", search).says(2, "--search")
    assert [path.name for path in tmp_path.iterdir() if "out" in path.name] == []


def test_suppressing_and_erasing(filled: Shell) -> None:
    added = filled("suppressions", "add", "--email", "mira@harbor.example", "--json").json
    assert (added["added"], added["contacts_hidden"]) == (1, 1)
    (entry,) = filled("suppressions", "list", "--json").json
    assert entry["display"] == "m***@h***.example"
    assert len(filled("export", "contacts", "--format", "jsonl").out.splitlines()) == 1
    assert "1 contacts" in filled("suppressions", "remove", entry["id"]).out
    filled("suppressions", "remove", entry["id"]).says(1, "no such entry")
    filled("contacts", "erase", "--email", "nonsense", "--yes").says(1, "an email address")
    certificate = filled(
        "contacts", "erase", "--name", "John Okoro", "--company", "Quarry Inc", "--yes", "--json"
    ).json
    assert certificate["removed"]["contacts"] == 1
    assert "Mira" in filled("export", "contacts", "--format", "jsonl").out
    assert filled.rows("SELECT count(*) AS n FROM contacts") == [{"n": 1}]
    assert ("erase", "erasure") in filled.acts()


def test_who_is_asked_for(offline: Shell) -> None:
    offline("contacts", "erase", "--yes").says(2, "Specify")
    offline("contacts", "erase", "--email", "a@x.example").says(2, "--yes")
    offline("suppressions", "add").says(2, "Specify")
    offline("suppressions", "add", "--name", "Mira Tanaka").says(2, "--company")


def test_a_provider_of_contacts_needs_a_key_and_a_company(sightline: Shell, tmp_path: Path) -> None:
    path = tmp_path / "companies.csv"
    path.write_text("Company,Domain\nHarbor,harbor.example\n")
    assert sightline("import", "accounts", str(path)).code == 0
    ((company,),) = (row.values() for row in sightline.rows("SELECT company_id FROM accounts"))
    words = ("contacts", "find", str(company), "--provider", "hunter", "--dry-run")
    sightline(*words).says(1, "needs your API key")
    assert sightline("contacts", "connect", "hunter", input="our-key\n").code == 0
    (kept,) = sightline.rows("SELECT integration_id, secret, enabled FROM integrations")
    assert (kept["integration_id"], kept["enabled"]) == ("hunter", True)
    assert b"our-key" not in kept["secret"]
    assert "credits" in sightline(*words).out
    missing = "00000000-0000-7000-8000-000000000000"
    sightline("contacts", "find", missing, "--provider", "hunter").says(
        1, "There is no such company"
    )
    assert sightline("contacts", "connect", "hunter", "--forget").code == 0
    sightline(*words).says(1, "needs your API key")
