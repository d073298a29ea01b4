"""`ask`: answers from what is held; charges and keeps nothing."""

import asyncio
from uuid import UUID

from sightline.store.catalogue import make_company
from sightline.store.database import open_database
from tests.cli.conftest import Shell
from tests.store.evidence_data import add_document, index

WORDS = "Harbor Analytics operates 42 warehouses in Portugal and Spain."


async def fill(url: str) -> UUID:
    workers = await open_database(url, role="sightline_worker", size=2, wait_seconds=10)
    async with workers.connection() as connection:
        company_id = await make_company(
            connection, name="Harbor Analytics", domain="harbor.example"
        )
    await add_document(workers, company_id, [WORDS])
    await index(workers, company_id)
    await workers.close()
    return company_id


def test_a_question_is_answered_with_its_source(sightline: Shell) -> None:
    company_id = asyncio.run(fill(sightline.url))
    asked = ("How many warehouses does it operate?", "--json")
    for company in ("harbor.example", "Harbor Analytics", str(company_id)):
        said = sightline("ask", company, *asked).json
        assert said["answer"] == f"{WORDS} [1]"
        assert said["citations"][0]["quote"] == WORDS
        assert said["company_id"] == str(company_id)
    plain = sightline("ask", "harbor.example", asked[0])
    assert plain.out.strip() == f"{WORDS} [1]"
    assert sightline.rows("SELECT FROM agent_sessions") == []


def test_what_cannot_be_asked_is_one_line(sightline: Shell) -> None:
    sightline("ask", "nowhere.example", "Who leads it?").says(1, "nowhere.example")
    sightline("ask", "nowhere.example", " ").says(2, "characters")
