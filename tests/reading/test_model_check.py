"""Trying a model as a verifier: counted by kind, stored for its address and prompt, obeyed by writers."""

from dataclasses import replace
from typing import Any

import pytest

from sightline.llm.asking import ModelDidNotAnswer
from sightline.reading import model_check
from sightline.reading.model_check import check, is_trusted, keep, last_check, writer
from sightline.reading.pairs import PARAPHRASE, pairs
from sightline.store.database import Database, open_database
from tests.assistant.provider import Act, Call, Fail, Provider, provider
from tests.reading.verdicts import claims_of, deciding, supporting

TRUE = {pair.claim.text for pair in pairs() if pair.is_true}
KINDS = {pair.claim.text: pair.kind for pair in pairs()}
honest = deciding(lambda claim: claim["claim"] in TRUE)


def never_sees(kind: str) -> Any:
    """A verifier that falls for one kind of falsehood."""
    return deciding(lambda claim: claim["claim"] in TRUE or KINDS[claim["claim"]] == kind)


async def run(script: Any) -> tuple[model_check.Report, Provider]:
    with provider(script) as model:
        return await check(model.config(), pairs()), model


async def test_a_careful_model_is_trusted() -> None:
    report, model = await run(honest)
    assert report.missed == ()
    assert is_trusted(report)
    assert len(model.requests) == model_check.cost(pairs()).requests
    assert report.tokens == 120 * len(model.requests)
    asked = [each["claim"] for request in model.requests for each in claims_of(request)]
    assert sorted(asked) == sorted(KINDS)


async def test_one_that_believes_everything_is_not() -> None:
    report, _ = await run(supporting)
    refused, false = report.refused
    kept, true = report.kept
    assert (refused, kept) == (0, true)
    assert len(report.missed) == false
    assert not is_trusted(report)


async def test_one_that_refuses_everything_is_not() -> None:
    report, _ = await run([Call({"verdicts": []})])
    assert report.kept[0] == 0
    assert report.refused[0] == report.refused[1]
    assert not is_trusted(report)


async def test_the_kind_that_it_misses_is_told() -> None:
    report, _ = await run(never_sees("roles"))
    wrong = {each.kind: each.asked - each.right for each in report.scores}
    assert {kind for kind, count in wrong.items() if count} == {"roles"}
    assert {each.kind for each in report.missed} == {"roles"}
    assert wrong["roles"] == next(s.asked for s in report.scores if s.kind == "roles")


async def test_a_pause_is_made_where_the_provider_wants_one() -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    def busy(asked: dict[str, Any]) -> Act:
        # The client itself tries three times before it gives up.
        return Fail(429, {"retry-after": "0.2"}) if len(model.requests) <= 3 else honest(asked)

    done: list[int] = []
    with provider(busy) as model:
        report = await check(model.config(), pairs()[:30], progress=done.append, sleep=sleep)
    assert pauses == [0.2]
    assert done == [1, 2]
    assert report.missed == ()


async def test_a_model_that_fails_was_not_tried() -> None:
    with provider([Fail(500)]) as model, pytest.raises(ModelDidNotAnswer):
        await check(model.config(), pairs()[:30])


@pytest.fixture
async def owner(database_url: str) -> Any:
    opened = await open_database(database_url, role="owner", size=2)
    yield opened
    await opened.close()


async def test_the_last_check_decides_who_writes(owner: Database, database: Database) -> None:
    with provider(honest) as model:
        config = model.config()
        trusted = await check(config, pairs())
        model.script = supporting
        fooled = await check(config, pairs())
    async with owner.connection() as connection:
        assert await last_check(connection, config) is None
        assert await writer(connection, config) is config  # never tried: it may
        assert await writer(connection, None) is None
        await keep(connection, config, trusted)
        assert await writer(connection, config) is config
        bad = await keep(connection, config, fooled)
        assert (bad.kept, bad.refused[1]) == (trusted.kept, trusted.refused[1])
        rows = await connection.fetch("SELECT scores FROM model_checks")
        assert len(rows) == 1
        assert {each["kind"] for each in rows[0]["scores"]} >= {PARAPHRASE, "roles"}
    async with database.connection() as connection:  # as the application sees it
        assert await writer(connection, config) is None
        # Another address, model or verifier was never tried.
        assert await writer(connection, replace(config, base_url="http://127.0.0.1:9/v1"))
        assert await writer(connection, replace(config, name="openai:other"))
        assert await writer(connection, replace(config, verifier=replace(config, name="openai:o")))
        # The model that verifies decides, no matter who writes.
        assert await writer(connection, replace(config, name="openai:o", verifier=config)) is None


async def test_another_prompt_was_never_tried(
    owner: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with provider(supporting) as model:
        config = model.config()
        report = await check(config, pairs())
    async with owner.connection() as connection:
        await keep(connection, config, report)
        assert await writer(connection, config) is None
        monkeypatch.setattr(model_check, "VERSION", model_check.VERSION + 1)
        assert await writer(connection, config) is config
