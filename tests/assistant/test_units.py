"""The unit that a reader of a quote alone would miss."""

import pytest

from sightline.assistant.units import NOTES, unit_beside
from tests.search.stored import stored_passage

ROWS = "2025 | 2024\nCranes | 12,500 | 10,000"


@pytest.mark.parametrize(
    ("text", "context", "quote", "unit"),
    [
        (f"Sales (in thousands)\n\n{ROWS}", "", "Cranes | 12,500 | 10,000", "in thousands"),
        (ROWS, "Sales (in millions)", "Cranes | 12,500 | 10,000", "in millions"),
        (f"Sales (in millions)\n\nA | 1,200\n\n{'Prose. ' * 40}\n\nHeads\n\n{ROWS}", "", ROWS, ""),
        ("It lent $25,000.", "", "It lent $25,000.", "in thousands"),
        ("It lent $25 million.", "", "It lent $25 million.", ""),
        ("It has 25,000 people.", "", "It has 25,000 people.", ""),
    ],
)
def test_a_quote_gets_the_unit_of_its_table_or_its_notes(
    text: str, context: str, quote: str, unit: str
) -> None:
    assert unit_beside(quote, stored_passage(text, context=context), f"{NOTES}in thousands") == unit
