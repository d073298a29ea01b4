"""Sums of money in running text, with amount, currency and place."""

import time

import pytest

from sightline.reading.money import sums_in


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("$1.2 billion", 1.2e9, "USD"),
        ("$450,000", 450_000, "USD"),
        ("US$3.5m", 3.5e6, "USD"),
        ("AUD$1.25 million", 1.25e6, "AUD"),
        ("C$40 million", 4e7, "CAD"),
        ("€ 12 million", 1.2e7, "EUR"),
        ("£14.75", 14.75, "GBP"),
        ("EUR 40 mn", 4e7, "EUR"),
        ("RMB 300 million", 3e8, "CNY"),
        ("5 million euros", 5e6, "EUR"),
        ("200 Canadian dollars", 200, "CAD"),
        ("30 million U.S. dollars", 3e7, "USD"),
        ("12 million USD", 1.2e7, "USD"),
        ("Rs 500 crore", 5e9, "INR"),
        ("¥700 billion", 7e11, "JPY"),
        ("$219,000.00", 219_000, "USD"),
    ],
)
def test_a_sum(text: str, amount: float, currency: str) -> None:
    sentence = f"It paid {text}, in cash."
    (found,) = sums_in(sentence)
    assert sentence[found.start : found.end] == text
    assert (found.amount, found.currency) == (pytest.approx(amount), currency)


def test_several_and_none() -> None:
    text = "From $3 to $4.5 million, and 40 stores for 7% in 2024."
    assert [(each.amount, each.currency) for each in sums_in(text)] == [(3, "USD"), (4.5e6, "USD")]
    assert sums_in("12 plants, $ none, 4 million people, CAD drawings 5") == []


@pytest.mark.parametrize("unit", ["$", "1", "1,", "1.", " ", "$1 ", "1 million ", "A$"])
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    began = time.process_time()
    sums_in(text)
    assert time.process_time() - began < 5.0
