"""Rows of a table get the head that stands above them."""

from sightline.search.tables import table_context

TABLE = (
    "Sales grew.\n\nNet sales by region\n\n(in millions)\n\n"
    "Year ended December 31, | 2024 | 2023\nEurope | $1,204 | $1,100\n"
    "Asia | 845 | 790\nAfrica | 95 | 81"
)


def context(first: str) -> str:
    at = TABLE.index(first)
    return table_context(TABLE[:at], TABLE[at:])


def test_rows_have_caption_unit_and_period() -> None:
    assert context("Asia").split("\n") == [
        "Sales grew.", "Net sales by region", "(in millions)", "Year ended December 31, | 2024 | 2023",
    ]  # fmt: skip


def test_what_the_passage_has_itself_is_not_repeated() -> None:
    assert context("Year ended").split("\n") == [
        "Sales grew.",
        "Net sales by region",
        "(in millions)",
    ]
    assert context("Net sales") == "Sales grew."


def test_a_row_of_figures_is_no_head() -> None:
    assert "Europe" not in context("Asia")


def test_prose_has_none() -> None:
    assert table_context("Before.\n\n", "Nothing but a sentence.") == ""


def test_a_unit_in_a_long_sentence_above_is_found() -> None:
    before = "x" * 250 + " amounts in thousands, except shares\n\nPeriod | 2024\n"
    assert table_context(before, "Cash | 1,200").split("\n") == ["in thousands", "Period | 2024"]


def test_a_table_whose_top_is_out_of_sight_has_none() -> None:
    assert table_context("Cash | 1,200\n", "Debt | 900") == ""
