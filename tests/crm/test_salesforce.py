"""What is Salesforce's alone: its query language, its types, its field for our ids, where its tokens go."""

from dataclasses import replace
from typing import Any, cast

import pytest

from sightline.crm.client import CrmClient, exchange_code
from sightline.crm.provider import App, ConnectionIsOver, CrmRefuses, Filter, Tokens
from sightline.crm.salesforce.dialect import DIALECT, open_client
from sightline.crm.salesforce.objects import Salesforce
from tests.crm.conftest import World, add_company, add_person
from tests.crm.org import SITE, Org
from tests.crm.test_notes import add_news


@pytest.fixture
def org() -> Org:
    return Org()


async def keep(tokens: Tokens) -> None:
    """Nothing is kept here."""


@pytest.fixture
def salesforce(org: Org) -> Salesforce:
    return Salesforce(open_client(org, org.tokens(), keep))


async def found(salesforce: Salesforce, *filters: Filter) -> list[str]:
    page = await salesforce.changed("accounts", ["Name"], filters=filters, since=None, after=None)
    assert page.total == len(page.records)
    return [each.values["Name"] for each in page.records]


@pytest.mark.parametrize(
    ("property", "operator", "value", "fits"),
    [
        ("Name", "EQ", r"O'Hare \ Sons", [r"O'Hare \ Sons"]),
        ("Name", "EQ", "x' OR Name != '", []),
        ("Name", "CONTAINS_TOKEN", "hare", [r"O'Hare \ Sons"]),
        ("Name", "NOT_HAS_PROPERTY", None, []),
        ("Type", "HAS_PROPERTY", None, ["Quay"]),
        ("Type", "IN", "Customer, Partner", ["Quay"]),
        ("NumberOfEmployees", "GTE", "40", [r"O'Hare \ Sons"]),
        ("NumberOfEmployees", "LT", "40", ["Quay"]),
        ("AnnualRevenue", "GT", "1.5", ["Quay"]),
        ("Is_Partner__c", "EQ", "true", ["Quay"]),
        ("Rated_On__c", "GTE", "2026-02-01", ["Quay"]),
        ("SystemModstamp", "GTE", "2026-11-01T09:00:02+00:00", ["Quay"]),
    ],
)
async def test_a_filter_is_a_condition_and_never_more(
    org: Org, salesforce: Salesforce, property: str, operator: str, value: str | None, fits: Any
) -> None:
    org.put("accounts", Name=r"O'Hare \ Sons", NumberOfEmployees=40, Rated_On__c="2026-01-09")
    org.put(
        "accounts", Name="Quay", NumberOfEmployees=7, Type="Partner", AnnualRevenue=2.0,
        Is_Partner__c=True, Rated_On__c="2026-03-09",
    )  # fmt: skip
    assert await found(salesforce, Filter(property, operator, value)) == fits


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (Filter("Name FROM User --", "EQ", "x"), "no field"),
        (Filter("NumberOfEmployees", "EQ", "7 OR Id != null"), "is no int"),
        (Filter("Rated_On__c", "EQ", "soon"), "is no date"),
        (Filter("Name", "SOUNDS_LIKE", "x"), "not a Salesforce filter"),
    ],
)
async def test_what_is_no_condition_is_refused(
    org: Org, salesforce: Salesforce, given: Filter, said: str
) -> None:
    with pytest.raises(CrmRefuses, match=said):
        await found(salesforce, given)
    assert not any("/query" in each for each in org.asked)


async def test_answers_in_parts_are_put_together(org: Org, salesforce: Salesforce) -> None:
    ids = [org.put("accounts", Name=f"Harbor {n}") for n in range(250)]
    org.part = 40
    first = await salesforce.changed("accounts", [], filters=[], since=None, after=None)
    second = await salesforce.changed("accounts", [], filters=[], since=None, after=first.after)
    assert [each.record_id for each in (*first.records, *second.records)] == ids
    assert (first.total, len(first.records), second.after) == (250, 200, None)


