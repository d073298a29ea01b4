"""Rows of a table get the head that stands above them."""

import pytest

from sightline.reading.tables import scale_of, table_after, table_context

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


def test_a_share_of_something_heads_a_column() -> None:
    before = "Costs\n\n2025 | % of revenue | 2024 | % of revenue\nSales | 1,200 | 100.0%\n"
    assert table_context(before, "Research | 172 | 14.3").split("\n") == [
        "Costs", "2025 | % of revenue | 2024 | % of revenue",
    ]  # fmt: skip


def test_headings_between_rows_part_no_table() -> None:
    before = (
        "Results of operations\n\n(in thousands)\n\n2025 | 2024\nRevenue | 1,200 | 1,100\n\n"
        "Operating expenses:\n\nResearch | 172 | 160\n\nOther:\n\n"
    )
    assert table_context(before, "Interest | 12 | 16").split("\n") == [
        "Results of operations", "(in thousands)", "2025 | 2024",
    ]  # fmt: skip
    other = "Debt\n\n2023 | 2022\nNotes | 7 | 8\n\nCash\n\n2025 | 2024\n"
    assert table_context(other, "Banks | 172 | 160").split("\n") == ["Cash", "2025 | 2024"]


def test_a_passage_goes_on_to_the_end_of_its_table() -> None:
    table = "2025 | 2024\nEurope | 7 | 8\n\nOther:\n\nAsia | 1 | 2"
    after = (
        f"\n\n(in thousands)\n\n{table}\n\nSales grew in Europe.\n\nMore.\n\nMore still.\n\nA | 1"
    )
    intro = "The following table shows sales:"
    assert table_after(intro, after, longest=1_000) == f"\n\n(in thousands)\n\n{table}"
    assert table_after(f"{intro}\n2025 | 2024", "\nEurope | 7 | 8\nAsia | 1 | 2", longest=20) == (
        "\nEurope | 7 | 8"
    )
    assert (
        table_after("Sales grew.", "\n\n" + "So did costs. " * 30 + "\n\nA | 1", longest=900) == ""
    )


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("Sales (in thousands, except per share data)", 1e3),
        ("(Dollars in millions)", 1e6),
        ("$ millions | 2024 | 2023", 1e6),
        ("(in $000s)", 1e3),
        ("Sales (000s)", 1e3),
        ("thousands of U.S. dollars", 1e3),
        ("(Millions, except headcount)", 1e6),
        ("in thousands\n\nLater, in billions of euros", 1e9),
        ("It sold for $5 million in 2024.", None),
        ("the million things", None),
    ],
)
def test_the_scale_of_a_table_is_read(text: str, scale: float | None) -> None:
    assert scale_of(text) == scale
