"""One happening told many times is one signal: which story a telling belongs to."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final
from uuid import UUID

from sightline.domain.happenings import SignalAmount, SourceKind, Telling
from sightline.domain.names import fold
from sightline.domain.signals import SignalFamily, SignalType, family_of
from sightline.signals.contract import INSIDERS, SOURCE_WEIGHT

WINDOW: Final = timedelta(days=10)
# Statistics over weeks go on saying the same for as long as the weeks overlap.
_LONG_WINDOW: Final = timedelta(days=45)
_ALIKE: Final = 0.5  # of the shorter quote's word pairs

# Types that tell one happening from different sides; they meet only over the same second party.
_KIN: Final = (
    frozenset({SignalType.ACQUIRES, SignalType.MERGES_WITH, SignalType.MATERIAL_AGREEMENT}),
    frozenset({SignalType.HIRES, SignalType.PROMOTES, SignalType.BOARD_CHANGE}),
    frozenset({SignalType.LEAVES, SignalType.RETIRES_FROM, SignalType.BOARD_CHANGE}),
    frozenset({SignalType.SELLS_ASSETS_TO, SignalType.DIVESTS, SignalType.SPINS_OFF}),
    frozenset({SignalType.EXPANDS_TO, SignalType.OPENS_NEW_LOCATION}),
)
# What a company does once in a fortnight at most, whoever tells it and however.
_ONCE: Final = frozenset(
    {
        SignalType.EARNINGS_RELEASED,
        SignalType.BANKRUPTCY,
        SignalType.ACCOUNTANT_CHANGE,
        SignalType.RESTATES,
        SignalType.REBRANDS,
        SignalType.GOES_PUBLIC,
        SignalType.HIRING_SURGE,
        SignalType.HIRING_SLOWDOWN,
        SignalType.HEADCOUNT_INCREASE,
        SignalType.HEADCOUNT_DECREASE,
        SignalType.LAYOFFS,
        SignalType.SECURITY_INCIDENT,
    }
)


@dataclass(slots=True)
class Story:
    """A signal as far as it is known, for comparison with a new telling."""

    signal_id: UUID
    type: SignalType
    occurred_at: datetime | None
    about: str
    amount: SignalAmount | None
    weight: float
    quotes: list[str] = field(default_factory=list)  # folded


def weight_of(source_kind: SourceKind, confidence: float) -> float:
    """How much a telling's words count: by its source first, then by its confidence."""
    return SOURCE_WEIGHT[source_kind] + confidence / 10


def find_story(telling: Telling, stories: Iterable[Story]) -> Story | None:
    """The story that a telling tells again; None for a new one."""
    quote = fold(telling.quote)
    return next((story for story in stories if _is_same(telling, quote, story)), None)


def tells_more(telling: Telling, story: Story) -> bool:
    """Whether a telling has totals that have grown since its story was told."""
    return (
        telling.about == story.about == INSIDERS
        and telling.amount is not None
        and (story.amount is None or telling.amount.value > story.amount.value)
    )


def story_key(telling: Telling) -> str:
    """A key that the first telling of a story gives it, the same whenever it is read again."""
    told = telling.about or hashlib.sha256(fold(telling.quote).encode()).hexdigest()[:16]
    day = telling.occurred_at.date().isoformat() if telling.occurred_at else "undated"
    return f"{telling.type}:{told[:120]}:{day}"


def _word_pairs(quote: str) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(quote.split()))


def _is_same(telling: Telling, quote: str, story: Story) -> bool:
    same_type = telling.type == story.type
    if not same_type and not any(telling.type in kin and story.type in kin for kin in _KIN):
        return False
    if not _near(telling, story):
        return False
    both_about = bool(telling.about and story.about)
    named = _one_names_the_other(telling, quote, story)
    if both_about:
        if not _same_about(telling.about, story.about):
            return same_type and named and family_of(telling.type) == SignalFamily.STRATEGIC_SHIFTS
        if telling.about == INSIDERS:
            return same_type
        if family_of(telling.type) != SignalFamily.FUNDING:
            return True
    if not same_type:
        return named
    if telling.type in _ONCE:
        return True
    if telling.amount and story.amount and telling.amount.currency == story.amount.currency:
        return _close(telling.amount.value, story.amount.value)
    if named:
        return True
    pairs = _word_pairs(quote)
    return both_about or any(_alike(pairs, _word_pairs(each)) for each in story.quotes)


def _one_names_the_other(telling: Telling, quote: str, story: Story) -> bool:
    """Whether the words of one name the second party of the other."""
    if telling.about and any(_names(each, telling.about) for each in story.quotes):
        return True
    return bool(story.about) and _names(quote, story.about)


def _near(telling: Telling, story: Story) -> bool:
    if telling.occurred_at is None or story.occurred_at is None:
        return telling.occurred_at is story.occurred_at
    window = _LONG_WINDOW if family_of(telling.type) == SignalFamily.HIRING_TRENDS else WINDOW
    return abs(telling.occurred_at - story.occurred_at) <= window


def _same_about(first: str, second: str) -> bool:
    """Whether two tellings name one second party: "lucasfilm" and "lucasfilm entertainment"."""
    ones, others = first.split("|"), second.split("|")
    return any(
        one == other or one.startswith(f"{other} ") or other.startswith(f"{one} ")
        for one in ones
        for other in others
    )


def _names(quote: str, about: str) -> bool:
    """Whether a quote names somebody: a firm by its key, a person ("a castor") by the last name."""
    for key in about.split("|"):
        words = key.split()
        called = words[-1] if len(words) == 2 and len(words[0]) == 1 else key
        if len(called) > 3 and f" {called} " in f" {quote} ":
            return True
    return False


def _close(first: float, second: float) -> bool:
    return abs(first - second) <= 0.02 * max(first, second)


def _alike(first: frozenset[tuple[str, str]], second: frozenset[tuple[str, str]]) -> bool:
    smaller = min(len(first), len(second))
    if smaller < 3:
        return first == second
    return len(first & second) >= _ALIKE * smaller
