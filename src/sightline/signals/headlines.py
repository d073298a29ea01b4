"""The title of a signal that a sentence tells: who does what to whom, or the sentence cut to size."""

import re
from collections.abc import Sequence
from typing import Final

from sightline.domain.happenings import SignalAmount, SignalParty, Subject
from sightline.domain.signals import KINDS, SignalType
from sightline.signals.contract import mentions, money
from sightline.signals.sentences import calm, plain
from sightline.signals.text import Detected

# What the verb alone says nothing about.
_TOLD_IN_FULL: Final = frozenset(
    {SignalType.STRATEGIC_PRIORITY_STATED, SignalType.COST_CUTTING, SignalType.REBRANDS}
)
LONGEST: Final = 140
_SHORT: Final = 110

_DAY: Final = re.compile(
    r"^(?:on|as\s+of|effective)\s+(?:[A-Z][a-z]+day,\s+)?[A-Z][a-z]+\s+\d{1,2},\s+\d{4},?\s+|^today,?\s+",
    re.IGNORECASE,
)
_ANNOUNCED: Final = re.compile(
    r".{0,240}?\b(?:announc(?:ed|es|ing)|report(?:ed|s)\s+that|today\s+reported)\s+(?:today,?\s+)?(?:that\b,?\s*)?",
    re.DOTALL,
)
_JOINT: Final = re.compile(
    r"(?:additionally|in\s+addition|further(?:more)?|also|moreover|second(?:ly)?|finally),\s+", re.I
)
# Who means the company without naming it, and whether something of it is meant.
_ITSELF: Final = re.compile(
    r"(?P<part>(?:one|two|some|all|certain)\s+of\s+)?(?:(?:the\s+)?(?:company|registrant|corporation|issuer)(?P<whose>['’]s)?"
    r"|(?P<its>its|our)|it|(?:we|they)(?!\s+(?:are|have|were)\b))\s+",
    re.IGNORECASE,
)


def headline(
    found: Detected, subject: Subject, others: Sequence[SignalParty], amount: SignalAmount | None,
    quote: str, *, planned: bool,
) -> str:  # fmt: skip
    """The verb of the type between the parties where both are named, else the sentence itself.

    The company is always named; `others` are the parties that it is not.
    """
    whole = _DAY.sub("", plain(calm(quote), longest=LONGEST))
    if len(whole) <= _SHORT and mentions(whole, subject):
        return _capital(whole.rstrip("."))
    kind = KINDS[found.type]
    by_role = {party.role: party.name for party in others}
    other = by_role.get(kind.other) if kind.other else None
    place = found.locations[0] if found.locations and kind.other == "place" else None
    price = f" ({money(amount)})" if money(amount) else ""
    if (
        found.type != SignalType.BOARD_CHANGE
        and kind.actor not in by_role
        and (other or place)
        and len(others) <= 1
    ):
        verb = f"is to {_base(kind.verb)}" if planned else kind.verb
        return f"{subject.name} {verb} {other or place}{price}"[:300]
    if kind.other is None and not others and not planned and found.type not in _TOLD_IN_FULL:
        return f"{subject.name} {kind.verb}{price}"[:300]
    return _capital(_naming(calm(_announced(quote)), subject).rstrip("."))


def _announced(quote: str) -> str:
    """A sentence without the words that only say that something is announced."""
    lead = _ANNOUNCED.match(quote)
    said = quote if lead is None or len(quote) - lead.end() < 25 else quote[lead.end() :]
    return _JOINT.sub("", _DAY.sub("", plain(said, longest=LONGEST)), count=1)


def _naming(said: str, subject: Subject) -> str:
    """What is said, with the name of the company in it."""
    itself = _ITSELF.match(said)
    if itself is None:
        return said if mentions(said, subject) else f"{subject.name}: {_capital(said)}"
    name = f"{subject.name}'s" if itself["whose"] or itself["its"] else subject.name
    return f"{itself['part'] or ''}{name} {said[itself.end() :]}"


def _base(verb: str) -> str:
    """ "acquires" as it stands after "to"."""
    first, _, rest = verb.partition(" ")
    if first == "is":
        return f"be {rest}"
    bare = first.removesuffix("es") if first.endswith(("ches", "oes")) else first.removesuffix("s")
    return f"{bare} {rest}".rstrip()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
