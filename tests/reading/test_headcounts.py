"""The number of people that a company says it employs."""

import pytest

from sightline.reading.headcounts import read_headcount


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("As of June 30, 2024, we had approximately 4,200 full-time equivalent employees.", 4200),
        ("At year-end 2023 the Company employed 3,141 people, of which 40% were abroad.", 3141),
        ("As of May 31, 2023, our employee headcount worldwide was 1,473.", 1473),
        ("We had a global workforce of 5,318 employees as of March 31, 2022.", 5318),
        ("We employ approximately 1.4 million associates around the world.", 1_400_000),
        (
            "Employees, which include those in shops, totaled over 15,000 worldwide as of year-end.",
            15000,
        ),
        ("As of May 31, 2024, we had 900 employees, of whom 200 work in research.", 900),
    ],
)
def test_the_number_of_employees(sentence: str, count: int) -> None:
    text = (
        f"Human Capital\n\n{sentence} About 6,000 people took part in our training plan in 2022.\n"
    )
    found = read_headcount(text)
    assert found is not None
    assert found.count == count
    assert found.quote in " ".join(text.split())


@pytest.mark.parametrize(
    "sentence",
    [
        "We announced a layoff of approximately 700 employees in two divisions.",
        "Approximately 2,300 employees, or 41% of our workforce, were union represented.",
        "Over 900 of our employees took part in the survey.",
        "The headquarters houses approximately 640 employees engaged in design.",
        "The Trust had no employees in 2011; its manager had 17 employees as of June 1, 2011.",
        "We issued 31,000 shares to key employees of a company that we acquired.",
    ],
)
def test_counts_of_a_part_are_no_headcount(sentence: str) -> None:
    assert read_headcount(f"{sentence}\n") is None
