"""Whose value stands: by rule, by direction, and by what changed since it was settled."""

from datetime import UTC, datetime
from typing import Any

import pytest

from sightline.crm.conflicts import Direction, Rule, decide, digest
from sightline.store.account_writes import set_user_values
from tests.crm.conftest import World, add_company, add_person

EARLY, LATE = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)
AGREED = (digest("a"), digest("a"))


@pytest.mark.parametrize(
    ("theirs", "ours", "agreed", "rule", "direction", "winner"),
    [
        ("a", "a", None, "theirs", "both", "same"),
        ("a", ["b", "a"], None, "theirs", "both", "same"),
        (None, None, None, "newest", "both", "same"),
        ("b", None, AGREED, "only_empty", "both", "theirs"),
        (None, "b", AGREED, "theirs", "both", "ours"),
        ("b", "a", AGREED, "only_empty", "both", "settled"),
        ("b", "a", AGREED, "ours", "both", "theirs"),  # they alone changed it
        ("a", "b", AGREED, "theirs", "both", "ours"),  # we alone changed it
        ("b", "c", AGREED, "theirs", "both", "theirs"),
        ("b", "c", AGREED, "ours", "both", "ours"),
        ("b", "c", AGREED, "newest", "both", "ours"),
        ("b", "c", (digest("b"), digest("c")), "theirs", "both", "settled"),
        ("b", "c", None, "ours", "both", "ours"),
        ("a", "b", AGREED, "theirs", "in", "theirs"),
        ("a", "b", AGREED, "ours", "in", "settled"),
        ("b", "a", AGREED, "ours", "out", "ours"),
        ("b", "a", AGREED, "theirs", "out", "settled"),
    ],
)
def test_the_rule_decides(
    theirs: Any, ours: Any, agreed: Any, rule: Rule, direction: Direction, winner: str
) -> None:
    found = decide(
        theirs, ours, agreed=agreed, rule=rule, direction=direction, changed=(EARLY, LATE)
    )
    assert found == winner


async def set_values(world: World, name: str, **values: Any) -> None:
    """Change an account as a person here would."""
    query = "SELECT account_id FROM accounts WHERE company_name = $1"
    (row,) = await world.fetch(query, name)
    async with world.database.tenant(world.organization_id) as connection:
        await set_user_values(
            connection, row["account_id"],
            values=values, observed_at="2026-11-20T10:00:00Z"
        )  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "theirs_later", "kept"),
    [
        ("theirs", False, 300),
        ("ours", True, 200),
        ("newest", False, 200),
        ("newest", True, 300),
        ("only_empty", True, None),
    ],
)
async def test_a_value_changed_on_both_sides(
    world: World, rule: Rule, theirs_later: bool, kept: int | None
) -> None:
    company = add_company(world.portal, 1)
    await world.choose(writes=True, rules={"full_time_employees": rule})
    await world.sync()
    await set_values(world, "Harbor Robotics 1", full_time_employees=200)
    day = datetime(2026, 11, 25 if theirs_later else 15, tzinfo=UTC)
    world.portal.clock = day
    world.portal.put("accounts", company, full_time_employees=world.portal.number(300))
    run = await world.sync()
    ours = (await world.account("Harbor Robotics 1"))["full_time_employees"]
    theirs = int(world.portal.value("accounts", company, "full_time_employees"))
    assert (ours, theirs) == ((kept, kept) if kept else (200, 300))
    row = (await world.log(run))["read_accounts", company]
    assert set(row["details"]["conflicts"]) == {"full_time_employees"}
    again = await world.sync()
    assert again["counts"]["write_accounts"] == {"unchanged": 1}
    assert again["counts"]["read_accounts"] in ({"unchanged": 1}, {})


async def test_what_changed_on_one_side_goes_to_the_other(world: World) -> None:
    company = add_company(world.portal, 1)
    await world.choose(writes=True)
    await world.sync()
    await set_values(world, "Harbor Robotics 1", full_time_employees=200)
    world.portal.put("accounts", company, hq_city="Porto")
    await world.sync()
    account = await world.account("Harbor Robotics 1")
    assert (account["hq_city"], account["full_time_employees"]) == ("Porto", 200)
    assert world.portal.value("accounts", company, "full_time_employees") == "200"


async def test_nothing_is_written_unless_a_person_says_so(world: World) -> None:
    company = add_company(world.portal, 1)
    await world.sync()
    await set_values(world, "Harbor Robotics 1", full_time_employees=200)
    run = await world.sync()
    assert "write_accounts" not in run["counts"]
    assert world.portal.value("accounts", company, "full_time_employees") == "101"


async def test_a_dry_run_writes_nothing_there_either(world: World) -> None:
    company = add_company(world.portal, 1)
    await world.choose(writes=True, creates=True)
    await world.sync()
    await set_values(world, "Harbor Robotics 1", full_time_employees=200)
    before = dict(world.portal.objects["accounts"][company].values)
    run = await world.sync(dry_run=True)
    assert run["counts"]["write_accounts"] == {"updated": 1}
    row = (await world.log(run))["write_accounts", company]
    assert row["details"]["fields"] == [world.portal.name("accounts", "full_time_employees")]
    assert world.portal.objects["accounts"][company].values == before


async def test_a_value_that_is_not_among_their_options_stays_here(world: World) -> None:
    company = add_company(world.portal, 1)
    await world.choose(writes=True, rules={"industry": "ours"})
    await world.sync()
    await set_values(world, "Harbor Robotics 1", industry="Waste Management")
    run = await world.sync()
    assert world.portal.value("accounts", company, "industry") == world.portal.software
    row = (await world.log(run))["write_accounts", company]
    assert row["details"]["not_among_options"] == ["industry"]


async def test_people_go_both_ways(world: World) -> None:
    person = add_person(world.portal, 1, add_company(world.portal, 1))
    await world.choose(writes=True)
    await world.sync()
    world.portal.put("contacts", person, current_job_title="Chief Operating Officer")
    run = await world.sync()
    assert run["counts"]["read_contacts"] == {"updated": 1}
    assert (await world.contacts())[0]["current_job_title"] == "Chief Operating Officer"
    assert run["counts"]["write_contacts"] == {"unchanged": 1}


async def test_accounts_that_the_crm_lacks_are_made_there_once(world: World) -> None:
    known = add_company(world.portal, 1, stage="lead")
    from sightline.crm.provider import Filter

    await world.sync()
    await world.fetch("DELETE FROM crm_links RETURNING 1")
    kept = add_company(world.portal, 2)
    await world.sync()
    del world.portal.objects["accounts"][kept]
    await world.fetch("DELETE FROM crm_links RETURNING 1")
    await world.choose(
        writes=True,
        creates=True,
        filters={"accounts": (Filter(world.portal.name("accounts", "stage"), "EQ", "no"),)},
    )
    run = await world.sync()
    assert run["counts"]["create_accounts"] == {"linked": 1, "created": 1}
    made = [each for each in world.portal.objects["accounts"].values() if each.id != known]
    site = world.portal.name("accounts", "website")
    assert [each.values[site] for each in made] == ["harbor2.example"]
    again = await world.sync()
    assert len(world.portal.objects["accounts"]) == 2
    assert again["counts"]["write_accounts"] == {"unchanged": 2}