async def test_two_hundred_are_written_at_once(org: Org, salesforce: Salesforce) -> None:
    ids = [org.put("accounts", Name=f"Harbor {n}") for n in range(200)]
    written = await salesforce.update(
        "accounts", {each: {"NumberOfEmployees": "9"} for each in ids}
    )
    assert len(written.done) == 200
    assert org.asked.count("PATCH /services/data/v62.0/composite/sobjects") == 1
    assert set(org.column("accounts", "NumberOfEmployees")) == {"9"}


async def test_a_person_s_company_has_a_name_though_it_is_no_account(
    org: Org, salesforce: Salesforce
) -> None:
    add_person(org, 1, add_company(org, 1))
    add_person(org, 2)
    page = await salesforce.changed(
        "contacts", ["Account.Name"], filters=[], since=None, after=None
    )
    assert [each.values.get("Account.Name") for each in page.records] == ["Harbor Robotics 1", None]
    assert (await salesforce.properties("contacts"))["Account.Name"].read_only


async def test_an_account_is_known_by_any_form_of_its_web_site(
    org: Org, salesforce: Salesforce
) -> None:
    known = org.put("accounts", Website="https://www.Harbor2.example/en")
    org.put("accounts", Website="https://quay.example")
    records = await salesforce.with_site(
        ["Website"], "Website", ["harbor1.example", "harbor2.example"]
    )
    assert [each.record_id for each in records] == [known]


async def test_a_list_too_long_for_an_address_is_asked_in_parts(
    org: Org, salesforce: Salesforce
) -> None:
    domains = [f"a-rather-long-name-of-harbor-number-{n}.example" for n in range(200)]
    ids = [org.put("accounts", Website=each) for each in domains]
    records = await salesforce.with_site(["Website"], "Website", domains)
    assert [each.record_id for each in records] == ids
    assert [each.record_id for each in await salesforce.read("accounts", ["Name"], ids)] == ids


async def test_without_the_field_for_our_ids_nothing_is_made(
    org: Org, salesforce: Salesforce
) -> None:
    org.dropped.add(("accounts", "Sightline_Id__c"))
    with pytest.raises(CrmRefuses, match="Sightline_Id__c of Account"):
        await salesforce.create("accounts", {"one": {"Name": "Harbor"}})
    assert org.objects["accounts"] == {}


async def test_what_is_read_only_is_not_written(org: Org, salesforce: Salesforce) -> None:
    properties = await salesforce.properties("accounts")
    assert properties["SystemModstamp"].read_only
    assert not properties["Name"].read_only


@pytest.mark.parametrize("site", ["https://salesforce.com.evil.example", "http://a.salesforce.com"])
async def test_tokens_go_to_salesforce_alone(org: Org, site: str) -> None:
    with pytest.raises(ConnectionIsOver, match="not a Salesforce URL"):
        open_client(org, replace(org.tokens(), site=site), keep)


async def test_a_code_becomes_tokens_for_one_site(org: Org) -> None:
    app = App("app-id", "app-secret", "http://localhost")
    tokens = await exchange_code(DIALECT, org, app, org.code)
    assert tokens == Tokens(org.token, org.refresh, "app-id", "app-secret", SITE)
    with pytest.raises(ConnectionIsOver, match="invalid code"):
        await exchange_code(DIALECT, org, app, "another")
    client: CrmClient = open_client(org, tokens, keep)
    assert cast("dict[str, Any]", await client.ask("GET", "/services/data/v62.0/limits"))


@pytest.mark.parametrize("world", ["salesforce"], indirect=True)
async def test_a_note_is_a_completed_task(world: World) -> None:
    company = add_company(world.portal, 1)
    await world.choose(writes=True, notes=("signals",))
    await world.sync()
    await add_news(world, "Harbor Robotics 1")
    await world.sync()
    (task,) = world.portal.objects["notes"].values()
    assert (task.values["WhatId"], task.values["Status"]) == (company, "Completed")
    assert "acquires" in task.values["Subject"]
