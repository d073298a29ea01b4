"""What an organization sells beside what happened: one offering tied to one dated fact, in fixed frames."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from sightline.profile.evidence import Quote, Signal
from sightline.profile.sections import (
    custom_insights,
    discovery_questions,
    plans,
    swot_analysis,
    three_whys,
)
from sightline.profile.seller import Offering, Question, Seller, called_for
from tests.profile.test_fact_sections import (
    FILING,
    NOW,
    document,
    evidence,
    job,
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
OPENED = "In February 2026 Larkspur Freight opened a depot in Bergen."
STRIKE = "A strike stopped the depot of Oslo for nine days in January 2026."
AIM = "We aim for 40 depots by 2030."
OF = evidence(documents=[document(FILING, f"{OPENED}\n{STRIKE}\n{AIM}", title="10-K", section="1")])


def told(text: str, day: str = "2026-02-24", **more: Any) -> dict[str, Any]:
    return {
        "name": text,
        "description": text,
        "as_of": day,
        "sources": (Quote(FILING, text),),
    } | more


FELL = told(
    "Revenue fell 10% in FY2025", type="WEAKNESS", sources=(Quote(FILING, None, "revenue FY2025"),)
)
BUILT: dict[str, Any] = {
    "swot_analysis": [told(OPENED, type="OPPORTUNITY"), told(STRIKE, type="THREAT"), FELL],
    "strategic_priorities": [told(AIM)],
}


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


def test_the_whys_are_about_facts_that_call_for_one_offering() -> None:
    rows = proven(OF, three_whys.build(OF, BUILT, SELLER), known=SELLER.words)
    assert [(row["name"], row["about"]) for row in rows] == [
        ("Why change?", STRIKE),
        ("Why now?", OPENED),
    ]
    assert {(row["offering"], row["date"]) for row in rows} == {("RoutePilot", "2026-02-24")}
    assert three_whys.build(OF, BUILT, Seller("Orrin", (WATCH,))) == []


def test_nothing_that_was_said_long_ago_is_a_reason_to_act() -> None:
    later = replace(OF, now=NOW + timedelta(days=900))
    assert three_whys.build(later, BUILT, SELLER) == []
    assert discovery_questions.build(later, BUILT, SELLER) == []


def test_without_offerings_nothing_is_promised() -> None:
    rows = three_whys.build(OF, BUILT, Seller())
    assert [row["name"] for row in rows] == ["Why change?", "Why now?"]
    assert not any("offering" in row for row in rows)


def test_a_sentence_of_use_is_no_reason_and_a_figure_that_fell_is_one() -> None:
    built = {"strategic_priorities": [told(STRIKE)], "risks": [told(STRIKE)], "goals": [told(AIM)]}
    assert three_whys.build(OF, built, Seller()) == []
    assert discovery_questions.build(OF, built, Seller()) == []
    (row,) = three_whys.build(OF, built | {"swot_analysis": [FELL]}, Seller())
    assert (row["name"], row["about"]) == ("Why change?", FELL["name"])


def happened(*found: Signal, **more: Any) -> list[Any]:
    return [row["name"] for row in swot_analysis.build(evidence((), signals=list(found), **more))]


DEPOT = signal("strategic_shifts", "opens_new_location", title="Larkspur Freight opens a depot")


def test_a_signal_whose_quote_speaks_of_a_time_long_over_is_no_news() -> None:
    late = replace(DEPOT, quote="In the second quarter of 2023 we opened a depot in Larkspur.")
    assert (happened(DEPOT), happened(late)) == ([DEPOT.quote], [])


def test_what_a_report_tells_without_a_time_is_no_news() -> None:
    """A report of this year tells of a case of long ago too."""
    said = "The court found that we had closed a depot in Larkspur without notice."
    found = replace(DEPOT, quote=said, document_id=FILING)
    report = document(FILING, said, title="10-K for 2025-12-31", section="3")
    release = document(FILING, said, title="8-K for 2026-02-20", section="2.01")
    assert happened(found, documents=[report]) == []
    assert happened(found, documents=[release]) == [said]


def test_questions_name_the_matter_and_the_offering() -> None:
    rows = discovery_questions.build(OF, BUILT, SELLER)
    assert [row["name"] for row in rows] == [
        f"“{OPENED}” What has to happen next, and who leads it? What would RoutePilot have to do for you"
        " there?",
        f"“{STRIKE}” Where does that stand today, and what comes next? What would RoutePilot have to do for"
        " you there?",
    ]
    assert not discovery_questions.build(OF, BUILT, Seller("Orrin"))
    whys = list(three_whys.build(OF, BUILT, SELLER))
    built = BUILT | {"three_whys": whys}
    assert not discovery_questions.build(OF, built, SELLER)


def test_what_a_model_wrote_is_not_shown_as_the_company_s_words() -> None:
    written = told("In February 2026 it closed a depot.", name="Depots", method="openai:m")
    written |= {"sources": (Quote(FILING, AIM),), "type": "THREAT"}
    (row,) = proven(
        OF, discovery_questions.build(OF, {"swot_analysis": [written]}, SELLER), known=SELLER.words
    )
    assert row["name"].startswith(f"{written['description']} Where does that stand")
    assert row["method"] == "openai:m"


def test_a_question_is_answered_by_quotes_or_shows_what_comes_nearest() -> None:
    asked = [Question(UUID(int=n), f"Q{n}", "Does it own ships?") for n in (1, 2, 3)]
    quotes = [Quote(UUID(int=4), "Board of Larkspur Freight")]
    said = {each.question_id: quotes for each in asked[:2]}
    answered = {asked[0].question_id}
    seller = replace(SELLER, questions=asked, quotes=said, answered=answered)
    of = evidence(())
    first, second, third = proven(of, custom_insights.build(of, {}, seller), known=seller.words)
    assert (first["state"], first["answer"]) == ("ready", "Board of Larkspur Freight")
    assert (second["state"], second["answer"]) == ("insufficient_evidence", None)
    assert [each.text for each in second["sources"]] == ["Board of Larkspur Freight"]
    assert (third["state"], third["sources"]) == ("insufficient_evidence", ())


def test_technologies_of_postings_are_counted() -> None:
    of = evidence(jobs=[job(n, opened=n) for n in range(5)])
    (row,) = proven(of, plans.DIGITAL.build(of))
    assert row["description"] == "Named in 5 open postings: Amazon Web Services in 5."
    few = evidence(jobs=[job(n, opened=n) for n in range(4)])
    assert plans.DIGITAL.build(few) == []
    later = replace(of, now=NOW + timedelta(days=400))
    assert plans.DIGITAL.build(later) == []
