"""What form an answer has, figures of tables, and lines found in whole documents."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from sightline.assistant.held import HeldText
from sightline.assistant.question import read_question
from sightline.assistant.readers import tables
from sightline.assistant.readers.scanning import as_passages, speaking
from sightline.assistant.readers.wanted import Wanted

TABLE = """Order book

(Dollars in millions)

Years ended June 30, | 2031 | 2030
Ferries | $1,204 | $977
Tugs | 310 | 305
Total order book (1) | $1,514 | $1,282

The order book grew as ferry lines renewed their fleets. Our order book at June 30, 2031 was $1,514.
"""


def _held(text: str) -> HeldText:
    moment = datetime(2031, 8, 1, tzinfo=UTC)
    return HeldText(uuid4(), text, text.lower(), "filing", None, "10-K for 2031-06-30", moment)


@pytest.mark.parametrize(
    ("asked", "form"),
    [
        ("how many ferries are there?", "count"),
        ("what percentage of orders is foreign?", "share"),
        ("how much was the fine?", "sum"),
        ("size of the order book", "figure"),
        ("when is the annual meeting?", "day"),
        ("why was the yard closed?", "cause"),
        ("where are the hulls welded?", "place"),
        ("who audits them?", "name"),
        ("what is the dispute about?", "any"),
    ],
)
def test_the_form_is_told(asked: str, form: str) -> None:
    assert Wanted.of(read_question(asked, [])).form == form


def test_a_count_counts_what_is_asked_for() -> None:
    wanted = Wanted.of(read_question("how many ferries do they run?", []))
    assert wanted.is_in("As of June 30, 2031, we ran 44 coastal ferries.")
    assert not wanted.is_in("In 2031, ferries grew by 10% in our 12 ports.")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("size of the order book", "Total order book, 2031: $1,514 (in millions)."),
        ("size of the order book in 2030", "Total order book, 2030: $1,282 (in millions)."),
        ("how big are the tugs", "Tugs, 2031: 310 (in millions)."),
    ],
)
def test_a_row_is_told_with_its_column_and_unit(asked: str, said: str) -> None:
    question = read_question(asked, [])
    draft = tables.read(question, speaking([_held(TABLE)], question.every))
    assert draft is not None
    assert draft.statements[0].text == said
    assert str(draft.statements[0].sources[0].quote) in TABLE


def test_a_bare_amount_has_the_unit_of_its_table() -> None:
    held = _held(TABLE)
    assert tables.unit_of("Our order book at June 30, 2031 was $1,514.", held) == " (in millions)"
    assert tables.unit_of("The fine was $250,000.", held) == ""


def test_lines_of_rare_words_come_first() -> None:
    text = "\n".join([*["Our ferries run daily."] * 30, "One ferry is named Petrel."])
    lines = speaking([_held(text)], read_question("which ferry is called Petrel", []).every)
    assert as_passages(lines)[0].text == "One ferry is named Petrel."
