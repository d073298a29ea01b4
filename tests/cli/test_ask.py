"""`ask`: answers from what is held; charges and keeps nothing."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from sightline.api.resources.assistant import ChatAnswer
from sightline.store.catalogue import make_company
from sightline.store.database import open_database
from tests.assistant.provider import Call, Fail, provider
from tests.cli.conftest import Shell
from tests.reading.verdicts import is_verification, supporting
from tests.store.evidence_data import add_document, index

WORDS = "Harbor Analytics operates 42 warehouses in Portugal and Spain."
SHOWN = f"News of the harbor, 2026-03-01: “{WORDS}” [1]"


async def fill(url: str) -> UUID:
    workers = await open_database(url, role="sightline_worker", size=2)
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
        assert said["answer"] == SHOWN
        assert said["citations"][0]["quote"] == WORDS
        assert (said["model"], said["conversation_id"]) == ("extractive", None)
    plain = sightline("ask", "harbor.example", asked[0])
    assert plain.out.strip() == SHOWN
    assert "[1] News of the harbor, 2026-03-01" in plain.err
    assert f"“{WORDS}”" in plain.err
    assert sightline.rows("SELECT FROM agent_sessions") == []


def test_a_model_writes_it_if_one_is_configured(
    sightline: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(fill(sightline.url))
    asked = ("ask", "harbor.example", "How many warehouses does it operate?")
    said = {"text": "It operates 42 warehouses.", "sources": [{"id": "S1", "quote": WORDS}]}

    def write(request: dict[str, Any]) -> Call:
        if is_verification(request):
            return supporting(request)
        if all(message["role"] != "tool" for message in request["messages"]):
            return Call({"queries": ["warehouses"]}, tool="search")
        return answers(said)

    with provider(write) as model:
        monkeypatch.setenv("SIGHTLINE_MODEL", "openai:invented-1")
        monkeypatch.setenv("SIGHTLINE_MODEL_BASE_URL", model.url)
        monkeypatch.setenv("SIGHTLINE_MODEL_API_KEY", "invented")
        body = sightline(*asked, "--json").json
        assert set(body) == set(ChatAnswer.model_fields)
        assert body["answer"] == "It operates 42 warehouses. [1]"
        assert (body["model"], body["citations"][0]["quote"]) == ("openai:invented-1", WORDS)
        model.script = [Fail(500)]
        plain = sightline(*asked)
    assert plain.out.strip() == SHOWN
    assert "(failed)" in plain.err


def answers(*sentences: object) -> Call:
    return Call({"sentences": list(sentences)})


def test_what_cannot_be_asked_is_one_line(sightline: Shell) -> None:
    sightline("ask", "nowhere.example", "Who leads it?").says(1, "nowhere.example")
    sightline("ask", "nowhere.example", " ").says(2, "characters")
