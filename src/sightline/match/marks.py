"""Additions to names in lists: numbers, register status, share classes."""

import re
from collections.abc import Callable

_NUMERO = re.compile(r"№|\bn[o°º]\.?\s*(?=\d)|#\s*(?=\d)", re.IGNORECASE)
# "The fourteenth" of institutes and plants, in Chinese, Japanese and Korean.
_NTH = re.compile(
    "第(?=[一二三四五六七八九十])([一二三四五六七八九]?)(十?)([一二三四五六七八九]?)|[第제](\\d+)"
)
_DIGITS = "〇一二三四五六七八九"
# "Quillen.com" is Quillen.
_SITE = re.compile(r"(?<=[a-z\d]{2})\.(?:com|net|org|io|ai|me)\b", re.IGNORECASE)
# Registers of shares add a state ("INC /DE/", "CORP/RI"), and lists of shares the class.
_STATE = re.compile(
    r"(?:\s|(?<=inc)|(?<=corp)|(?<=co)|(?<=ltd))[/\\][a-z]{2,3}[/\\]?\s*$", re.IGNORECASE
)
_ARTICLE = re.compile(r"(?:\(|, )the\)?$", re.IGNORECASE)
# Tickers' lists add what the share is: "AB-B SHS", "AG-REG", "PLC - SP ADR".
_SHARE = re.compile(
    r"(?:\s*-\s*|\s+)(?:(?:[a-d]|reg|ord|common)\s+(?:shares?|shs?)|shares?|sp(?:ons)? adr|adr|gdr)$|"
    r"\s*-\s*(?:[a-d]|cl [a-d]|reg|br|ord|pre?f?d?|pref|vorzug|w/i|rts|unit)$",
    re.IGNORECASE,
)


def _nth(found: re.Match[str]) -> str:
    """第十四 is 14."""
    tens, ten, ones, digits = found.groups()
    if digits:
        return f" {digits} "
    if not ten:
        return f" {_DIGITS.index(tens)} {ones}"
    return f" {_DIGITS.index(tens or '一') * 10 + _DIGITS.index(ones or '〇')} "


# What is looked for first, as most names have none of it; what it belongs to; what stands instead.
_MARKS: tuple[
    tuple[tuple[str, ...], re.Pattern[str], str | Callable[[re.Match[str]], str]], ...
] = (
    (("#", "№", "º", "°", "o."), _NUMERO, " "),
    ((".",), _SITE, " "),
    (("/", "\\"), _STATE, ""),
    (("(the)", ", the"), _ARTICLE, ""),
    (("-", " sh", "adr", "gdr"), _SHARE, ""),
    (("第", "제"), _NTH, _nth),
)


def without_marks(text: str) -> str:
    """A name without what lists add: "No.", ".com", the state of a register, the class of a share."""
    lower = text.lower()
    for signs, pattern, other in _MARKS:
        if any(sign in lower for sign in signs):
            text = pattern.sub(other, text) or text
    return text
