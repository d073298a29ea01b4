"""What is spelled as a person's name, and names in ordinary case."""

import time

import pytest

from sightline.reading.people import name_words, person_case, person_name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ada Vale", ("Ada", "Vale")),
        ("Dr. Ada M. Vale, Ph.D.", ("Ada", "M.", "Vale")),
        ("Robert “Bob” Quill Jr.", ("Robert", "Quill")),
        ("William 'Bill' O’Neil-Smith", ("William", "O’Neil-Smith")),
        ("Ludwig van der Berg", ("Ludwig", "van", "der", "Berg")),
        ("José Ángel Ñíguez", ("José", "Ángel", "Ñíguez")),
        ("J.P. Quill", ("J.P.", "Quill")),
        ("Ada", ()),
        ("our new plant", ()),
        ("Vale, Plum & Co", ()),
        ("Suite 400", ()),
        ("One Two Three Four Five Six Seven", ()),
    ],
)
def test_words_of_a_name(text: str, words: tuple[str, ...]) -> None:
    assert name_words(text) == words


@pytest.mark.parametrize(
    ("shouted", "name"),
    [
        ("ADA VALE", "Ada Vale"),
        ("JOHN O'NEIL-SMITH JR", "John O'Neil-Smith Jr."),
        ("J.P. McQUILL III", "J.P. McQuill III"),
        ("ADA M VALE PHD", "Ada M. Vale Ph.D."),
        ("Ada de la Vale", "Ada de la Vale"),
    ],
)
def test_ordinary_case(shouted: str, name: str) -> None:
    assert person_case(shouted) == name


@pytest.mark.parametrize("unit", ["A", "A ", "A.", "A'", "(", "'", '"', "Mr. ", ", PhD", " Jr"])
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    began = time.process_time()
    name_words("Ada " + unit * (1_000_000 // len(unit)))
    for size in range(0, 120, 10):
        name_words("Ada " + unit * (size // len(unit)))
    assert time.process_time() - began < 5.0


@pytest.mark.parametrize(
    "text",
    ["Date", "Plum Corporation", "Chief Financial Officer", "New York", "PricewaterhouseCoopers LLP", "A. B.",
     "Total Assets", "March 2024", "Board of Directors", "Smith", "Principal Executive Officer"],
)  # fmt: skip
def test_what_is_no_person_is_not_taken_for_one(text: str) -> None:
    assert person_name(text) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ADA M. QUILL", "Ada M. Quill"),
        ("HUGO V. McQUILL", "Hugo V. McQuill"),
        ("Jean-Luc de la Tour", "Jean-Luc de la Tour"),
        ("PAUL O’QUILL, JR.", "Paul O’Quill, Jr."),
        ("Inés Añez", "Inés Añez"),
    ],
)
def test_names_of_people(text: str, name: str) -> None:
    assert person_name(text) == name
