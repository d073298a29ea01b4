"""A company's own words are shown as its words, with where and when they were said."""

import pytest

from sightline.profile.brief import as_quote

SAID = "We opened a depot in Bergen."
REPORT = {"quote": SAID, "title": "10-K for 2025-12-31", "published_at": "2026-02-20T12:00:00Z"}
PAGE = {"quote": SAID, "title": "Home", "url": "https://larkspur.example/", "published_at": None}


@pytest.mark.parametrize(
    ("text", "source", "shown"),
    [
        (SAID, REPORT, f"In its 10-K of February 20, 2026: “{SAID}”"),
        (f"As of February 2026: {SAID}", REPORT, f"In its 10-K of February 20, 2026: “{SAID}”"),
        (SAID, PAGE, f"On larkspur.example: “{SAID}”"),
        ("Revenue was $5 million in FY2025.", REPORT, "Revenue was $5 million in FY2025."),
        ("Revenue was $5 million in FY2025.", {"quote": None}, "Revenue was $5 million in FY2025."),
    ],
)
def test_a_quote_is_shown_as_one(text: str, source: dict[str, str], shown: str) -> None:
    assert as_quote(text, [source]) == shown
