"""A name need not be the very heading: its words or, with the encoder, a like meaning find it."""

import pytest

from sightline.assistant.tools.matching import nearness, with_most_words

HEADINGS = [
    "Legal Proceedings",
    "Liquidity and Capital Resources",
    "Human Capital",
    "Cranes of Lisbon",
]


async def best(name: str) -> str:
    near = await nearness(name, HEADINGS)
    return HEADINGS[near.index(max(near))]


async def test_words_find_a_heading_without_an_encoder() -> None:
    assert await best("capital resources and liquidity") == "Liquidity and Capital Resources"
    assert max(await nearness("human cranial legacies", HEADINGS)) < 0.6  # letters are not words


@pytest.mark.usefixtures("encoder")
async def test_the_encoder_finds_a_heading_of_other_words() -> None:
    assert await best("lawsuits and court cases") == "Legal Proceedings"


def test_the_rows_with_most_words_are_chosen() -> None:
    rows = ["10-Q for March", "10-K for March", "News"]
    assert with_most_words(rows, "10-Q", str) == rows[:1]
    assert with_most_words(rows, "10-Q march report", str) == rows[:1]
    assert with_most_words(rows, "march", str) == rows[:2]
    assert with_most_words(rows, "zeppelins", str) == []
    assert with_most_words(rows, None, str) == rows
