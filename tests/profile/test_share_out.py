"""Each sentence stands in one section, says when it was said if that is long ago, and fits what it states."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from sightline.profile import insights
from sightline.profile.build import draft
from sightline.profile.evidence import Document, Evidence, Span
from sightline.profile.registry import SECTIONS
from tests.profile.heads import ScriptedEncoder, scripted
from tests.profile.test_fact_sections import FILING, NOW, evidence, proven

PLAN = "We plan to open 12 cold stores in Denmark, which carry the name of Larkspur Nord."
COST = "Restructuring charges were $14 million in 2025, most of it for depots that were closed."
GREW = "Revenue from fruit grew by 31% in 2025, driven by growers in Denmark and Norway."
LOST = "Late deliveries cost us the contract of the largest grocer of Bergen in May 2025."
ABOUT = {PLAN: "priority", GREW: "makes", COST: "loses", LOST: "risk"}
INTRODUCED = (
    (
        "1",
        "Business",
        "Larkspur Freight carries fresh food from growers to grocers in 14 countries.",
    ),
    (
        "1",
        "Business",
        "We run cold stores and trucks that Norwegian growers share with each other.",
    ),
)


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> ScriptedEncoder:
    return scripted(monkeypatch, ABOUT)


def report(*rows: tuple[str, str, str], days: int = 20) -> Document:
    """A report of (item, heading, sentence) filed so many days ago."""
    text, spans = "", []
    for item, heading, sentence in (*INTRODUCED, *rows):
        start = len(text)
        text += f"{sentence}\n"
        spans.append(Span(start, len(text) - 1, item, heading))
    at = NOW - timedelta(days=days)
    return Document(
        FILING, "filing", "test", "https://filings.example", "10-K", at, at, text, tuple(spans)
    )


def bodies(of: Evidence, encoder: ScriptedEncoder) -> dict[str, Any]:
    of = insights.read(of, encoder)
    made = draft(of, [(section, b"") for section in SECTIONS])
    return {each.name: proven(of, each.body) for each in made}


def said(body: Any) -> list[str]:
    return [row["description"] for row in body]


def test_a_sentence_stands_where_it_fits_best_and_nowhere_else(encoder: ScriptedEncoder) -> None:
    again = COST.replace("charges were", "charges and other costs were")
    of = report(
        ("1", "Strategy", PLAN),
        ("7", "Restructuring", COST),
        ("7", "Costs and expenses", again),
        ("7", "Results", GREW),
        ("7", "Results", LOST),
    )
    made = bodies(evidence((), [of]), encoder)
    assert said(made["strategic_priorities"]) == [PLAN]
    assert said(made["how_they_make_money"]) == [GREW]
    assert said(made["how_they_lose_money"]) == [COST]
    assert said(made["risks"]) == [LOST]
    assert made["swot_analysis"] == []


def test_a_plan_of_an_old_report_says_when_it_was_said(encoder: ScriptedEncoder) -> None:
    old = evidence((), [report(("1", "Strategy", PLAN), days=500)])
    (row,) = bodies(old, encoder)["strategic_priorities"]
    assert row["description"] == f"As of October 2024: {PLAN}"
    assert row["as_of"] == "2024-10-17"
    later = replace(old, now=NOW + timedelta(days=3 * 365))
    assert bodies(later, encoder)["strategic_priorities"] == []


def test_a_day_of_a_statement_that_is_not_its_own_is_not_proven(encoder: ScriptedEncoder) -> None:
    old = evidence((), [report(("1", "Strategy", PLAN), days=500)])
    (row,) = bodies(old, encoder)["strategic_priorities"]
    false = row | {"description": row["description"].replace("October 2024", "March 2026")}
    with pytest.raises(AssertionError, match="not in its quote"):
        proven(old, [false])


def test_the_sentence_behind_says_how_it_went_on(encoder: ScriptedEncoder) -> None:
    ended = "We stopped that program in January 2026."
    of = evidence(
        (), [report(("1", "Strategy", f"{PLAN} {ended}\nAnother paragraph begins here."))]
    )
    (row,) = bodies(of, encoder)["strategic_priorities"]
    assert row["description"] == f"{PLAN} {ended}"


def test_the_sentence_behind_is_not_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = scripted(monkeypatch, {GREW: "makes", COST: "loses"})
    made = bodies(evidence((), [report(("7", "Results", f"{GREW} {COST}"))]), encoder)
    assert said(made["how_they_make_money"]) == [f"{GREW} {COST}"]
    assert COST not in said(made["how_they_lose_money"])


def test_a_paragraph_dates_the_sentences_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    undated = GREW.replace(" in 2025,", ",")
    encoder = scripted(monkeypatch, {undated: "makes"})
    for year, told in (("2025", 1), ("2024", 0)):
        paragraph = f"Revenue of {year} is compared here. {undated}"
        made = bodies(evidence((), [report(("7", "Results", paragraph))]), encoder)
        assert len(made["how_they_make_money"]) == told


def test_a_heading_dates_the_sentence_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    undated = GREW.replace(" in 2025,", ",")
    encoder = scripted(monkeypatch, {undated: "makes"})
    for heading, told in (("2025 compared with 2024", [undated]), ("2024 compared with 2023", [])):
        made = bodies(evidence((), [report(("7", heading, f"{heading}\n{undated}"))]), encoder)
        assert said(made["how_they_make_money"]) == told
        assert [row["name"] for row in made["how_they_make_money"]] == [heading for _ in told]


def test_what_a_risk_factor_says_of_others_stands_nowhere(
    encoder: ScriptedEncoder,
) -> None:
    for item, sections in (("7", ["how_they_make_money"]), ("1A", [])):
        made = bodies(evidence((), [report((item, "Customers", GREW))]), encoder)
        told = [name for name, body in made.items() if name != "overview" and GREW in said(body)]
        assert told == sections


def test_a_sum_without_its_unit_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = "Revenue of the depots in Norway that were opened in 2025 grew to $482."
    encoder = scripted(monkeypatch, {cut: "makes"})
    made = bodies(evidence((), [report(("7", "Revenue", cut))]), encoder)
    assert said(made["how_they_make_money"]) == []


def test_what_could_only_be_is_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    maybe = PLAN.replace("plan to", "may")
    encoder = scripted(monkeypatch, {maybe: "priority"})
    made = bodies(evidence((), [report(("1", "Strategy", maybe))]), encoder)
    assert made["strategic_priorities"] == []


def test_a_sentence_is_shown_with_what_dates_it(monkeypatch: pytest.MonkeyPatch) -> None:
    undated = GREW.replace(" in 2025,", ",")
    quarter = "In the fourth quarter of 2025 revenue rose at all of our sites."
    encoder = scripted(monkeypatch, {undated: "makes"})
    made = bodies(evidence((), [report(("7", "Results", f"{quarter} {undated}"))]), encoder)
    assert said(made["how_they_make_money"]) == [f"{quarter} {undated}"]


def test_a_sentence_behind_another_is_not_a_statement_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = GREW.replace(
        "Norway.", "Norway, who had asked for more room in all of its cold stores."
    )
    later = "Two grocers of Bergen took 14% of it in 2025."
    more = "Their lawyers are those that the company had at the time of the merger with Fernhill."
    encoder = scripted(monkeypatch, {GREW[:40]: "makes", later: "makes"})
    made = bodies(evidence((), [report(("7", "Results", f"{first} {later} {more}"))]), encoder)
    assert said(made["how_they_make_money"]) == [f"{first} {later}"]
