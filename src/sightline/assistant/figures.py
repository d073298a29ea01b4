"""Amounts in words."""

from typing import Any

from sightline.domain.countries import country_from_text

_SCALES = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}


def money(amount: float, currency: str | None) -> str:
    """'$215.9 billion'; thousands in full."""
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
