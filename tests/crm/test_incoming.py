"""What comes in from a CRM: by filter, by rule, once, and only what changed."""

from dataclasses import replace

from sightline.crm.provider import Filter
from sightline.domain.callers import OrganizationId
from tests.conftest import MakeTenant
from tests.crm.conftest import World, add_company, add_person


async def test_companies_and_people_come_in_once(world: World) -> None:
    company = add_company(world.portal, 1)
    person = add_person(world.portal, 1, company)
    run = await world.sync()
    assert (run["state"], run["error"], run["complete"]) == ("succeeded", None, True)
    assert run["counts"]["read_accounts"] == run["counts"]["read_contacts"] == {"created": 1}
    (account,), (contact,) = await world.accounts(), await world.contacts()
    assert account["company_name"] == "Harbor Robotics 1"
    assert account["website_domain"] == "harbor1.example"
    assert (account["hq_city"], account["hq_country_name"]) == ("Lisbon", "Portugal")
    assert account["full_time_employees"] == 101
    assert contact["company_id"] == account["company_id"]
    assert contact["emails"] == ["ana.prado1@harbor1.example"]
    log = await world.log(run)
    assert {(stage, row["action"]) for (stage, _), row in log.items()} == {
        ("read_accounts", "created"),
        ("read_contacts", "created"),
    }
    assert {record for _, record in log} == {company, person}
    again = await world.sync(everything=True)
    assert again["counts"]["read_accounts"] == again["counts"]["read_contacts"] == {"unchanged": 1}
    assert len(await world.accounts()) == len(await world.contacts()) == 1


async def test_only_what_fits_the_filter_comes_in(world: World) -> None:
    add_company(world.portal, 1, stage="customer")
    add_company(world.portal, 2, stage="lead")
    await world.choose(
        filters={"accounts": (Filter(world.portal.name("accounts", "stage"), "EQ", "customer"),)}
    )
    await world.sync()
    assert [each["website_domain"] for each in await world.accounts()] == ["harbor1.example"]


async def test_a_filter_on_a_property_that_is_gone_ends_the_run(world: World) -> None:
    await world.choose(filters={"accounts": (Filter("tier_2019", "EQ", "A"),)})
    run = await world.sync()
    assert run["state"] == "failed"
    assert "tier_2019" in run["error"]


async def test_a_dry_run_says_what_would_happen_and_changes_nothing(world: World) -> None:
    add_person(world.portal, 1, add_company(world.portal, 1))
    run = await world.sync(dry_run=True)
    assert run["state"] == "succeeded"
    assert run["counts"]["read_accounts"] == run["counts"]["read_contacts"] == {"created": 1}
    assert len(await world.log(run)) == 2
    assert await world.accounts() == await world.contacts() == []
    assert (
        await world.fetch("SELECT FROM crm_links") == await world.fetch("SELECT FROM imports") == []
    )


async def test_the_next_run_reads_only_what_changed(world: World) -> None:
    records = [add_company(world.portal, n) for n in range(3)]
    world.portal.clock = world.portal.clock.replace(hour=15)
    await world.sync()
    world.portal.put("accounts", records[1], full_time_employees=world.portal.number(555))
    run = await world.sync()
    assert run["complete"] is False
    assert run["counts"]["read_accounts"] == {"updated": 1}
    assert (await world.account("Harbor Robotics 1"))["full_time_employees"] == 555


async def test_their_clock_counts_however_ours_runs(world: World) -> None:
    world.portal.clock = world.portal.clock.replace(year=2019)
    company = add_company(world.portal, 1)
    world.portal.clock = world.portal.clock.replace(hour=15)
    await world.sync()
    world.portal.put("accounts", company, hq_city="Porto")
    assert (await world.sync())["counts"]["read_accounts"] == {"updated": 1}


async def test_more_than_a_search_can_page_through_comes_in(world: World) -> None:
    for n in range(450):
        add_company(world.portal, n)
    run = await world.sync()
    assert run["counts"]["read_accounts"] == {"created": 450}
    assert world.portal.pages.count("accounts") == 3


