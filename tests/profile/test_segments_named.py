"""Divisions that a report only lists in words."""

from datetime import timedelta

import pytest

from sightline.profile.sections import divisions
from sightline.profile.segments_named import names_in_list
from tests.profile.test_fact_sections import FILING, NOW, document, evidence, proven


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("1) Rail Freight and 2) Cold Storage and Depots", ("Rail Freight", "Cold Storage and Depots")),
        ("(a) Rail (passengers); and (b) Road", ("Rail", "Road")),
        ("Rail, Road, and Air & Sea", ("Rail", "Road", "Air & Sea")),
        ("Rail and Road", ("Rail", "Road")),
        ("Rail; Road; and Air segments", ("Rail", "Road", "Air")),
        ("transport, storage and all that belongs to it", ()),
        ("Rail, and what we build for growers", ()),
        ("Rail", ()),
    ],
)  # fmt: skip
def test_an_enumeration_of_names(text: str, names: tuple[str, ...]) -> None:
    assert names_in_list(text) == names


def test_divisions_without_tagged_figures_are_those_that_the_report_lists() -> None:
    text = (
        "We have two reportable segments: Rail Freight and Cold Storage. Rail Freight operates 40 trains"
        " between the ports of the north. Demand in Cold Storage was weak in the autumn of 2025."
    )
    filing = document(
        FILING, text, title="10-K for 2025-12-31", section="1", at=NOW - timedelta(days=9)
    )
    of = evidence((), [filing])
    rows = proven(of, divisions.build(of))
    assert [row["division_name"] for row in rows] == ["Rail Freight", "Cold Storage"]
    assert rows[0]["division_summary"].startswith("Rail Freight operates 40 trains")
    assert rows[0]["last_year_revenue_gross"] is None
    assert rows[0]["currency"] is None
    assert all(row["sources"][0].text.startswith("We have two reportable") for row in rows)
