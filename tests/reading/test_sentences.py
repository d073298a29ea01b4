"""Where sentences end, and that hostile text costs no more than its length."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.reading.sentences import sentence_at, sentences


def split(text: str, *, wrapped: bool = False) -> list[str]:
    return [text[start:end] for start, end in sentences(text, wrapped=wrapped)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("We sell. We rent.", ["We sell.", "We rent."]),
        ("Mr. Vale joined Plum Inc. in May. He left.", ["Mr. Vale joined Plum Inc. in May.", "He left."]),
        ("It sells in the U.S. The rest is exported.", ["It sells in the U.S.", "The rest is exported."]),
        ("It sells in the U.S. Virgin Islands.", ["It sells in the U.S. Virgin Islands."]),
        ("See Form 10-K. Revenue rose.", ["See Form 10-K.", "Revenue rose."]),
        ("Filed with the SEC. Investors may read it.", ["Filed with the SEC.", "Investors may read it."]),
        ("John W. Dietrich spoke. J.P. Morgan paid.", ["John W. Dietrich spoke.", "J.P. Morgan paid."]),
        ("Item 7A. Market Risk", ["Item 7A. Market Risk"]),
        ("1. Organization", ["1. Organization"]),
        ("Vale v. Plum was heard at 9 a.m. ET.", ["Vale v. Plum was heard at 9 a.m. ET."]),
        ("“We won.” She smiled.", ["“We won.”", "She smiled."]),
        ("What next? iPhone sales rose.", ["What next?", "iPhone sales rose."]),
        ("He asked “why?” and left.", ["He asked “why?” and left."]),
        ("Am 18. März war Schluss. Gut.", ["Am 18. März war Schluss.", "Gut."]),
        ("Wir liefern z.B. Pumpen. Und Ventile.", ["Wir liefern z.B. Pumpen.", "Und Ventile."]),
        ("価格を上げた。利益が増えた。", ["価格を上げた。", "利益が増えた。"]),
        ("가격을 올렸다. 이익이 늘었다.", ["가격을 올렸다.", "이익이 늘었다."]),
        ("New: • Pumps • Valves", ["New:", "Pumps", "Valves"]),
        ("Revenue | 2024 | 2023\nPumps | 5 | 4", ["Revenue | 2024 | 2023", "Pumps | 5 | 4"]),
        ("  \n \n", []),
    ],
)  # fmt: skip
def test_sentences(text: str, parts: list[str]) -> None:
    assert split(text) == parts


def test_lines_broken_by_width_are_joined_and_so_is_a_sentence_over_a_page_break() -> None:
    text = (
        "We rent\npumps. We sell\nvalves.\n\nThe plant in the north of the country makes both of them and\n"
        " \nwas built in 1999.\n\nEmployees\n\nWe have 40."
    )
    assert split(text, wrapped=True) == [
        "We rent\npumps.",
        "We sell\nvalves.",
        "The plant in the north of the country makes both of them and\n \nwas built in 1999.",
        "Employees",
        "We have 40.",
    ]


def test_the_sentence_around_a_span_stays_on_its_line() -> None:
    text = "Heading\nOne of us. We had 40 employees at Plum Inc. in May. That is all.\nNext"
    at = text.index("40")
    start, end = sentence_at(text, at, at + 2)
    assert text[start:end] == "We had 40 employees at Plum Inc. in May."
    start, end = sentence_at(text, at, at + 2, reach=10)
    assert at - 10 <= start <= at < end <= at + 12


@given(st.text(alphabet='aA1. !?\n"”)•|', max_size=200), st.booleans())
def test_spans_are_in_order_and_lose_nothing_but_white_space_and_bullets(
    text: str, wrapped: bool
) -> None:
    place = 0
    for start, end in sentences(text, wrapped=wrapped):
        assert start < end
        assert not text[place:start].strip(" \n•")
        place = end
    assert not text[place:].strip(" \n•")


@pytest.mark.parametrize(
    "unit",
    [".", " ", '"', "\n", ". ", ".\n", "a.", "A. ", "1. ", ".\"", "\n ", "• ",
     "!", "…", "(", "。", "x", ".” ", "U.S. "],
)  # fmt: skip
@pytest.mark.parametrize("wrapped", [False, True])
def test_anything_is_read_in_linear_time(unit: str, wrapped: bool) -> None:
    text = unit * (200_000 // len(unit))
    began = time.process_time()
    sentences(text, wrapped=wrapped)
    assert time.process_time() - began < 5.0  # a loaded core takes one; a square would take minutes
