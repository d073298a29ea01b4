"""Names of statements and the kinds of sentences that no section wants, on invented sentences."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest

from sightline.profile import judging
from sightline.profile.evidence import Document, Evidence, Span
from sightline.profile.first_person import in_first_person
from sightline.profile.names import is_half, is_title, risk_name, sentence_name
from sightline.profile.sections import (
    digital_strategies,
    goals,
    how_they_lose_money,
    how_they_make_money,
    industry_insights,
    overview,
    risks,
    strategic_priorities,
    swot_analysis,
)

NOW = datetime(2026, 2, 1, tzinfo=UTC)


def report(text: str, *, item: str = "1", heading: str = "Our Company") -> Evidence:
    document = Document(
        UUID(int=1), "filing", "test", "https://filings.example", "10-K for 2025", NOW, NOW, text,
        (Span(0, len(text), item, heading),),
    )  # fmt: skip
    return Evidence(UUID(int=2), "Larkspur Freight", {}, NOW, (), (document,))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "We also manage a fleet of refrigerated trucks in both our own and our partners’ depots"
            " across Norway.",
            "Manage a fleet of refrigerated trucks in both our own and our partners’ depots",
        ),
        (
            "While diesel remains cheap, we are converting our oldest trucks to electric drives.",
            "Converting our oldest trucks to electric drives",
        ),
        (
            "During the years ended May 31, 2025, 2024 and 2023, we recorded write-downs of two depots.",
            "Recorded write-downs of two depots",
        ),
        (
            "In cold storage, there are several large competitors in the market of each country.",
            "Several large competitors in the market of each country",
        ),
        (
            "We continue to expand our network of depots, which also opens new routes for the growers"
            " whom we serve.",
            "Expand our network of depots",
        ),
        (
            "We provide tools that enable growers of every size and in every country to connect with"
            " grocers quickly.",
            "Provide tools that enable growers of every size",
        ),
        (
            "In some countries, the interpretation of these rules is not clear to carriers at all.",
            "The interpretation of these rules is not clear to carriers at all",
        ),
        (
            "In the fourth quarter we launched a digital booking platform.",
            "Launched a digital booking platform",
        ),
        (
            "Demand for refrigerated transport of fresh food is further influenced by the prices that"
            " growers obtain from wholesale markets.",
            "Demand for refrigerated transport of fresh food",
        ),
        (
            "The decline in revenue was primarily due to fewer contracts with growers"
            " and grocers in the north.",
            "The decline in revenue",
        ),
        (
            "The company sells its trucks through dealers, agents and its own web site in 14 countries.",
            "Sell its trucks through dealers, agents and its own web site in 14 countries",
        ),
    ],
)
def test_names_say_what_is_said_of_the_company(text: str, name: str) -> None:
    assert sentence_name(text) == name


@pytest.mark.parametrize(
    ("caption", "name"),
    [
        (
            "We face strong competition from other carriers.",
            "Strong competition from other carriers",
        ),
        ("We rely heavily on two makers of batteries.", "Dependence on two makers of batteries"),
        (
            "We derive a significant portion of our revenue from three grocers.",
            "Dependence on three grocers",
        ),
        (
            "If our efforts to retain drivers are not successful, our business will suffer.",
            "Failure to retain drivers",
        ),
        (
            "If our depots fail to keep food cold, it could harm our reputation.",
            "Our depots may fail to keep food cold",
        ),
        (
            "Our results of operations may fluctuate from quarter to quarter, which makes our future"
            " results difficult to predict.",
            "Fluctuating results",
        ),
        (
            "Historically, existing customers have ordered more, which has resulted in a limited number"
            " of customers accounting for a substantial portion of our revenue.",
            "Dependence on a limited number of customers",
        ),
        (
            "Our success depends in part on our ability to retain drivers.",
            "Dependence on the ability to retain drivers",
        ),
        (
            "Our reputation may be harmed by news coverage of accidents.",
            "News coverage of accidents",
        ),
        ("We may lose key drivers or be unable to hire new ones.", "Loss of key drivers"),
        (
            "We are subject to thefts of cargo. If we cannot prevent them, our business may suffer.",
            "Thefts of cargo",
        ),
        (
            "We may not realize the benefits of our new depots, which could harm our business.",
            "Possible failure to realize the benefits of our new depots",
        ),
        (
            "Moreover, we also rely on two makers of batteries.",
            "Dependence on two makers of batteries",
        ),
        (
            "We enter into contracts at fixed prices, which could subject us to losses.",
            "Contracts at fixed prices",
        ),
    ],
)
def test_risks_are_named_by_what_may_happen(caption: str, name: str) -> None:
    assert risk_name(caption) == name


def test_half_a_sentence_is_no_name() -> None:
    assert all(map(is_half, ("Although we believe so", "As a result of fires", "In the north")))
    assert not is_half("Inland depots")


@pytest.mark.parametrize(
    "text",
    [
        "Laws on the privacy of drivers differ between the countries of the north and the south.",
        "The Clean Roads Act of 2025 introduced new provisions on charges for trucks with diesel.",
        "Compliance with rules on trade in our markets is becoming more expensive each year.",
    ],
)
def test_a_law_is_no_market(text: str) -> None:
    assert industry_insights.build(report(text)) == []


def test_what_a_seller_of_software_sells_is_no_digital_strategy() -> None:
    sells = (
        "We offer a cloud platform that plans the routes of carriers.\n"
        "Our platform uses machine learning to forecast demand for depots.\n"
        "Our analytics help customers to find the cheapest way through the north."
    )
    plans = "We are investing in generative AI to write our own software faster."
    rows = digital_strategies.build(report(f"{sells}\n{plans}"))
    assert [row["description"] for row in rows] == [plans]


def test_a_danger_is_no_strength() -> None:
    text = "If we cannot supply enough trucks, our market share and our strong brands could suffer."
    assert swot_analysis._said(report(text), "STRENGTH") == []


def test_risks_told_in_another_item_are_risks() -> None:
    business = "We carry refrigerated food for growers and grocers in all of the north."
    risk = "Three grocers accounted for 46% of our revenue, and none of them is bound to us."
    staff = "We employ some nine hundred drivers in the depots of the north."
    text = f"{business}\n{risk}\n{staff}"
    starts = [text.index(each) for each in (business, risk, staff)]
    headings = ("Our Company", "Factors That May Affect Future Results", "Employees")
    ends = (*starts[1:], len(text))
    known = report(text)
    (document,) = known.documents
    spans = tuple(Span(a, b, "1", h) for a, b, h in zip(starts, ends, headings, strict=True))
    document = replace(document, spans=spans)
    assert document.parts == ("business", "risks", "business")
    assert [s.part for s in document.sentences] == ["business", "risks", "business"]


def test_what_is_said_on_a_call_is_no_statement() -> None:
    lines = [
        "Ada Vale: We plan to open nine depots in Norway.",
        "Our plan has not changed since May.",
    ]
    text = "\n".join(lines * 3)
    known = report(text)
    (document,) = known.documents
    release = replace(document, title="8-K EX-99.1", spans=(Span(0, len(text), "EX-99.1", None),))
    assert {s.text for s in release.sentences} == {lines[1]}


def test_a_release_tells_what_the_company_is() -> None:
    about = "Based in Oslo, Norway, Larkspur Freight is a leading carrier of refrigerated food."
    text = f"Revenue rose to $230 million in the year.\n{about}"
    known = report(text)
    (document,) = known.documents
    release = replace(document, title="8-K EX-99.1", spans=(Span(0, len(text), "EX-99.1", None),))
    body = overview.build(replace(known, documents=(release,)))
    assert isinstance(body, dict)
    assert body["summary"] == about


def test_captions_of_a_quarterly_report_are_risks() -> None:
    captions = (
        "We depend on three grocers for most of our revenue.",
        "New emission rules could increase the cost of our fleet.",
        "Thefts of cargo could harm our reputation with growers.",
    )
    bodies = (
        "Together the grocers accounted for 46% of our revenue in each of the last years.",
        "Several countries have announced road charges for trucks that burn diesel.",
        "Thieves took four of our trailers from the harbours of the south in May.",
    )
    text = "\n".join(f"{caption}\n{body}" for caption, body in zip(captions, bodies, strict=True))
    starts = [text.index(caption) for caption in captions]
    spans = tuple(
        Span(start, end, "part2item1a", caption)
        for start, end, caption in zip(starts, (*starts[1:], len(text)), captions, strict=True)
    )
    known = report(text)
    (document,) = known.documents
    quarterly = replace(document, title="10-Q for 2025-09-30", spans=spans)
    rows = risks.build(replace(known, documents=(quarterly,)))
    assert {row["name"] for row in rows} >= {"New emission rules", "Thefts of cargo"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Larkspur Freight plans to open a depot.", "We plan to open a depot."),
        ("Larkspur Freight, Inc. (“Larkspur,” “we”) is a carrier.", "We are a carrier."),
        ("Larkspur Freight's business is seasonal.", "Larkspur Freight's business is seasonal."),
        ("Larkspur services are sold online.", "Larkspur services are sold online."),
        ("The Partnership leases trucks.", "We lease trucks."),
        ("The group leases trucks.", "The group leases trucks."),
    ],
)
def test_the_company_as_it_would_say_it(text: str, said: str) -> None:
    assert in_first_person(text, "Larkspur Freight") == said


def test_the_company_in_other_languages() -> None:
    said = in_first_person("Die Larkspur Gruppe will wachsen.", "Larkspur Freight", language="de")
    assert said == "§ will wachsen."


@pytest.mark.parametrize(
    ("judge", "text"),
    [
        (
            judging.is_results,
            "Operating expenses increased 9% in 2025 due to higher wages for drivers.",
        ),
        (judging.is_results, "The increase in revenue was primarily due to two new contracts."),
        (
            judging.is_bookkeeping,
            "Revenue from transport is recognized when the freight is delivered.",
        ),
        (
            judging.is_bookkeeping,
            "We define active growers as those who shipped in the last month.",
        ),
        (
            judging.is_formality,
            "The payouts under the incentive awards are tied to targets of the year.",
        ),
        (
            judging.is_announcement,
            "OSLO, NORWAY - MAY 3, 2025 -- Larkspur today announced its results.",
        ),
        (
            judging.is_broken,
            "Cold Storage Market Overview The market continues to grow in every country.",
        ),
        (
            judging.is_broken,
            'We will grow our fleet", said the chairman of the company to the press.',
        ),
    ],
)
def test_kinds_of_sentences(judge: Callable[[str], bool], text: str) -> None:
    assert judge(text)
    assert not judging.is_business(text)
    assert not judge("We plan to open nine depots in Norway to serve the growers of the north.")


def test_the_year_that_is_reported_on() -> None:
    calendar = "In 2025 we grew. In 2024 and 2025 we hired. The note is due in 2031."
    fiscal = "As of February 1, 2026, fiscal 2025 was good. " * 12
    assert judging.reporting_year(calendar, date(2026, 2, 20)) == 2025
    assert judging.reporting_year(fiscal, date(2026, 3, 20)) == 2025
    assert judging.is_of_the_past("Costs rose in 2024 compared with 2023.", 2025)
    assert not judging.is_of_the_past("Costs rose.", 2025)


@pytest.mark.parametrize(
    "text",
    [
        "We intend to enter into agreements with the other holders of the warrants and debentures.",
        "We expect operating expenses to increase in absolute dollars as we continue to invest in people.",
        "As we continue to expand globally, we may see new competition in different regions.",
        "Our Cold Storage segment faces competition from large carriers and from small ones.",
    ],
)
def test_what_is_no_strategy(text: str) -> None:
    assert strategic_priorities.build(report(text)) == []


def test_a_statement_stands_in_one_section() -> None:
    text = (
        "We plan to open nine depots in Norway by 2030 to serve the growers of the north.\n"
        "We plan to expand our fleet of trucks in Denmark and Sweden over time.\n"
        "We are investing in machine learning to plan the routes of all of our drivers.\n"
        "The market for refrigerated transport is growing in all of the countries of the north."
    )
    known = report(text)
    sections = (goals, strategic_priorities, digital_strategies, industry_insights)
    said = [row["description"] for section in sections for row in section.build(known)]
    assert sorted(said) == sorted(text.splitlines())


def test_costs_of_a_year_gone_are_left_out() -> None:
    text = (
        "Operating expenses increased 9% in 2025 due to higher wages for our drivers.\n"
        "Operating expenses increased 5% in 2024 compared with 2023 due to higher fuel prices.\n"
        "Selling expenses decreased 4% in 2025 due to lower spending on advertising in print."
    )
    (row,) = how_they_lose_money.build(report(text, item="7", heading="Results"))
    assert row["description"].startswith("Operating expenses increased 9% in 2025")


def test_rules_of_accounting_are_no_trade() -> None:
    text = (
        "Subscription revenues of our planning software are recognized over the term of each contract.\n"
        "We generate revenue primarily from transport contracts with growers and grocers."
    )
    (row,) = how_they_make_money.build(report(text))
    assert row["description"].startswith("We generate revenue")


def test_old_releases_tell_no_plans() -> None:
    text = "We plan to expand our fleet of trucks in Denmark and Sweden over the years to come."
    known = report(text)
    (document,) = known.documents
    old = NOW - timedelta(days=5 * 365)
    release = replace(
        document,
        title="8-K EX-99.1",
        published_at=old,
        spans=(Span(0, len(text), "EX-99.1", None),),
    )
    assert len(strategic_priorities.build(known)) == 1
    assert strategic_priorities.build(replace(known, documents=(release,))) == []


def test_the_strength_of_others_is_none() -> None:
    text = (
        "The leading suppliers of electric trucks are Volta and Scandia, both of them in Sweden.\n"
        "We are one of the largest carriers of refrigerated food in the north of Europe."
    )
    (row,) = swot_analysis.build(report(text))
    assert row["description"].startswith("We are one of the largest carriers")


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("Cold storage revenue increased 4% as prices rose and volumes declined.", True),
        ("We do not expect that weaker demand will have a material impact on us.", True),
        ("The weaker krone positively impacted revenue.", True),
        ("Operating expenses decreased despite inflation.", True),
        ("Operating expenses increased 9% due to higher wages for drivers.", False),
        ("Cold storage revenue decreased 4% as two sites were closed.", False),
        ("We had an operating loss due to weaker demand.", False),
    ],
)
def test_good_news_is_no_challenge(text: str, good: bool) -> None:
    assert judging.is_good_news(text) is good


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Expand our fleet of electric trucks", True),
        ("Dependence on two makers of batteries", True),
        ("Speed of delivery", True),
        ("Built four cold stores in the north", False),
        ("Launched a booking platform", False),
        ("Our depots may fail to keep food cold", False),
        ("The market for refrigerated transport is fragmented", False),
    ],
)
def test_a_title_can_be_spoken_of(name: str, title: bool) -> None:
    assert is_title(name) is title
