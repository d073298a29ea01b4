"""An enrichment from the request to the record: what is found, what it costs, what goes wrong."""

from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.domain.callers import OrganizationId
from sightline.enrich import finish, pipeline
from sightline.store.credits import grant
from sightline.store.database import Connection, Database
from tests.conftest import MakeTenant, Tenant
from tests.enrich.conftest import Drain, RecordedWeb, parsed_urls

V1 = "/public-api/v1"


@pytest.fixture(autouse=True)
async def credits(database: Database, organization: OrganizationId) -> None:
    async with database.tenant(organization) as connection:
        await grant(connection, credit="company", amount=20, reason="test")


async def submit(client: httpx.AsyncClient, **body: str) -> dict[str, Any]:
    answer = await client.post(f"{V1}/companies", json=body)
    assert answer.status_code == 202, answer.text
    return answer.json()


async def read(client: httpx.AsyncClient, operation: dict[str, Any]) -> dict[str, Any]:
    answer = await client.get(operation["status_url"])
    assert answer.status_code == 200, answer.text
    return answer.json()


async def left(client: httpx.AsyncClient) -> int:
    answer = await client.get(f"{V1}/organization/credits")
    return int(answer.json()["credit_remaining"]["company_credits"])


async def test_a_domain_becomes_a_proven_record(client: httpx.AsyncClient, drain: Drain) -> None:
    answer = await client.post(
        f"{V1}/companies", json={"domain": "https://www.harbor.example/about"}
    )
    assert answer.status_code == 202
    accepted = answer.json()
    assert accepted["status"] == "queued"
    assert accepted["cost"] == {"credit": "company", "amount": 1, "state": "reserved"}
    assert answer.headers["location"] == accepted["status_url"]
    assert answer.headers["x-credits-charged"] == "1"
    assert answer.headers["x-credits-remaining"] == "19"
    queued = await read(client, accepted)
    assert (queued["status"], queued["next_poll_after"] is None) == ("queued", False)
    await drain()

    done = await read(client, accepted)
    assert done["status"] == "succeeded"
    assert done["match"]["status"] == "created"
    assert done["cost"]["state"] == "settled"
    assert done["progress"]["done"] == done["progress"]["total"]
    assert [s["status"] for s in done["steps"]] == ["succeeded"] * 4
    company = (await client.get(f"{V1}/companies/{done['company_id']}?provenance=true")).json()
    assert company["company_name"] == "Harbor Analytics"
    assert company["full_time_employees"] == 420
    assert company["hq_city"] == "Portland"
    city = company["provenance"]["hq_city"]
    assert city["url"] == "https://register.example/LEI1.txt"
    assert city["quote"] == 'hq_city: "Portland"'
    assert city["source"] == "register"
    facts = (await client.get(f"{V1}/companies/{done['company_id']}/facts?field=employees")).json()
    assert [f["value"] for f in facts["items"]] == [420]
    assert facts["items"][0]["wins"] is True
    accounts = (await client.post(f"{V1}/accounts", json={"company_name": "harbor"})).json()
    assert [a["full_time_employees"] for a in accounts["items"]] == [420]


async def test_the_same_company_within_thirty_days_is_free(
    client: httpx.AsyncClient, drain: Drain
) -> None:
    first = await submit(client, domain="harbor.example")
    await drain()
    assert await left(client) == 19
    again = await submit(client, domain="harbor.example")
    assert again["cost"] == {"credit": "company", "amount": 0, "state": "none"}
    assert again["company_id"] == (await read(client, first))["company_id"]
    by_name = await submit(client, company_name="Harbor Analytics Inc")
    assert by_name["cost"]["state"] == "none", "it is the account of that name"
    by_number = await submit(
        client, company_name="Harbor Analytics", external_id="LEI1", source_system="lei"
    )
    assert by_number["cost"]["state"] == "reserved", "which company it is shows only later"
    await drain()
    done = await read(client, by_number)
    assert (done["status"], done["cost"]["state"]) == ("succeeded", "released")
    assert await left(client) == 19


async def test_a_name_in_the_register_is_enough(client: httpx.AsyncClient, drain: Drain) -> None:
    made = await submit(
        client, company_name="Northwind Shipping", external_id="N1", source_system="crm"
    )
    await drain()
    done = await read(client, made)
    assert done["status"] == "succeeded", done
    assert done["match"]["features"]
    again = await submit(client, company_name="anything", external_id="N1", source_system="crm")
    assert again["company_id"] == done["company_id"], "known by the external id"


