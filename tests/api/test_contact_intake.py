"""Contacts from rows in a request, and from what public sources say of a company."""

import json
import time
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.imports import columns, contacts_row, spool
from sightline.kit.ids import new_id
from sightline.store.credits import grant
from sightline.store.database import Database
from tests.api.accounts_data import add_catalogue_company
from tests.api.contacts_data import CONTACTS, create, found
from tests.conftest import Tenant

IMPORT = f"{CONTACTS}/import"
PEOPLE: list[dict[str, Any]] = [
    {"name": "Ada Lind", "title": "Director", "role": "director"},
    {"name": "Grace Oduya", "title": "Chief Executive Officer", "role": "officer"},
    {"name": "Ben Ruiz", "title": "Chief Financial Officer", "role": "officer"},
    {"name": "Ben A. Ruiz", "title": "", "role": "insider"},
    {"name": "Gone Early", "title": "President", "role": "officer", "until": "2020-01-01"},
]


async def test_rows_are_answered_one_by_one(client: httpx.AsyncClient) -> None:
    rows = [
        {
            "Name": "Mira Tanaka",
            "Email": "m@x.example",
            "Job Title": "VP Sales",
            "Phone": "+14155550134",
        },
        {"Name": "Mira Tanaka", "Email": "M@x.example", "Job Title": "Intern"},
        {"Name": "", "Email": "nonsense"},
        {"Name": "John Okoro", "Email": ["j@x.example"], "Phone": "12"},
    ]
    response = await client.post(IMPORT, json={"rows": rows})
    assert response.status_code == 200, response.text
    answer = response.json()
    statuses = [row["status"] for row in answer["results"]]
    assert statuses == ["created", "unchanged", "invalid", "created"]
    assert (answer["created"], answer["unchanged"], answer["invalid"]) == (2, 1, 1)
    assert answer["results"][0]["contact_id"] == answer["results"][1]["contact_id"]
    assert "different value" in answer["results"][1]["problems"][0]["message"]
    assert answer["results"][3]["problems"][0]["field"] == "Phone"
    again = (await client.post(IMPORT, json={"rows": rows})).json()
    assert (again["created"], again["updated"]) == (0, 1)  # the second row is news to a new import
    same = (await client.post(IMPORT, json={"rows": [rows[3]]})).json()
    assert same["unchanged"] == 1
    assert set(await found(client)) == {"Mira Tanaka", "John Okoro"}


async def test_a_mapping_is_taken_or_refused(client: httpx.AsyncClient) -> None:
    body = {"rows": [{"a": "Mira Tanaka", "b": "030 901820"}], "country": "DE"}
    refused = await client.post(IMPORT, json=body)
    error = refused.json()["error"]
    assert (refused.status_code, error["details"]["fields"][0]["path"]) == (400, "mapping")
    assert "Columns found: 'a', 'b'. Name one in `mapping`" in error["message"]
    assert "--map" not in refused.text, "that is for the command line"
    body["mapping"] = {"a": "full_name", "b": "phone"}
    assert (await client.post(IMPORT, json=body)).json()["created"] == 1
    for wrong in ({"c": "full_name"}, {"a": "colour"}):
        assert (await client.post(IMPORT, json=body | {"mapping": wrong})).status_code == 400


def spin(*_: object) -> None:
    """Stands for a reader that never ends."""
    while True:
        time.process_time()


async def test_rows_are_read_where_reading_can_be_ended(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"Name": f"Mira Tanaka {n}", "Email": f"mira{n}@x.example"} for n in range(2)]

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the rows were read in the process that serves")

    for module in (contacts_row, columns, spool):
        for name in ("read_contact", "guess_mapping", "rows_of"):
            monkeypatch.setattr(module, name, never, raising=False)
    assert (await client.post(IMPORT, json={"rows": rows})).json()["created"] == 2
    monkeypatch.setattr(spool, "_SECONDS", 1.0)
    monkeypatch.setattr(spool, "_people", spin)
    refused = await client.post(IMPORT, json={"rows": rows})
    assert refused.status_code == 400, refused.text
    message = refused.json()["error"]["message"]
    assert message == "The list was not read: reading it took more than 1 s of processor time."
    monkeypatch.undo()
    assert (await client.post(IMPORT, json={"rows": rows})).json()["unchanged"] == 2


@pytest.fixture
async def company(owner: Database, database: Database, tenant: Tenant) -> UUID:
    company_id = await add_catalogue_company(owner, {"company_name": f"Tide Labs {new_id()}"})
    await add_people(owner, company_id, PEOPLE)
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="contact", amount=3, reason="test")
    return company_id


async def add_people(owner: Database, company_id: UUID, people: list[dict[str, Any]]) -> None:
    """Facts about people, all from one page."""
    document_id = new_id()
    url = f"https://tide-labs.example/{document_id}"
    async with owner.connection() as connection:
        digest = document_id.bytes * 2
        await connection.execute("INSERT INTO blobs (sha256, bytes) VALUES ($1, 0)", digest)
        await connection.execute(
            """
            INSERT INTO documents (document_id, url, final_url, sha256, source, kind, parser,
              media_type, headers, body_text, fetched_at)
            VALUES ($1, $2, $2, $3, 'website', 'page', 1, 'text/html', '{}', 'text', $4)
            """,
            document_id,
            url,
            digest,
            datetime.now(UTC),
        )
        for person in people:
            await connection.execute(
                """
                INSERT INTO facts (company_id, fact_id, field, member, value, source, document_id,
                  quote, method, confidence, first_seen_at)
                VALUES ($1, $2, 'person', $3, $4, 'website', $5, $6, 'text', 0.9, now())
                """,
                company_id,
                new_id(),
                person["name"].lower(),
                person,
                document_id,
                f"{person['name']} works here",
            )


