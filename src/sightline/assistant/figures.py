"""Amounts in words."""

from collections.abc import Sequence
from typing import Any

from sightline.domain.countries import country_from_text


def exact(amounts: Sequence[float], unit: str) -> list[str]:
    """The amounts of a series in one scale, '754 million USD' beside '964.6 million USD': no digit is
    lost."""
    largest = max(map(abs, amounts), default=0)
    is_round = all(each % 1_000 == 0 for each in amounts)
    for scale, name in ((1e6, "million"), (1e3, "thousand")):
        if is_round and largest >= scale:
            return [f"{_digits(each / scale)} {name} {unit}" for each in amounts]
    return [f"{each:,} {unit}" for each in amounts]


def _digits(number: float) -> str:
    return f"{number:,.3f}".rstrip("0").rstrip(".")


def change(fraction: float | None) -> str:
    """', up 12.3% on the year before'; "" when it is unknown."""
    if fraction is None:
        return ""
    size = f"{abs(fraction) * 100:.1f}".removesuffix(".0")
    if size == "0":
        return ", unchanged on the year before"
    return f", {'up' if fraction > 0 else 'down'} {size}% on the year before"


def share(part: Any, whole: Any) -> str | None:
    """A percentage of a positive whole."""
    if not isinstance(part, int | float) or not isinstance(whole, int | float) or whole <= 0:
        return None
    return f"{part / whole * 100:.1f}%"


def country_name(code: str | None) -> str | None:
    """The name of a country by its ISO code; None when there is no such code."""
    found = country_from_text(code)
    return found.name if found else None
