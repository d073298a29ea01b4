"""`model check`, and what `doctor`, the status of integrations and writers make of it."""

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from sightline.store.database import open_database
from tests.assistant.provider import Fail, Provider, provider
from tests.cli.conftest import Shell
from tests.cli.test_maintenance import checks_of
from tests.profile.company import store_company
from tests.reading.test_model_check import honest
from tests.reading.verdicts import supporting


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    with provider(honest) as running:
        monkeypatch.setenv("SIGHTLINE_MODEL", "openai:invented-1")
        monkeypatch.setenv("SIGHTLINE_MODEL_BASE_URL", running.url)
        monkeypatch.setenv("SIGHTLINE_MODEL_API_KEY", "invented")
        yield running


def doctor(sightline: Shell) -> dict[str, str]:
    return checks_of(sightline("doctor", "--json"))["language model"]


def stored(sightline: Shell) -> list[dict[str, Any]]:
    return sightline.rows("SELECT model, refused, falsehoods, kept, paraphrases FROM model_checks")


def test_a_model_that_passes_may_write(sightline: Shell, model: Provider) -> None:
    before = doctor(sightline)
    assert (before["status"], "never checked" in before["found"]) == ("warn", True)
    assert "sightline model check" in before["advice"]
    outcome = sightline("model", "check", "--yes")
    assert outcome.code == 0
    assert "257 sentences in 11 requests to openai:invented-1" in outcome.err
    assert "guidance for a result" in outcome.out
    assert "It may write" in outcome.err
    assert re.search(r"\d tokens, \d+\.\d s\.", outcome.err)
    [row] = stored(sightline)
    assert row["model"] == "openai:invented-1"
    assert (row["refused"], row["kept"]) == (row["falsehoods"], row["paraphrases"])
    assert doctor(sightline)["status"] == "ok"


def test_one_that_fails_writes_nothing(sightline: Shell, model: Provider) -> None:
    company_id = asyncio.run(_company(sightline.url))
    model.script = supporting
    outcome = sightline("model", "check", "--yes", "--json")
    said = json.loads(outcome.out)
    assert (outcome.code, said["may_write"], said["refused"]) == (1, False, 0)
    assert said["seconds"] >= 0
    assert len(said["missed"]) == said["falsehoods"]
    found = doctor(sightline)
    assert found["status"] == "warn"
    assert "quotes only" in found["found"]
    # Profiles are made again, without it.
    work = sightline.rows("SELECT subject FROM work WHERE kind = 'refresh_profile'")
    assert {row["subject"] for row in work} == {str(company_id)}


def test_a_sample_decides_nothing(sightline: Shell, model: Provider) -> None:
    model.script = supporting
    outcome = sightline("model", "check", "--yes", "--sample", "20")
    assert outcome.code == 0
    assert "decides nothing" in outcome.err
    assert len(model.requests) == 1
    assert stored(sightline) == []


def test_a_model_that_fails_midway_decides_nothing(sightline: Shell, model: Provider) -> None:
    model.script = [Fail(500)]
    outcome = sightline("model", "check", "--yes")
    assert (outcome.code, outcome.out) == (1, "")
    assert "did not answer (failed" in outcome.err
    assert stored(sightline) == []


def test_nothing_is_spent_unasked(sightline: Shell, model: Provider) -> None:
    sightline("model", "check").says(2, "--yes")
    assert model.requests == []


def test_without_a_model_there_is_nothing_to_check(
    sightline: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SIGHTLINE_MODEL", raising=False)
    sightline("model", "check", "--yes").says(1, "SIGHTLINE_MODEL")
    assert doctor(sightline)["status"] == "ok"


def test_the_verifier_is_the_one_that_is_tried(
    sightline: Shell, model: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIGHTLINE_VERIFIER_MODEL", "openai:cheap-1")
    sightline("model", "check", "--yes")
    assert {asked["model"] for asked in model.requests} == {"cheap-1"}
    assert [row["model"] for row in stored(sightline)] == ["openai:cheap-1"]
    assert "verified by openai:cheap-1" in doctor(sightline)["found"]


async def _company(url: str) -> UUID:
    workers = await open_database(url, role="sightline_worker", size=2)
    async with workers.connection() as connection:
        company_id = await store_company(connection)
        await connection.execute("DELETE FROM work")
        await connection.execute(
            """
            INSERT INTO profile_sections (company_id, section, state, method, body, plain, statements,
              evidence, kinds, generated_at, checked_at)
            VALUES ($1, 'risks', 'ready', 'extractive', '[]', '[]', 0, 'x', '{}', now(), now())
            """,
            company_id,
        )
    await workers.close()
    return company_id
