"""Signals and the brief as notes: one each, kept up to date, and never twice after a break."""

import random
from uuid import UUID

import pytest

from tests.crm.conftest import World, add_company
from tests.crm.test_faults import kill_and_go_on
from tests.store.evidence_data import add_document, add_signal

QUOTE = "Harbor Robotics <b>acquires</b> Quay Systems for 7 million dollars."


async def add_news(world: World, name: str, *, count: int = 1, first: int = 0) -> None:
    """Signals at an account, each in a document of its own."""
    (row,) = await world.fetch("SELECT company_id FROM accounts WHERE company_name = $1", name)
    company_id: UUID = row["company_id"]
    for n in range(first, first + count):
        quote = QUOTE.replace("7", str(7 + n))
        url = f"https://news.harbor.example/{company_id}/{n}"
        document_id = await add_document(world.worker, company_id, [quote], url=url)
        await add_signal(world.worker, company_id, document_id, quote=quote, start=0)


def texts(world: World) -> list[str]:
    return world.portal.note_texts()


async def test_a_signal_is_one_note_on_its_company(world: World) -> None:
    company = add_company(world.portal, 1)
    await world.choose(writes=True, notes=("signals",))
    await world.sync()
    await add_news(world, "Harbor Robotics 1", count=2)
    run = await world.sync()
    assert run["counts"]["write_notes"] == {"created": 2}
    assert len(world.portal.notes_of[company]) == 2
    shown = (
        ("&lt;b&gt;acquires", '<a href="https:') if world.portal.keeps_html else ("<b>", ": https:")
    )
    assert f"Harbor Robotics {shown[0]}" in texts(world)[0]
    assert f"{shown[1]}//news.harbor.example/" in texts(world)[0]
    again = await world.sync()
    assert again["counts"]["write_notes"] == {}
    assert len(texts(world)) == 2


async def test_the_brief_is_one_note_that_is_kept_up_to_date(world: World) -> None:
    company = add_company(world.portal, 1)
    await world.choose(writes=True, notes=("brief",))
    await world.sync()
    assert texts(world) == []  # nothing is known yet
    await add_news(world, "Harbor Robotics 1")
    assert (await world.sync())["counts"]["write_notes"] == {"created": 1}
    await add_news(world, "Harbor Robotics 1", first=1)
    run = await world.sync()
    assert run["counts"]["write_notes"] == {"updated": 1}
    assert len(world.portal.notes_of[company]) == len(texts(world)) == 1
    assert texts(world)[0].count("Harbor acquires Quay Systems") == 2


async def test_a_note_that_fails_is_made_by_the_next_run(world: World) -> None:
    company = add_company(world.portal, 1)
    await world.choose(writes=True, notes=("signals",))
    await world.sync()
    await add_news(world, "Harbor Robotics 1")
    world.portal.refuse_values[company] = "The record is locked."
    run = await world.sync()
    assert run["counts"]["write_notes"] == {"failed": 1}
    world.portal.refuse_values.clear()
    assert (await world.sync())["counts"]["write_notes"] == {"created": 1}
    assert len(texts(world)) == 1


async def test_a_dry_run_writes_no_note(world: World) -> None:
    add_company(world.portal, 1)
    await world.choose(writes=True, notes=("signals", "brief"))
    await world.sync()
    await add_news(world, "Harbor Robotics 1")
    run = await world.sync(dry_run=True)
    assert run["counts"]["write_notes"] == {"created": 2}
    assert texts(world) == []
    assert await world.fetch("SELECT FROM crm_notes") == []


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_kills_double_no_note(world: World, seed: int) -> None:
    for n in range(30):
        add_company(world.portal, n)
    await world.choose(writes=True, notes=("signals",))
    await world.sync()
    for account in await world.accounts():
        await add_news(world, account["company_name"])
    await world.ask()
    deaths = await kill_and_go_on(world, random.Random(seed), often=0.2, most=12)
    assert deaths >= 5
    assert len(texts(world)) == 30
    assert all(len(notes) == 1 for notes in world.portal.notes_of.values())
