"""Sentences of reports that only look like telling something else, or lie about when and with whom."""

from dataclasses import replace
from datetime import date
from uuid import UUID

import pytest

from sightline.domain.happenings import Subject
from sightline.domain.signals import SignalType
from sightline.signals.dates import is_ahead
from sightline.signals.filing_words import period_in
from sightline.signals.mistaken import is_mistaken
from sightline.signals.news import read_spans
from sightline.signals.text import detect
from tests.signals.build import ACME, document

BRIGHTWATER = Subject(UUID(int=2), "Brightwater Technologies Inc", (), ())


def types_and_others(text: str, subject: Subject = ACME) -> dict[SignalType, list[str]]:
    """What a sentence of the company's own report tells, with the other parties."""
    piece = document(text)
    found = read_spans(piece, subject, [(0, len(text))], own=True, least=0.5)
    return {
        each.type: [party.name for party in each.parties if party.name != subject.name]
        for each in found
    }


@pytest.mark.parametrize(
    ("text", "is_renamed"),
    [
        (
            "Acme Widget Corporation announced that its board has approved the planned spin-off of its"
            " Pump business, which will be known as Larkfield Corporation.",
            False,
        ),
        ("Acme Widget Corporation will be known as Larkfield Corporation from May 1.", True),
    ],
)
def test_a_business_named_when_it_is_parted_renames_nobody(text: str, is_renamed: bool) -> None:
    told = types_and_others(text)
    assert told
    assert (SignalType.REBRANDS in told) is is_renamed


def test_what_a_part_of_the_company_is_called_is_no_buyer() -> None:
    text = (
        "On March 4, 2024, Brightwater sold certain assets in its Leeds operations (Brightwater Europe"
        " Limited (BEL)) to ORRIN."
    )
    told = types_and_others(text, BRIGHTWATER)
    assert "Brightwater Europe Limited" not in told[SignalType.SELLS_ASSETS_TO]


@pytest.mark.parametrize(
    ("text", "ahead"),
    [
        ("she will resign as a director, effective immediately", False),
        ("he resigned, effective upon consummation of the Separation", True),
        ("appointed her a director, effective as of the closing of the merger", True),
        ("he will resign as a director", True),
        ("he will resign on May 2, 2024", True),
        ("he resigned on March 1, 2024", False),
        ("he resigned", False),
    ],
)
def test_whether_a_move_lies_ahead(text: str, ahead: bool) -> None:
    verb = text.find("resign") if "resign" in text else text.find("appoint")
    assert is_ahead(text, (verb, verb + 8), said=date(2024, 3, 6)) is ahead


@pytest.mark.parametrize(
    ("text", "period"),
    [
        (
            "reporting results for the three-month period ended November 30, 2023 (the fiscal 2024"
            " second quarter)",
            "three-month period ended November 30, 2023",
        ),
        ("results for its fiscal 2024 second quarter", "fiscal 2024 second quarter"),
        ("results for fiscal 2024", "fiscal 2024"),
    ],
)
def test_the_period_that_results_are_of(text: str, period: str) -> None:
    assert period_in(text) == period


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (
            "On March 4, 2024, Acme Widget Corporation released a press release on its new widget line.",
            SignalType.LAUNCHES,
        ),
        (
            "Ann Castor left as president of Acme Bolts, a wholly-owned subsidiary of Acme Widget"
            " Corporation.",
            SignalType.ACQUIRES,
        ),
        (
            "The acquisition brings Acme Widget Corporation a system that will be integrated with its own.",
            SignalType.INTEGRATES_WITH,
        ),
        (
            "Acme Widget Corporation completed the recapitalization of its $100 million of debentures.",
            SignalType.RECEIVES_FINANCING,
        ),
    ],
)
def test_words_of_reports_that_only_sound_like_it(text: str, kind: SignalType) -> None:
    sure = replace(detect("Acme Widget bought Bolt for $2 million.")[0], type=kind)
    assert is_mistaken(sure, text)
    assert kind not in types_and_others(text)
