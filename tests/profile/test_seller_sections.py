"""What an organization sells beside what companies say: which offering is called for, whom to ask."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from sightline.profile.composing import fitting, persona_for, ranked
from sightline.profile.sections import (
    custom_insights,
    discovery_questions,
    three_whys,
    value_pyramid,
)
from sightline.profile.seller import Offering, Question, Seller
from tests.profile.test_fact_sections import NOW, document, evidence

ROUTES = Offering(
    "RoutePilot",
    "Planning software for refrigerated fleets.",
    ("Cut empty kilometres by a tenth.",),
    ("empty runs", "fleet planning"),
)
WATCH = Offering(
    "NightWatch",
    "Detects intruders in company networks around the clock.",
    ("Find intruders within an hour.",),
    ("cyber-attacks", "data breach"),
)
VALUE = "For “Cyber-attacks” we bring NightWatch: Find intruders within an hour."
SELLER = Seller(
    "Orrin",
    (ROUTES, WATCH),
    personas=("Head of Fleet", "Chief Information Security Officer"),
)


def row(name: str, description: str = "") -> dict[str, Any]:
    return {"name": name, "description": description or f"{name}.", "sources": ()}


@pytest.mark.parametrize(
    ("name", "said", "offering"),
    [
        ("Cyber-attacks on our depots", "A data breach could stop deliveries.", WATCH),
        ("Fewer empty runs", "We want fewer empty runs between ports.", ROUTES),
        ("Refrigerated fleets", "We are renewing our refrigerated fleets in Norway.", ROUTES),
        ("Growth", "We plan to grow our business with better products and services.", None),
        ("Change of seats", "Our planning committee meets in the company offices.", None),
    ],
)
def test_an_offering_fits_what_calls_for_it(
    name: str, said: str, offering: Offering | None
) -> None:
    assert fitting(SELLER.offerings, row(name, said)) is offering


def test_what_calls_loudest_comes_first() -> None:
    rows = [
        row("Growth", "We plan to grow."),
        row("Cyber-attacks", "A cyber-attack or a data breach could stop us."),
        row("Empty runs", "We want fewer empty runs."),
    ]
    assert [each["name"] for each, _ in ranked(rows, SELLER)] == [
        "Cyber-attacks",
        "Empty runs",
        "Growth",
    ]


def test_the_persona_who_knows_is_asked() -> None:
    breach = row("Cyber-attacks", "Cyber-attacks could harm the security of our data.")
    assert persona_for(SELLER, breach, WATCH) == "Chief Information Security Officer"
    trucks = row("New trucks", "We are renewing our refrigerated fleet.")
    assert persona_for(SELLER, trucks, ROUTES) == "Head of Fleet"
    assert persona_for(Seller(), trucks, None) is None


def test_sections_offer_only_what_fits() -> None:
    built = {
        "strategic_priorities": [row("Open depots", "We plan to open depots in Denmark.")],
        "risks": [row("Cyber-attacks", "Cyber-attacks or a data breach could stop us.")],
        "how_they_lose_money": [
            row("Cost of revenue", "Cost of revenue consists of fuel."),
            row("Fuel costs increased 9%", "Fuel costs increased 9% because of new charges."),
        ],
    }
    none = evidence()
    values = [r for r in value_pyramid.build(none, built, SELLER) if r["level"] == "Our value"]
    assert [each["name"] for each in values] == ["Our value: Cyber-attacks"]
    assert values[0]["description"] == VALUE
    whys = {each["name"]: each for each in three_whys.build(none, built, SELLER)}
    assert whys["Why us?"]["description"] == VALUE
    asked = {each["about"]: each for each in discovery_questions.build(none, built, SELLER)}
    assert set(asked) == {"Open depots", "Cyber-attacks"}
    assert asked["Cyber-attacks"]["name"].startswith("On cyber-attacks: how do you deal today")
    assert asked["Cyber-attacks"]["ask"] == "Chief Information Security Officer"
    unset = {each["about"] for each in discovery_questions.build(none, built, Seller())}
    assert "Fuel costs increased 9%" in unset
    assert "Cost of revenue" not in unset


def test_what_it_sells_itself_and_names_of_others_call_for_nothing() -> None:
    guards = Offering("NightWatch", "", ("Find intruders within an hour.",), ("security", "cloud"))
    seller = Seller("Orrin", (guards,), personas=("CISO", "Head of Fleet"))
    rows = [
        row("Cloud storage", "We offer cloud storage to growers in Norway."),
        row("Core businesses", "Our strategy rests on Ports, Space & Security (PSS) and Rail."),
        row("A cloud of our own", "We plan to move our own planning to the cloud by 2028."),
    ]
    assert [fitting(seller.offerings, each) is guards for each in rows] == [False, False, True]
    assert (
        persona_for(seller, row("Threats", "Threats to information security grow."), guards)
        == "CISO"
    )
    assert persona_for(seller, row("Harvests", "We depend on harvests."), None) is None


def test_three_whys_are_about_one_offering_and_fresh_signals() -> None:
    built = {
        "strategic_priorities": [
            row("Open depots", "We plan to open depots in Denmark."),
            row("Fewer empty runs", "We aim at fewer empty runs by 2028."),
        ],
        "risks": [
            row("Strong competition"),
            row("Empty runs", "Empty runs could cost us our margin."),
        ],
    }
    quiet = three_whys.build(evidence(), built, SELLER)
    assert [(each["name"], each["about"]) for each in quiet] == [
        ("Why change?", "Empty runs"),
        ("Why now?", "Fewer empty runs"),
        ("Why us?", "Empty runs"),
    ]
    signals = [
        {"family": family, "type": kind, "title": kind, "quote": kind, "document_id": UUID(int=2),
         "occurred_at": NOW - timedelta(days=days), "detected_at": NOW}
        for family, kind, days in (
            ("leadership_moves", "board_change", 3),
            ("hiring_trends", "senior_role_opened", 5),
            ("funding", "receives_financing", 40),
            ("funding", "receives_financing_long_ago", 900),
        )
    ]  # fmt: skip
    (_, now, _) = three_whys.build(evidence(signals=signals), built, SELLER)
    assert now["about"] == "receives_financing"
    assert [each["name"] for each in three_whys.build(evidence(), {}, SELLER)] == []


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How does the company use artificial intelligence?", "AI plans our runs"),
        ("Where are their trailers manufactured and who are their clients?", "assembled in Graz"),
        ("Where are their trailers manufactured and who are their clients?", "largest customers"),
        ("What is their churn rate?", None),
    ],
)
def test_questions_are_answered_in_other_words(question: str, answer: str | None) -> None:
    text = (
        "AI plans our runs between the ports of the north. Our trailers are assembled in Graz by two"
        " plants of our own. The largest customers of ours are grocers in Denmark and Norway. Freight"
        " rates rise in the autumn when the fruit is picked."
    )
    filing = document(UUID(int=2), text, title="10-K for 2025-12-31", section="1")
    asked = replace(SELLER, questions=(Question(UUID(int=7), "Asked", question),))
    (told,) = custom_insights.build(evidence((), [filing]), {}, asked)
    assert (answer in told["answer"]) if answer else told["answer"] is None


def test_questions_differ_and_quote_what_is_no_title() -> None:
    built = {
        "strategic_priorities": [row("Open depots in Denmark"), row("Renew the fleet")],
        "digital_strategies": [row("Built a portal", "We built a portal for growers. It is used.")],
        "risks": [row("Thefts of cargo"), row("Strong competition")],
        "how_they_lose_money": [row("Cost of revenue", "Cost of revenue consists of fuel.")],
    }
    rows = discovery_questions.build(evidence(), built, Seller())
    asked = [each["name"] for each in rows]
    assert len({name.split("“")[0] + name.split("”")[1] for name in asked}) == len(asked)
    assert any(name.startswith("You write: “We built a portal for growers.”") for name in asked)
    whys = three_whys.build(evidence(), built | {"risks": []}, Seller())
    assert [each["name"] for each in whys] == ["Why now?"]


def test_no_value_repeats_what_it_answers() -> None:
    built = {"risks": [row("Cyber-attacks", "Cyber-attacks or a data breach could stop us.")]}
    pyramid = value_pyramid.build(evidence(), built, SELLER)
    described = [each["description"] for each in pyramid]
    assert described == [
        "Cyber-attacks or a data breach could stop us.",
        VALUE,
    ]