async def test_an_ambiguous_name_makes_nothing_and_lists_candidates(
    client: httpx.AsyncClient, drain: Drain, database: Database
) -> None:
    made = await submit(client, company_name="Atlas Works")
    await drain()
    done = await read(client, made)
    assert (done["status"], done["match"]["status"]) == ("failed", "ambiguous")
    assert done["error"]["code"] == "company_ambiguous"
    assert [step["status"] for step in done["steps"]] == ["nothing_found", *["skipped"] * 3]
    assert {c["country_code"] for c in done["match"]["candidates"][:2]} == {"GB", "US"}
    assert all(c["features"] for c in done["match"]["candidates"][:2])
    assert done["company_id"] is None
    assert (done["cost"]["state"], await left(client)) == ("released", 20)
    async with database.connection() as connection:
        assert await connection.fetchval("SELECT count(*) FROM companies") == 0


async def test_an_ambiguous_name_says_how_to_be_understood_and_that_works(
    client: httpx.AsyncClient, drain: Drain
) -> None:
    made = await submit(client, company_name="Atlas Works")
    await drain()
    done = await read(client, made)
    meant = done["match"]["candidates"][0]
    said = done["error"]["message"]
    assert said.startswith("Several companies match Atlas Works: ")
    assert f"lei {meant['identifiers']['lei']}" in said
    assert 'external_id with source_system "lei"' in said
    made = await submit(
        client,
        company_name="Atlas Works",
        external_id=meant["identifiers"]["lei"],
        source_system="lei",
    )
    await drain()
    done = await read(client, made)
    assert done["match"]["status"] == "created"
    assert done["match"]["features"]["same_identifier"] == 1.0


@pytest.mark.parametrize(
    "body",
    [
        {"company_name": "Maria Lindqvist"},
        {"company_name": "Zzyzx Nonexistent Holdings"},
        {"domain": "gone.example"},
    ],
    ids=["person", "unknown", "dead-domain"],
)
async def test_what_nobody_knows_costs_nothing(
    client: httpx.AsyncClient, drain: Drain, body: dict[str, str]
) -> None:
    made = await submit(client, **body)
    await drain()
    done = await read(client, made)
    assert (done["status"], done["match"]["status"]) == ("failed", "not_found")
    assert done["error"]["code"] == "company_not_found"
    assert await left(client) == 20


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "body"),
        ({"company_name": "  "}, "body"),
        ({"company_name": "!!!"}, "company_name"),
        ({"domain": "192.168.0.1"}, "domain"),
        ({"domain": "localhost"}, "domain"),
        ({"domain": "https://user:secret@harbor.example"}, "domain"),
        ({"domain": "linkedin.com/company/x"}, "domain"),
        ({"id": "nonsense"}, "id"),
    ],
)
async def test_bad_input_is_refused_at_once(
    client: httpx.AsyncClient, body: dict[str, str], path: str
) -> None:
    answer = await client.post(f"{V1}/companies", json=body)
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["details"]["fields"][0]["path"] == path
    assert await left(client) == 20


async def test_an_unchanged_company_is_read_and_parsed_once(
    client: httpx.AsyncClient, drain: Drain
) -> None:
    await submit(client, domain="harbor.example")
    await drain()
    parsed_urls.clear()
    again = await submit(client, domain="harbor.example")
    await drain()
    done = await read(client, again)
    assert parsed_urls == []
    assert [s["found"] for s in done["steps"] if s["name"] == "collect"] == [{"unchanged": 1}] * 2


async def test_a_changed_page_replaces_what_it_said(
    client: httpx.AsyncClient, drain: Drain, web: RecordedWeb
) -> None:
    made = await submit(client, domain="harbor.example")
    await drain()
    company_id = (await read(client, made))["company_id"]
    page = 'company_name: "Harbor Analytics"\nwebsite_domain: "harbor.example"\nemployees: 500'
    web.answer("https://harbor.example/", page, media_type="text/plain")
    await submit(client, domain="harbor.example")
    await drain()
    facts = (await client.get(f"{V1}/companies/{company_id}/facts")).json()["items"]
    assert [f["value"] for f in facts if f["field"] == "employees"] == [500]
    assert not [f for f in facts if f["field"] == "description"], "it is said no longer"
    company = (await client.get(f"{V1}/companies/{company_id}")).json()
    assert (company["full_time_employees"], company["description"]) == (500, None)


