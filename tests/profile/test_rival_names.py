"""Which companies a sentence names as competitors, and which it does not."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from sightline.domain.names import name_key
from sightline.profile.evidence import Document, Evidence, Known, Span
from sightline.profile.rival_names import compared_in, named_in
from sightline.profile.sections import competitors
from sightline.profile.ties import tie

NOW = datetime(2026, 1, 1, tzinfo=UTC)
OSPREY_AND_FERNHILL = ["Osprey Cargo", "Fernhill Logistics"]


def named(text: str, *, under: bool = False) -> list[str]:
    return list(dict.fromkeys(named_in(text, under=under)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Our competitors include Osprey Cargo, Inc., Fernhill Logistics, and Tundra Lines AG.",
         [*OSPREY_AND_FERNHILL, "Tundra Lines"]),
        ("We compete with Osprey Cargo and Fernhill Logistics.", OSPREY_AND_FERNHILL),
        ("Competition comes from carriers such as Osprey Cargo Company, or Osprey, and Tundra.",
         ["Osprey Cargo Company", "Tundra"]),
        ("Competition for our Rail segment comes mainly from Osprey Cargo plc, Tundra N.V. and many"
         " smaller carriers.", ["Osprey Cargo", "Tundra"]),
        ("Our competitors in the north (for example, Osprey, Tundra and Wren) own newer ships.",
         ["Osprey", "Tundra", "Wren"]),
        ("We compete with other carriers (Osprey Cargo, Fernhill Logistics and Tundra).",
         [*OSPREY_AND_FERNHILL, "Tundra"]),
        ("Our rivals, Osprey Cargo and Fernhill Logistics, are present in all our ports.",
         OSPREY_AND_FERNHILL),
        ("Osprey Cargo and Fernhill Logistics are our largest competitors.", OSPREY_AND_FERNHILL),
        ("We view Osprey Cargo and Fernhill Logistics as our closest competitors.", OSPREY_AND_FERNHILL),
        ("The retail side of Osprey competes with us.", ["Osprey"]),
        ("We compete with other membership clubs, the largest of which is Osprey, and with grocers.",
         ["Osprey"]),
        ("Several companies, including Osprey Cargo, Inc. and Fernhill Logistics, are building vessels"
         " that compete with ours.", OSPREY_AND_FERNHILL),
        ("If approved, our tablet would compete with Osmia (Tundra Pharma Inc.) and Velt (Wren Corp.).",
         ["Tundra Pharma", "Wren"]),
        ("Our rivals include Republic Services and New Harbor.", ["Republic Services", "New Harbor"]),
        ("Zu unseren Wettbewerbern zählen die Osprey Cargo AG, Tundra und Wren.",
         ["Osprey Cargo", "Tundra", "Wren"]),
        ("Nos principaux concurrents sont Osprey et Tundra.", ["Osprey", "Tundra"]),
        ("Competimos principalmente con Osprey y Tundra.", ["Osprey", "Tundra"]),
    ],
)  # fmt: skip
def test_named_competitors(text: str, expected: list[str]) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Our competitors include local carriers, regional carriers and new entrants.",
        "Competition is strong in Europe, Asia and Latin America.",
        "We bought trucks from makers such as Volta and Scandia.",
        "Our planner does not compete with ledgers (e.g., Osprey); it adds to them.",
        "It limits our sales to companies that compete with Osprey.",
        "We compete for talent with Osprey, Tundra and Wren.",
        "Our customers, including Osprey and Tundra, compete with each other.",
        "Most of our competitors rely on shipyards, such as Osprey or Tundra, to build their vessels.",
        "Ms. Vale served at competitors such as Osprey and Tundra.",
        "Competition among airlines such as Osprey and Tundra affects us.",
        "We compete with large retailers, such as department stores and mass merchants.",
        "The Competition Act and the Federal Trade Commission govern us.",
        "Unsere Wettbewerber sind Banken und Versicherungen.",
    ],
)
def test_what_names_no_competitor(text: str) -> None:
    assert named(text) == []


def test_brands_and_tickers_in_brackets_are_no_further_competitors() -> None:
    text = (
        "Agencies, such as Osprey Group (including the brands Kite, Heron and Teal), Tundra (NYSE: TND)"
        " and other regional agencies;"
    )
    assert named(text, under=True) == ["Osprey Group", "Tundra"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Larkspur vs. Osprey Cargo", ["Osprey Cargo"]),
        ("How Larkspur compares to Osprey", ["Osprey"]),
        ("Why teams choose Larkspur over Osprey and Tundra", ["Osprey", "Tundra"]),
        ("Looking for an Osprey alternative?", ["Osprey"]),
        ("Open-source alternative to Osprey and Tundra", ["Osprey", "Tundra"]),
        ("Larkspur vs spreadsheets", []),
        ("Osprey vs. Tundra", []),
        ("Moving from London to Berlin", []),
        ("Compared to 2023, revenue grew by 4%", []),
    ],
)
def test_comparisons_of_its_own_site(line: str, expected: list[str]) -> None:
    assert compared_in(line, own="Larkspur") == expected


def document(text: str, *, kind: str, section: str, heading: str | None, place: str) -> Document:
    title = "10-K for 2025-12-31" if kind == "filing" else "A page"
    spans = (Span(0, len(text), section, heading),)
    number = UUID(int=len(place))
    return Document(number, kind, "test", f"https://{place}", title, NOW, NOW, text, spans)


def built(*documents: Document) -> dict[str, dict[str, object]]:
    known = {"tundra": Known(UUID(int=9), "Tundra Lines AG", "tundra.example")}
    evidence = Evidence(
        UUID(int=1), "Larkspur Freight", {}, NOW, (), documents, directory=known
    )  # fmt: skip
    return {str(row["name"]): row for row in competitors.build(evidence)}


def test_lists_and_tables_under_a_heading() -> None:
    listed = "Our main competitors are:\nOsprey Cargo, Inc.\nFernhill Logistics\nWe ship to 14 countries."
    table = "Region | Main competitor\nNorway | Wren Lines ASA\nDenmark | Heron Cargo A/S"
    text = f"{listed}\n{table}"
    rows = built(
        document(text, kind="filing", section="1", heading="Competition", place="filings.example")
    )
    assert set(rows) == {"Osprey Cargo", "Fernhill Logistics", "Wren Lines", "Heron Cargo"}


def test_a_page_compares_the_company_and_a_catalogue_company_is_tied() -> None:
    page = document(
        "Larkspur vs Tundra\nOsprey faces competition from Wren and Heron.",
        kind="page", section="products", heading=None, place="larkspur.example/compare/tundra",
    )  # fmt: skip
    (row,) = built(page).values()
    assert row["name"] == "Tundra"
    assert row["company_id"] == str(UUID(int=9))
    assert row["website"] == "https://tundra.example"


def test_strengths_under_a_competitive_heading_name_no_competitor() -> None:
    text = "We test our software on every cloud (e.g., Osprey, Tundra, Wren Cloud) before each release."
    page = document(
        text, kind="filing", section="1", heading="Competitive strengths", place="filings.example"
    )
    assert built(page) == {}


def test_an_and_inside_an_enumeration_is_part_of_a_name() -> None:
    said = "We compete with Osprey Cargo, Bolt and Sons, Fernhill Logistics, and Tundra Lines AG."
    assert list(named_in(said)) == [
        "Osprey Cargo",
        "Bolt and Sons",
        "Fernhill Logistics",
        "Tundra Lines",
    ]


def test_names_are_tied_to_the_companies_they_begin() -> None:
    held = ("Osprey.com Inc", "Fernhill Logistics Group", "Tundra Corp", "Wren Ltd", "Wren GmbH")
    catalogue = [Known(UUID(int=at), name, None) for at, name in enumerate(held, 1)]
    said = ("Osprey", "Fernhill Logistics", "Tundra", "Wren", "Heron Cargo")
    tied = tie({name_key(name): name for name in said}, catalogue)
    assert {key: known.name for key, known in tied.items()} == {
        "osprey": "Osprey.com Inc",
        "fernhill logistics": "Fernhill Logistics Group",
        "tundra": "Tundra Corp",
    }
