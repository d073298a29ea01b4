"""Employee groups of a profile: everybody's postings, and the caller's own contacts."""

from typing import Any
from uuid import UUID

import httpx

from sightline.api.endpoints import BASE_PATH
from sightline.store.database import Database
from tests.api.test_profile import company_id as company_id
from tests.api.test_profile import make_sections, read
from tests.api.test_profile import worker as worker
from tests.conftest import MakeTenant

PEOPLE: tuple[tuple[str, str], ...] = (
    ("Ada Reed", "VP Finance"),
    ("Olu Bright", "Finance Manager"),
    ("Ida Stone", "Software Engineer"),
)


async def _hold(client: httpx.AsyncClient, company_id: UUID) -> None:
    for name, title in PEOPLE:
        body = {"full_name": name, "current_job_title": title, "company_id": str(company_id)}
        made = await client.post(f"{BASE_PATH}/contacts", json=body)
        assert made.status_code == 201, made.text


def _counts(profile: dict[str, Any]) -> dict[tuple[str, str], tuple[int, int]]:
    return {
        (row["kind"], row["value"]): (row["open_postings"], row["contacts"])
        for row in profile["employee_groups"]
    }


async def test_contacts_are_counted_for_their_organization_alone(
    client: httpx.AsyncClient, worker: Database, company_id: UUID, make_tenant: MakeTenant
) -> None:
    await read(client, company_id, include="employee_groups")
    await make_sections(worker)
    before = _counts(await read(client, company_id, include="employee_groups"))
    assert before["department", "engineering"] == (2, 0)
    assert ("department", "finance") not in before
    await _hold(client, company_id)
    profile = await read(client, company_id, include="employee_groups")
    after = _counts(profile)
    assert after["department", "finance"] == (0, 2)
    assert after["department", "engineering"] == (2, 1)
    assert after["seniority", "vp"] == (before.get(("seniority", "vp"), (0, 0))[0], 1)
    (both,) = [row for row in profile["employee_groups"] if row["value"] == "engineering"]
    assert both["description"].startswith("2 open postings and 1 known contact: ")
    departments = [row for row in profile["employee_groups"] if row["kind"] == "department"]
    sizes = [row["open_postings"] + row["contacts"] for row in departments]
    assert sizes == sorted(sizes, reverse=True)
    # Another organization sees the postings, and nothing of these contacts.
    client.headers["x-api-key"] = (await make_tenant("other")).key
    assert _counts(await read(client, company_id, include="employee_groups")) == before


async def test_only_what_a_document_says_has_sources(
    client: httpx.AsyncClient, worker: Database, company_id: UUID
) -> None:
    await read(client, company_id, include="employee_groups")
    await make_sections(worker)
    await _hold(client, company_id)
    cited = await read(client, company_id, include="employee_groups", sources="true")
    rows = {row["value"]: row for row in cited["employee_groups"]}
    assert rows["finance"]["sources"] == []
    assert rows["engineering"]["sources"]
    plain = await read(client, company_id, include="employee_groups")
    assert not [row for row in plain["employee_groups"] if "sources" in row]


async def test_contacts_alone_are_enough(
    client: httpx.AsyncClient, worker: Database, company_id: UUID
) -> None:
    await _hold(client, company_id)
    async with worker.connection() as connection:
        await connection.execute("DELETE FROM company_documents WHERE company_id = $1", company_id)
    profile = await read(client, company_id, include="employee_groups")
    assert profile["sections"]["employee_groups"]["status"] == "ready"
    assert _counts(profile)["department", "finance"] == (0, 2)


async def test_a_suppressed_person_is_not_counted(
    client: httpx.AsyncClient, company_id: UUID
) -> None:
    await _hold(client, company_id)
    contacts = (await client.get(f"{BASE_PATH}/companies/{company_id}/contacts")).json()["contacts"]
    for each in contacts:
        await client.delete(f"{BASE_PATH}/contacts/{each['id']}", params={"erase": "true"})
    profile = await read(client, company_id, include="employee_groups")
    assert not [row for row in profile["employee_groups"] if row["contacts"]]
