"""What a sentence tells, on invented sentences."""

from datetime import UTC, datetime

import pytest

from sightline.domain.signals import SignalFamily
from sightline.search.analysis import Analyser
from sightline.search.snippets import MAX_CHARACTERS
from sightline.search.telling import is_career, period_of, tell, telling_span

FILED = datetime(2025, 9, 20, tzinfo=UTC)
SALE = "On March 4, 2025, we completed the acquisition of Halden Castings for $40 million in cash."
analyser = Analyser()
F = SignalFamily


def strength(text: str, *, title: str = "Overview", kind: str = "filing") -> float:
    told = tell(title, text, analyser, kind=kind, published=FILED)
    return max(one.strength for one in told)


@pytest.mark.parametrize(
    ("text", "family"),
    [
        (SALE, F.MATERIAL_CHANGES),
        ("In May 2025, Ana Prado was named president and will succeed Joe Wye.", F.LEADERSHIP_MOVES),
        ("Net sales of the Pump segment increased 14% to $83 million in 2025.", F.FUNDING),
        ("In the second quarter of 2025 we launched Loom 3, a new product.", F.PRODUCT_LAUNCHES),
        ("In June 2025 we initiated a restructuring plan to close the plant in Dayton.", F.STRATEGIC_SHIFTS),
        ("On July 2, 2025, the State of Ohio filed a lawsuit over the Quill recall.", F.RISK),
    ],
)  # fmt: skip
def test_happenings_are_told(text: str, family: SignalFamily) -> None:
    best = max(tell("Overview", text, analyser, published=FILED), key=lambda one: one.strength)
    assert best.family is family
    assert best.strength > 0.4


@pytest.mark.parametrize(
    "text",
    [
        "We may acquire businesses in 2026, and any acquisition of Halden could fail.",
        "From time to time, we evaluate acquisitions, divestitures and joint ventures such as Halden.",
        "Goodwill from the acquisition of Halden is tested for impairment annually.",
        "On March 4, 2019, we completed the acquisition of Halden Castings for $40 million.",
        "Indicate by check mark whether the merger of the registrant Halden completed in 2025.",
        "Acquisition Agreement of Halden and the Company, 2025",
        "Interest expense increased 14% to $8 million in 2025 after the merger.",
        "Prior to joining Halden in 2025, she served as chief executive of Orrin Mills.",
        "Acquisitions | (776) | (570) | (12)",
        "The completed merger of Halden is part of our expanded, AI-powered offering in 2025.",
        "Dividends of Halden are declared by a board that is elected by its members in 2025.",
    ],
)
def test_what_could_be_or_always_is_or_was_tells_less(text: str) -> None:
    assert strength(text) < 0.5 * strength(SALE)


def test_the_heading_dates_and_names_what_is_under_it() -> None:
    text = "Operating income of the Pump segment decreased 9% to $12 million."
    current = strength(text, title="2025 compared with 2024")
    assert current > strength(text, title="Pumps") > 0
    assert current > 1.5 * strength(text, title="2023 compared with 2022")


def test_a_headline_tells_in_the_present() -> None:
    headline = "Harbor Analytics acquires Quay Systems"
    told = list(tell(headline, "The terms are secret.", analyser, kind="news", published=FILED))
    assert told[0].family is F.MATERIAL_CHANGES
    assert told[0].strength > 0.4
    assert strength("The terms are secret.", title=headline) == 0


def test_a_report_in_spring_speaks_of_the_year_before() -> None:
    spring = datetime(2025, 2, 20, tzinfo=UTC)
    assert period_of("Results", "Notes due 2031.", spring) == 2024
    assert period_of("Results", "Sales of fiscal 2025 and fiscal year 2024.", spring) == 2025
    assert period_of("Results", "Sales of 2023.", FILED) == 2025
    assert period_of("Results of 2023", "Sales of 2022, and notes due 2099.", None) == 2023
    assert period_of("Results", "Sales.", None) is None


def test_the_best_sentence_is_shown_with_what_follows() -> None:
    text = f"We make castings for ships. {SALE} Halden employs 90 people. {'More of it. ' * 60}"
    span = telling_span(text, text.index(SALE))
    assert text[span.start : span.end].startswith(f"{SALE} Halden employs 90 people.")
    assert span.end - span.start <= MAX_CHARACTERS


@pytest.mark.parametrize("text", ["", "Dayton", "x" * 2_000])
def test_a_text_without_a_best_sentence_is_shown_from_its_start(text: str) -> None:
    span = telling_span(text, 0)
    assert (span.start, span.end) == (0, min(len(text), MAX_CHARACTERS))


def test_one_former_office_is_no_career() -> None:
    assert not is_career("Mr. Quill, who served as treasurer, was appointed chief executive.")
