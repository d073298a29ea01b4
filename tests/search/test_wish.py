"""What a request is after besides its words."""

import pytest

from sightline.search.candidates import SourceKind
from sightline.search.wish import Wish, read_wish

HELD: tuple[SourceKind, ...] = ("filing", "job", "technology")


@pytest.mark.parametrize(
    ("text", "sought"),
    [
        ("hiring machine learning engineers", "machine learning engineers"),
        ("security compliance roles", "security compliance"),
        ("are they hiring for data scientists?", "are they data scientists?"),
        ("open sales jobs", "sales"),
        ("open positions", ""),
        ("Vacancies in Lisbon", "in Lisbon"),
    ],
)
def test_postings_are_sought_by_what_they_say(text: str, sought: str) -> None:
    assert read_wish(text, HELD) == Wish(sought, "job")
    assert read_wish(text, ["filing"]) == Wish(text, None), "no postings: words like others"


@pytest.mark.parametrize(
    "text", ["tech stack", "which technologies do they use", "software in use"]
)
def test_technologies(text: str) -> None:
    assert read_wish(text, HELD).kind == "technology"


@pytest.mark.parametrize(
    ("text", "sought"),
    [("who is the CFO?", "CFO?"), ("Who's their head of data", "head of data")],
)
def test_people_are_sought_among_what_is_known_of_them(text: str, sought: str) -> None:
    assert read_wish(text, ["filing", "insight"]) == Wish(sought, "insight")
    assert read_wish("who sued them", ["filing", "insight"]).kind is None


@pytest.mark.parametrize(
    "text",
    [
        "hiring freeze",
        "job cuts in Dayton",
        "jobs losses",
        "the role of the board",
        "cloud technology",
        "did they hire a new CFO",
        "opening of the new plant and repositioning",
    ],
)
def test_other_requests_stay_as_they_are(text: str) -> None:
    assert read_wish(text, HELD) == Wish(text, None)


def test_alternatives_of_a_kind_are_sought_one_by_one_too() -> None:
    assert read_wish("VP or director openings", HELD).texts == ("VP or director", "VP", "director")
    assert Wish("sales and marketing", "job").texts[1:] == ("sales", "marketing")
    assert Wish("sales and marketing", None).texts == ("sales and marketing",)
    assert len(Wish("a, b, c, d / e", "job").texts) == 3
