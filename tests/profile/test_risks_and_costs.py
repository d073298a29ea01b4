"""Which risks are told, and which sentences give a cost."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from sightline.profile import insights, risk_factors
from sightline.profile.evidence import Document
from sightline.profile.sections import how_they_lose_money, risks
from sightline.profile.sentences import Judged, Sentence
from sightline.reading.onnx_encoder import bundled_encoder
from tests.profile.test_fact_sections import (
    FILING,
    GROCERS,
    NOW,
    document,
    evidence,
    period,
    risk_report,
)

LAW = (
    "Laws on the protection of data could make our business more costly.",
    "The regulation of 2025 sets fines of up to 20 million euros or 4% of the revenue of the year.",
)
SHARES = (
    "The price of our common stock may be volatile, and holders have little influence.",
    "Our founder held 61% of our common stock at the end of 2025.",
)
HARMLESS = (
    "Changes of tax laws and disputes over taxes could make our business more costly.",
    "At the end of 2025 our deferred taxes in Norway were $46 million, and we do not anticipate a"
    " material impact on our results.",
)
LONG_OVER = (
    "Attacks on our systems could stop our business.",
    "In 2021 we paid 3 million dollars after an attack on our depots.",
)


def test_a_risk_is_of_the_company_its_business_and_its_last_year() -> None:
    report = risk_report(62, GROCERS, LAW, SHARES, HARMLESS, LONG_OVER, at=NOW)
    read = insights.read(evidence((), [report]), bundled_encoder())
    assert [row["name"] for row in risks.build(read)] == [GROCERS[0]]


LOWER = (
    "Costs of claims in 2025 and 2024 included favorable prior year development of $700 million and"
    " $400 million."
)
INCURRED = "Restructuring charges were $789 million in 2025 and $531 million in 2024."


def test_what_made_costs_lower_is_no_loss() -> None:
    text = f"{LOWER}\n{INCURRED}"
    report = document(
        FILING, text, title="10-K for 2025-12-31", section="7", heading="Costs and charges"
    )
    read = insights.read(evidence((), [report]), bundled_encoder())
    reported = {
        each.sentence.text
        for each in read.judged
        if how_they_lose_money._fits(replace(each, specific=0.9), read)
    }
    assert reported == {INCURRED}


def test_a_caption_that_was_cut_off_ends_with_its_last_whole_sentence() -> None:
    long = ("If grocers leave us, we earn less. " + "They may go to a carrier by rail. " * 15)[:499]
    report = risk_report(62, (long, GROCERS[1]), ("x" + long.replace(".", ""), GROCERS[1]), at=NOW)
    captions = [each.caption for each in risk_factors.factors(report)]
    assert captions == [long[: long.rfind(".") + 1]]


@pytest.mark.parametrize(
    ("said", "is_cost"),
    [
        ("Charges on fixed-price contracts were $585 million in 2025.", True),
        ("Restructuring charges were $789 million in 2025 and $531 million in 2024.", True),
        ("Restructuring charges were $531 million in 2025 and $789 million in 2024.", False),
        ("Interest expense was $3.2 million and $2.4 million in 2024 and 2025.", False),
        ("The cost of freight decreased by $176 million in 2025 on fewer trips.", False),
        ("Expenses of the fleet fell $57 million, or 14%, in 2025 on fewer trips.", False),
        ("The cost of freight changed little in 2025 compared with 2024.", False),
    ],
)
def test_costs_that_fell_are_no_losses(said: str, is_cost: bool) -> None:
    day = datetime(2026, 2, 1, tzinfo=UTC)
    report = Document(
        UUID(int=7), "filing", "test", "https://filings.example", "10-K", day, day, said
    )
    judged = Judged(
        Sentence(report, 0, len(said), said, "review", "Costs and expenses", 0), specific=0.9
    )
    assert bool(how_they_lose_money._fits(judged, evidence(()))) is is_cost


def test_without_tagged_figures_a_cost_needs_no_heading() -> None:
    said = "Selling expenses were $14 million in fiscal 2025, compared with $11 million in 2024."
    report = document(FILING, said, title="10-K for 2025-12-31", section="7", heading="Results")
    judged = Judged(Sentence(report, 0, len(said), said, "review", "Results", 0), specific=0.9)
    tagged = [period("FY2025", "2025-12-31", 90e6)]
    assert how_they_lose_money._fits(judged, evidence((), [report])) > 0
    assert how_they_lose_money._fits(judged, evidence(tagged, [report])) == 0
