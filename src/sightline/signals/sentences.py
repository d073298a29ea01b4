"""Sentences of a document's text as spans, so that quotes are verbatim."""

import re
from typing import Final


def word_set(text: str) -> frozenset[str]:
    """The words of a text that lists them."""
    return frozenset(text.split())


_ABBREVIATIONS: Final = word_set(
    """
    ft mr mrs ms dr prof messrs inc corp co ltd llc no nos jr sr st vs ave u.s u.k n.a l.p s.a n.v
    p.l.c plc bros gen gov rep sen hon fig sec art cl ser approx dept est jan feb mar apr jun jul
    aug sep sept oct nov dec d.c a.m p.m i.e e.g
    """
)
# After "Inc." one of these begins a new sentence all the same.
_OPENERS: Final = re.compile(
    r"(?:The|On|In|This|These|Under|Pursuant|As|It|Mr|Ms|Mrs|Dr|A copy|He|She|We|Our|At|For|There|Such"
    r"|Upon|During|Prior|Following|If|Each|Any|All|His|Her|Its|Subject|Except|Effective)\b"
)
_END: Final = re.compile(r"[.!?][\"”’)]{0,3}\s+(?=[\"“(•]?[A-Z0-9(])|\n[ \t]*\n\s*|\s[•●▪]\s+")
_END_OR_LINE: Final = re.compile(_END.pattern + r"|\n\s*")
_LAST_WORD: Final = re.compile(r"([\w.&]+)$")
_INITIALS: Final = re.compile(r"(?:[A-Z]\.)+[A-Z]")  # "R.J. Castor"
LONGEST: Final = 1_500


def sentences(text: str, start: int, end: int, *, by_line: bool = False) -> list[tuple[int, int]]:
    """Spans of the sentences of `text[start:end]`, without white space at their ends.

    `by_line` ends a sentence with each line: for texts that have one line a block.
    """
    found: list[tuple[int, int]] = []
    begin = start
    for match in (_END_OR_LINE if by_line else _END).finditer(text, start, end):
        if match[0][0] in ".!?" and _is_abbreviation(text, begin, match.start(), match.end()):
            continue
        _add(found, text, begin, match.end())
        begin = match.end()
    _add(found, text, begin, end)
    return found


def _add(found: list[tuple[int, int]], text: str, begin: int, end: int) -> None:
    piece = text[begin:end]
    start = begin + len(piece) - len(piece.lstrip(" \t\r\n•●▪"))
    stop = begin + len(piece.rstrip(" \t\r\n•●▪"))
    if stop > start:
        found.append((start, stop))


def _is_abbreviation(text: str, begin: int, dot: int, following: int) -> bool:
    """Whether the full stop at `dot` ends a shortened word and not the sentence."""
    if text[dot] != ".":
        return False
    word = _LAST_WORD.search(text, max(begin, dot - 20), dot)
    if word is None:
        return False
    bare = word[1].lower()
    if len(word[1]) == 1 and word[1].isupper():
        # An initial: "John W. Dietrich".
        return not _OPENERS.match(text, following) or word[1] == "J"
    if bare in _ABBREVIATIONS or _INITIALS.fullmatch(word[1]):
        return bare in {"mr", "mrs", "ms", "dr", "messrs", "no", "nos"} or not _OPENERS.match(
            text, following
        )
    return False


_DEFINITION: Final = re.compile(
    r"\s*\((?:together with[^()]*|collectively,?[^()]*|the |each,? (?:an? )?)?[\"“”'’][^()]{1,120}\)"
    r"|\s*\((?:NASDAQ|NYSE|Nasdaq|OTC|AMEX|TSX|LSE)[^()]{0,40}\)"
)
_LABEL: Final = re.compile(
    r"^(?:item\s+\d{1,2}(?:\.\d{2})?\s*[.:–—-]*\s*|\(?[a-e1-9]\)(?:\s*(?:and|,)\s*\([a-e]\))*\s*)+",
    re.IGNORECASE,
)


def plain(text: str, *, longest: int = 360) -> str:
    """A sentence as it can be shown: one line, without list labels, ticker and definition brackets."""
    line = " ".join(_DEFINITION.sub("", _LABEL.sub("", text.strip())).split())
    if len(line) > longest:
        line = line[: longest - 1].rsplit(" ", 1)[0].rstrip(",;") + "…"
    return line


_SHOUTED: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# Headlines write these in capitals anyhow.
_INITIALISMS: Final = word_set(
    """
    CEO CFO COO CTO CIO CMO EVP SVP VP LLC LLP LP PLC NV NA NYSE NASDAQ OTC IPO FDA SEC FTC DOJ EPA NASA
    US USA UK EU AI IT II III IV REIT SPAC ETF
    """
)
_SMALL: Final = word_set("a an and as at by for from in its of on or the to with")


def calm(text: str) -> str:
    """A headline all in capitals, written as other headlines are, each character in its place.

    Any other text is given back as it is.
    """
    words = [match[0] for match in _SHOUTED.finditer(text) if len(match[0]) > 3]
    if len(words) < 3 or sum(word.isupper() for word in words) < 0.8 * len(words):
        return text

    def lowered(match: re.Match[str]) -> str:
        word = match[0]
        if not word.isupper() or len(word) == 1 or word in _INITIALISMS:
            return word
        low = word.lower()
        if len(low) != len(word):
            return word
        return low if low in _SMALL and match.start() else low.capitalize()

    return _SHOUTED.sub(lowered, text)
