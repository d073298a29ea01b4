"""What of a filing tells of a happening, and what does not."""

from datetime import UTC, datetime

import pytest

from sightline.search.substance import UNPROVEN, is_career, substance

FILED = datetime(2025, 2, 20, tzinfo=UTC)
TOLD = (
    "On November 4, 2024, we completed the acquisition of Halden Castings for $40 million in cash."
)


def worth(text: str, *, title: str = "Acquisitions", section: str | None = "7") -> float:
    return substance(title, text, section=section, published=FILED)


def test_what_is_told_with_its_day_is_worth_most() -> None:
    assert worth(TOLD) == UNPROVEN
    assert worth("In the fourth quarter of 2024 we closed the plant in Dayton.") == UNPROVEN


@pytest.mark.parametrize(
    ("title", "text", "section"),
    [
        ("Risk Factors", TOLD, "7"),
        ("We may not find buyers", TOLD, "7"),
        ("Forward-Looking Statements", TOLD, None),
        ("Acquisitions", TOLD, "1A"),
        ("Note 4", TOLD, "8"),
        ("Liquidity", "We use cash for acquisitions, dividends and the repurchase of shares.", "7"),
        ("Acquisitions", TOLD.replace("2024", "2021"), "7"),
        (
            "Acquisitions",
            "Acquisitions, net of cash | (776) | (570) | (12)\nDividends in May 2024 | 1 | 2 | 3",
            "7",
        ),
        (
            "Factors",
            "• difficulty in integrating an acquired business;\n• closure of plants;\n"
            "• the resignation of officers whom we rely on since the first quarter.",
            "7",
        ),
        (
            "Officers",
            "She joined Halden in 2019. Before that she served as chief of Orrin Mills until May 2019.",
            "7",
        ),
    ],
)
def test_what_could_be_or_was_or_always_is_counts_less(
    title: str, text: str, section: str | None
) -> None:
    assert worth(text, title=title, section=section) < 0.8 * UNPROVEN


def test_points_with_figures_are_told() -> None:
    points = "• Revenue of $18 million, up 22%\n• 300 new jobs in May 2024\n• Margin of 41%"
    assert worth(points, title="Highlights", section="EX-99.1") == UNPROVEN


def test_one_former_office_is_no_career() -> None:
    assert not is_career("Mr. Quill, who served as treasurer, was appointed chief executive.")
