"""Sums of money in running text, with position, amount in whole units and currency."""

import re
from dataclasses import dataclass
from typing import Final

from sightline.domain.numbers import currency_of, parse_money

# Currencies by their names, "dollars" of a nation before those of none.
_NAMED: Final = {
    "canadian dollar": "CAD", "australian dollar": "AUD", "singapore dollar": "SGD",
    "hong kong dollar": "HKD", "new zealand dollar": "NZD", "dollar": "USD", "euro": "EUR",
    "pound": "GBP", "yen": "JPY", "yuan": "CNY", "renminbi": "CNY", "rupee": "INR", "franc": "CHF",
    "kronor": "SEK", "krona": "SEK", "kroner": "NOK", "won": "KRW", "peso": "MXN", "reais": "BRL",
    "rand": "ZAR", "dirham": "AED",
}  # fmt: skip
_CODES: Final = (
    "USD|EUR|GBP|JPY|CNY|RMB|INR|CHF|CAD|AUD|NZD|HKD|SGD|SEK|NOK|DKK|BRL|MXN|KRW|ZAR|AED"
)
_SIGN: Final = (
    rf"(?:(?:\b(?:{_CODES})\s?)?(?:(?:US|CA|C|AU|A|NZ|HK|S|SG|R|NT|MX)?\$|[€£¥₹₩])"
    rf"|\b(?:{_CODES}|Rs\.?)\s?)"
)
_DIGITS: Final = r"\d{1,3}(?:,\d{2,3}){1,6}(?:\.\d{1,4})?|\d{1,15}(?:\.\d{1,4})?"
_SCALE: Final = r"(?:thousand|million|billion|trillion|crore|lakh|mln|bln|mn|mm|bn|tn|[kmbt])"
_NAMES: Final = (
    r"(?:(?:U\.?S\.?|Canadian|Australian|Singapore|Hong Kong|New Zealand)\s)?"
    r"(?:dollar|euro|pound|yen|yuan|renminbi|rupee|franc|kronor|krona|kroner|won|peso|reais|rand|dirham)s?"
)
_SUMS: Final = re.compile(
    rf"(?P<sign>{_SIGN}\s?)(?P<first>{_DIGITS})(?![\d,.]\d)(?:[\s-]?(?P<scale1>{_SCALE})\b\.?)?"
    rf"|(?<![\w.,])(?P<second>{_DIGITS})(?:[\s-]?(?P<scale2>{_SCALE}))?[\s-]?(?:\b(?P<code>{_CODES})\b"
    rf"|\b(?P<name>{_NAMES})\b|(?P<mark>[€£]))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class WrittenSum:
    """An amount in whole units of a currency (ISO 4217; None where a name leaves it open), as
    `text[start:end]` says it."""

    start: int
    end: int
    amount: float
    currency: str | None


def sums_in(text: str) -> list[WrittenSum]:
    """Every sum with a currency that a text names, in order: "$1.2 billion", "EUR 40m", "5 million yen".

    Of a range both ends are sums; a number without a currency is none.
    """
    found = []
    for match in _SUMS.finditer(text):
        digits = match["first"] or match["second"]
        unit = match["scale1"] or match["scale2"] or ""
        read = parse_money(f"{digits} {unit}".strip(), currency=_currency(match))
        if read is not None:
            found.append(WrittenSum(match.start(), match.end(), read.amount, read.currency))
    return found


def _currency(match: re.Match[str]) -> str | None:
    if match["name"]:
        name = " ".join(match["name"].lower().split())
        return next((code for word, code in _NAMED.items() if word in name), None)
    sign = (match["sign"] or match["code"] or match["mark"]).strip()
    return "INR" if sign.lower().startswith("rs") else currency_of(sign)
