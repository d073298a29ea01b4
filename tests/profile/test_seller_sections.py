"""What an organization sells beside what happened: one offering tied to one dated fact, in fixed frames."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from sightline.profile.evidence import Evidence, Quote
from sightline.profile.sections import (
    custom_insights,
    discovery_questions,
    plans,
    three_whys,
    value_pyramid,
)
from sightline.profile.seller import Offering, Question, Said, Seller, called_for
from tests.profile.test_fact_sections import (
    FILING,
    NOW,
    document,
    evidence,
    job,
    member,
    period,
    proven,
    signal,
)

ROUTES = Offering(
    "RoutePilot",
    "Planning software for refrigerated fleets.",
    ("Cut empty kilometres by a tenth.",),
    ("empty runs", "depot"),
)
WATCH = Offering("NightWatch", "Detects intruders.", ("Find intruders.",), ("data breach",))
SELLER = Seller("Orrin", (ROUTES, WATCH))
DEPOT = signal("strategic_shifts", "opens_new_location", title="Larkspur Freight opens a depot")


@pytest.mark.parametrize(
    ("said", "offering"),
    [
        ("A data breach could stop deliveries.", WATCH),
        ("We want fewer empty runs between ports.", ROUTES),
        ("We plan to grow our business with better products and services.", None),
    ],
)
def test_an_offering_is_called_for_by_its_keywords(said: str, offering: Offering | None) -> None:
    assert called_for(SELLER, said) is offering


def happened(**more: Any) -> Evidence:
    facts = [
        member("Rail", 80),
        member("Harbours", 40),
        period("FY2025", "2025-12-31", 120, change=-0.1),
    ]
    return evidence(facts, **{"signals": [DEPOT]} | more)


def turned(**more: Any) -> Evidence:
    """The revenue fell after a year in which it had grown."""
    facts = [
        period("FY2025", "2025-12-31", 120, change=-0.1),
        period("FY2024", "2024-12-31", 133, change=0.06),
    ]
    return evidence(facts, **{"signals": [DEPOT]} | more)


def test_the_whys_are_about_dated_facts_and_one_offering() -> None:
    seller = replace(SELLER, offerings=(replace(ROUTES, keywords=("depot", "revenue")), WATCH))
    rows = proven(turned(), three_whys.build(turned(), {}, seller), known=SELLER.words)
    assert [row["name"] for row in rows] == ["Why change?", "Why now?", "Why us?"]
    change, now, ours = rows
    assert (change["about"], change["date"]) == ("Revenue fell 10% in FY2025", "2025-12-31")
    assert change["description"].endswith("from the prior year; in FY2024 it was up 6%.")
    assert (now["about"], now["date"]) == (DEPOT.quote, "2026-02-24")
    assert {row["offering"] for row in rows} == {"RoutePilot"}
    assert ours["description"] == (f"{DEPOT.quote} RoutePilot: Cut empty kilometres by a tenth.")


def test_nothing_that_is_over_is_a_reason_to_act() -> None:
    old = replace(DEPOT, day=(NOW - timedelta(days=500)).date())
    later = replace(happened(signals=[old]), now=NOW + timedelta(days=900))
    assert three_whys.build(later, {}, SELLER) == []
    assert discovery_questions.build(later, {}, SELLER) == []


def test_without_offerings_nothing_is_promised() -> None:
    names = [row["name"] for row in three_whys.build(turned(), {}, Seller())]
    assert names == ["Why change?", "Why now?"]


def test_what_no_offering_is_called_for_by_is_no_why() -> None:
    about = {row["about"] for row in three_whys.build(turned(), {}, SELLER)}
    assert about == {DEPOT.quote}
    assert three_whys.build(turned(), {}, Seller("Orrin", (WATCH,))) == []


def test_an_ordinary_figure_or_count_is_no_why() -> None:
    usual = [
        period("FY2025", "2025-12-31", 120, change=0.1),
        period("FY2024", "2024-12-31", 109, change=0.08),
    ]
    of = evidence(usual, jobs=[job(n, opened=n) for n in range(9)])
    assert three_whys.build(of, {}, Seller()) == []


def test_a_signal_whose_quote_speaks_of_a_time_long_over_is_no_why() -> None:
    late = replace(DEPOT, quote="In the second quarter of 2023 we opened a depot in Larkspur.")
    assert three_whys.build(evidence((), signals=[late]), {}, Seller()) == []


def test_what_a_report_tells_without_a_time_is_no_why() -> None:
    """A report of this year tells of a case of long ago too."""
    said = "The court found that we had closed a depot in Larkspur without notice."
    found = replace(DEPOT, quote=said, document_id=FILING)
    report = document(FILING, said, title="10-K for 2025-12-31", section="3")
    release = document(FILING, said, title="8-K for 2026-02-20", section="2.01")
    assert three_whys.build(evidence((), signals=[found], documents=[report]), {}, Seller()) == []
    assert three_whys.build(evidence((), signals=[found], documents=[release]), {}, Seller())


def test_questions_name_the_matter_and_the_offering() -> None:
    jobs = [job(n, opened=n) for n in range(9)]
    of = happened(jobs=jobs)
    rows = proven(of, discovery_questions.build(of, {}, SELLER), known=SELLER.words)
    first = rows[0]
    assert first["offering"] == "RoutePilot"
    assert first["name"].startswith(f"“{DEPOT.quote}” How does this change")
    assert first["name"].endswith("What would RoutePilot have to do for you there?")
    assert any(row["name"].startswith("You have 9 open postings in operations.") for row in rows)


def goal(text: str) -> dict[str, Any]:
    return {"name": text, "description": text, "sources": ()}


def test_goals_whose_time_is_over_leave_pyramid_and_questions() -> None:
    ahead, over = goal("We aim for 40 depots by 2030."), goal("We aimed for 9 depots by 2024.")
    built = {"goals": [over, ahead]}
    value = [row["about"] for row in value_pyramid.build(happened(), built, SELLER)]
    assert value[0] == "We aim for 40 depots by 2030."
    assert not any("2024" in about for about in value)
    asked = [row["name"] for row in discovery_questions.build(happened(), built, Seller())]
    assert any("40 depots" in name for name in asked)
    assert not any("9 depots" in name for name in asked)


def test_a_question_about_a_goal_is_proven_by_its_quote() -> None:
    said = "We aim for 40 depots by 2030."
    of = happened(documents=[document(FILING, said, title="10-K", section="1")])
    row = {"name": said, "description": said, "sources": (Quote(FILING, said),)}
    asked = proven(of, discovery_questions.build(of, {"goals": [row]}, Seller()))
    assert any(each["name"].startswith(f"You have said: “{said}”") for each in asked)


def test_a_goal_that_a_model_wrote_is_not_shown_as_the_company_s_words() -> None:
    said, written = "We aim for 40 depots.", "In February 2026 it aimed for 40 depots."
    of = happened(documents=[document(FILING, said, title="10-K", section="1")])
    row: dict[str, Any] = {"name": "Depots", "description": written}
    row |= {"sources": (Quote(FILING, said),), "method": "openai:m", "as_of": "2026-02-20"}
    found = discovery_questions.build(of, {"goals": [row]}, Seller())
    asked = proven(of, found)
    assert any(each["name"].startswith(f"{written} What still has to") for each in asked)


def test_the_pyramid_ends_with_what_we_add() -> None:
    rows = proven(happened(), value_pyramid.build(happened(), {}, SELLER), known=SELLER.words)
    assert [row["level"] for row in rows] == ["Our value"]
    assert rows[-1]["description"].endswith("RoutePilot: Cut empty kilometres by a tenth.")


def test_the_pyramid_repeats_no_other_section() -> None:
    assert value_pyramid.build(happened(), {"goals": [goal("We aim for 9 ships.")]}, Seller()) == []
    whys = list(three_whys.build(happened(), {}, SELLER))
    assert value_pyramid.build(happened(), {"three_whys": whys}, SELLER) == []


def test_a_question_is_answered_by_quotes_or_shows_what_comes_nearest() -> None:
    asked = [Question(UUID(int=n), f"Q{n}", "Does it own ships?") for n in (1, 2, 3)]
    quotes = [Said(UUID(int=4), "Board of Larkspur Freight")]
    said = {each.question_id: quotes for each in asked[:2]}
    answered = {asked[0].question_id}
    seller = replace(SELLER, questions=asked, quotes=said, answered=answered)
    first, second, third = proven(
        happened(), custom_insights.build(happened(), {}, seller), known=seller.words
    )
    assert (first["state"], first["answer"]) == ("ready", "Board of Larkspur Freight")
    assert (second["state"], second["answer"]) == ("insufficient_evidence", None)
    assert [each.text for each in second["sources"]] == ["Board of Larkspur Freight"]
    assert (third["state"], third["sources"]) == ("insufficient_evidence", ())


def test_one_figure_under_two_names_is_asked_about_once() -> None:
    facts = [
        member("North Norway", 80, axis="geography", change=-0.2),
        member("Norway", 80, change=-0.2),
        member("Denmark", 40, change=0.01),
        member("Iceland", 40, axis="geography", change=0.01),
    ]
    of = evidence(facts)
    asked = [row["name"] for row in discovery_questions.build(of, {}, Seller())]
    assert asked == [
        "Norway revenue fell 20% in FY2025. What caused it, and what are you changing first?"
    ]


def test_technologies_of_postings_are_counted() -> None:
    of = evidence(jobs=[job(n, opened=n) for n in range(5)])
    (row,) = proven(of, plans.DIGITAL.build(of))
    assert row["description"] == "Named in 5 open postings: Amazon Web Services in 5."
    few = evidence(jobs=[job(n, opened=n) for n in range(4)])
    assert plans.DIGITAL.build(few) == []
    later = replace(of, now=NOW + timedelta(days=400))
    assert plans.DIGITAL.build(later) == []
