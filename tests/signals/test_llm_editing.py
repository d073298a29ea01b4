"""An editor joins events that are one and leaves out what is none; it adds nothing."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from sightline.domain.mentions import Mention
from sightline.domain.signals import SignalType
from sightline.signals.llm_editor import Edit, Edits, desk_of
from sightline.store.database import Database
from sightline.store.signals import StoredSignal
from tests.assistant.provider import Act, Call, Fail, Provider, provider
from tests.reading.verdicts import supporting
from tests.signals.test_llm_reading import read
from tests.signals.test_run import add_document, count, make_company

T = SignalType
SAID = datetime(2024, 3, 6, 12, tzinfo=UTC)
DOCUMENT = UUID(int=7)


def mention(title: str, *, type: SignalType = T.ACQUIRES) -> Mention:
    return Mention(type, title, title, title, "news", {}, DOCUMENT, 0, len(title), SAID)


def stored(title: str, *, days: int = 0, document: UUID | None = None) -> StoredSignal:
    day = SAID.replace(day=6 + days)
    documents = frozenset({document or uuid4()})
    return StoredSignal(uuid4(), None, T.ACQUIRES, title, day, "", None, "news", 0.9, (), documents)


TITLES = ["A buys B.", "A closes it.", "A pays in shares."]
BUYS, CLOSES, PAYS = map(mention, TITLES)


@pytest.mark.parametrize(
    ("edits", "titles"),
    [
        ([], TITLES),
        ([("E3", "detail", "E1")], ["A buys B.", "A closes it.", "A buys B."]),
        ([("E2", "idle", ""), ("E3", "elsewhere", "")], ["A buys B."]),
        ([("E1", "idle", ""), ("E2", "idle", ""), ("E3", "idle", "")], []),
        # What is joined to something that goes, is joined itself, or is not there, stays as it is.
        ([("E1", "idle", ""), ("E2", "repeats", "E1")], ["A closes it.", "A pays in shares."]),
        ([("E1", "repeats", "E2"), ("E2", "repeats", "E1")], TITLES),
        ([("E3", "repeats", "E9"), ("E8", "idle", "")], TITLES),
        ([("E3", "rubbish", "")], TITLES),
    ],
)  # fmt: skip
def test_what_an_editor_leaves(edits: list[tuple[str, str, str]], titles: list[str]) -> None:
    desk = desk_of([BUYS, CLOSES, PAYS], [], said=SAID)
    left = desk.edited(Edits(edits=[Edit(id=i, verdict=v, of=of) for i, v, of in edits]))
    assert [each.title for each in left] == titles
    # The words that prove a joined event stay.
    assert all(each.quote in set(TITLES) for each in left)


def test_a_joined_event_is_further_proof() -> None:
    desk = desk_of([BUYS, CLOSES], [], said=SAID)
    _, further = desk.edited(Edits(edits=[Edit(id="E2", verdict="repeats", of="E1")]))
    assert further == replace(BUYS, quote=CLOSES.quote, start=CLOSES.start, end=CLOSES.end)


def test_known_events_are_those_of_other_documents_near_its_day() -> None:
    near, own = stored("A buys B."), stored("A buys C.", document=DOCUMENT)
    old = replace(stored("A buys D."), at=datetime(2023, 3, 6, tzinfo=UTC))
    desk = desk_of([BUYS], [own, old, near], said=SAID)
    assert list(desk.known.values()) == [near]
    [joined] = desk.edited(Edits(edits=[Edit(id="E1", verdict="repeats", of="K1")]))
    assert joined == replace(BUYS, signal_id=near.signal_id)
    assert not desk_of([BUYS], [own, old], said=SAID).is_worth_asking
    assert not desk_of([], [near], said=SAID).is_worth_asking


BOUGHT = "On March 4, 2024, the Company bought Polar Gear Inc. for $40 million in cash."
AGAIN = "Acme Widget Corporation now has a maker of gears of its own, the Company said on March 6, 2024."


def reading(edit: Callable[[list[dict[str, Any]]], Act]) -> Callable[[dict[str, Any]], Act]:
    """A model that reads the two sentences as events of two types, and edits as it is told."""

    def script(asked: dict[str, Any]) -> Act:
        shown = str(asked["messages"][-1]["content"])
        lines = [json.loads(line) for line in shown.splitlines() if line.startswith("{")]
        if "You edit the list" in str(asked["messages"][0]["content"]):
            return edit(lines)
        events = [
            {"sentence": line["id"], "type": type, "statement": said, "realis": "happened"}
            for line in lines
            for words, type, said in (
                ("Polar Gear", "acquires", "Acme Widget Corporation bought Polar Gear Inc."),
                ("of its own", "expands_to", "Acme Widget Corporation now has a maker of gears."),
            )
            if words in line["sentence"]
        ]
        return Call({"events": events})

    return script


def joining(lines: list[dict[str, Any]]) -> Act:
    known = next(line["id"] for line in lines if line["id"].startswith("K"))
    return Call({"edits": [{"id": "E1", "verdict": "repeats", "of": known}]})


@pytest.fixture
def model() -> Iterator[Provider]:
    with provider(reading(joining)) as running, provider(supporting) as verifier:
        running.verifier = verifier
        yield running


async def two_documents(worker: Database) -> UUID:
    company = await make_company(worker)
    heading = "Item 8.01. Other Events.\n\n"
    await add_document(
        worker, company, heading + BOUGHT, url="https://sec.example/1", section="8.01"
    )
    await add_document(
        worker, company, heading + AGAIN, url="https://sec.example/2", section="8.01"
    )
    return company


async def test_one_event_in_two_documents_is_one_signal(worker: Database, model: Provider) -> None:
    company = await two_documents(worker)
    assert len(await read(worker, model, company)) == 1
    assert await count(worker, "signal_mentions") == 2


async def test_an_editor_s_garbage_changes_nothing(worker: Database, model: Provider) -> None:
    model.script = reading(lambda lines: Call({"edits": "none"}))
    company = await two_documents(worker)
    assert {each["type"] for each in await read(worker, model, company)} == {
        "acquires",
        "expands_to",
    }


async def test_a_document_waits_for_an_editor_that_fails(worker: Database, model: Provider) -> None:
    model.script = reading(lambda lines: Fail(503))
    company = await two_documents(worker)
    assert len(await read(worker, model, company)) == 1
    async with worker.connection() as connection:
        waiting = await connection.fetchval(
            "SELECT kind FROM work WHERE subject = $1", str(company)
        )
    assert waiting is not None
