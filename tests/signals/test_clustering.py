"""Which mentions are one event."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from sightline.domain.mentions import Mention, NamedCompany, SignalAmount
from sightline.domain.names import fold
from sightline.domain.signals import SignalType
from sightline.signals.clustering import Known, find_signal, signal_key, weight_of
from sightline.signals.contract import is_background
from sightline.signals.earnings import with_figures

DAY = datetime(2024, 3, 4, 12, tzinfo=UTC)


def mention(
    kind: SignalType = SignalType.ACQUIRES,
    *,
    quote: str = "Acme acquires Borealis Tools for cash",
    counterparty: str = "borealis tools",
    day: datetime | None = DAY,
    amount: float | None = None,
) -> Mention:
    money = SignalAmount(amount, "USD") if amount else None
    return Mention(
        kind, "t", "s", quote, "news", {}, occurred_at=day, counterparty=counterparty, amount=money
    )


def known_of(of: Mention) -> Known:
    return Known(
        uuid4(), of.type, of.at, of.counterparty, of.amount, 1.0, [fold(of.quote)]
    )  # fmt: skip


FUNDED = SignalType.RECEIVES_FINANCING
EARNINGS = SignalType.EARNINGS_RELEASED
BOARD = SignalType.BOARD_CHANGE
REWORDED = "Acme acquires Borealis Tools for some cash"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            mention(),
            mention(
                counterparty="borealis tools group", quote="other", day=DAY + timedelta(days=9)
            ),
        ),
        (mention(), mention(SignalType.MERGES_WITH, quote="merges")),
        (
            mention(FUNDED, counterparty="", amount=20e6),
            mention(FUNDED, counterparty="", quote="x", amount=20.1e6),
        ),
        (mention(FUNDED, counterparty=""), mention(FUNDED, counterparty="", quote=REWORDED)),
        (
            mention(EARNINGS, counterparty="", quote="a b c"),
            mention(EARNINGS, counterparty="", quote="x y z"),
        ),
        (
            mention(BOARD, counterparty="a castor"),
            mention(BOARD, counterparty="", quote="CASTOR JOINS BOARD"),
        ),
        (
            mention(SignalType.HIRES, counterparty="a castor"),
            mention(BOARD, counterparty="a castor", quote="q"),
        ),
    ],
)
def test_one_event(first: Mention, second: Mention) -> None:
    known = known_of(first)
    assert find_signal(second, [known]) is known


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (mention(), mention(day=DAY + timedelta(days=11))),
        (mention(), mention(counterparty="polar gear")),
        (mention(), mention(SignalType.HIRES)),
        (
            mention(FUNDED, counterparty="", amount=20e6),
            mention(FUNDED, counterparty="", amount=35e6),
        ),
        (
            mention(FUNDED, counterparty=""),
            mention(FUNDED, counterparty="", quote="a wholly different sentence here"),
        ),
        (mention(), mention(day=None)),
    ],
)
def test_two_events(first: Mention, second: Mention) -> None:
    assert find_signal(second, [known_of(first)]) is None


def test_a_key_is_the_same_for_the_same_mention() -> None:
    assert signal_key(mention()) == signal_key(mention())
    assert signal_key(mention()) != signal_key(mention(counterparty="polar gear"))
    assert signal_key(mention(counterparty="", quote="A b.")) == signal_key(
        mention(counterparty="", quote="a  B")
    )


@pytest.mark.parametrize(
    ("kind", "days", "precision", "told_as_background"),
    [
        (SignalType.ACQUIRES, 364, None, False),
        (SignalType.ACQUIRES, 366, None, True),
        (
            SignalType.ACQUIRES,
            380,
            "month",
            False,
        ),  # it may have been on the last day of that month
        (SignalType.ACQUIRES, 700, "year", False),
        (SignalType.ACQUIRES, 730, "year", True),
        (EARNINGS, 130, None, True),
        (EARNINGS, 130, "year", False),
        (SignalType.FILES_SUIT_AGAINST, 366, None, False),
    ],
)
def test_what_had_stopped_being_news_when_it_was_reported_is_background(
    kind: SignalType, days: int, precision: str | None, told_as_background: bool
) -> None:
    told = replace(
        mention(kind, day=DAY - timedelta(days=days)),
        published_at=DAY,
        details={"precision": precision},
    )
    assert is_background(told) is told_as_background
    assert not is_background(replace(told, occurred_at=None))
    assert not is_background(replace(told, published_at=None))


def test_results_of_a_year_keep_that_no_day_is_known() -> None:
    acme = NamedCompany(uuid4(), "Acme")
    told = replace(mention(EARNINGS), details={"precision": "year"})
    assert with_figures(told, acme, done=[], expected=[], every=[]).details["precision"] == "year"


def test_a_filing_outweighs_surer_news() -> None:
    assert weight_of("filing", 0.6) > weight_of("news", 0.99) > weight_of("web", 0.99)


def test_a_deal_with_and_with_its_other_party_is_one_event() -> None:
    announced = mention(
        kind=SignalType.MERGES_WITH,
        counterparty="",
        quote="announced the merger with Borealis Tools Inc",
    )
    assert find_signal(mention(), [known_of(announced)]) is not None


def test_people_of_one_announcement_are_one_event() -> None:
    document = uuid4()
    comes = known_of(mention(SignalType.HIRES, counterparty="a castor", quote="Castor comes"))
    comes.documents.add(document)
    other = mention(SignalType.BOARD_CHANGE, counterparty="b ray", quote="Ray comes")
    assert find_signal(other, [comes]) is None
    assert find_signal(replace(other, document_id=document), [comes]) is comes
    goes = mention(SignalType.LEAVES, counterparty="b ray", quote="Ray goes")
    assert find_signal(replace(goes, document_id=document), [comes]) is None
    unnamed = mention(SignalType.LEAVES, counterparty="", quote="He goes")
    assert find_signal(replace(unnamed, document_id=document), [comes]) is comes


def test_results_of_a_period_are_one_event_in_release_and_report() -> None:
    release = known_of(mention(EARNINGS, counterparty="2024 q1", quote="Sales rose."))
    report = mention(EARNINGS, counterparty="2024 q1", quote="x", day=DAY + timedelta(days=40))
    assert find_signal(report, [release]) is release
    later = mention(EARNINGS, counterparty="2024 q2", quote="x", day=DAY + timedelta(days=40))
    assert find_signal(later, [release]) is None


def test_a_deal_that_is_still_planned_is_told_again_in_the_same_words() -> None:
    plan = "previously announced plan to separate into two independent companies"
    first = mention(
        SignalType.SPINS_OFF, counterparty="", quote=f"Acme posted slides on its {plan}"
    )
    known = known_of(first)
    again = replace(
        first, quote=f"Acme spoke about its {plan}", occurred_at=DAY + timedelta(days=90)
    )
    assert find_signal(replace(again, realis="planned"), [known]) is known
    assert find_signal(replace(again, realis="happened"), [known]) is None


def test_a_document_tells_one_deal_of_a_kind_where_nobody_is_named() -> None:
    document = uuid4()
    loan = known_of(mention(FUNDED, counterparty="vale bank", amount=1e7, quote="A loan agreement"))
    loan.documents.add(document)
    release = mention(FUNDED, counterparty="", quote="Acme issued a release on it")
    assert find_signal(release, [loan]) is None
    assert find_signal(replace(release, document_id=document), [loan]) is loan
    other = mention(FUNDED, counterparty="", amount=5e7, quote="Notes were sold")
    assert find_signal(replace(other, document_id=document), [loan]) is None
