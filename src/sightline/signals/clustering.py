"""Clusters mentions of one event into a signal: finds the known signal that a mention belongs to."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise, product
from typing import Final
from uuid import UUID

from sightline.domain.mentions import Mention, SignalAmount, SourceKind
from sightline.domain.names import fold
from sightline.domain.signals import SignalFamily, SignalType, family_of
from sightline.signals.contract import INSIDERS, SOURCE_WEIGHT, is_departure
from sightline.store.signals import StoredSignal

WINDOW: Final = timedelta(days=10)
# Statistics over weeks go on saying the same for as long as the weeks overlap; a report follows the release.
_LONG_WINDOW: Final = timedelta(days=45)
# Results of one period are in the release, and again in the report.
_RESULTS_WINDOW: Final = timedelta(days=80)
_YEAR: Final = timedelta(days=366)
_PLAN_WINDOW: Final = timedelta(days=200)  # a deal that is announced takes as long
_ALIKE: Final = 0.5  # of the shorter quote's word pairs

_T = SignalType
# Types that tell one event from different sides; they meet only over the same second party.
_KIN: Final = (
    frozenset({_T.ACQUIRES, _T.MERGES_WITH, _T.MATERIAL_AGREEMENT}),
    frozenset({_T.HIRES, _T.PROMOTES, _T.LEAVES, _T.RETIRES_FROM, _T.BOARD_CHANGE}),
    frozenset({_T.SELLS_ASSETS_TO, _T.DIVESTS, _T.SPINS_OFF}),
    frozenset({_T.EXPANDS_TO, _T.OPENS_NEW_LOCATION}),
    frozenset({_T.LAYOFFS, _T.COST_CUTTING, _T.HEADCOUNT_DECREASE}),
    frozenset({_T.REGULATORY_ACTION, _T.HAS_ISSUES_WITH, _T.RECALLS}),
)
_DEALS: Final = _KIN[0] | _KIN[2] | {_T.RECEIVES_FINANCING, _T.ENDS_AGREEMENT}
# What a company does once in a fortnight at most, whatever it is called.
_ONCE: Final = frozenset(
    {
        _T.EARNINGS_RELEASED, _T.BANKRUPTCY, _T.ACCOUNTANT_CHANGE, _T.RESTATES, _T.REBRANDS,
        _T.GOES_PUBLIC, _T.HIRING_SURGE, _T.HIRING_SLOWDOWN, _T.HEADCOUNT_INCREASE,
        _T.HEADCOUNT_DECREASE, _T.LAYOFFS, _T.COST_CUTTING, _T.SECURITY_INCIDENT,
        _T.CONTROL_WEAKNESS,
    }
)  # fmt: skip


@dataclass(slots=True)
class Known:
    """A signal as far as it is known, for comparison with a new mention."""

    signal_id: UUID
    type: SignalType = SignalType.OTHER_EVENT
    at: datetime | None = None
    counterparty: str = ""
    amount: SignalAmount | None = None
    weight: float = 0.0
    quotes: list[str] = field(default_factory=list)  # folded
    documents: set[UUID] = field(default_factory=set)  # that mention it

    def tell(self, said: Mention | StoredSignal, weight: float) -> None:
        """Take what a mention says for what the signal is."""
        self.type, self.at, self.amount = said.type, said.at, said.amount
        self.counterparty, self.weight = said.counterparty, weight


def weight_of(source_kind: SourceKind, confidence: float) -> float:
    """How much a mention's words count: by its source first, then by its confidence."""
    return SOURCE_WEIGHT[source_kind] + confidence / 10


def find_signal(mention: Mention, known: Iterable[Known]) -> Known | None:
    """The signal that a mention is another account of, by a model's word first; None for a new event."""
    same = [each for each in known if each.signal_id == mention.signal_id]
    quote = fold(mention.quote)
    return next((each for each in same or known if same or _is_same(mention, quote, each)), None)


def says_more(mention: Mention, known: Known) -> bool:
    """Whether a mention has totals that have grown since the signal was made."""
    return (
        mention.counterparty == known.counterparty == INSIDERS
        and mention.amount is not None
        and (known.amount is None or mention.amount.value > known.amount.value)
    )


def signal_key(mention: Mention) -> str:
    """A key that the first mention of an event gives it, the same whenever it is read again."""
    said = mention.counterparty or hashlib.sha256(fold(mention.quote).encode()).hexdigest()[:16]
    day = mention.at.date().isoformat() if mention.at else "undated"
    return f"{mention.type}:{said[:120]}:{day}"


def _is_same(mention: Mention, quote: str, known: Known) -> bool:
    types = {mention.type, known.type}
    if len(types) > 1 and not any(types <= kin for kin in _KIN):
        return False
    if _is_one_announcement(mention, known) or _is_one_plan(mention, quote, known):
        return True
    if not _near(mention, known):
        return False
    if mention.counterparty and known.counterparty:
        return _is_same_with_parties(mention, quote, known)
    return types <= _ONCE or _is_same_without_parties(mention, quote, known)


