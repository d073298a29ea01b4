"""An import is undone as a whole, on a real database."""

import csv
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from sightline.domain.callers import OrganizationId
from sightline.imports.run import import_accounts
from sightline.imports.spool import ImportOptions
from sightline.imports.undo import undo_import
from sightline.kit.ids import new_id
from sightline.store.account_writes import set_user_values
from sightline.store.database import Database
from sightline.store.imports import (
    ImportIsMissing,
    ImportIsNotUndoable,
    ImportIsRunningElsewhere,
    UndoneImport,
    begin_import,
    begin_undo,
)
from sightline.store.lists import change_members, create_list

Bring = Callable[[str, list[list[Any]]], Awaitable[UUID]]
Undo = Callable[[UUID], Awaitable[UndoneImport]]
Stored = Callable[[], Awaitable[dict[str, Any]]]
HEADER = ["Id", "Company Name", "Website", "City", "Country", "Employees", "Tags"]
ORO = ["1", "Oro Metals", "oro.example", "Austin", "USA", 1200, "a"]
UNO = ["2", "Uno Foods", "uno.example", "Turku", "Finland", 30, ""]
FIRST = [HEADER, ORO, UNO]
SECOND = [
    HEADER,
    ["1", "Oro Metals Group", "oro.example", "Lyon", "France", 900, "b"],
    ["3", "Duo Tools", "duo.example", "Hull", "UK", 5, ""],
]


@pytest.fixture
def bring(database: Database, organization: OrganizationId, tmp_path: Path) -> Bring:
    async def bring(name: str, rows: list[list[Any]]) -> UUID:
        path = tmp_path / name
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(rows)
        made = await import_accounts(
            database, organization, path, options=ImportOptions(source_system="crm", chunk_rows=1)
        )
        assert made.import_id is not None
        return made.import_id

    return bring


@pytest.fixture
def undo(database: Database, organization: OrganizationId) -> Undo:
    async def undo(import_id: UUID) -> UndoneImport:
        return await undo_import(database, organization, import_id, actor="cli")

    return undo


@pytest.fixture
def stored(database: Database, organization: OrganizationId) -> Stored:
    """Everything that is kept of accounts, by name."""

    async def stored() -> dict[str, Any]:
        async with database.tenant(organization) as connection:
            rows = await connection.fetch(
                """
                SELECT a.company_name, a.name_key, a.search_text, a.account_id, a.website_domain,
                  r.own, r.own_sources, r.document, r.item_head,
                  ARRAY(SELECT domain FROM account_domains d
                        WHERE d.account_id = a.account_id ORDER BY 1) AS domains,
                  ARRAY(SELECT external_id FROM account_references f
                        WHERE f.account_id = a.account_id ORDER BY 1) AS refs
                FROM accounts a JOIN account_records r USING (organization_id, account_id)
                WHERE a.organization_id = $1
                """,
                organization,
            )
        return {row["company_name"]: dict(row) for row in rows}

    return stored


async def test_what_it_made_goes(bring: Bring, undo: Undo, stored: Stored) -> None:
    made = await bring("a.csv", FIRST)
    assert len(await stored()) == 2
    assert await undo(made) == UndoneImport(made, True, deleted=2)
    assert await stored() == {}
    assert await undo(made) == UndoneImport(made, True, deleted=2), "undone once"
    again = await bring("a.csv", FIRST)
    assert again != made
    assert len(await stored()) == 2


async def test_what_it_changed_comes_back(bring: Bring, undo: Undo, stored: Stored) -> None:
    await bring("a.csv", FIRST)
    before = await stored()
    second = await bring("b.csv", SECOND)
    changed = (await stored())["Oro Metals Group"]
    assert (changed["own"]["hq_city"], changed["own"]["tags"]) == ("Lyon", ["a", "b"])
    assert await undo(second) == UndoneImport(second, True, deleted=1, reverted=1)
    assert await stored() == before


async def test_what_was_changed_since_stays(
    bring: Bring, undo: Undo, stored: Stored, database: Database, organization: OrganizationId
) -> None:
    await bring("a.csv", FIRST)
    second = await bring("b.csv", SECOND)
    ids = {name: each["account_id"] for name, each in (await stored()).items()}
    async with database.tenant(organization) as connection:
        for account, values in ((ids["Oro Metals Group"], {"full_time_employees": 77}),
                                (ids["Duo Tools"], {"ceo": "Ida Quay"})):  # fmt: skip
            await set_user_values(
                connection, account, values=values, observed_at="2026-01-01T00:00:00Z"
            )
    outcome = await undo(second)
    assert outcome == UndoneImport(second, True, reverted=1, stayed_edited=1, values_stayed=1)
    after = await stored()
    assert after["Oro Metals"]["own"]["full_time_employees"] == 77
    assert after["Oro Metals"]["own"]["hq_city"] == "Austin"
    assert after["Duo Tools"]["own"]["hq_city"] == "Hull", "an account a person changed stays whole"


