"""What surrounds a pattern in its sentence: is it denied, long past, only planned, or only said?"""

from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Final

from sightline.domain.signals import SignalType
from sightline.signals.patterns import Hit
from sightline.signals.tokens import Sentence, listed

_BREAKS: Final = frozenset({";", ".", "!", "?", ":", "--"})

# "A definitive agreement to acquire", "the agreement calls for it to merge": signed, not done.
_DEALS: Final = frozenset(
    {
        SignalType.ACQUIRES,
        SignalType.MERGES_WITH,
        SignalType.SELLS_ASSETS_TO,
        SignalType.DIVESTS,
        SignalType.SPINS_OFF,
    }
)
_DEALS_TO: Final = frozenset(
    {("agreement", "to"), ("deal", "to"), ("bid", "to"), ("offer", "to"), ("call", "for")}
)

# Years that a thing may lie back and still be news.
_FRESH_YEARS: Final = 1


@dataclass(frozen=True, slots=True)
class Context:
    """How a sentence says the thing that a pattern found."""

    negated: bool
    background: bool
    planned: bool
    rumoured: bool


def context_of(sentence: Sentence, hit: Hit, *, today: date | None) -> Context:
    """Read the words before and around a hit; `today` is the day the sentence was published."""
    norms = [token.norm for token in sentence.tokens]
    left = _clause_start(norms, hit.first)
    before = norms[max(left, hit.first - 7) : hit.first]
    near = norms[max(left, hit.first - 3) : hit.first]
    inside = norms[hit.first : hit.last + 1]
    clause = norms[left : _clause_end(norms, hit.last)]
    return Context(
        negated=_is_negated(before, inside)
        or not listed("denials").isdisjoint(norms[hit.last + 1 : hit.last + 9]),
        background=_is_background(sentence, hit, norms, today)
        or (hit.pattern.type == SignalType.EARNINGS_RELEASED and _is_awaited(norms, left, hit)),
        planned=_is_planned(near, inside)
        or (hit.pattern.type in _DEALS and not _DEALS_TO.isdisjoint(pairwise(before + inside))),
        rumoured=not listed("rumours").isdisjoint(clause),
    )


def _is_negated(before: list[str], inside: list[str]) -> bool:
    """Told by the words before or within; "no longer" and "not only" say that something did happen."""
    words = before + inside
    for place, word in enumerate(words):
        follower = words[place + 1] if place + 1 < len(words) else ""
        if word in listed("negations") and follower not in {
            "longer",
            "only",
            "just",
            "stand",
            "NUM",
        }:
            # What the pattern itself says with "not" or "no" is meant so.
            if place >= len(before) and word in {"no", "not", "unlikely"}:
                continue
            if place < len(before) and "," in words[place : len(before)]:
                continue
            return True
        if word in {"rul", "call"} and follower in {"out", "off"}:
            return True
        if word in listed("dropped") and "plan" in words[place:]:
            return True
    return False


def _is_background(sentence: Sentence, hit: Hit, norms: list[str], today: date | None) -> bool:
    """Whether an old year stands by the hit: "bought a lab in Leeds in 2009"."""
    if today is None:
        return False
    for place in range(max(0, hit.first - 12), min(len(norms), hit.last + 13)):
        if norms[place] not in {"YEAR", "DATE"}:
            continue
        token = sentence.tokens[place]
        digits = sentence.text[token.start : token.end][-4:]
        if not digits.isdigit() or int(digits) >= today.year - _FRESH_YEARS:
            continue
        if norms[place] == "YEAR" and (
            place == 0 or norms[place - 1] not in listed("before_years")
        ):
            continue
        low, high = sorted((place, hit.first if place < hit.first else hit.last))
        between = norms[low + 1 : high]
        opens = place <= 2  # "In 2009, ... it bought"
        if not _BREAKS.isdisjoint(between) or (not opens and between.count(",") > 0):
            continue
        return True
    return False


def _is_awaited(norms: list[str], left: int, hit: Hit) -> bool:
    """Whether others expect the figures: "analysts see earnings of 80 cents a share"."""
    if not listed("outcomes").isdisjoint(norms[left:]):
        return False
    for place in range(left, hit.last):
        if norms[place] in listed("onlookers"):
            return not listed("awaits").isdisjoint(norms[place + 1 : place + 6])
    return False


def _is_planned(near: list[str], inside: list[str]) -> bool:
    """Whether "plans to", "will" or a headline's "to" stands before the verb.

    "Has sold" is done; "has agreed to sell" is not.
    """
    if "have" in near:
        near = [word for word in near[near.index("have") + 1 :] if word != "to"]
    within = [word for word in inside[:-1] if word != "to"]
    return not listed("intents").isdisjoint(near + within)


def _clause_start(norms: list[str], place: int) -> int:
    while place > 0 and norms[place - 1] not in _BREAKS:
        place -= 1
    return place


def _clause_end(norms: list[str], place: int) -> int:
    while place < len(norms) and norms[place] not in _BREAKS:
        place += 1
    return place