def discover(company_id: UUID) -> str:
    return f"{BASE_PATH}/companies/{company_id}/contacts/discover"


async def test_people_of_public_sources_become_contacts(
    client: httpx.AsyncClient, company: UUID
) -> None:
    dry = await client.post(discover(company), params={"dry_run": "true"})
    assert (dry.json()["amount"], dry.json()["remaining"]) == (3, 3)
    assert await found(client) == []
    response = await client.post(discover(company), params={"max": 2})
    assert response.status_code == 200, response.text
    answer = response.json()
    # Leaders first; Ben Ruiz is one person, and who has left is no contact.
    assert [each["full_name"] for each in answer["contacts"]] == ["Grace Oduya", "Ben Ruiz"]
    assert (answer["created"], answer["remaining"], answer["charged"]) == (2, 1, 2)
    assert response.headers["x-credits-charged"] == "2"
    assert response.headers["x-credits-type"] == "contact"
    assert response.headers["x-credits-remaining"] == "1"
    grace = answer["contacts"][0]
    assert grace["company_id"] == str(company)
    read = await client.get(f"{CONTACTS}/{grace['id']}", params={"provenance": "true"})
    origin = read.json()["provenance"]["full_name"]
    assert (origin["source"], origin["origin"]) == ("discovery", "website")
    assert origin["quote"] == "Grace Oduya works here"
    rest = (await client.post(discover(company))).json()
    assert (rest["created"], rest["existing"], rest["charged"]) == (1, 2, 1)
    again = await client.post(discover(company))
    assert (again.json()["created"], again.headers["x-credits-charged"]) == (0, "0")


async def test_nobody_is_charged_for_twice(client: httpx.AsyncClient, company: UUID) -> None:
    made = (await client.post(discover(company), params={"max": 1})).json()["contacts"]
    await client.delete(f"{CONTACTS}/{made[0]['id']}")
    again = await client.post(discover(company), params={"max": 1})
    assert again.json()["contacts"][0]["full_name"] == made[0]["full_name"]
    assert again.headers["x-credits-charged"] == "0"
    assert again.headers["x-credits-remaining"] == "2"


async def test_another_spelling_of_a_name_is_nobody_new(
    client: httpx.AsyncClient, owner: Database, company: UUID
) -> None:
    first = (await client.post(discover(company))).json()
    spellings = ["ODUYA GRACE M", "Grace M. Oduya", "Benjamin Ruiz"]
    await add_people(owner, company, [{"name": each, "title": "President"} for each in spellings])
    again = await client.post(discover(company))
    assert (again.json()["created"], again.headers["x-credits-charged"]) == (0, "0")
    assert again.json()["existing"] == first["created"]


async def test_without_credits_nothing_is_made(
    client: httpx.AsyncClient, owner: Database, company: UUID
) -> None:
    await add_people(owner, company, [{"name": "Fourth Person", "title": "CTO", "role": "officer"}])
    response = await client.post(discover(company))
    assert response.status_code == 402
    details = response.json()["error"]["details"]
    assert (details["credit"], details["needed"], details["remaining"]) == ("contact", 4, 3)
    assert await found(client) == []


async def test_suppressed_and_known_people_are_not_discovered(
    client: httpx.AsyncClient, company: UUID
) -> None:
    record = (await client.get(f"{BASE_PATH}/companies/{company}")).json()
    name = record["company_name"]
    await create(client, {"full_name": "Ada Lind", "company": {"name": name}})
    gone = {"full_name": "Grace Oduya", "company_name": name}
    await client.post(f"{CONTACTS}/erasures", json=gone)
    answer = (await client.post(discover(company))).json()
    assert (answer["created"], answer["existing"], answer["suppressed"]) == (1, 1, 1)
    assert set(await found(client)) == {"Ada Lind", "Ben Ruiz"}


async def test_what_a_person_entered_stays(client: httpx.AsyncClient, company: UUID) -> None:
    (grace,) = (await client.post(discover(company), params={"max": 1})).json()["contacts"]
    await client.patch(f"{CONTACTS}/{grace['id']}", json={"current_job_title": "Founder"})
    rows = [
        {"id": "1", "Name": "Grace Oduya", "Title": "Janitor", "Company": grace["company"]["name"]}
    ]
    imported = (await client.post(IMPORT, json={"rows": rows})).json()
    assert imported["unchanged"] == 1, imported
    read = (await client.get(f"{CONTACTS}/{grace['id']}")).json()
    assert read["current_job_title"] == "Founder"


async def test_old_evidence_names_nobody(
    client: httpx.AsyncClient, owner: Database, company: UUID
) -> None:
    old = (datetime.now(UTC) - timedelta(days=4 * 365)).date()
    async with owner.connection() as connection:
        await connection.execute(
            "UPDATE facts SET as_of = $2 WHERE company_id = $1 AND member <> 'ada lind'",
            company,
            old,
        )
    answer = (await client.post(discover(company))).json()
    assert [each["full_name"] for each in answer["contacts"]] == ["Ada Lind"]


async def test_an_unknown_company(client: httpx.AsyncClient) -> None:
    response = await client.post(discover(new_id()))
    assert response.json()["error"]["code"] == "company_not_found"
    assert json.loads(response.text)
