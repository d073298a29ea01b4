"""What of a filing tells of a happening, and what does not."""

from datetime import UTC, datetime

import pytest

from sightline.domain.signals import SignalFamily
from sightline.search.analysis import Analyser
from sightline.search.substance import UNPROVEN, substance
from sightline.search.telling import Telling

FILED = datetime(2025, 2, 20, tzinfo=UTC)
TOLD = (
    "On November 4, 2024, we completed the acquisition of Halden Castings for $40 million in cash."
)
analyser = Analyser()


def read(
    text: str, *, title: str = "Acquisitions", section: str | None = "7", kind: str = "filing"
) -> Telling:
    return substance(title, text, analyser, kind=kind, section=section, published=FILED)


def test_the_best_sentence_speaks_for_the_passage() -> None:
    text = f"We make castings. {TOLD} We may acquire others."
    best = read(text)
    assert text[best.span.start : best.span.end] == TOLD
    assert best.family is SignalFamily.MATERIAL_CHANGES
    assert 0.4 < best.strength <= UNPROVEN


def test_a_second_happening_adds_to_the_first() -> None:
    more = f"{TOLD} In December 2024 we closed the plant in Dayton, a restructuring."
    assert read(TOLD).strength < read(more).strength <= UNPROVEN


@pytest.mark.parametrize(
    ("title", "text", "section", "kind"),
    [
        ("Risk Factors", TOLD, "7", "filing"),
        ("We may not find buyers", TOLD, "7", "filing"),
        ("Forward-Looking Statements", TOLD, None, "filing"),
        ("Signatures", TOLD, None, "filing"),
        ("Acquisitions", TOLD, "1A", "filing"),
        ("Acquisitions", TOLD, "9.01", "filing"),
        ("Note 4", TOLD, "8", "filing"),
        ("Diversity and Inclusion", TOLD, "1", "filing"),
        ("Acquisitions", TOLD, "risks", "statement"),
        ("Liquidity", "We use cash for acquisitions, dividends and share repurchases.", "7", "filing"),
        ("Acquisitions", TOLD.replace("2024", "2021"), "7", "filing"),
        (
            "Acquisitions",
            f"{TOLD}\nAcquisitions, net of cash, and of the settlement | (776) | (570) | (12) | 40\n"
            "Dividends in May 2024, and of the funding that was raised | 1 | 2 | 3 | 12",
            "7", "filing",
        ),
        (
            "Factors",
            "• difficulty in integrating an acquired business;\n• closure of plants;\n"
            "• the resignation of officers whom we rely on.",
            "7", "filing",
        ),
        (
            "Officers",
            "She joined Halden in 2019. Before that she served as chief of Orrin Mills until May 2019.",
            "7", "filing",
        ),
    ],
)  # fmt: skip
def test_where_it_stands_and_how_it_is_told_count(
    title: str, text: str, section: str | None, kind: str
) -> None:
    assert read(text, title=title, section=section, kind=kind).strength < 0.8 * read(TOLD).strength


def test_points_with_figures_are_told() -> None:
    points = "• Revenue of $18 million, up 22% in 2024\n• 300 new jobs in May 2024"
    assert read(points, title="Highlights", section="EX-99.1").strength > 0.3


def test_nothing_is_told_by_nothing() -> None:
    assert read("", title="").strength == 0
