"""Titles of signals, and sentences written all in capitals."""

import pytest

from sightline.domain.happenings import Subject
from sightline.domain.signals import SignalType
from sightline.signals.news import read_spans
from sightline.signals.sentences import calm
from sightline.signals.text import detect
from tests.signals.build import ACME, document


def titles(text: str, subject: Subject = ACME) -> list[str]:
    piece = document(text)
    return [
        each.title for each in read_spans(piece, subject, [(0, len(text))], own=True, least=0.5)
    ]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "On March 8, 2024, Acme Widget Corporation announced that its board of directors has approved"
            " the planned spin-off of its Pump business to shareholders.",
            "Acme Widget Corporation's board of directors has approved the planned spin-off of its Pump"
            " business to shareholders",
        ),
        (
            "One of the Company's subsidiaries, Larkfield Pumps, Inc., was fined $2 million by a regulator.",
            "One of Acme Widget Corporation's subsidiaries, Larkfield Pumps, Inc., was fined $2 million by"
            " a regulator",
        ),
        (
            "ACME WIDGET ANNOUNCES AGREEMENT TO ACQUIRE LARKFIELD PUMPS INC.",
            "Acme Widget Announces Agreement to Acquire Larkfield Pumps Inc",
        ),
        (
            "On March 1, 2024, Acme Widget Corporation, a Delaware corporation (the “Company”), announced"
            " that it had agreed to acquire Larkfield Ltd. (“Larkfield”) pursuant to an Agreement and Plan.",
            "Acme Widget Corporation is to acquire Larkfield Ltd",
        ),
    ],
)
def test_a_title_names_the_company_and_reads_as_a_headline(text: str, title: str) -> None:
    assert titles(text) == [title]


@pytest.mark.parametrize(
    ("shouted", "calmed"),
    [
        ("ACME COMPLETES PURCHASE OF R.J. LARK & COMPANY", "Acme Completes Purchase of R.J. Lark & Company"),
        ("ACME NAMES JO LEE CEO OF ITS FDA UNIT", "Acme Names Jo Lee CEO of its FDA Unit"),
        ("IBM and SAP sign a deal with NASA", "IBM and SAP sign a deal with NASA"),
    ],
)  # fmt: skip
def test_capitals_are_calmed_in_place(shouted: str, calmed: str) -> None:
    assert calm(shouted) == calmed
    assert len(calmed) == len(shouted)


def test_a_headline_in_capitals_is_quoted_as_it_stands() -> None:
    text = "LARKFIELD GROUP, INC. COMPLETES PURCHASE OF R.J. STOLBERG & COMPANY"
    [found] = detect(text)
    assert found.type == SignalType.ACQUIRES
    assert text[found.start : found.end] == found.quote
    assert found.quote.isupper()


def test_a_name_alone_tells_nothing() -> None:
    assert detect("LARKFIELD GROUP, INC.") == ()
    assert detect("Larkfield Group, Inc. and Stolberg & Company") == ()


def test_a_name_with_a_mark_in_it_is_the_company() -> None:
    subject = Subject(ACME.company_id, "Orla’s List", (), ())
    text = "Orla's List sets price range for IPO at $11 to $13 per share"
    piece = document(text, kind="news", source="feeds", url="https://news.example/1")
    [found] = read_spans(piece, subject, [(0, len(text))], own=False, least=0.5)
    assert found.type == SignalType.GOES_PUBLIC


@pytest.mark.parametrize(
    "text",
    [
        "Global Pump Market 2026 Acme Widget Corporation, Larkfield Corporation partner",
        "You are invited to join the Acme Widget team on Tuesday for the first session of our workshop.",
        "Acme Widget executive officers adopt Rule 10b5-1 trading plans",
        "Acme Widget Corporation Ann Castor, President, CEO and Chairman (401) 555-6700",
        "Retiring the Acme Widget Planner and switching to Larkfield",
        "The Larkfield deal marks the first purchase by Acme Widget, as announced June 6.",
        "In the run up to the IPO of Acme Widget, much was written about its decision to go public.",
    ],
)
def test_studies_invitations_and_old_news_tell_nothing(text: str) -> None:
    assert titles(text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Acme Widget Corporation's President resigned on Tuesday.", SignalType.LEAVES),
        ("Acme Widget Corporation has acquired the market research firm Larkfield.", SignalType.ACQUIRES),
        ("Acme Widget Corporation's sales rose 8% in the quarter as it gained market share.",
         SignalType.EARNINGS_RELEASED),
    ],
)  # fmt: skip
def test_what_only_sounds_like_a_study_or_a_product_is_told(text: str, kind: SignalType) -> None:
    piece = document(text)
    found = read_spans(piece, ACME, [(0, len(text))], own=True, least=0.5)
    assert kind in {each.type for each in found}
