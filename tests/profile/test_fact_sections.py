"""Divisions, regions, periods and scores over invented figures and sentences."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from sightline.profile.checker import checker_of as checker
from sightline.profile.evidence import Document, Evidence, FactSeen, Job, Signal, Span
from sightline.profile.insights import read
from sightline.profile.sections import (
    divisions,
    employee_groups,
    events,
    favourite_technologies_count,
    geographical_operations,
    how_they_make_money,
    insights_scores,
    overview,
    risks,
    swot_analysis,
)

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DATA, FILING, RELEASE, BOARD = (UUID(int=n) for n in range(1, 5))
SAID = "Larkspur Freight opened a depot in Bergen."
TEXT = f"Board of Larkspur Freight\n{SAID}"


def fact(field: str, value: Any, pointer: str) -> FactSeen:
    return FactSeen(field, value, DATA, None, pointer, 0.9, None, NOW, True)


def period(label: str, end: str, amount: float, *, metric: str = "revenue", change: float | None = None,
           derived: bool = False) -> FactSeen:  # fmt: skip
    value = {"label": label, "period_end": end, "metric": metric, "amount": amount, "currency": "USD",
             "change": change, "derived": derived}  # fmt: skip
    return fact("fiscal_period", value, f"{metric} {label}")


def member(name: str, amount: float, *, axis: str = "business", tag: str = "",
           change: float | None = 0.1) -> FactSeen:  # fmt: skip
    value = {"axis": axis, "name": name, "metric": "revenue", "amount": amount, "currency": "USD",
             "period_start": "2025-01-01", "period_end": "2025-12-31", "member": tag or name,
             "change": change}  # fmt: skip
    return fact("segment", value, f"revenue [{name}]")


def document(number: UUID, text: str, *, title: str, section: str, heading: str | None = None,
             at: datetime = NOW, kind: str = "filing") -> Document:  # fmt: skip
    span = Span(0, len(text), section, heading)
    return Document(number, kind, "test", "https://filings.example", title, at, at, text, (span,))


def job(number: int, *, opened: int, city: str = "Oslo", code: str = "NO", title: str = "Driver",
        seen: datetime = NOW, closed: bool = False) -> Job:  # fmt: skip
    return Job(
        title, "operations", "professional", ("Amazon Web Services",), f"https://jobs.example/{number}",
        BOARD, seen - timedelta(days=opened), seen, seen if closed else None, ((city, code),),
    )  # fmt: skip


def evidence(
    facts: Sequence[FactSeen] = (), documents: Sequence[Document] = (), **more: Any
) -> Evidence:
    record = more.pop("record", {})
    return Evidence(UUID(int=9), "Larkspur Freight", record, NOW, facts, documents, **more)


def signal(
    family: str,
    type_: str,
    *,
    title: str = "Osprey Cargo acquires a depot",
    days: int = 5,
    quote: str = SAID,
) -> Signal:
    return Signal(family, type_, title, quote, BOARD, (NOW - timedelta(days=days)).date())


def proven(of: Evidence, body: Any, *, known: str = "") -> Any:
    texts = {each.document_id: each.text for each in of.documents} | {BOARD: TEXT}
    kept, verdict = checker(of, texts.get, known=known).prove(body)
    assert verdict.failures == ()
    return kept


def test_rests_and_eliminations_are_no_divisions() -> None:
    names = ["Rail", "Other Harbours", "Corporate & Investment Services", "All Other", "Other",
             "Corporate and other", "Intersegment eliminations", "Unallocated amounts"]  # fmt: skip
    rows = divisions.build(evidence([member(name, 100 - n) for n, name in enumerate(names)]))
    assert [row["division_name"] for row in rows] == names[:3]
    assert {row["basis"] for row in rows} == {"business segment"}


def test_divisions_that_sell_to_each_other_say_so() -> None:
    facts = [member("Rail", 80), member("Harbours", 40)]
    for total, overlap in ((100, True), (120, False)):
        rows = divisions.build(evidence([*facts, period("FY2025", "2025-12-31", total)]))
        assert {row["includes_sales_between_divisions"] for row in rows} == {overlap}


def test_shares_are_of_the_revenue_of_the_company() -> None:
    of = evidence([member("Norway", 40, axis="geography"), period("FY2025", "2025-12-31", 100)])
    (row,) = proven(of, geographical_operations.build(of))
    assert row["share"] == 0.4
    assert row["description"].endswith("40% of the company's revenue.")


def test_countries_of_open_postings_and_the_head_office() -> None:
    jobs = [
        job(1, opened=3),
        job(2, opened=4, city="Bergen"),
        job(3, opened=5, city="Aarhus", code="DK"),
    ]
    facts = [fact("hq_city", "Oslo", "hq city"), fact("hq_address", "12 Kaigata", "hq address")]
    of = evidence(facts, jobs=[*jobs, job(4, opened=9, code="SE", closed=True)])
    rows = {row["name"]: row for row in proven(of, geographical_operations.build(of))}
    assert set(rows) == {"Oslo", "Norway", "Denmark"}
    assert rows["Oslo"]["description"] == "Head office: 12 Kaigata, Oslo."
    assert rows["Norway"]["description"] == "2 of 3 open postings: Oslo, Bergen."


def test_groups_and_technologies_of_postings_are_proven_by_postings() -> None:
    titles = ["Driver 22", "Loader 14", "Planner 9"]
    jobs = [job(n, opened=n, title=titles[n % 3] if n > 4 else "Driver") for n in range(12)]
    of = evidence(jobs=jobs)
    assert proven(of, employee_groups.build(of))
    (technology,) = proven(of, favourite_technologies_count.build(of))
    assert technology["category"]


def scores(of: Evidence) -> dict[str, dict[str, Any]]:
    own = (insights_scores.growth, insights_scores.financial_health, insights_scores.hiring_momentum,
           insights_scores.technology_change, insights_scores.risk)  # fmt: skip
    return {row["name"]: row for row in proven(of, [each(of) for each in own])}


def test_growth_counts_a_quarter_only_after_the_year() -> None:
    year = period("FY2025", "2025-12-31", 110.0, change=0.1)
    for end, expected in (("2025-06-30", 70), ("2026-02-28", 80)):
        quarter = period("Q2 FY2025", end, 30.0, change=0.25)
        assert scores(evidence([year, quarter]))["growth"]["score"] == expected


def test_what_a_score_lacks_is_said() -> None:
    found = scores(
        evidence(
            [
                period("FY2025", "2025-12-31", 100.0),
                period("FY2025", "2025-12-31", -5.0, metric="net_income"),
            ]
        )
    )
    assert found["financial_health"]["score"] == 38
    assert "Not known: cash against debt." in found["financial_health"]["reasons"]
    assert found["risk"]["score"] == 45
    assert found["risk"]["inputs"]["net_income"] == -5.0
    quiet = scores(evidence(signals=[signal("funding", "receives_financing")]))["risk"]
    assert quiet["score"] is None


def test_momentum_is_measured_up_to_the_day_postings_were_last_seen() -> None:
    seen = NOW - timedelta(days=200)
    jobs = [job(n, opened=10 * n, seen=seen) for n in range(20)]
    once = scores(evidence(jobs=jobs))["hiring_momentum"]
    assert once["score"] is None
    watched = scores(evidence(jobs=[*jobs, job(99, opened=170, seen=seen, closed=True)]))
    assert watched["hiring_momentum"]["inputs"]["opened"] == 10
    assert watched["hiring_momentum"]["score"] == 50
    assert seen.date().isoformat() in watched["hiring_momentum"]["description"]


def test_a_summary_begins_with_the_first_sentences_of_its_own() -> None:
    text = (
        "The following is a discussion of our business as a whole.\n"
        "Larkspur Freight is a provider of refrigerated transport for growers and grocers.\n"
        "We operate cold stores and electric trucks that keep food cold from field to shelf.\n"
        "We face aggressive competitors who offer transport at prices below our own costs."
    )
    filing = document(FILING, text, title="10-K for 2025-12-31", section="1")
    summary = overview.build(read(evidence((), [filing]), None))["summary"]
    assert summary.startswith("Larkspur Freight is a provider")
    assert "electric trucks" in summary
    assert "aggressive" not in summary


def page(number: int, text: str, *, section: str) -> Document:
    return document(UUID(int=number), text, title="Larkspur", section=section, kind="page")


def test_a_segment_is_described_where_its_heading_names_it() -> None:
    text = "This segment moves fish and fruit by rail between the ports of the north."
    filing = document(
        FILING, text, title="10-K for 2025-12-31", section="1", heading="Rail Segment"
    )
    (row,) = divisions.build(evidence([member("Rail", 80)], [filing]))
    assert row["division_summary"] == text


def test_a_text_on_another_product_describes_no_line() -> None:
    text = "Through Larkbot, our set of helpers, we answer the questions of every customer service."
    filing = document(FILING, text, title="10-K for 2025-12-31", section="1", heading="Service")
    (row,) = divisions.build(evidence([member("Service", 80, axis="product")], [filing]))
    assert row["division_summary"] is None


def test_lines_that_leave_out_most_of_the_revenue_give_way_to_divisions() -> None:
    facts = [member("Rail", 80), member("Harbours", 40), period("FY2025", "2025-12-31", 120)]
    lines = [member("Tickets", 20, axis="product"), member("Parcels", 10, axis="product")]
    rows = how_they_make_money.build(evidence([*facts, *lines]))
    (row,) = proven(evidence([*facts, *lines]), rows)  # the amounts stand with the divisions
    assert row["shares"] == {"Rail": 0.6667, "Harbours": 0.3333}
    assert row["description"] == (
        "Shares of the company's revenue in FY2025: Rail 66.7%; Harbours 33.3%."
    )


def test_a_figure_of_a_division_is_told_once() -> None:
    facts = [member("Rail", 80, change=0.4), member("Harbours", 40, change=-0.2),
             member("Norway", 120, axis="geography", change=0.4),
             period("FY2025", "2025-12-31", 125, change=0.3)]  # fmt: skip
    of = evidence(facts)
    assert [row["division_name"] for row in divisions.build(of)] == ["Rail", "Harbours"]
    assert how_they_make_money.build(of) == []  # they do not make the revenue
    assert [(row["name"], row["type"]) for row in swot_analysis.build(of)] == [
        ("Revenue grew 30% in FY2025", "STRENGTH"),
        ("Revenue of Rail grew 40% in FY2025", "STRENGTH"),
        ("Revenue of Harbours fell 20% in FY2025", "WEAKNESS"),
    ]


def test_one_part_that_is_the_whole_is_no_division() -> None:
    whole = [member("Haulage", 100.0), period("FY2025", "2025-12-31", 100.0)]
    assert divisions.build(evidence(whole)) == []


@pytest.mark.parametrize(
    ("tag", "is_told"), [("us-gaap:LicenseMember", False), ("lrk:Licenses", True)]
)
def test_a_standard_name_that_the_company_does_not_use_is_none(tag: str, is_told: bool) -> None:
    report = document(FILING, "We sell subscriptions.", title="10-K for 2025-12-31", section="1")
    facts = [member("Licenses and services", 60.0, tag=tag), member("Repairs", 40.0)]
    names = [row["division_name"] for row in divisions.build(evidence(facts, [report]))]
    assert ("Licenses and services" in names) is is_told


@pytest.mark.parametrize("revenue", [100.0, 130.0])
def test_lines_that_do_not_make_the_revenue_have_no_share_of_it(revenue: float) -> None:
    lines = [member("Rail", 80, axis="product"), member("Harbours", 40, axis="product")]
    parts = [member("North", 70), member("South", 50), period("FY2025", "2025-12-31", revenue)]
    rows = proven(of := evidence([*lines, *parts]), how_they_make_money.build(of))
    assert [row["description"] for row in rows] == [
        "Rail brought in $80 in FY2025 (up 10% from the prior year).",
        "Harbours brought in $40 in FY2025 (up 10% from the prior year).",
    ]


def test_what_is_told_elsewhere_or_of_a_small_part_is_no_strength() -> None:
    of = evidence([
        period("FY2025", "2025-12-31", 200.0, change=0.2),
        period("FY2025", "2025-12-31", -30.0, metric="net_income"),
        period("FY2025", "2025-12-31", 60.0, metric="operating_cash_flow", change=0.3),
        period("FY2025", "2025-12-31", 20.0, metric="capital_expenditure", change=0.5),
        member("Norway", 195.0, axis="geography", change=0.2),
        member("Denmark", 5.0, axis="geography", change=1.4),
    ])  # fmt: skip
    rows = proven(of, swot_analysis.build(of))
    assert [row["name"] for row in rows] == [
        "Revenue grew 20% in FY2025",
        "Operating cash flow grew 30% in FY2025",
    ]


def test_facts_say_what_no_text_does() -> None:
    facts = [fact("hq_city", "Oslo", "/city"), fact("industry", "Trucking", "/sic"),
             fact("stock_ticker", "LRK", "/ticker"), fact("stock_exchange_name", "OSE", "/exchange"),
             period("FY2025", "2025-12-31", 230_000_000, change=0.12)]  # fmt: skip
    record = {f.field: f.value for f in facts if isinstance(f.value, str)}
    jobs = [job(n, opened=n) for n in range(3)]
    of = evidence(facts, (), record=record, jobs=jobs)
    assert proven(of, overview.build(of))["summary"] == (
        "Larkspur Freight is based in Oslo. Its industry is Trucking. Its shares trade on OSE as LRK."
        " Its revenue was $230 million in FY2025, up 12% from the prior year."
    )
    hiring = evidence((), (), jobs=jobs)
    said = proven(hiring, overview.build(hiring))["summary"]
    assert said == "Larkspur Freight has 3 open postings."
    text = "Larkspur Freight is a carrier of fresh food with its head office in Oslo."
    reported = evidence(
        facts[:2], [document(FILING, text, title="10-K", section="1")], record=record
    )
    made = overview.build(read(reported, None))
    # Its own words say what a register may have wrong, and are as old as their document.
    assert made["summary"] == text
    assert made["as_of"] == reported.documents[0].said_at.date().isoformat()


def test_profits_and_debt_are_told() -> None:
    of = evidence([
        period("FY2025", "2025-12-31", 200.0), period("FY2025", "2025-12-31", 30.0, metric="net_income"),
        period("FY2025", "2025-12-31", 80.0, metric="operating_income", change=0.1),
        period("FY2025", "2025-12-31", 10.0, metric="cash"),
        period("FY2025", "2025-12-31", 90.0, metric="debt", change=0.5),
    ])  # fmt: skip
    sides = {each["name"]: each["type"] for each in proven(of, swot_analysis.build(of))}
    assert sides == {
        "Net income of $30 in FY2025": "STRENGTH",
        "Debt rose 50% in FY2025": "WEAKNESS",
    }
    (kept,) = proven(of, how_they_make_money.build(of))
    assert kept["description"] == (
        "Operating income was $80 in FY2025, 40% of the revenue (up 10% from the prior year)."
    )


def test_only_the_first_sentence_under_its_heading_describes_a_division() -> None:
    text = "This was said above. Rail and Harbours moves grain from inland depots to the sea."
    filing = document(FILING, text, title="10-K for 2025-12-31", section="1")
    (row,) = divisions.build(evidence([member("Rail & Harbours", 80)], [filing]))
    assert row["division_summary"] == "Rail and Harbours moves grain from inland depots to the sea."


def risk_report(number: int, *captions: tuple[str, str], at: datetime) -> Document:
    text, spans = "", []
    for caption, body in captions:
        start = len(text)
        text += f"{caption}\n{body}\n"
        spans.append(Span(start, len(text), "1A", caption))
    return Document(UUID(int=number), "filing", "test", "https://filings.example", "10-K", at, at, text,
                    tuple(spans))  # fmt: skip


GROCERS = (
    "We depend on a limited number of grocers for most of our revenue.",
    "Three grocers accounted for 46% of our revenue in 2025, and none is bound for long.",
)
HARBOUR = (
    "A strike in the harbours of the north could stop our ships for weeks.",
    "The dockers of Bergen stopped our ships for nine days in 2025, and talks go on without an end.",
)
# No numbers, dates or sums: any company could say it.
ANY = (
    "We may not be able to attract and keep the people whom we need.",
    "Good people are hard to find, and others who look for them may offer more than we can.",
)


def test_a_new_risk_is_told_with_its_caption_and_what_stood_before_is_not() -> None:
    before = risk_report(61, GROCERS, ANY, at=NOW - timedelta(days=365))
    newest = risk_report(62, GROCERS, ANY, HARBOUR, at=NOW)
    (row,) = proven(of := read(evidence((), [before, newest]), None), risks.build(of))
    assert (row["name"], row["change"], row["description"]) == (HARBOUR[0], "new", HARBOUR[1])
    alone = read(evidence((), [newest]), None)
    assert {row["change"] for row in risks.build(alone)} == {None}


def test_threats_are_what_happened_and_repeat_no_risks() -> None:
    before = risk_report(61, GROCERS, ANY, at=NOW - timedelta(days=365))
    newest = risk_report(62, GROCERS, ANY, HARBOUR, at=NOW)
    title, paid = "Larkspur Freight fines a port authority", "A fine of $2 million was paid."
    of = evidence((), [before, newest], signals=[
        signal("risk", "regulatory_action", title=title, quote=paid),
        signal("strategic_shifts", "opens_new_location", title="A depot opens Larkspur Freight"),
        signal("strategic_shifts", "opens_new_location", title="Too long ago", days=500),
    ])  # fmt: skip
    rows = swot_analysis.build(of)
    # In the document's words: a title that is built of parties may turn the sides round.
    assert [row["name"] for row in rows if row["type"] == "OPPORTUNITY"] == [SAID]
    assert [row["name"] for row in rows if row["type"] == "THREAT"] == [paid]
    (opened,) = [row for row in rows if row["type"] == "OPPORTUNITY"]
    assert opened["as_of"] == "2026-02-24"


def test_results_are_sentences_of_the_release_about_the_period() -> None:
    text = (
        "Total revenue was $230 million in 2025, an increase of 12% on the year before.\n"
        "This was $4 million more than what had been expected of the fourth quarter.\n"
        "Revenue was $205 million for fiscal year 2024, as was reported a year ago.\n"
        "“Our electric trucks have earned their place,” said Ingrid Vale, Chief Executive Officer of"
        " Larkspur.\n"
        "Tor Lund, Chief Financial Officer, added, “We have never had so many growers on contract.”"
    )
    release = document(
        RELEASE, text, title="8-K", section="EX-99.1", at=datetime(2026, 2, 10, tzinfo=UTC)
    )
    of = evidence([period("FY2025", "2025-12-31", 230_000_000.0)], [release])
    (event,) = proven(of, events.build(of))
    assert [row["description"] for row in event["earnings_call_summary"]] == [text.split("\n")[0]]
    assert [row["name"].partition(",")[0] for row in event["earnings_call_quotes"]] == [
        "Ingrid Vale", "Tor Lund",
    ]  # fmt: skip


def test_an_event_that_repeats_a_figure_is_not_told_again() -> None:
    charge = "We recorded restructuring charges of $43 million in fiscal 2025."
    closed = "We closed the depot of Bergen in 2025."
    of = evidence(
        [period("FY2025", "2025-12-31", 43_000_000, metric="restructuring")],
        (),
        signals=[signal("growth", "cost_cutting", quote=text) for text in (charge, closed)],
    )
    assert [row["name"] for row in swot_analysis.build(of)] == [closed]
