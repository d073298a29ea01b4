"""What amounts of notes are in, where only their heading says so."""

import pytest

from sightline.reading.tables import notes_unit, unit_words

HEADING = "Notes to Consolidated Financial Statements"


@pytest.mark.parametrize(
    ("before", "unit"),
    [
        (f"{HEADING} (in thousands)\n\n1. Debt\n", "in thousands"),
        (f"{HEADING}\n(Dollars in millions, except per share data)\n", "in millions, except per share data"),
        (f"{HEADING} (in millions)\n\nText.\n\n{HEADING} - (continued)\n\nMore.\n", "in millions"),
        ("Amounts in thousands unless otherwise noted\nDebt\n", "in thousands unless otherwise noted"),
        (f"{HEADING}\nDebt\n", ""),
        (f"{HEADING} (in thousands)\n\nItem 9. Controls\n\nNone.\n", ""),
        ("Sales (in thousands)\nCranes | 5,000\n\nSales rose.\n", ""),  # of that table alone
        (f"See the {HEADING} (in thousands) for more.\n", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_the_heading_of_notes_gives_the_unit_of_what_follows(before: str, unit: str) -> None:
    assert notes_unit(before) == unit


def test_the_last_words_about_a_unit_count() -> None:
    assert unit_words("Sales (in millions)\nCosts (in thousands, 2025)\n") == "in thousands, 2025"
