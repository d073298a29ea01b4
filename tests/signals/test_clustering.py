"""Which tellings are one happening."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from sightline.domain.happenings import SignalAmount, Telling
from sightline.domain.names import fold
from sightline.domain.signals import SignalType
from sightline.signals.clustering import Story, find_story, story_key, weight_of

DAY = datetime(2024, 3, 4, 12, tzinfo=UTC)


def telling(
    kind: SignalType = SignalType.ACQUIRES,
    *,
    quote: str = "Acme acquires Borealis Tools for cash",
    about: str = "borealis tools",
    day: datetime | None = DAY,
    amount: float | None = None,
) -> Telling:
    money = SignalAmount(amount, "USD") if amount else None
    return Telling(kind, "t", "s", quote, "news", {}, occurred_at=day, about=about, amount=money)


def story(of: Telling) -> Story:
    return Story(
        uuid4(), of.type, of.occurred_at, of.about, of.amount, 1.0, [fold(of.quote)]
    )  # fmt: skip


FUNDED = SignalType.RECEIVES_FINANCING
EARNINGS = SignalType.EARNINGS_RELEASED
BOARD = SignalType.BOARD_CHANGE
REWORDED = "Acme acquires Borealis Tools for some cash"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            telling(),
            telling(about="borealis tools group", quote="other", day=DAY + timedelta(days=9)),
        ),
        (telling(), telling(SignalType.MERGES_WITH, quote="merges")),
        (
            telling(FUNDED, about="", amount=20e6),
            telling(FUNDED, about="", quote="x", amount=20.1e6),
        ),
        (telling(FUNDED, about=""), telling(FUNDED, about="", quote=REWORDED)),
        (telling(EARNINGS, about="", quote="a b c"), telling(EARNINGS, about="", quote="x y z")),
        (telling(BOARD, about="a castor"), telling(BOARD, about="", quote="CASTOR JOINS BOARD")),
        (telling(SignalType.HIRES, about="a castor"), telling(BOARD, about="a castor", quote="q")),
    ],
)
def test_one_happening(first: Telling, second: Telling) -> None:
    known = story(first)
    assert find_story(second, [known]) is known


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (telling(), telling(day=DAY + timedelta(days=11))),
        (telling(), telling(about="polar gear")),
        (telling(), telling(SignalType.HIRES)),
        (telling(FUNDED, about="", amount=20e6), telling(FUNDED, about="", amount=35e6)),
        (
            telling(FUNDED, about=""),
            telling(FUNDED, about="", quote="a wholly different sentence here"),
        ),
        (telling(), telling(day=None)),
    ],
)
def test_two_happenings(first: Telling, second: Telling) -> None:
    assert find_story(second, [story(first)]) is None


def test_a_key_is_the_same_for_the_same_telling() -> None:
    assert story_key(telling()) == story_key(telling())
    assert story_key(telling()) != story_key(telling(about="polar gear"))
    assert story_key(telling(about="", quote="A b.")) == story_key(telling(about="", quote="a  B"))


def test_a_filing_outweighs_surer_news() -> None:
    assert weight_of("filing", 0.6) > weight_of("news", 0.99) > weight_of("web", 0.99)


def test_a_deal_told_without_and_with_its_other_party_is_one_story() -> None:
    announced = telling(
        kind=SignalType.MERGES_WITH, about="", quote="announced the merger with Borealis Tools Inc"
    )
    assert find_story(telling(), [story(announced)]) is not None
