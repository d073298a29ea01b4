"""Contacts by the API: the record, search, merging, changes."""

from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.store.database import Database
from tests.api.accounts_data import add_accounts
from tests.api.contacts_data import ANNE, CONTACTS, JOHN, MIRA, create, found
from tests.conftest import MakeTenant, Tenant


@pytest.fixture
async def people(client: httpx.AsyncClient) -> httpx.AsyncClient:
    await create(client, MIRA, JOHN, ANNE)
    return client


async def test_the_record_is_whole(client: httpx.AsyncClient) -> None:
    (made,) = await create(client, MIRA)
    read = (await client.get(f"{CONTACTS}/{made['id']}")).json()
    assert read == made
    assert UUID(read["id"]).version == 7
    assert (read["full_name"], read["first_name"], read["last_name"]) == (
        "Mira Tanaka",
        "Mira",
        "Tanaka",
    )
    assert read["emails"] == ["mira.tanaka@harbor.example"]
    assert read["phones"] == ["+14155550134"]
    assert (read["country"], read["country_code"]) == ("United States", "US")
    assert read["profile_network_url"] == "https://www.linkedin.com/in/mira-tanaka"
    assert (read["seniority"], read["department"]) == ("vp", "sales")
    assert read["company"] == {"name": "Harbor Analytics Inc"}
    assert read["updated_at"] is None
    current, past = read["experience"]
    assert (current["title"], current["company"], current["is_current"]) == (
        "VP Sales",
        "Harbor Analytics Inc",
        True,
    )
    assert past["start_date"] == "2019-03-01T00:00:00Z"
    assert (past["is_current"], past["end_date"]) == (False, "2021-05-31T00:00:00Z")
    assert read["education"][0]["end_year"] == 2012


SEARCHES: list[tuple[dict[str, Any], set[str]]] = [
    ({}, {"Mira", "John", "Anne"}),
    ({"name": "tana"}, {"Mira"}),
    ({"name": "van der Berg"}, {"Anne"}),
    ({"name": "MIRA t"}, set()),
    ({"title": "vice president"}, {"Mira"}),
    ({"title": "CFO"}, {"John", "Anne"}),
    ({"title": ["VP of Sales", "finance"]}, {"Mira"}),
    ({"title": "cfo", "title_exclude": "assistant"}, {"John"}),
    ({"seniority": "c_suite"}, {"John"}),
    ({"seniority": ["vp", "C-Suite"]}, {"Mira", "John"}),
    ({"department": "finance"}, {"John"}),
    ({"skills": ["machine learning", "welding"]}, {"Mira"}),
    ({"country": ["Germany", "US"]}, {"Mira", "John"}),
    ({"location": "berlin"}, {"John"}),
    ({"company_name": "quarry works"}, {"John", "Anne"}),
    ({"past_company": "Quarry"}, {"Mira"}),
    ({"has_email": True}, {"Mira", "John"}),
    ({"has_email": False}, {"Anne"}),
    ({"has_phone": True, "country": "US"}, {"Mira"}),
    ({"email": "JOHN@quarry.example"}, {"John"}),
    ({"email": "nobody@quarry.example"}, set()),
    ({"q": "instruments tanaka"}, {"Mira"}),
    ({"q": "excel"}, {"Anne"}),
    ({"q": "nothing of the kind"}, set()),
    ({"q": "???"}, set()),
    ({"updated_since": "2000-01-01T00:00:00Z"}, {"Mira", "John", "Anne"}),
    ({"updated_since": "2999-01-01T00:00:00Z"}, set()),
    ({"company_ids": []}, set()),
]


@pytest.mark.parametrize(
    ("body", "expected"), SEARCHES, ids=lambda v: str(sorted(v) if isinstance(v, set) else v)[:60]
)
async def test_search(people: httpx.AsyncClient, body: dict[str, Any], expected: set[str]) -> None:
    names = {name.partition(" ")[0].partition("-")[0] for name in await found(people, **body)}
    assert names == expected


async def test_unknown_values_of_a_vocabulary_are_told(people: httpx.AsyncClient) -> None:
    response = await people.post(f"{CONTACTS}/search", json={"seniority": "directr"})
    assert response.json()["data"] == []
    assert '"director"' in response.headers["x-warning"]


async def test_live_search_is_refused(people: httpx.AsyncClient) -> None:
    response = await people.post(f"{CONTACTS}/search?live=true", json={})
    assert (response.status_code, response.json()["error"]["type"]) == (400, "validation_error")
    assert (await people.post(f"{CONTACTS}/search?live=false")).status_code == 200


