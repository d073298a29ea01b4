"""Decides whose value of a field wins. No I/O.

A field remembers digests of their value and ours when it was last settled, so that what changed since is
known without keeping the values. An empty value never replaces one.
"""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

Rule = Literal["theirs", "ours", "newest", "only_empty"]
Direction = Literal["in", "out", "both"]
Winner = Literal["same", "theirs", "ours", "settled"]
Agreed = Sequence[str]  # digests of their value and ours

_EMPTY: tuple[Any, ...] = (None, "", [], {})


def digest(value: Any) -> str:
    """Short, and the same for the same value."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_empty(value: Any) -> bool:
    return value in _EMPTY


def agrees(theirs: Any, ours: Any) -> bool:
    """Whether their value is ours, or one of ours."""
    if isinstance(ours, list) and ours:
        members = theirs if isinstance(theirs, list) else [theirs]
        return bool(members) and all(member in ours for member in members)
    return bool(theirs == ours) or (is_empty(theirs) and is_empty(ours))


def changed_on_both(theirs: Any, ours: Any, agreed: Agreed | None) -> bool:
    """Whether both sides changed a value that was settled before, to different ones."""
    if agreed is None or agrees(theirs, ours) or is_empty(theirs) or is_empty(ours):
        return False
    return digest(theirs) != agreed[0] and digest(ours) != agreed[1]


def decide(
    theirs: Any,
    ours: Any,
    *,
    agreed: Agreed | None,
    rule: Rule,
    direction: Direction,
    changed: tuple[datetime | None, datetime | None],
) -> Winner:
    """Who wins a field. `changed` are when they and we changed it; an unknown time is the older one."""
    if agrees(theirs, ours):
        return "same"
    winner = _winner(theirs, ours, agreed, rule, direction, changed)
    if (winner, direction) in (("ours", "in"), ("theirs", "out")):
        return "settled"
    return winner


def _winner(
    theirs: Any,
    ours: Any,
    agreed: Agreed | None,
    rule: Rule,
    direction: Direction,
    changed: tuple[datetime | None, datetime | None],
) -> Winner:
    if is_empty(ours):
        return "theirs"
    if is_empty(theirs):
        return "ours"
    if rule == "only_empty":
        return "settled"
    if (direction, rule) in (("in", "theirs"), ("out", "ours")):
        return "theirs" if direction == "in" else "ours"
    if rule == "newest":
        rule = "ours" if _is_later(changed[1], changed[0]) else "theirs"
    if agreed is None:
        return rule
    by_change: dict[tuple[bool, bool], Winner] = {
        (True, True): rule,
        (True, False): "theirs",
        (False, True): "ours",
        (False, False): "settled",
    }
    return by_change[digest(theirs) != agreed[0], digest(ours) != agreed[1]]


def _is_later(one: datetime | None, other: datetime | None) -> bool:
    return one is not None and (other is None or one > other)
