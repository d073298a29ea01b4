"""A filter by company finds what is kept under any of its ids, whichever of them is asked for."""

from typing import Any
from uuid import UUID

import httpx

from sightline.api.endpoints import BASE_PATH, ENDPOINTS
from sightline.kit.ids import new_id
from sightline.store.alerts import raise_alert
from sightline.store.database import Database
from sightline.store.events import NewEvent, publish_events
from sightline.store.merges import merge_companies
from tests.api.accounts_data import add_accounts, add_catalogue_company
from tests.conftest import Tenant

# How each operation is asked for one company -> the number of things of that company, two an id.
FILTERED = {
    "list_events": ("GET", "/events?company_id={id}"),
    "list_alerts": ("GET", "/alerts?company_id={id}"),
    "list_contacts": ("GET", "/contacts?company_id={id}"),
    "search_contacts": ("POST", "/contacts/search"),
    "list_agent_sessions": ("GET", "/agent/sessions?company_id={id}"),
    "list_company_agent_sessions": ("GET", "/companies/{id}/agent/sessions"),
    "list_company_contacts": ("GET", "/companies/{id}/contacts"),
    "list_content": ("GET", "/companies/{id}/content"),
}
# What is read of the catalogue itself moves with a merge: only the present id holds anything.
CATALOGUE = {
    "list_documents",
    "list_facts",
    "list_jobs",
    "list_technologies",
    "read_graph",
    "read_relevance",
    "search_evidence",
}


async def make_things(
    client: httpx.AsyncClient, database: Database, tenant: Tenant, company_id: UUID
) -> None:
    """One event, alert, contact, session and piece of content of a company."""
    [account] = await add_accounts(
        database, tenant.organization_id, [{"company_name": "Harbor"}], company_id=company_id
    )
    watch = {"name": f"{company_id}", "account_ids": [str(account.account_id)], "types": ["hires"]}
    for path, body in (
        ("/watches", watch),
        ("/contacts", {"full_name": f"Ida {company_id}", "company_id": str(company_id)}),
        ("/agent/sessions", {"title": "talk", "company_id": str(company_id)}),
        (f"/companies/{company_id}/content", {"content_type": "notes", "content": "Words."}),
    ):
        answer = await client.post(BASE_PATH + path, json=body)
        assert answer.status_code == 201, answer.text
        if path == "/watches":
            watch_id = UUID(answer.json()["id"])
    async with database.tenant(tenant.organization_id) as connection:
        event = NewEvent(f"s:{company_id}", "hires", "leadership_moves", "A hire", company_id)
        reported = await publish_events(connection, [event])
        await raise_alert(
            connection, event_id=reported[event.story], company_id=company_id, watch_id=watch_id
        )


async def found(client: httpx.AsyncClient, name: str, company_id: UUID) -> list[Any]:
    method, path = FILTERED[name]
    body = {"company_ids": [str(company_id)]} if method == "POST" else None
    answer = await client.request(method, BASE_PATH + path.format(id=company_id), json=body)
    assert answer.status_code == 200, (name, answer.text)
    lists = [value for value in answer.json().values() if isinstance(value, list)]
    assert len(lists) == 1, name
    return sorted(str(each.get("id") or each.get("content_id")) for each in lists[0])


async def test_all_ids_of_a_company_find_the_same(
    client: httpx.AsyncClient, database: Database, owner: Database, tenant: Tenant
) -> None:
    kept, gone, later, other = [
        await add_catalogue_company(owner, {"company_name": "Harbor"}) for _ in range(4)
    ]
    for company_id in (kept, gone, later, other):
        await make_things(client, database, tenant, company_id)
    apart = {name: await found(client, name, gone) for name in FILTERED}
    assert {name: len(ids) for name, ids in apart.items()} == dict.fromkeys(FILTERED, 1)
    async with owner.connection() as connection, connection.transaction():
        await merge_companies(connection, kept=gone, merged=later)
        await merge_companies(connection, kept=kept, merged=gone)
    for name in FILTERED:
        together = await found(client, name, kept)
        assert len(together) == 3, name
        assert set(apart[name]) < set(together)
        assert await found(client, name, gone) == together, name
        assert await found(client, name, later) == together, name
        assert len(await found(client, name, other)) == 1, name


def test_every_filter_by_company_is_tried() -> None:
    filters = {
        endpoint.name
        for endpoint in ENDPOINTS
        for model in (endpoint.params, endpoint.body)
        if model is not None
        and ("company_id" in model.model_fields or "company_ids" in model.model_fields)
        and "per_page" in {*endpoint.params.model_fields, *model.model_fields}
    }
    assert filters - CATALOGUE == set(FILTERED)


async def test_a_company_that_the_catalogue_does_not_know_is_found_by_its_id(
    client: httpx.AsyncClient, database: Database, tenant: Tenant
) -> None:
    company_id = new_id()
    await make_things(client, database, tenant, company_id)
    assert {name: len(await found(client, name, company_id)) for name in FILTERED} == dict.fromkeys(
        FILTERED, 1
    )
