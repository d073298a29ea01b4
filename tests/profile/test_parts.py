"""What stands below the heading of a segment is told with the segment's name."""

import pytest

from sightline.profile.evidence import Document, Span
from sightline.profile.parts import scopes
from tests.profile.heads import scripted
from tests.profile.test_fact_sections import FILING, NOW, evidence, member
from tests.profile.test_share_out import bodies

SOLD = "Sales of frozen fish decreased 14% in 2025, as two grocers of Bergen left."
SPENT = "Wages of drivers increased 9% in 2025, after the new contract for all of Norway."
RAISED = "Rates for stored goods increased 6% in 2025, mostly in Denmark and Sweden."
BORROWED = "Interest on the loan of the Nordic Bank increased 3% in 2025 with its rate."
NORDIC = "The review of the year begins here with all that the company did in 2025."
REVIEW = f"""{NORDIC}
OUR SEGMENTS
Cold Storage | $120 | $110
Fleet Services | 80 | 70
SOUTHERN DEPOTS | 20 | 10
Total | $220 | $190
Cold Storage Segment
2025 Compared with 2024
{RAISED}
FLEET SERVICES
2025 Compared with 2024
{SPENT}
SOUTHERN DEPOTS
2025 Compared with 2024
{SOLD}
Liquidity and Capital Resources
{BORROWED}
"""


def reviewed(text: str = REVIEW) -> Document:
    span = Span(0, len(text), "7", None)
    return Document(
        FILING, "filing", "test", "https://filings.example", "10-K", NOW, NOW, text, (span,)
    )


def test_a_sentence_below_the_heading_of_a_segment_names_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = {SOLD: "loses", SPENT: "loses", RAISED: "makes", BORROWED: "loses"}
    of = evidence([member("Cold Storage", 120.0), member("Fleet Services", 80.0)], [reviewed()])
    made = bodies(of, scripted(monkeypatch, told))
    lost = {row["description"]: row["name"] for row in made["how_they_lose_money"]}
    # A row beside those of known segments is one too; what comes behind the last one is none's.
    assert set(lost) == {f"Southern Depots: {SOLD}", f"Fleet Services: {SPENT}", BORROWED}
    assert lost[f"Fleet Services: {SPENT}"] == f"Fleet Services: {SPENT}"
    said = [row["description"] for row in made["how_they_make_money"]]
    assert f"Cold Storage: {RAISED}" in said
    assert [row["division_name"] for row in made["divisions"]] == ["Cold Storage", "Fleet Services"]


def test_a_company_of_one_segment_has_no_parts() -> None:
    assert scopes(evidence([member("Cold Storage", 120.0)], [reviewed()])) == {}


def test_what_is_left_over_ends_a_part() -> None:
    text = REVIEW.replace("SOUTHERN DEPOTS", "Corporate and other")
    of = evidence([member("Cold Storage", 120.0), member("Fleet Services", 80.0)], [reviewed(text)])
    names = [(each.name, each.heading) for each in scopes(of)[FILING]]
    assert names == [
        ("Cold Storage", "Cold Storage Segment"),
        ("Fleet Services", "FLEET SERVICES"),
        (None, "Corporate and other"),
    ]
