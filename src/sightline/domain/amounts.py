"""Amounts and changes in words."""

from collections.abc import Sequence
from typing import Final

_SCALES: Final = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
_SIGNS: Final = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}


def money(amount: float, currency: str | None) -> str:
    """'$215.9 billion', '4.2 million CHF'; thousands in full."""
    sign = _SIGNS.get(currency or "", "")
    size = abs(amount)
    words = f"{size:,.0f}"
    for scale, name in _SCALES:
        if size >= scale:
            digits = f"{size / scale:.{1 if size >= 100 * scale else 2}f}".rstrip("0").rstrip(".")
            words = f"{digits} {name}"
            break
    after = f" {currency}" if currency and not sign else ""
    return f"{'-' if amount < 0 else ''}{sign}{words}{after}"


def up_or_down(fraction: float) -> str:
    """'up 12.5%', 'down 3%', 'unchanged'."""
    sign, size = (text := signed_percent(fraction))[0], text[1:]
    return "unchanged" if size == "0%" else f"{'down' if sign == '-' else 'up'} {size}"


def percent(fraction: float) -> str:
    """'12.5%' of 0.125."""
    return f"{fraction * 100:.1f}".removesuffix(".0") + "%"


def signed_percent(fraction: float) -> str:
    """'+12.5%', '-3%', '+1,325%'."""
    size = f"{abs(fraction) * 100:,.1f}".removesuffix(".0")
    return f"{'-' if fraction < 0 and size != '0' else '+'}{size}%"


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
