"""An import of contacts is undone as a whole, on a real database."""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from sightline.domain.callers import OrganizationId
from sightline.domain.contact_input import read_contact
from sightline.imports.run import import_contacts
from sightline.imports.spool import ImportOptions
from sightline.imports.undo import undo_import
from sightline.kit.clock import rfc3339
from sightline.store.contact_edits import edit_contact
from sightline.store.contact_query import ContactQuery
from sightline.store.contact_writes import put_contacts
from sightline.store.contacts import find_contacts
from sightline.store.database import Database
from sightline.store.erasures import erase_person
from sightline.store.imports import UndoneImport
from sightline.store.pages import Slice

Bring = Callable[[str, str], Awaitable[UUID]]
Undo = Callable[[UUID], Awaitable[UndoneImport]]
Held = Callable[[], Awaitable[dict[str, dict[str, Any]]]]
HEAD = "First Name,Last Name,Title,Account Name,Email,Phone\n"
MIRA = "Mira,Tanaka,VP Sales,Harbor Analytics,mira@harbor.example,+14155550135\n"
JOHN = "John,Okoro,CFO,Quarry Works,john@quarry.example,\n"
MIRA_NOW = "Mira,Tanaka,Chief Revenue Officer,Harbor Analytics,mira@harbor.example,+14155550199\n"
ADA = "Ada,Lind,Engineer,Quarry Works,ada@quarry.example,\n"


