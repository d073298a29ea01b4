"""Which risks are told, and under which captions."""

from sightline.profile import insights
from sightline.profile.sections import risks
from sightline.reading.onnx_encoder import bundled_encoder
from tests.profile.test_fact_sections import GROCERS, NOW, evidence, risk_report

LONG_OVER = (
    "Attacks on our systems could stop our business.",
    "In 2021 we paid 3 million dollars after an attack on our depots.",
)
NAMED = (
    "We depend on the port of Bergen and on the law of Norway on the transport of food.",
    "We may lose customers if it closes.",
)


def test_a_risk_is_of_the_company_and_its_last_year() -> None:
    report = risk_report(62, GROCERS, LONG_OVER, at=NOW)
    read = insights.read(evidence((), [report]), bundled_encoder())
    assert [row["name"] for row in risks.build(read)] == [GROCERS[0]]


def test_a_caption_alone_is_told_where_it_is_new() -> None:
    old = risk_report(427, GROCERS, LONG_OVER, at=NOW)
    report = risk_report(62, NAMED, GROCERS, LONG_OVER, at=NOW)
    for reports, told in (([report], [GROCERS[0]]), ([report, old], [NAMED[0]])):
        rows = risks.build(insights.read(evidence((), reports), bundled_encoder()))
        assert [row["name"] for row in rows] == told


def test_a_caption_that_was_cut_off_ends_with_its_last_whole_sentence() -> None:
    long = ("If grocers leave us, we earn less. " + "They may go to a carrier by rail. " * 15)[:499]
    report = risk_report(62, (long, GROCERS[1]), ("x" + long.replace(".", ""), GROCERS[1]), at=NOW)
    assert list(risks.factors(report)) == [long[: long.rfind(".") + 1]]