async def test_a_record_that_says_nothing_is_skipped_with_its_reason(world: World) -> None:
    empty = world.portal.put("contacts", current_job_title="Owner")
    run = await world.sync()
    row = (await world.log(run))["read_contacts", empty]
    assert row["action"] == "skipped"
    assert "neither a name nor an email" in row["details"]["reason"]


async def test_a_removed_record_is_noted_and_its_account_stays(world: World) -> None:
    company = add_company(world.portal, 1)
    await world.sync()
    world.portal.archive("accounts", company)
    run = await world.sync()
    assert run["counts"]["removed_accounts"] == {"removed": 1}
    assert len(await world.accounts()) == 1
    again = await world.sync()
    assert "removed_accounts" not in again["counts"] or not again["counts"]["removed_accounts"]
    world.portal.objects["accounts"][company].archived = False
    world.portal.put("accounts", company, hq_city="Porto")
    back = await world.sync()
    assert back["counts"]["read_accounts"] == {"updated": 1}
    assert len(await world.accounts()) == 1


async def test_a_renamed_property_is_said_and_loses_nothing(world: World) -> None:
    company = add_company(world.portal, 1)
    await world.sync()
    dropped = world.portal.name("accounts", "full_time_employees")
    world.portal.dropped.add(("accounts", dropped))
    world.portal.put("accounts", company, hq_city="Porto")
    run = await world.sync()
    assert run["state"] == "succeeded"
    assert run["warnings"] == [
        f"The property {dropped} of accounts was deleted or renamed; full_time_employees is left as it is."
    ]
    account = await world.account("Harbor Robotics 1")
    assert (account["hq_city"], account["full_time_employees"]) == ("Porto", 101)


async def test_a_new_address_does_not_make_a_second_contact(world: World) -> None:
    person = add_person(world.portal, 1)
    await world.sync()
    world.portal.put("contacts", person, emails="prado@elsewhere.example", last_name="Silva")
    run = await world.sync()
    assert run["counts"]["read_contacts"] == {"updated": 1}
    (contact,) = await world.contacts()
    assert contact["full_name"] == "Ana Silva"
    assert set(contact["emails"]) == {"ana.prado1@harbor1.example", "prado@elsewhere.example"}


async def test_who_is_suppressed_stays_out(world: World) -> None:
    from sightline.store.suppressions import suppress

    add_person(world.portal, 1)
    async with world.database.tenant(world.organization_id) as connection:
        await suppress(connection, ["e:ana.prado1@harbor1.example"], reason="asked")
    run = await world.sync()
    assert run["counts"]["read_contacts"] == {"suppressed": 1}
    assert await world.contacts() == []


async def test_an_import_of_a_run_can_be_undone(world: World) -> None:
    from sightline.imports.undo import undo_import

    add_company(world.portal, 1)
    await world.sync()
    (row,) = await world.fetch("SELECT import_id, state, created, rows_done FROM imports")
    assert (row["state"], row["created"], row["rows_done"]) == ("finished", 1, 1)
    await undo_import(world.worker, world.organization_id, row["import_id"], actor="user")
    assert await world.accounts() == []
    assert await world.fetch("SELECT FROM crm_links") == []


async def test_organizations_do_not_see_each_other(world: World, make_tenant: MakeTenant) -> None:
    add_company(world.portal, 1)
    run = await world.sync()
    other_id: OrganizationId = (await make_tenant("second")).organization_id
    other = replace(world, organization_id=other_id, portal=type(world.portal)())
    for table in ("crm_links", "crm_runs", "crm_log", "crm_notes", "accounts"):
        assert await other.fetch(f"SELECT FROM {table}") == []
    unconnected = await other.sync()
    assert (unconnected["state"], unconnected["error"]) == ("failed", "It is not connected.")
    await other.connect()
    assert (await other.sync())["counts"]["read_accounts"] == {}
    assert len(await world.log(run)) == 1
