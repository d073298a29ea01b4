"""Trims responses to what a model can read: selected fields, no empty ones, bounded length."""

import json
from collections.abc import Sequence
from typing import Any, Final

# About 6,000 tokens; several answers fit into the context of a small model.
MOST_CHARACTERS: Final = 24_000
LONGEST_TEXT: Final = 1_500


def chosen(item: dict[str, Any], fields: Sequence[str]) -> dict[str, Any]:
    """The named fields of an object that have a value."""
    return {name: item[name] for name in fields if item.get(name) not in (None, "", [], {})}


def bounded(answer: dict[str, Any], most: int = MOST_CHARACTERS) -> dict[str, Any]:
    """The answer in at most about `most` characters of JSON.

    Long texts are cut first, then the longest list loses its last entries; `left_out` counts them.
    """
    if _length(answer) <= most:
        return answer
    cut: dict[str, Any] = _with_short_texts(answer)
    left_out = 0
    while _length(cut) > most:
        longest = max(_lists(cut), key=len, default=[])
        if not longest:
            break
        kept = len(longest) * 3 // 4
        left_out += len(longest) - kept
        del longest[kept:]
    return {**cut, "left_out": left_out} if left_out else cut


def _length(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, default=str))


def _with_short_texts(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return value[:LONGEST_TEXT] + "…"
    if isinstance(value, dict):
        return {name: _with_short_texts(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_with_short_texts(part) for part in value]
    return value


def _lists(value: Any) -> list[list[Any]]:
    """Every list in a value."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = [value] if isinstance(value, list) else []
    return own + [found for part in parts for found in _lists(part)]