async def test_lists_page_newest_first(client: httpx.AsyncClient) -> None:
    many = [{"full_name": f"Person Number{n:02}", "emails": [f"p{n}@x.example"]} for n in range(7)]
    await create(client, *many)
    expected = [person["full_name"] for person in reversed(many)]
    by_page = []
    for page in range(1, 5):
        answer = (await client.get(CONTACTS, params={"page": page, "per_page": 2})).json()
        assert answer["pagination"]["limit"] == 2
        assert (answer["pagination"]["page"], answer["pagination"]["total"]) == (page, 7)
        by_page += [each["full_name"] for each in answer["data"]]
    assert by_page == expected
    by_cursor, cursor = [], None
    while True:
        body: dict[str, Any] = {"limit": 3} | ({"cursor": cursor} if cursor else {})
        answer = (await client.post(f"{CONTACTS}/search", json=body)).json()
        by_cursor += [each["full_name"] for each in answer["data"]]
        if cursor is None:
            await create(client, {"full_name": "Late Comer", "emails": ["late@x.example"]})
        cursor = answer["pagination"]["next_cursor"]
        if cursor is None:
            break
    assert by_cursor == expected


async def test_accounts_narrow_the_search(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    added = await add_accounts(
        database,
        tenant.organization_id,
        [
            {"company_name": "Harbor Analytics", "industry": "Software"},
            {"company_name": "Quarry Works", "industry": "Mining"},
        ],
    )
    mira, john = await create(client, MIRA, JOHN)
    assert (mira["company_id"], john["company_id"]) == tuple(str(a.company_id) for a in added)
    assert await found(client, company_ids=[mira["company_id"]]) == ["Mira Tanaka"]
    software = {"field": "industry", "op": "eq", "value": "Software"}
    assert await found(client, account_filter=software) == ["Mira Tanaka"]
    assert await found(client, account_filter={"not": software}) == ["John Okoro"]
    cased = {"field": "description", "op": "blank"}  # needs the record
    assert len(await found(client, account_filter=cased)) == 2
    wrong = await client.post(f"{CONTACTS}/search", json={"account_filter": {"field": "x"}})
    assert wrong.json()["error"]["code"] == "invalid_filter"
    listed = (await client.get(f"{BASE_PATH}/companies/{mira['company_id']}/contacts")).json()
    assert [each["id"] for each in listed["contacts"]] == [mira["id"]]
    assert listed["pagination"]["total"] == 1
    missing = await client.get(f"{BASE_PATH}/companies/{uuid4()}/contacts")
    assert missing.json()["error"]["code"] == "company_not_found"


async def test_contacts_that_came_before_the_account_are_its_own(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    (john,) = await create(client, JOHN)
    assert john["company_id"] is None
    (added,) = await add_accounts(
        database, tenant.organization_id, [{"company_name": "Quarry Works GmbH"}]
    )
    listed = (await client.get(f"{BASE_PATH}/companies/{added.company_id}/contacts")).json()
    assert [each["id"] for each in listed["contacts"]] == [john["id"]]


@pytest.mark.parametrize(
    "again",
    [
        {"emails": ["MIRA.tanaka@harbor.example"], "full_name": "M. Tanaka"},
        {"profile_network_url": "https://www.linkedin.com/in/mira-tanaka/"},
        {"full_name": "Dr. Mira K. Tanaka", "company": {"name": "Harbor Analytics"}},
    ],
    ids=["email", "profile", "name and company"],
)
async def test_a_person_is_known_again(client: httpx.AsyncClient, again: dict[str, Any]) -> None:
    (made,) = await create(client, MIRA)
    response = await client.post(CONTACTS, json=again | {"skills": ["Sailing"]})
    assert (response.status_code, response.json()["id"]) == (200, made["id"])
    assert response.json()["skills"] == ["Machine learning", "Negotiation", "Sailing"]
    assert len(await found(client)) == 1


async def test_a_role_address_identifies_nobody(client: httpx.AsyncClient) -> None:
    shared = {"emails": ["info@quarry.example"]}
    one, other = await create(client, JOHN | shared, ANNE | shared)
    assert one["id"] != other["id"]
    assert one["role_emails"] == other["role_emails"] == ["info@quarry.example"]
    first, again = await create(
        client, {"emails": ["sales-emea@quarry.example"]}, {"emails": ["sales-emea@quarry.example"]}
    )
    assert first["id"] == again["id"]


async def test_namesakes_with_pages_of_their_own_are_two(client: httpx.AsyncClient) -> None:
    base = {"full_name": "John Smith", "company": {"name": "Quarry Works"}}
    one, other = await create(
        client,
        base | {"profile_network_url": "https://www.linkedin.com/in/js-1"},
        base | {"profile_network_url": "https://www.linkedin.com/in/js-2"},
    )
    assert one["id"] != other["id"]


async def test_what_belongs_to_two_people_is_refused(client: httpx.AsyncClient) -> None:
    await create(client, MIRA, JOHN)
    both = {"emails": JOHN["emails"], "profile_network_url": MIRA["profile_network_url"]}
    response = await client.post(CONTACTS, json=both)
    assert response.json()["error"]["code"] == "contradictory_contact"
    (anne,) = await create(client, ANNE)
    response = await client.patch(f"{CONTACTS}/{anne['id']}", json={"emails": JOHN["emails"]})
    assert response.json()["error"]["code"] == "contradictory_contact"
    assert (await client.get(f"{CONTACTS}/{anne['id']}")).json()["emails"] == []


async def test_changes(client: httpx.AsyncClient) -> None:
    (made,) = await create(client, MIRA)
    path = f"{CONTACTS}/{made['id']}"
    response = await client.patch(
        path,
        json={
            "current_job_title": "Chief Revenue Officer",
            "company": {"name": "Tide Labs"},
            "skills": ["Sailing"],
            "phones": [],
            "location": None,
        },
    )
    changed = response.json()
    assert response.status_code == 200, response.text
    assert changed["updated_at"] is not None
    assert (changed["skills"], changed["phones"]) == (["Sailing"], [])
    assert "location" not in changed
    assert [job["company"] for job in changed["experience"]] == [
        "Tide Labs", "Quarry Works", "Harbor Analytics Inc",
    ] or [job["company"] for job in changed["experience"]] == [
        "Tide Labs", "Harbor Analytics Inc", "Quarry Works",
    ]  # fmt: skip
    assert [job["is_current"] for job in changed["experience"]] == [True, False, False]
    assert await found(client, title="vp sales") == []
    assert await found(client, title="cro", past_company="harbor") == ["Mira Tanaka"]
    assert await found(client, has_phone=True) == []
    assert (await client.patch(path, json={})).json() == changed
    provenance = (await client.get(path, params={"provenance": "true"})).json()["provenance"]
    assert provenance["skills"]["source"] == "user"


async def test_nobody_is_left_without_a_name(client: httpx.AsyncClient) -> None:
    (made,) = await create(client, {"emails": ["sole@x.example"]})
    response = await client.patch(f"{CONTACTS}/{made['id']}", json={"emails": []})
    assert response.status_code == 400
    assert (await client.get(f"{CONTACTS}/{made['id']}")).json()["emails"] == ["sole@x.example"]


async def test_deletion(client: httpx.AsyncClient) -> None:
    mira, _ = await create(client, MIRA, JOHN)
    path = f"{CONTACTS}/{mira['id']}"
    assert (await client.delete(path)).json() == {"deleted": True, "id": mira["id"]}
    assert await found(client) == ["John Okoro"]
    for method in ("GET", "DELETE"):
        assert (await client.request(method, path)).json()["error"]["code"] == "contact_not_found"
    assert (await client.patch(path, json={"headline": "x"})).status_code == 404
    (again,) = await create(client, MIRA)
    assert again["id"] != mira["id"]


BAD = [
    ({}, "full_name"),
    ({"full_name": "x@y.example"}, "full_name"),
    ({"full_name": "A B", "emails": ["nonsense"]}, "emails"),
    ({"full_name": "A B", "phones": ["12"]}, "phones"),
    ({"full_name": "A B", "country": "Atlantis"}, "country"),
    ({"full_name": "A B", "profile_network_url": "https://x.example/a"}, "profile_network_url"),
    ({"full_name": "A B", "image_url": "javascript:alert(1)"}, "image_url"),
    ({"full_name": "A B", "experience": [{"title": "x", "start_date": "soon"}]}, "experience"),
    ({"full_name": "A B", "email": "a@b.example"}, "email"),
]


@pytest.mark.parametrize(("body", "field"), BAD, ids=lambda v: str(v)[:50])
async def test_bad_values_are_named(
    client: httpx.AsyncClient, body: dict[str, Any], field: str
) -> None:
    response = await client.post(CONTACTS, json=body)
    assert response.status_code == 400
    error = response.json()["error"]
    if body:
        assert error["details"]["fields"][0]["path"].startswith(field)
    assert await found(client) == []


async def test_a_company_of_nobody_is_missing(
    client: httpx.AsyncClient, make_tenant: MakeTenant, database: Database
) -> None:
    other = await make_tenant("other")
    (theirs,) = await add_accounts(database, other.organization_id, [{"company_name": "Theirs"}])
    for company_id in (uuid4(), theirs.company_id):
        response = await client.post(CONTACTS, json=MIRA | {"company_id": str(company_id)})
        assert response.json()["error"]["code"] == "company_not_found"


async def test_a_repeated_creation_is_one(client: httpx.AsyncClient) -> None:
    headers = {"idempotency-key": "mira"}
    first = await client.post(CONTACTS, json=MIRA, headers=headers)
    again = await client.post(CONTACTS, json=MIRA, headers=headers)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.headers["idempotent-replayed"] == "true"
    assert len(await found(client)) == 1


async def test_scopes(client: httpx.AsyncClient, make_tenant: MakeTenant) -> None:
    reader = await make_tenant("reader", scopes=["contacts:read"])
    headers = {"x-api-key": reader.key}
    assert (await client.get(CONTACTS, headers=headers)).status_code == 200
    refused = await client.post(CONTACTS, json=MIRA, headers=headers)
    assert refused.json()["error"]["details"]["required_scope"] == "contacts:write"