@pytest.fixture
def bring(database: Database, organization: OrganizationId, tmp_path: Path) -> Bring:
    async def bring(name: str, rows: str) -> UUID:
        path = tmp_path / name
        path.write_text(HEAD + rows)
        made = await import_contacts(
            database, organization, path, options=ImportOptions(chunk_rows=1)
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
def held(database: Database, organization: OrganizationId) -> Held:
    """What is found of contacts by a search, by name; without what every write changes."""

    async def held() -> dict[str, dict[str, Any]]:
        async with database.tenant(organization) as connection:
            items, _, _ = await find_contacts(connection, query=ContactQuery(), part=Slice(50))
        found = {each["full_name"]: each for each in json.loads(items)}
        for each in found.values():
            del each["updated_at"]
        return found

    return held


async def left_over(database: Database, organization: OrganizationId) -> list[int]:
    """Rows that are kept of contacts in every table of them."""
    tables = ("contacts", "contact_keys", "contact_import_changes")
    async with database.tenant(organization) as connection:
        counts = [await connection.fetchval(f"SELECT count(*) FROM {each}") for each in tables]
        bits = "SELECT coalesce(sum(bit_count(bits)), 0)::int FROM contact_bits"
        return [*counts, await connection.fetchval(bits)]


async def test_what_it_made_goes(
    bring: Bring, undo: Undo, held: Held, database: Database, organization: OrganizationId
) -> None:
    made = await bring("a.csv", MIRA + JOHN)
    assert set(await held()) == {"Mira Tanaka", "John Okoro"}
    outcome = await undo(made)
    assert (outcome.kind, outcome.deleted, outcome.reverted, outcome.finished) == (
        ("contacts", 2, 0, True)
    )
    assert await left_over(database, organization) == [0, 0, 0, 0]
    assert await undo(made) == outcome, "undoing twice is undoing once"
    assert await bring("a.csv", MIRA + JOHN) != made, "its file makes a new import"
    assert len(await held()) == 2


async def test_what_it_changed_comes_back(bring: Bring, undo: Undo, held: Held) -> None:
    await bring("a.csv", MIRA + JOHN)
    before = await held()
    second = await bring("b.csv", MIRA_NOW + ADA)
    now = await held()
    assert now["Mira Tanaka"]["current_job_title"] == "Chief Revenue Officer"
    assert len(now["Mira Tanaka"]["phones"]) == 2
    outcome = await undo(second)
    assert (outcome.deleted, outcome.reverted) == (1, 1)
    assert await held() == before


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_two_imports_undone_in_either_order_leave_nothing(
    bring: Bring,
    undo: Undo,
    held: Held,
    database: Database,
    organization: OrganizationId,
    order: tuple[int, int],
) -> None:
    made = [await bring("a.csv", MIRA + JOHN), await bring("b.csv", MIRA_NOW + ADA)]
    first = await undo(made[order[0]])
    (mira,) = [each for name, each in (await held()).items() if name == "Mira Tanaka"]
    titles = ("Chief Revenue Officer", "VP Sales")
    phones = ("+14155550199", "+14155550135")
    assert mira["current_job_title"] == titles[order[0]]
    assert mira["phones"] == [phones[order[0]]]
    assert first.stayed_imported == (order[0] == 0)
    await undo(made[order[1]])
    assert await left_over(database, organization) == [0, 0, 0, 0]


async def test_a_contact_that_a_person_changed_stays(
    bring: Bring, undo: Undo, held: Held, database: Database, organization: OrganizationId
) -> None:
    made = await bring("a.csv", MIRA + JOHN)
    now = datetime.now(UTC)
    source = {"source": "user", "observed_at": rfc3339(now, exact=True)}
    async with database.tenant(organization) as connection:
        edited = await edit_contact(
            connection,
            UUID((await held())["Mira Tanaka"]["id"]),
            said=read_contact({"headline": "Sells"}),
            cleared=(),
            source=source,
            now=now,
        )
    assert edited == "changed"
    before = (await held())["Mira Tanaka"]
    outcome = await undo(made)
    assert (outcome.deleted, outcome.stayed_edited) == (1, 1)
    assert await held() == {"Mira Tanaka": before}


async def test_what_was_known_before_stays_as_it_was(
    bring: Bring, undo: Undo, held: Held, database: Database, organization: OrganizationId
) -> None:
    now = datetime.now(UTC)
    said = read_contact(
        {
            "full_name": "Mira Tanaka",
            "company": {"name": "Harbor Analytics"},
            "current_job_title": "Director",
        }
    )
    async with database.tenant(organization) as connection:
        discovered = {"source": "discovery", "observed_at": rfc3339(now, exact=True)}
        await put_contacts(connection, [said], source=discovered, now=now)
    before = await held()
    made = await bring("a.csv", MIRA)
    assert (await held())["Mira Tanaka"]["current_job_title"] == "VP Sales"
    outcome = await undo(made)
    assert (outcome.deleted, outcome.reverted) == (0, 1)
    assert await held() == before


async def test_an_erased_person_leaves_nothing_in_what_is_kept(
    bring: Bring, undo: Undo, held: Held, database: Database, organization: OrganizationId
) -> None:
    made = await bring("a.csv", MIRA)
    mira = UUID((await held())["Mira Tanaka"]["id"])
    async with database.tenant(organization) as connection:
        await erase_person(
            connection, contact_ids=[mira], keys=(), requested_by="test", now=datetime.now(UTC)
        )
    assert await left_over(database, organization) == [0, 0, 0, 0]
    assert (await undo(made)).deleted == 0


async def test_an_undo_that_was_broken_off_goes_on(
    bring: Bring, undo: Undo, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await bring("a.csv", MIRA + JOHN + ADA)
    monkeypatch.setattr("sightline.imports.undo.CHUNK_ACCOUNTS", 1)
    calls = 0

    async def fails(*_: object, **__: object) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise RuntimeError("killed")

    monkeypatch.setattr("sightline.imports.undo.note_undone", _also(fails))
    with pytest.raises(RuntimeError):
        await undo(made)
    assert len(await held()) == 2
    monkeypatch.undo()
    assert (await undo(made)).deleted == 3
    assert await held() == {}


def _also(fails: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    from sightline.store.imports import note_undone

    async def noted(*values: Any) -> None:
        await fails()
        await note_undone(*values)

    return noted
