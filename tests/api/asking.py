"""A company that questions are asked about, and answers of a scripted model."""

import json
from typing import Any
from uuid import UUID, uuid4

import httpx

from sightline.api.endpoints import BASE_PATH
from sightline.domain.callers import OrganizationId
from sightline.store.database import Database, open_database
from tests.api.accounts_data import FULL_RECORD, add_accounts
from tests.assistant.provider import Call
from tests.store.evidence_data import add_document, index

WORDS = [
    "Harbor Analytics operates 42 warehouses in Portugal and Spain.",
    "Marta Quell was named head of the Lisbon laboratory of Harbor Analytics in May 2025.",
    "The company's cranes are built by Tidewater Foundry under a contract that runs until 2031.",
]
QUESTION = "How many warehouses does it operate?"
SEARCH = Call({"queries": ["warehouses in Portugal and Spain"]}, tool="search")
GOOD = {"text": "It operates 42 warehouses.", "sources": [{"id": "S1", "quote": WORDS[0]}]}
SECOND = {"text": "They are in Portugal and Spain.", "sources": [{"id": "S1", "quote": WORDS[0]}]}


async def store_company(
    database: Database, database_url: str, organization_id: OrganizationId
) -> UUID:
    """A company with a document, indexed."""
    (account,) = await add_accounts(
        database, organization_id, [FULL_RECORD | {"company_name": "Harbor Analytics"}]
    )
    workers = await open_database(database_url, role="sightline_worker", size=2)
    await add_document(workers, account.company_id, WORDS, url=f"https://{uuid4().hex}.example/1")
    await index(workers, account.company_id)
    await workers.close()
    return account.company_id


def chat_path(company: UUID) -> str:
    return f"{BASE_PATH}/companies/{company}/assistant/chat"


def says(*sentences: dict[str, Any], **more: Any) -> Call:
    """The final answer of the model."""
    return Call({"sentences": list(sentences)}, **more)


def read_events(text: str) -> list[tuple[str, Any]]:
    """(name, data) of the events of a stream, comments left out."""
    found = []
    for block in text.split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith(":")]
        if lines:
            name, data = lines
            found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


async def ask(client: httpx.AsyncClient, company: UUID, message: str, **headers: str) -> Any:
    """The answer as it comes."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return await client.post(chat_path(company), json={"message": message}, headers=named)
