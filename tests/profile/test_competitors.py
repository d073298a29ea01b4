"""Competitors: companies of the catalogue, and what stands in one list with them."""

from uuid import UUID

from sightline.profile.evidence import Known
from sightline.profile.sections import competitors
from tests.profile.test_fact_sections import FILING, document, evidence, proven

SAID = (
    "Our competitors include Osprey Cargo, Fernhill Logistics, Tundra Lines and others in Norway."
)


def test_what_is_listed_beside_a_known_company_is_a_competitor_too() -> None:
    filing = document(FILING, SAID, title="10-K for 2025-12-31", section="1", heading="Competition")
    osprey = Known(UUID(int=5), "Osprey Cargo", "osprey.example")
    of = evidence((), [filing], directory={"osprey cargo": osprey})
    rows = proven(of, competitors.build(of))
    assert [row["name"] for row in rows] == [
        "Osprey Cargo",
        "Fernhill Logistics",
        "Tundra Lines",
    ]


def test_without_a_known_company_a_list_of_names_says_nothing() -> None:
    filing = document(FILING, SAID, title="10-K for 2025-12-31", section="1", heading="Competition")
    assert competitors.build(evidence((), [filing])) == []
