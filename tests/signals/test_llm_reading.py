"""A model reads signals: bound to the types, proven, paid for once and within a budget."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from sightline.signals import run
from sightline.signals.llm_run import ModelReader, read_signals_by_model
from sightline.store import work
from sightline.store.database import Database
from sightline.store.model_spending import Allowance
from tests.assistant.provider import Call, Fail, Provider, provider
from tests.reading.verdicts import claims_of, deciding, supporting
from tests.signals.stored import signals_of
from tests.signals.test_run import FILING, add_document, claim, count, make_company

PURCHASE = {
    "type": "acquires",
    "statement": "Acme Widget Corporation bought Polar Gear Inc. for $40 million.",
    "realis": "happened",
    "actors": ["Acme Widget"],
    "others": ["Polar Gear Inc."],
    "day": "2024-03-04",
    "amount": 40_000_000,
    "currency": "USD",
}
TEXT = (
    "Item 8.01. Other Events.\n\nOn March 4, 2024, the Company bought Polar Gear Inc. for $40 million in"
    " cash. The weather in Springfield was fine on that day and on the next."
)


def answering(*events: dict[str, Any]) -> Any:
    """A model that finds these in the sentence that names Polar Gear."""

    def script(asked: dict[str, Any]) -> Call:
        shown = asked["messages"][-1]["content"]
        lines = [json.loads(line) for line in str(shown).splitlines() if line.startswith("{")]
        names = [line["id"] for line in lines if "Polar Gear" in line["sentence"]]
        return Call(
            {"events": [{"sentence": name, **each} for name in names[-1:] for each in events]}
        )

    return script


@pytest.fixture
def model() -> Iterator[Provider]:
    with provider(answering(PURCHASE)) as running, provider(supporting) as verifier:
        running.verifier = verifier
        yield running


async def read(
    worker: Database, model: Provider, company: UUID, *, requests: int = 100
) -> list[Any]:
    """What is stored once the company was read by the structure of its documents, then by the model."""
    reader = ModelReader(model.config(), lambda _: [Allowance("all", requests, 10_000_000)])
    await run.read_signals(worker, await claim(worker, company), model=True)
    item = await claim_kind(worker, company, run.MODEL_KIND)
    await read_signals_by_model(worker, reader, item)
    async with worker.connection() as connection:
        return await signals_of(connection, company, limit=100)


async def claim_kind(worker: Database, company: UUID, kind: str) -> work.Work:
    from datetime import timedelta

    async with worker.connection() as connection, connection.transaction():
        await work.put(connection, kind, str(company))
    item = await work.claim(worker, [kind], lease=timedelta(hours=1), per_organization=9)
    assert item is not None
    return item


async def test_what_is_proven_is_kept(worker: Database, model: Provider) -> None:
    company = await make_company(worker)
    await add_document(worker, company, TEXT, url="https://sec.example/1", section="8.01")
    [found] = await read(worker, model, company)
    assert (found["type"], found["realis"]) == ("acquires", "happened")
    assert found["title"] == PURCHASE["statement"]
    assert found["parties"] == [
        {"role": "acquirer", "name": "Acme Widget Corporation"},
        {"role": "target", "name": "Polar Gear Inc."},
    ]
    assert found["quote"] in TEXT
    assert found["occurred_at"] == "2024-03-04T12:00:00Z"
    asked = len(model.requests)
    async with worker.connection() as connection:
        await connection.execute("DELETE FROM signal_readings")
    assert [each["title"] for each in await read(worker, model, company)] == [found["title"]]
    assert len(model.requests) == asked, "no sentence is paid for twice"


@pytest.mark.parametrize(
    "event",
    [
        PURCHASE | {"statement": "Acme Widget Corporation bought Polar Gear Inc. for $90 million."},
        PURCHASE | {"statement": "Acme Widget Corporation bought Borealis Tools for $40 million."},
        PURCHASE | {"type": "buys"},
        PURCHASE | {"realis": "done"},
        PURCHASE | {"type": "hiring_surge"},
    ],
)
async def test_what_the_sentence_does_not_say_is_dropped(
    worker: Database, model: Provider, event: dict[str, Any]
) -> None:
    model.script = answering(event)
    company = await make_company(worker)
    await add_document(worker, company, TEXT, url="https://sec.example/1", section="8.01")
    assert await read(worker, model, company) == []


async def test_what_is_denied_is_told_as_denied(worker: Database, model: Provider) -> None:
    denied = "Acme Widget Corporation is not buying Polar Gear Inc."
    text = f"Item 8.01. Other Events.\n\nContrary to reports, {denied} Talks never took place."
    model.script = answering(PURCHASE | {"statement": denied, "realis": "denied", "amount": None})
    company = await make_company(worker)
    await add_document(worker, company, text, url="https://sec.example/1", section="8.01")
    [found] = await read(worker, model, company)
    assert found["realis"] == "denied"
    assert found["title"] == denied


async def test_a_quote_takes_in_the_sentence_beside_it_that_names_whom(
    worker: Database, model: Provider
) -> None:
    text = (
        "Item 8.01. Other Events.\n\nThe board has looked at gears since spring. On March 4, 2024, the"
        " Company bought Polar Gear for $40 million in cash. The seller, Borealis Holdings, keeps the brand."
    )
    said = "Acme Widget Corporation bought Polar Gear for $40 million from Borealis Holdings."
    event = PURCHASE | {"statement": said, "others": ["Polar Gear"]}
    model.script = answering(event)
    company = await make_company(worker)
    await add_document(worker, company, text, url="https://sec.example/1", section="8.01")
    [found] = await read(worker, model, company)
    assert "bought Polar Gear" in found["quote"]
    assert "Borealis Holdings" in found["quote"]
    assert "looked at gears" not in found["quote"]
    assert found["quote"] in text


async def test_a_party_that_another_sentence_names_is_proven_by_it(
    worker: Database, model: Provider
) -> None:
    text = (
        "Item 8.01. Other Events.\n\nBorealis Holdings (the “Buyer”) has followed gears since spring."
        + " Nothing came of it for a long time, as everybody knows." * 6
        + " On March 4, 2024, the Company sold Polar Gear to the Buyer."
    )
    said = "Acme Widget Corporation sold Polar Gear to Borealis Holdings."
    event = PURCHASE | {"type": "sells_assets_to", "statement": said, "amount": None}
    model.script = answering(event | {"others": ["Borealis Holdings"]})
    company = await make_company(worker)
    await add_document(worker, company, text, url="https://sec.example/1", section="8.01")
    [found] = await read(worker, model, company)
    assert found["title"] == said
    assert found["quote"] == "On March 4, 2024, the Company sold Polar Gear to the Buyer."
    assert {"role": "buyer", "name": "Borealis Holdings"} in found["parties"]


async def test_a_month_without_a_day_is_kept_as_a_month(worker: Database, model: Provider) -> None:
    text = (
        "Item 8.01. Other Events.\n\nIn January 2024 the Company bought Polar Gear for $40 million."
    )
    said = "Acme Widget Corporation bought Polar Gear for $40 million in January 2024."
    model.script = answering(PURCHASE | {"statement": said, "others": [], "day": "2024-01"})
    company = await make_company(worker)
    await add_document(worker, company, text, url="https://sec.example/1", section="8.01")
    [found] = await read(worker, model, company)
    assert found["occurred_at"] == "2024-01-01T12:00:00Z"
    assert found["details"] == {"precision": "month"}


@pytest.mark.parametrize("told", ["2019", "2018", "2024-03-06"])
async def test_background_keeps_the_year_of_its_words(
    worker: Database, model: Provider, told: str
) -> None:
    text = "Item 8.01. Other Events.\n\nThe Company bought Polar Gear for $40 million in 2019."
    said = "Acme Widget Corporation bought Polar Gear for $40 million in 2019."
    model.script = answering(PURCHASE | {"statement": said, "others": [], "day": told})
    company = await make_company(worker)
    await add_document(worker, company, text, url="https://sec.example/1", section="8.01")
    [found] = await read(worker, model, company)
    assert found["occurred_at"] == "2019-01-01T12:00:00Z"
    assert found["details"] == {"precision": "year"}


async def test_a_long_piece_is_read_to_its_end(worker: Database, model: Provider) -> None:
    filler = "The weather in Springfield was fine on that day and the next one. " * 70
    company = await make_company(worker)
    body = TEXT.partition("The weather")[0].partition("\n\n")[2]
    await add_document(
        worker, company, filler + body, url="https://acmewidget.example/news/a", kind="news",
        title="News", section="news",
    )  # fmt: skip
    assert [each["type"] for each in await read(worker, model, company)] == ["acquires"]
    assert len(model.requests) == 3


async def test_what_the_verifier_does_not_find_is_dropped(
    worker: Database, model: Provider
) -> None:
    assert model.verifier is not None
    model.verifier.script = deciding(lambda claim: False)
    company = await make_company(worker)
    await add_document(worker, company, TEXT, url="https://sec.example/1", section="8.01")
    assert await read(worker, model, company) == []


async def test_a_doubted_statement_gives_way_to_its_quote(
    worker: Database, model: Provider
) -> None:
    assert model.verifier is not None
    model.verifier.script = deciding(
        lambda claim: claim["claim"].startswith("Acme Widget acquires")
    )
    company = await make_company(worker)
    await add_document(worker, company, TEXT, url="https://sec.example/1", section="8.01")
    [found] = await read(worker, model, company)
    assert found["type"] == "acquires"
    assert found["title"] == (
        "On March 4, 2024, Acme Widget Corporation bought Polar Gear Inc. for $40 million in cash."
    )
    assert {"role": "target", "name": "Polar Gear Inc."} in found["parties"]
    assert found["occurred_at"] == "2024-03-04T12:00:00Z"


async def test_what_the_passages_contradict_is_not_asked_again(
    worker: Database, model: Provider
) -> None:
    def contradicting(asked: dict[str, Any]) -> Call:
        words = claims_of(asked)[0]["quotes"][0]["quote"]
        return Call({"verdicts": [{"id": "C1", "verdict": "contradicted", "words": words}]})

    assert model.verifier is not None
    model.verifier.script = contradicting
    company = await make_company(worker)
    await add_document(worker, company, TEXT, url="https://sec.example/1", section="8.01")
    assert await read(worker, model, company) == []
    assert len(model.verifier.requests) == 1


FAR = " Nothing came of it for a long time, as everybody in Springfield knows." * 40


@pytest.mark.parametrize(
    ("quote", "day"),
    [
        ("As of March 2, 2024", "2024-03-02T12:00:00Z"),
        ("As of March 3, 2024", None),
        (None, None),
    ],
)
async def test_a_day_that_stands_far_from_its_sentence_is_proven_by_its_words(
    worker: Database, model: Provider, quote: str | None, day: str | None
) -> None:
    text = f"Item 8.01. Other Events.\n\nAs of March 2, 2024 gears were dear.{FAR}"
    text += " The Company bought Polar Gear."
    said = "Acme Widget Corporation bought Polar Gear."
    event = {"statement": said, "others": [], "amount": None, "day": (day or "2024-03-02")[:10]}
    model.script = answering(PURCHASE | event | {"day_quote": quote})
    company = await make_company(worker)
    await add_document(worker, company, text, url="https://sec.example/1", section="8.01")
    [found] = await read(worker, model, company)
    assert found["occurred_at"] == day


async def test_names_and_sums_that_are_not_there_are_left_out(
    worker: Database, model: Provider
) -> None:
    model.script = answering(PURCHASE | {"others": ["Borealis"], "amount": 41_000_000, "day": None})
    company = await make_company(worker)
    await add_document(worker, company, TEXT, url="https://sec.example/1", section="8.01")
    [found] = await read(worker, model, company)
    assert [each["role"] for each in found["parties"]] == ["acquirer"]
    assert found["amount"] is None


async def test_a_spent_budget_leaves_what_structure_says(worker: Database, model: Provider) -> None:
    company = await make_company(worker)
    await add_document(worker, company, FILING, url="https://sec.example/1")
    [found] = await read(worker, model, company, requests=0)
    assert found["type"] == "material_agreement"
    assert not model.requests
    async with worker.connection() as connection:
        again = await connection.fetchval(
            "SELECT ready_at > now() FROM work WHERE kind = $1", run.MODEL_KIND
        )
    assert again


async def test_a_model_that_fails_is_asked_later(worker: Database, model: Provider) -> None:
    model.script = [Fail(500)]
    company = await make_company(worker)
    await add_document(worker, company, FILING, url="https://sec.example/1")
    [found] = await read(worker, model, company)
    assert found["type"] == "material_agreement"
    assert await count(worker, "model_readings") == 0


async def test_results_that_a_model_reads_carry_their_figures(
    worker: Database, model: Provider
) -> None:
    said = "Revenue of Acme Widget Corporation was $12 million in the first quarter of 2024, up 8%."
    text = (
        "Item 2.02. Results.\n\nFor the first quarter of 2024 the Company reported revenue of $12 million,"
        " up 8%. For the year it expects revenue of $50 million. Polar Gear is its largest customer."
    )

    def script(asked: dict[str, Any]) -> Call:
        first = {"sentence": "S1", "type": "earnings_released", "statement": said}
        outlook = "Acme Widget Corporation expects revenue of $50 million for the year."
        second = {"sentence": "S2", "type": "guidance_changed", "statement": outlook}
        return Call({"events": [first, second | {"realis": "planned"}]})

    model.script = script
    company = await make_company(worker)
    await add_document(worker, company, text, url="https://sec.example/1", section="2.02")
    found = {each["type"]: each for each in await read(worker, model, company)}
    details = found["earnings_released"]["details"]
    assert details["figures"][0]["changes"] == ["8%"]
    assert details["guidance"] == "For the year it expects revenue of $50 million."
    assert details["period"] == "the first quarter of 2024"