def _is_same_without_parties(mention: Mention, quote: str, known: Known) -> bool:
    """Of two of which one names no second party: by their sums, the other's name, or their words."""
    is_close = _amounts_are_close(mention.amount, known.amount)
    if mention.type in _DEALS and mention.document_id in known.documents:
        return is_close is not False  # a document reports one deal where no party is named
    if mention.type == known.type and is_close is not None:
        return is_close
    if _one_names_the_other(mention, quote, known):
        return True
    return mention.type == known.type and any(_alike(quote, each) for each in known.quotes)


def _is_same_with_parties(mention: Mention, quote: str, known: Known) -> bool:
    """Of two that name their second party: the same one, and of fundings the same round. What results are
    named by is their period, which is written in many ways."""
    if mention.type == known.type == _T.EARNINGS_RELEASED:
        return True
    if not same_party(mention.counterparty, known.counterparty):
        return False
    if mention.counterparty == INSIDERS:
        return mention.type == known.type
    if family_of(mention.type) != SignalFamily.FUNDING:
        return True
    if mention.type != known.type:
        return _one_names_the_other(mention, quote, known)
    is_close = _amounts_are_close(mention.amount, known.amount)
    return mention.type in _ONCE or is_close is not False


def _amounts_are_close(first: SignalAmount | None, second: SignalAmount | None) -> bool | None:
    """Whether sums of one currency are about the same; None where there are no two."""
    if not first or not second or first.currency != second.currency:
        return None
    return abs(first.value - second.value) <= 0.02 * max(first.value, second.value)


def _is_one_announcement(mention: Mention, known: Known) -> bool:
    """Whether both report people in one document: one person, or who comes, or goes, on one day."""
    if family_of(mention.type) != SignalFamily.LEADERSHIP_MOVES:
        return False
    is_named = bool(mention.counterparty and known.counterparty)
    is_alike = not is_named or is_departure(mention.type) == is_departure(known.type)
    is_one = same_party(mention.counterparty, known.counterparty) and is_named
    is_one = is_one or (is_alike and mention.at == known.at)
    return is_one and mention.document_id in known.documents and _within(_YEAR, mention, known)


def _is_one_plan(mention: Mention, quote: str, known: Known) -> bool:
    """Whether a deal that is still planned is reported again in the same words, months later."""
    return (
        mention.planned
        and mention.type == known.type
        and mention.type in _DEALS
        and _within(_PLAN_WINDOW, mention, known)
        and (
            not (mention.counterparty and known.counterparty)
            or same_party(mention.counterparty, known.counterparty)
        )
        and any(_alike(quote, each) for each in known.quotes)
    )


def _one_names_the_other(mention: Mention, quote: str, known: Known) -> bool:
    """Whether the words of one name the second party of the other."""
    if mention.counterparty and any(_names(each, mention.counterparty) for each in known.quotes):
        return True
    return bool(known.counterparty) and _names(quote, known.counterparty)


def _near(mention: Mention, known: Known) -> bool:
    if mention.at is None or known.at is None:
        return mention.at is known.at
    window = _LONG_WINDOW if family_of(mention.type) == SignalFamily.HIRING_TRENDS else WINDOW
    if mention.type == known.type == _T.EARNINGS_RELEASED:  # with their period, or without
        periods = {mention.counterparty, known.counterparty}
        if "" in periods:
            window = _LONG_WINDOW
        elif len(periods) == 1:
            window = _RESULTS_WINDOW
    return _within(window, mention, known)


def _within(window: timedelta, mention: Mention, known: Known) -> bool:
    """Whether two are so near in time, or one has no day."""
    first, second = mention.at, known.at
    return first is None or second is None or abs(first - second) <= window


def same_party(first: str, second: str) -> bool:
    """Whether two mentions name one second party: "lucasfilm" and "lucasfilm entertainment"."""
    pairs = product(
        (f"{one} " for one in first.split("|")), [f"{each} " for each in second.split("|")]
    )
    return any(one.startswith(other) or other.startswith(one) for one, other in pairs)


def _names(quote: str, party: str) -> bool:
    """Whether a quote names a party: a firm by its key, a person ("a castor") by the last name."""
    for key in party.split("|"):
        words = key.split()
        called = words[-1] if len(words) == 2 and len(words[0]) == 1 else key
        if len(called) > 3 and f" {called} " in f" {quote} ":
            return True
    return False


def _alike(first: str, second: str) -> bool:
    """Whether two quotes share half of the word pairs of the shorter one."""
    ones, others = set(pairwise(first.split())), set(pairwise(second.split()))
    smaller = min(len(ones), len(others))
    return ones == others if smaller < 3 else len(ones & others) >= _ALIKE * smaller
