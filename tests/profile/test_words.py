"""Names, sentences, choosing, competitors: the rules on invented words."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from sightline.profile.evidence import Document, Evidence, Span
from sightline.profile.names import heading_name, is_half, risk_name, sentence_name, shorten
from sightline.profile.sections.key_executives import rank
from sightline.profile.select import Candidate, choose, cues, find
from sightline.profile.sentences import cut, is_statement
from tests.growth import grows_linearly

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sales in the U.S. grew. Costs fell.", ["Sales in the U.S. grew.", "Costs fell."]),
        ("Acorn Inc. The firm grew.", ["Acorn Inc.", "The firm grew."]),
        ("Acorn, Inc. makes tea. It grew 4.5% in May.", ["Acorn, Inc. makes tea.", "It grew 4.5% in May."]),
        ("“We won.” The crowd left.", ["“We won.”", "The crowd left."]),
    ],
)  # fmt: skip
def test_sentences(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in cut(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "See Note 4 of our consolidated financial statements for a description of leases.",
        "These forward-looking statements speak only as of the day on which they are made.",
        "the fragment of a sentence that begins in the middle of something.",
        "This is the heading of a table of figures of the year",
        "We use cookies to make this web site better for everybody who visits it.",
        "(2)Other revenue is what remains after the divisions have been counted.",
    ],
)
def test_boilerplate_is_no_statement(text: str) -> None:
    assert not is_statement(text)


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("Bad weather could materially harm our business.", "Bad weather"),
        ("If we are unable to hire drivers, our business may suffer.", "Inability to hire drivers"),
        ("If we fail to keep our trucks cold, we could lose customers.", "Failure to keep our trucks cold"),
        ("We may be adversely affected by the price of diesel fuel.", "The price of diesel fuel"),
        ("FAILURES OF THE COLD CHAIN", "Failures of the cold chain"),
    ],
)  # fmt: skip
def test_risk_names(caption: str, expected: str) -> None:
    assert risk_name(caption) == expected


@pytest.mark.parametrize(
    "heading", ["Overview", "Results of Operations", "(in millions)", "2025", None]
)
def test_headings_that_say_nothing(heading: str | None) -> None:
    assert heading_name(heading) is None


def test_names_are_short_and_whole() -> None:
    long = (
        "We plan to expand our fleet of electric trucks in Northern Europe over the next three years,"
        " which we believe will lower our costs per kilometre and please our customers."
    )
    name = sentence_name(long)
    assert name.startswith("Expand our fleet of electric trucks")
    assert len(name) <= 80
    assert len(shorten("word " * 40)) <= 80
    assert shorten("Short words stay as they are.") == "Short words stay as they are"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "investing in cold stores across the whole of Northern Europe and increasing the number of"
            " depots that run on batteries",
            "Investing in cold stores across the whole of Northern Europe",
        ),
        (
            "The market for refrigerated transport of fresh food is highly competitive, rapidly changing"
            " and fragmented among many carriers",
            "The market for refrigerated transport of fresh food is highly competitive",
        ),
        (
            "changes in social, political, economic, tax and regulatory conditions of the countries whose"
            " growers we serve",
            "Changes in social and regulatory conditions of the countries",
        ),
        (
            "Cost of transport revenue primarily consists of the wages of drivers, fuel, tolls and the"
            " rent of trailers, including insurance",
            "Cost of transport revenue",
        ),
        (
            "If the systems that let growers book transport at any hour of the day or night do not work"
            " well, customers may leave us",
            "The systems may not work well",
        ),
        (
            "If we or the carriers that we hire suffer cyber-attacks or other incidents of data security,"
            " we could lose growers",
            "Cyber-attacks or other incidents of data security",
        ),
    ],
)
def test_names_end_where_a_phrase_does(text: str, expected: str) -> None:
    assert shorten(text) == expected


def test_a_name_that_has_no_end_is_none() -> None:
    assert is_half(shorten("word " * 60))
    assert is_half("Grow with them")
    assert not is_half("Failure to keep our trucks cold")


def test_choosing_leaves_out_what_repeats() -> None:
    texts = (
        "We plan to open nine cold stores in Norway next summer",
        "Next summer we plan to open nine cold stores in Norway",
        "Our software plans the routes of refrigerated trucks",
    )
    found = choose(
        Candidate(t, t, (), score) for score, t in zip((3.0, 2.0, 1.0), texts, strict=True)
    )
    assert [each.name for each in found] == [texts[0], texts[2]]


def test_a_description_is_one_span_of_the_text() -> None:
    said = "We plan to build nine cold stores in Norway. They will be run by robots of our own."
    text = f"Strategy\n{said} See Item 7 for costs."
    document = Document(
        UUID(int=1), "filing", "test", "https://filings.example", "10-K for 2025", NOW, NOW, text,
        (Span(0, len(text), "1", "Strategy"),),
    )  # fmt: skip
    evidence = Evidence(UUID(int=2), "Larkspur", {}, NOW, (), (document,))
    (found,) = find(evidence, cues((r"we plan to (?P<what>.+)", 1.0)), parts={"business": 1.0})
    assert (
        found.description
        == "We plan to build nine cold stores in Norway. They will be run by robots of our own."
    )
    assert found.name == "Build nine cold stores in Norway"
    assert found.quotes[0].text == found.description


def test_titles_have_their_rank() -> None:
    titles = ["Director", "Vice President, Sales", "President", "Chief Executive Officer", "EVP"]
    assert sorted(titles, key=rank) == [
        "Chief Executive Officer", "President", "EVP", "Vice President, Sales", "Director",
    ]  # fmt: skip


def test_a_paragraph_of_nothing_but_initials_is_cut_in_time_that_grows_with_it() -> None:
    assert cut("Acme " + "A. " * 1_000) == [(0, 3_005)]
    assert grows_linearly(cut, lambda size: "Acme " + "A. " * size, size=2_000)