async def test_an_account_in_a_list_stays(
    bring: Bring, undo: Undo, stored: Stored, database: Database, organization: OrganizationId
) -> None:
    made = await bring("a.csv", FIRST)
    oro = (await stored())["Oro Metals"]["account_id"]
    async with database.tenant(organization) as connection:
        listed = await create_list(
            connection, name="Kept", description="", filter=None, created_by=None
        )
        await change_members(connection, listed, add=[oro], remove=[])
    assert await undo(made) == UndoneImport(made, True, deleted=1, stayed_placed=1)
    assert list(await stored()) == ["Oro Metals"]


@pytest.mark.parametrize("first_undone", [0, 1])
async def test_two_imports_undone_in_either_order_leave_nothing(
    bring: Bring, undo: Undo, stored: Stored, first_undone: int
) -> None:
    made = [await bring("a.csv", FIRST), await bring("b.csv", SECOND)]
    both = (await stored())["Oro Metals Group"]
    outcome = await undo(made[first_undone])
    left = await stored()
    if first_undone == 0:
        assert outcome == UndoneImport(made[0], True, deleted=1, reverted=1, stayed_imported=1)
        oro = left["Oro Metals Group"]
        assert oro["own"]["hq_city"] == "Lyon"
        assert oro["refs"] == both["refs"], "the other list has the same id"
    await undo(made[1 - first_undone])
    assert await stored() == {}


async def test_an_import_on_top_of_a_kept_account_leaves_it_as_it_was(
    bring: Bring, undo: Undo, stored: Stored
) -> None:
    base = await bring("base.csv", [HEADER, ORO])
    before = await stored()
    middle = await bring(
        "m.csv", [HEADER, ["1", "Oro Metals", "oro.example", "Lyon", "France", 7, ""]]
    )
    last = await bring(
        "l.csv", [HEADER, ["1", "Oro Metals", "oro.example", "Turin", "Italy", 8, ""]]
    )
    await undo(middle)
    assert (await stored())["Oro Metals"]["own"]["hq_city"] == "Turin", "a later list said so"
    await undo(last)
    assert await stored() == before
    await undo(base)
    assert await stored() == {}


async def test_one_that_was_broken_off_goes_on(
    bring: Bring,
    undo: Undo,
    stored: Stored,
    database: Database,
    organization: OrganizationId,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = await bring("a.csv", FIRST)
    monkeypatch.setattr("sightline.imports.undo.CHUNK_ACCOUNTS", 1)
    async with database.tenant(organization) as connection:
        await begin_undo(connection, made)
        with pytest.raises(ImportIsRunningElsewhere):
            row = await connection.fetchrow(
                "SELECT kind, file_name, file_sha256, options FROM imports"
                " WHERE organization_id = $1 AND import_id = $2",
                organization,
                made,
            )
            assert row is not None
            await begin_import(connection, **dict(row), rows=1)
    assert (await undo(made)).deleted == 2
    assert await stored() == {}


async def test_a_dry_run_keeps_no_changes(
    bring: Bring, database: Database, organization: OrganizationId, tmp_path: Path
) -> None:
    await bring("a.csv", FIRST)
    async with database.tenant(organization) as connection:
        count = "SELECT count(*) FROM import_changes WHERE organization_id = $1"
        before = await connection.fetchval(count, organization)
    previewed = await import_accounts(
        database, organization, tmp_path / "a.csv", options=ImportOptions(dry_run=True)
    )
    assert previewed.import_id is None
    async with database.tenant(organization) as connection:
        assert await connection.fetchval(count, organization) == before > 0


async def test_what_cannot_be_undone_says_so(
    undo: Undo, database: Database, organization: OrganizationId
) -> None:
    with pytest.raises(ImportIsMissing):
        await undo(new_id())
    async with database.tenant(organization) as connection:
        old = await begin_import(
            connection, kind="accounts", file_name="o", file_sha256=b"o", options={}, rows=1
        )
        await connection.execute(
            "UPDATE imports SET keeps_changes = false WHERE organization_id = $1 AND import_id = $2",
            organization,
            old.import_id,
        )
    with pytest.raises(ImportIsNotUndoable, match="did not record"):
        await undo(old.import_id)
