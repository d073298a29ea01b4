"""Counts and amounts of money as people write them in lists."""

import math
import re
import unicodedata
from dataclasses import dataclass

from sightline.domain.names import fold
from sightline.domain.tables import toml_table, word_set

THOUSAND = 1_000
MILLION = 1_000_000
BILLION = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in whole units of a currency (ISO 4217 code, None when the text names none)."""

    amount: float
    currency: str | None


_TABLE = "money.toml"
_UNITS = {
    word: int(unit) for unit, words in toml_table(_TABLE)["units"].items() for word in words.split()
}
# Short words of a header may be parts of a name: "Plan B", "Vitamin K".
_HEADER_UNITS = {
    word: unit for word, unit in _UNITS.items() if len(word) > 2 or word in {"mm", "mn", "bn", "tn"}
} | {"000s": THOUSAND, "000": THOUSAND}
# A single letter in a header is a unit only where money is the subject: "Sales, $M".
_HEADER_LETTERS = {"k": THOUSAND, "m": MILLION, "b": BILLION}
_SYMBOLS = {
    sign: code for code, signs in toml_table(_TABLE)["currencies"].items() for sign in signs.split()
}
_SYMBOL = re.compile(
    "|".join(re.escape(s) for s in sorted(_SYMBOLS, key=len, reverse=True)), re.IGNORECASE
)
_CODE = re.compile(
    rf"(?<![a-z])({'|'.join(toml_table(_TABLE)['currencies'])}|RMB)(?![a-z])", re.IGNORECASE
)
_DIGITS = re.compile(r"(?:\d[\d.,'’ _]*)?\d|\.\d+", re.ASCII)
_SCIENTIFIC = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)e[+-]?\d{1,2}", re.IGNORECASE)
_AFTER = re.compile(r"\s*([a-z]+)?\.?\s*(.*)", re.IGNORECASE | re.DOTALL)
_NOISE = re.compile(
    r"(?<!\w)(?:about|approx(?:imately)?\.?|around|circa|ca\.?|over|more than|up to|at least"
    r"|est(?:imated)?\.?|employees?|people|staff|fte|ftes|headcount|per year|annually|p\.a\.|usd)(?!\w)",
    re.IGNORECASE,
)
_LETTER_AFTER_SIGN = re.compile(r"(?<=[$€£])(?=[a-z])", re.IGNORECASE)
_POINT_GROUPED = re.compile(r"[1-9]\d{0,2}\.\d{3}", re.ASCII)
_MAX_TEXT = 80
_MAX_COUNT = 100_000_000


def parse_count(value: object) -> int | None:
    """A number of people or things: "1,234", "1.2k", "12,000+", 1234.0. None when it is no count.

    A range is no count, and neither is a negative number, a fraction or more than 100 million.
    """
    amount = _number(value)
    if amount is None or amount < 0 or amount > _MAX_COUNT:
        return None
    if isinstance(value, str) and _POINT_GROUPED.fullmatch(value.strip()):
        # No one counts people to three decimals: "1.234" is the continental thousand.
        return int(value.strip().replace(".", ""))
    rounded = round(amount)
    return rounded if math.isclose(amount, rounded, abs_tol=1e-6) else None


def parse_money(
    value: object, unit_multiplier: int = 1, *, currency: str | None = None
) -> Money | None:
    """An amount of money: "$1.2B", "1,234.5 million", "USD 3.4bn", "482130".

    ``unit_multiplier`` is what the column's header says (see ``unit_from_header``); it applies to
    amounts that name no unit themselves. ``currency`` is the column's, for amounts that name none.
    A range, a loss in brackets that is not a number, or a text with other words gives None.
    """
    if not isinstance(value, str):
        amount = _number(value)
        return None if amount is None else _money(amount * unit_multiplier, currency)
    text = value.strip()
    if len(text) > _MAX_TEXT:
        return None
    named = currency_of(text)
    bare = _CODE.sub(" ", _SYMBOL.sub(" ", unicodedata.normalize("NFKC", text)))
    amount, unit = _amount_and_unit(bare)
    if amount is None:
        return None
    return _money(amount * (unit or unit_multiplier), named or currency)


def currency_of(text: str) -> str | None:
    """The ISO 4217 code a text names by code or symbol; "$" alone reads USD, "¥" alone JPY."""
    code = _CODE.search(text)
    if code:
        return "CNY" if code[1].upper() == "RMB" else code[1].upper()
    symbol = _SYMBOL.search(text)
    if symbol is None:
        return None
    return _SYMBOLS.get(symbol[0].upper()) or _SYMBOLS.get(symbol[0].lower())


def unit_from_header(header: str) -> int:
    """The unit a column's header names: "Revenue ($ millions)" gives 1,000,000; 1 when none."""
    spaced = _LETTER_AFTER_SIGN.sub(" ", header)
    words = fold(spaced).split()
    of_money = _SYMBOL.search(header) is not None or not word_set(_TABLE, "of_money").isdisjoint(
        words
    )
    units = _HEADER_UNITS | _HEADER_LETTERS if of_money else _HEADER_UNITS
    return next((units[word] for word in words if word in units), 1)


def _money(amount: float, currency: str | None) -> Money | None:
    return Money(amount, currency) if math.isfinite(amount) else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value) if _fits_float(value) else None
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        return None
    amount, unit = _amount_and_unit(unicodedata.normalize("NFKC", value))
    return None if amount is None else amount * (unit or 1)


def _fits_float(value: float) -> bool:
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _amount_and_unit(text: str) -> tuple[float | None, int | None]:
    """The single number of a text and the unit written after it; (None, None) when there is more."""
    bare = _NOISE.sub(" ", text).strip(" ~≈<>+=:;")
    if _SCIENTIFIC.fullmatch(bare):
        return float(bare), None
    negative = bare.startswith(("-", "−", "(")) and (not bare.startswith("(") or bare.endswith(")"))
    bare = bare.strip("()-− \t+~")
    digits = _DIGITS.match(bare)
    if digits is None:
        return None, None
    amount = _plain_number(digits[0])
    after = _AFTER.fullmatch(bare[digits.end() :])
    if amount is None or after is None or after[2].strip(" .+-"):
        return None, None
    unit = None
    if after[1]:
        unit = _UNITS.get(after[1].lower())
        if unit is None:
            return None, None
    return (-amount if negative else amount), unit


def _plain_number(digits: str) -> float | None:
    """Read digits with separators of either custom: 1,234.5 · 1.234,5 · 1 234 · 1'234."""
    text = digits.translate(dict.fromkeys(map(ord, " '’_")))
    commas, points = text.count(","), text.count(".")
    if commas and points:
        decimal = "," if text.rfind(",") > text.rfind(".") else "."
        grouping = "." if decimal == "," else ","
        text = text.replace(grouping, "").replace(decimal, ".")
    elif commas == 1 and not re.search(r"^[1-9]\d{0,2},\d{3}$", text):
        text = text.replace(",", ".")
    elif commas:
        text = text.replace(",", "")
    elif points > 1:
        text = text.replace(".", "")
    try:
        return float(text)
    except ValueError:
        return None
