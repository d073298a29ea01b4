"""The documents of a company as text, in parts."""

from uuid import uuid4

import httpx

from sightline.kit.ids import new_id
from sightline.store.database import Database
from tests.api.accounts_data import add_catalogue_company
from tests.store.evidence_data import add_document

V1 = "/public-api/v1"


async def test_a_document_is_read_in_parts(
    client: httpx.AsyncClient, owner: Database, database: Database
) -> None:
    company_id = await add_catalogue_company(owner, {"company_name": f"Quay {new_id()}"})
    said = [f"Sentence {n} of the harbor." for n in range(40)]
    document_id = await add_document(owner, company_id, said, url="https://quay.example/a")
    listed = (await client.get(f"{V1}/companies/{company_id}/documents")).json()
    assert [each["document_id"] for each in listed["items"]] == [str(document_id)]
    path = f"{V1}/companies/{company_id}/documents/{document_id}"
    whole = (await client.get(path)).json()
    assert whole["characters"] == len(whole["text"])
    assert whole["next_start"] is None
    text, start = "", 0
    while start is not None:
        part = (await client.get(path, params={"start": start, "length": 100})).json()
        text, start = text + part["text"], part["next_start"]
    assert text == whole["text"]
    missing = await client.get(f"{V1}/companies/{company_id}/documents/{uuid4()}")
    assert missing.json()["error"]["code"] == "document_not_found"
