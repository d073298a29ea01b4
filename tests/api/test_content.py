"""Content about companies: composed from proved sections, kept, changed; templates and settings."""

import json
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.profile.content import PLACEHOLDERS, check_template, compose, templates
from sightline.store.credits import grant
from sightline.store.database import Database
from tests.api.accounts_data import FULL_RECORD, add_accounts
from tests.conftest import Tenant

V1 = "/public-api/v1"
SOURCE = {"document_id": "d", "url": "https://harbor.example/", "quote": "We open ports."}
SECTIONS = {
    "strategic_priorities": json.dumps(
        [{"name": "Ports", "description": "We open ports.", "sources": [SOURCE]}]
    )
}
COMPANY = {"company_name": "Harbor", "ceo": "Ada Okafor"}
SELLER = {"company_name": "Northwind", "value_propositions": ["We plan berths."]}


@pytest.fixture
async def company(database: Database, tenant: Tenant) -> UUID:
    [added] = await add_accounts(database, tenant.organization_id, [FULL_RECORD])
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="content", amount=5, reason="test")
    return added.company_id


def test_an_email_says_what_is_proved_and_what_is_sold() -> None:
    made = compose(
        "email", company=COMPANY, sections=SECTIONS, seller=SELLER, template=None, setting=None
    )
    assert made.title == "Harbor: an idea"
    assert "- Ports: We open ports." in made.body
    assert "We plan berths." in made.body
    assert made.body.startswith("Hello Ada Okafor,")
    assert "{{" not in made.body
    assert made.sources == (SOURCE,)


@pytest.mark.parametrize("kind", sorted(templates()))
def test_no_default_leaves_an_empty_heading_or_a_placeholder(kind: Any) -> None:
    check_template(templates()[kind]["body"])
    sections = dict.fromkeys(PLACEHOLDERS, SECTIONS["strategic_priorities"])
    made = compose(kind, company=COMPANY, sections=sections, seller={}, template=None, setting=None)
    assert "{{" not in made.title + made.body
    assert "\n\n\n" not in made.body
    assert made.sources


async def test_own_text_is_free_and_kept_as_it_is(client: httpx.AsyncClient, company: UUID) -> None:
    url = f"{V1}/companies/{company}/content"
    body = {"content_type": "notes", "title": "Call", "content": "They want <b>ports</b>."}
    made = await client.post(url, json=body)
    assert made.status_code == 201, made.text
    assert made.headers["x-credits-charged"] == "0"
    item = made.json()
    assert (item["content"], item["method"], item["updated_at"]) == (
        body["content"],
        "written",
        None,
    )
    one = f"{V1}/content/{item['content_id']}"
    changed = (await client.patch(one, json={"content": "More."})).json()
    assert (changed["title"], changed["content"]) == ("Call", "More.")
    assert changed["updated_at"]
    listed = (await client.get(url)).json()
    assert [c["content_id"] for c in listed["contacts"]] == [item["content_id"]]
    assert (await client.get(f"{url}?content_type=email")).json()["contacts"] == []
    assert (await client.delete(one)).status_code == 200
    assert (await client.get(one)).status_code == 404


async def test_composed_content_costs_a_credit_and_a_dry_run_none(
    client: httpx.AsyncClient, company: UUID
) -> None:
    url = f"{V1}/companies/{company}/content"
    shown = await client.post(f"{url}?dry_run=true", json={"content_type": "notes"})
    assert (shown.status_code, shown.json()["amount"]) == (200, 1)
    made = await client.post(url, json={"content_type": "notes"}, headers={"idempotency-key": "a"})
    assert made.status_code == 201, made.text
    again = await client.post(url, json={"content_type": "notes"}, headers={"idempotency-key": "a"})
    assert again.json() == made.json()
    assert (made.json()["method"], made.headers["x-credits-remaining"]) == ("extractive", "4")
    assert FULL_RECORD["description"] in made.json()["content"]


async def test_nothing_is_invented_where_nothing_is_known(
    client: httpx.AsyncClient, company: UUID
) -> None:
    answer = await client.post(
        f"{V1}/companies/{company}/content", json={"content_type": "three_whys"}
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "insufficient_evidence")
    left = (await client.get(f"{V1}/organization/credits")).json()["credit_remaining"]
    assert left["content_credits"] == 5


async def test_templates_and_settings(client: httpx.AsyncClient, company: UUID) -> None:
    template = await client.post(
        f"{V1}/content/templates",
        json={"name": "Mine", "content_type": "email", "body": "Dear {{ceo}},\n\n{{description}}"},
    )
    assert template.status_code == 201, template.text
    setting = await client.post(f"{V1}/content/settings", json={"name": "Plain", "signature": "Bo"})
    made = await client.post(
        f"{V1}/companies/{company}/content",
        json={
            "content_type": "email",
            "ref_content_template_id": template.json()["id"],
            "content_setting_id": setting.json()["id"],
        },
    )
    assert made.json()["content"] == f"Dear {FULL_RECORD['ceo']},\n\n{FULL_RECORD['description']}"
    url = f"{V1}/content/templates/{template.json()['id']}"
    assert (await client.patch(url, json={"name": "Other"})).json()["name"] == "Other"
    bad = await client.patch(url, json={"body": "{{password}}"})
    assert (bad.status_code, bad.json()["error"]["details"]["fields"][0]["path"]) == (400, "body")
    taken = await client.post(
        f"{V1}/content/templates", json={"name": "OTHER", "content_type": "email", "body": "x"}
    )
    assert taken.json()["error"]["code"] == "name_taken"
    assert (await client.delete(url)).status_code == 200
    kept = (await client.get(f"{V1}/content/{made.json()['content_id']}")).json()
    assert kept["ref_content_template_id"] is None
    assert len((await client.get(f"{V1}/content/settings")).json()["items"]) == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"content_type": "song"},
        {
            "content_type": "email",
            "ref_content_template_id": "0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11",
        },
        {"content_type": "email", "content_setting_id": "0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11"},
    ],
    ids=repr,
)
async def test_bad_content_is_refused(
    client: httpx.AsyncClient, company: UUID, body: dict[str, Any]
) -> None:
    answer = await client.post(f"{V1}/companies/{company}/content", json=body)
    assert answer.status_code == 400, answer.text
