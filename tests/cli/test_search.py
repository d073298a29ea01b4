"""`search`: what the evidence of all accounts says, company by company."""

import asyncio
from uuid import UUID

from sightline.store.database import open_database
from sightline.store.organizations import create_organization
from tests.api.accounts_data import add_accounts
from tests.cli.conftest import Shell
from tests.store.evidence_data import add_document, index

WORDS = "Harbor Analytics closes two warehouses in Portugal to reduce its costs."


async def fill(url: str) -> UUID:
    owner = await open_database(url, role="owner", size=1)
    organization_id = await create_organization(owner, "default", name="Default", plan="enterprise")
    app = await open_database(url, size=1)
    (added,) = await add_accounts(app, organization_id, [{"company_name": "Harbor Analytics"}])
    workers = await open_database(url, role="sightline_worker", size=2)
    await add_document(workers, added.company_id, [WORDS])
    await index(workers, added.company_id)
    for database in (owner, app, workers):
        await database.close()
    return added.company_id


def test_accounts_are_searched(sightline: Shell) -> None:
    company_id = asyncio.run(fill(sightline.url))
    (item,) = sightline("search", "who is reducing costs?", "--json").json
    assert item["company"]["id"] == str(company_id)
    assert item["hits"][0]["quote"] == WORDS
    said = sightline("search", "who is reducing costs?").out
    assert WORDS[:40] in said
    assert max(map(len, said.splitlines())) <= 80
    assert sightline("search", "zeppelins", "--json").json == []
    sightline("search", "costs", "--list", "nowhere").says(1, "no list")