async def test_a_quote_that_is_not_in_the_document_proves_nothing(
    client: httpx.AsyncClient, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sightline.domain.evidence import Body, Observation, Parsed
    from tests.enrich import conftest

    def lie(body: Body) -> Parsed:
        reported = Observation("employees", 9_999, "text", 1.0, quote="we employ 9,999 people")
        name = Observation("company_name", "Harbor Analytics", "text", 1.0, quote="Reads the sea")
        return Parsed(kind="page", text=body.content.decode(), observations=(reported, name))

    monkeypatch.setattr(conftest, "parse_site", lie)
    made = await submit(client, domain="harbor.example")
    await drain()
    done = await read(client, made)
    company = (await client.get(f"{V1}/companies/{done['company_id']}")).json()
    assert company["full_time_employees"] is None


async def test_cancelled_before_it_starts(client: httpx.AsyncClient, drain: Drain) -> None:
    made = await submit(client, domain="harbor.example")
    answer = await client.post(f"{made['status_url']}/cancel")
    assert answer.status_code == 200
    await drain()
    done = await read(client, made)
    assert (done["status"], done["cost"]["state"]) == ("cancelled", "released")
    assert {step["status"] for step in done["steps"]} == {"skipped"}
    assert await left(client) == 20
    again = await client.post(f"{made['status_url']}/cancel")
    assert again.json()["status"] == "cancelled"


async def test_cancelled_while_its_record_is_decided(
    client: httpx.AsyncClient, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was accepted: the credit comes back, and no account is made after it."""
    decide = finish.settle_company

    async def late(connection: Connection, company_id: UUID) -> dict[str, int] | None:
        answer = await client.post(f"{made['status_url']}/cancel")
        assert answer.json()["status"] == "running"
        return await decide(connection, company_id)

    made = await submit(client, domain="harbor.example")
    monkeypatch.setattr(pipeline, "settle_company", late)
    await drain()
    done = await read(client, made)
    assert (done["status"], done["cost"]["state"]) == ("cancelled", "released")
    assert await left(client) == 20
    assert (await client.post(f"{V1}/accounts", json={})).json()["items"] == []


async def test_bulk_items_end_each_by_itself(client: httpx.AsyncClient, drain: Drain) -> None:
    items = [
        {"domain": "harbor.example", "external_id": "a"},
        {"company_name": "Northwind Shipping", "external_id": "b"},
        {"company_name": "Zzyzx Nonexistent", "external_id": "c"},
    ]
    answer = await client.post(f"{V1}/companies/bulk", json={"items": items})
    assert answer.status_code == 202, answer.text
    made = answer.json()
    assert (made["items"], made["cost"]["amount"], await left(client)) == (3, 3, 17)
    await drain()
    done = await read(client, made)
    assert (done["status"], done["progress"]) == ("partial", {"done": 3, "total": 3})
    assert done["cost"] == {"credit": "company", "amount": 2, "state": "settled"}
    assert await left(client) == 18
    listed = (await client.get(f"{made['status_url']}/items")).json()["items"]
    assert [(i["external_id"], i["status"]) for i in listed] == [
        ("a", "succeeded"),
        ("b", "succeeded"),
        ("c", "failed"),
    ]
    retried = await client.post(f"{made['status_url']}/retry")
    assert retried.status_code == 202
    assert retried.json()["items"] == 1
    operations = (await client.get(f"{V1}/operations")).json()
    assert operations["pagination"]["total"] == 2, "items are not listed beside their operation"


async def test_too_few_credits_refuse_the_whole_bulk(client: httpx.AsyncClient) -> None:
    items = [{"company_name": f"Company {n}"} for n in range(21)]
    answer = await client.post(f"{V1}/companies/bulk", json={"items": items})
    assert answer.status_code == 402
    assert answer.json()["error"]["details"]["needed"] == 21
    assert await left(client) == 20
    assert (await client.get(f"{V1}/operations")).json()["pagination"]["total"] == 0


async def test_a_dry_run_tells_the_price_and_does_nothing(client: httpx.AsyncClient) -> None:
    answer = await client.post(f"{V1}/companies?dry_run=true", json={"domain": "harbor.example"})
    assert answer.status_code == 200
    assert answer.json() == {"dry_run": True, "credit": "company", "amount": 1, "remaining": 20}
    assert (await client.get(f"{V1}/operations")).json()["items"] == []


async def test_own_values_win_and_stay_out_of_the_catalogue(
    client: httpx.AsyncClient,
    drain: Drain,
    database: Database,
    tenant: Tenant,
    make_tenant: MakeTenant,
) -> None:
    from sightline.store.account_writes import set_user_values

    made = await submit(client, domain="harbor.example")
    await drain()
    company_id = (await read(client, made))["company_id"]
    async with database.tenant(tenant.organization_id) as connection:
        account_id = await connection.fetchval("SELECT account_id FROM accounts")
        await set_user_values(
            connection,
            account_id,
            values={"full_time_employees": 7},
            observed_at="2026-01-01T00:00:00Z",
        )
    await submit(client, domain="harbor.example")
    await drain()
    company = (await client.get(f"{V1}/companies/{company_id}?provenance=true")).json()
    assert company["full_time_employees"] == 7
    assert company["provenance"]["full_time_employees"]["alternatives"][0]["value"] == 420
    other = await make_tenant("second")
    answer = await client.get(f"{V1}/companies/{company_id}", headers={"x-api-key": other.key})
    assert answer.json()["full_time_employees"] == 420
