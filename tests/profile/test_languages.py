"""Sites in German, French and Spanish; companies of which only postings are known; odd sentences."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from sightline.profile.evidence import Document, Evidence, Span
from sightline.profile.sections import (
    digital_strategies,
    geographical_operations,
    how_they_make_money,
    overview,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def evidence(text: str, *, kind: str = "page", section: str | None = "about") -> Evidence:
    document = Document(
        UUID(int=1), kind, "website", "https://larkspur.example/", "Larkspur", None, NOW, text,
        (Span(0, len(text), section, None),),
    )  # fmt: skip
    return Evidence(
        company_id=UUID(int=2), name="Larkspur", now=NOW, record={}, facts=(), documents=(document,)
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Willkommen bei uns im schönen Norden. Wir entwickeln und fertigen Kühlanlagen für Lebensmittel.",
            "Wir entwickeln und fertigen Kühlanlagen",
        ),
        (
            "Bienvenue sur notre site, à Lyon. Nous fabriquons des groupes frigorifiques pour camions.",
            "Nous fabriquons des groupes frigorifiques",
        ),
        (
            "Bienvenidos a nuestra página de inicio. Larkspur es líder en transporte refrigerado en España.",
            "Larkspur es líder en transporte refrigerado",
        ),
    ],
)
def test_an_overview_in_other_languages(text: str, said: str) -> None:
    built = overview.build(evidence(text))
    assert said in built["summary"]
    assert "Willkommen" not in built["summary"]


def test_postings_say_what_an_employer_is_where_nothing_else_does() -> None:
    text = (
        "You will drive a truck through the night. Larkspur provides refrigerated transport to grocers"
        " in 14 countries and employs 2,000 drivers."
    )
    built = overview.build(evidence(text, kind="posting", section=None))
    assert built["summary"].startswith("Larkspur provides refrigerated transport")


def test_old_achievements_are_no_digital_strategy() -> None:
    text = (
        "We introduced our first automated cold store with robotics in 2017. We plan to deploy machine"
        " learning in all of our cold stores to plan every route."
    )
    names = [row["description"] for row in digital_strategies.build(evidence(text))]
    assert len(names) == 1
    assert "machine learning" in names[0]


def test_risks_and_costs_are_no_way_to_make_money() -> None:
    text = (
        "We have experienced periods where we receive a significant amount of our revenue from a limited"
        " number of grocers. We generate revenue primarily from transport contracts with grocers."
    )
    (row,) = how_they_make_money.build(evidence(text))
    assert row["description"].startswith("We generate revenue")


def test_what_is_said_of_places_is_named_by_them() -> None:
    text = (
        "Our headquarters are located in Oslo and comprise 20,000 square feet of office space worldwide."
        "\n\nWe operate cold stores in Germany, France and Canada, close to the growers that we serve."
    )
    names = {row["name"] for row in geographical_operations.build(evidence(text))}
    assert names == {"Oslo", "Germany, France, Canada"}
