"""A model's recorded answers about the sample companies, through the real tools, proof and verifier.

Each of the recorded replies was judged by a reader who saw the requests alone. Some hold a sentence that is
false though its quotes are true; the verdict that it got is recorded with it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from sightline.llm.models import ModelConfig
from sightline.store.database import Database, open_database
from sightline.store.organizations import find_user
from tests.conftest import Tenant
from tests.eval.ask import World
from tests.eval.assistant import holds, load_sample_accounts, make_caller, read_questions
from tests.eval.cassettes import ANSWERS, HOW, QUESTIONS, Cassettes, playing
from tests.waiting import LONGEST_SECONDS

pytestmark = pytest.mark.usefixtures("encoder")
ROWS = read_questions(QUESTIONS)
PLANTED = [row["false"] for row in ROWS if "false" in row]


@dataclass
class Played:
    """What every question was answered, by its id."""

    answers: dict[str, dict[str, Any]]
    cassettes: Cassettes
    database: Database
    tenant: Tenant


@pytest.fixture
async def played(database_url: str, tenant: Tenant, database: Database) -> Played:
    organization = tenant.organization_id
    workers = await open_database(
        database_url, role="sightline_worker", size=4, statement_timeout_seconds=120
    )
    companies = await load_sample_accounts(database, workers, organization)
    await workers.close()
    async with database.tenant(organization) as connection:
        user = await find_user(connection)
    cassettes = Cassettes.load(ANSWERS)
    with playing(cassettes) as url:
        model = ModelConfig(
            "openai:recorded", url, "none", LONGEST_SECONDS, requests=8, context_tokens=64_000
        )
        world = World(database, replace(make_caller(organization), user_id=user), model, companies)
        answers = {row["id"]: await world.ask(row) for row in ROWS}
    return Played(answers, cassettes, database, tenant)


async def test_recorded_answers(played: Played) -> None:
    assert played.cassettes.misses == [], f"{played.cassettes.misses}\n{HOW}"
    for row in ROWS:
        said = played.answers[row["id"]]
        print(f"{row['question']}\n  [{said['evidence']}] {said['answer']}")
        assert said["model"] == "openai:recorded", said["usage"]
        assert said["evidence"] == row["evidence"], said
        for words in row.get("answer", ()):
            assert words in said["answer"], said
        if "false" in row:
            assert said["usage"]["dropped_sentences"] == 1
            assert row["false"] not in said["answer"]
        await _quotes_stand(played, said)


async def _quotes_stand(played: Played, said: Mapping[str, Any]) -> None:
    assert bool(said["citations"]) is (said["evidence"] != "none")
    async with played.database.tenant(played.tenant.organization_id) as connection:
        for citation in said["citations"]:
            if citation["quote"] is not None:
                assert await holds(connection, citation), citation
            else:
                assert citation["title"] or citation["url"], citation


def test_falsehoods_with_true_quotes_are_among_them() -> None:
    """Each was shown to the verifier, and it was the verifier that refused it."""
    verdicts = Cassettes.load(ANSWERS).verdicts
    assert len(PLANTED) >= 4
    for false in PLANTED:
        (given,) = (each for key, each in verdicts.items() if key.startswith(f"{false} | "))
        assert given["verdict"] in ("contradicted", "not_said")
    assert sum(row["evidence"] == "none" for row in ROWS) >= 3


def test_what_was_not_recorded_is_a_miss() -> None:
    cassettes = Cassettes.load(ANSWERS)
    asked = {"messages": [{"role": "user", "content": "Who sells ships?"}]}
    assert cassettes.reply(asked) is None
    assert cassettes.misses == [" > Who sells ships?"]


def test_a_source_is_found_by_its_words_whatever_its_id() -> None:
    def asked(shown: str, *calls: Mapping[str, Any]) -> dict[str, Any]:
        said = {"role": "assistant", "tool_calls": [{"function": each} for each in calls]}
        messages = [{"role": "user", "content": "What was revenue?"}, said]
        return {"messages": [*messages, {"role": "tool", "content": shown}]}

    search = {"name": "search", "arguments": "{}"}
    number = {"id": "S1", "number": "90 million"}
    cassettes = Cassettes()
    said = {"tool_calls": [{"name": "calculate", "arguments": {"numbers": [number]}}]}
    cassettes.record(asked("S1 | report\nRevenue was 90 million USD.", search), said)
    now = asked("S1 | news\nMore.\n\nS2 | report | 2026\nRevenue was 90 million USD.", search)
    reply = cassettes.reply(now)
    assert reply is not None
    assert reply["tool_calls"][0]["arguments"]["numbers"] == [number | {"id": "S2"}]
    assert json.loads(json.dumps(cassettes.replies)) == cassettes.replies
