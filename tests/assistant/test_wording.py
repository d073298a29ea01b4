"""Questions as they are typed: short forms, slips of the keyboard, other languages."""

import pytest

from sightline.assistant.question import read_question
from sightline.assistant.wording import in_english, mended, written_out

NAMES = ["Harbor Analytics", "HRBA"]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("whos the cfo", "who is the cfo"),
        ("revenue 2024 v 2023", "revenue 2024 versus 2023"),
        ("sales outside the us", "sales outside the United States"),
        ("did they buy back shares", "did they repurchase shares"),
        ("which markets did they pull out of?", "which markets did they exited?"),
    ],
)
def test_short_forms_are_written_out(typed: str, read: str) -> None:
    assert written_out(typed) == read


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ("Wie hoch war der Umsatz 2023?", "money"),
        ("Wie viele Mitarbeiter hat Harbor Analytics?", "employees"),
        ("Telefonnummer?", "identity"),
        ("Qui est le directeur financier de Harbor Analytics ?", "role"),
        ("Quel était le bénéfice net en 2022 ?", "money"),
        ("¿Cuáles son los competidores de Harbor Analytics?", "competitors"),
        ("¿Cuántos empleados tiene?", "employees"),
    ],
)
def test_questions_in_other_languages_are_of_the_same_kinds(asked: str, kind: str) -> None:
    question = read_question(asked, NAMES)
    assert kind in question.kinds
    assert question.terms(kind) == ()
    assert question.refused is None


@pytest.mark.parametrize(
    "asked",
    ["Who is the CFO?", "What was revenue in 2023?", "Does it sell a La Brea die?", "and in Asia?"],
)
def test_english_stays_as_it_is(asked: str) -> None:
    assert in_english(asked) == asked


def test_a_slip_is_mended_only_as_a_further_reading() -> None:
    assert mended("how many peple work there") == "how many people work there"
    assert mended("corporate controler") == "corporate controller"
    assert mended("the Lisbon laboratory") == "the Lisbon laboratory"
    question = read_question("how many peple work there", NAMES)
    assert question.text == "how many peple work there"
    assert [other.kinds[0] for other in question.others] == ["employees"]
