"""Which risks are told, and under which captions."""

from sightline.profile import insights
from sightline.profile.sections import risks
from sightline.reading.onnx_encoder import bundled_encoder
from tests.profile.test_fact_sections import GROCERS, NOW, evidence, risk_report

SHARES = (
    "The price of our common stock may be volatile, and holders have little influence.",
    "Our founder held 61% of our common stock at the end of 2025.",
)
LONG_OVER = (
    "Attacks on our systems could stop our business.",
    "In 2021 we paid 3 million dollars after an attack on our depots.",
)


def test_a_risk_is_of_the_company_and_its_last_year() -> None:
    report = risk_report(62, GROCERS, LONG_OVER, at=NOW)
    read = insights.read(evidence((), [report]), bundled_encoder())
    assert [row["name"] for row in risks.build(read)] == [GROCERS[0]]


def test_what_weighs_on_the_business_comes_before_who_holds_its_shares() -> None:
    report = risk_report(62, SHARES, GROCERS, at=NOW)
    read = insights.read(evidence((), [report]), bundled_encoder())
    assert [row["name"] for row in risks.build(read)][:1] == [GROCERS[0]]


def test_a_caption_that_was_cut_off_ends_with_its_last_whole_sentence() -> None:
    long = ("If grocers leave us, we earn less. " + "They may go to a carrier by rail. " * 15)[:499]
    report = risk_report(62, (long, GROCERS[1]), ("x" + long.replace(".", ""), GROCERS[1]), at=NOW)
    assert list(risks.factors(report)) == [long[: long.rfind(".") + 1]]
