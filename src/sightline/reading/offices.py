"""Titles of officers and directors: how to recognize and write them, and which areas they lead."""

import re
from typing import Final, Literal

from sightline.domain.tables import word_set

Role = Literal["officer", "director"]

OFFICE_WORD: Final = re.compile(
    r"\b(?:chief|president|vice|officer|director|chair(?:man|woman|person)?|treasurer|secretary|counsel"
    r"|controller|comptroller|c\.?e\.?o|cfo|coo|cto|cio|manager|head|partner|trustee|member"
    r"|(?:co-)?founder|executive|general|svp|evp|vp|principal|attorney|representative)\b",
    re.IGNORECASE,
)
"""A word that makes a few words an office."""

_LONGEST: Final = 160
_SENTENCE_WORDS: Final = frozenset(
    "has have was were is are been served serves pursuant will his her".split()
)
_MOST_DIGITS: Final = 2
_SPELLED_OUT: Final = {
    "svp": "Senior Vice President", "evp": "Executive Vice President", "vp": "Vice President",
    "gc": "General Counsel", "sr": "Senior", "exec": "Executive",
}  # fmt: skip
_ABBREVIATION: Final = re.compile(
    r"(?<![\w.])(?:[A-Z]\.?){2,3}(?![\w.])|\b(?:Sr|Exec)\b\.?(?=\s+V)"
)
_LETTERS: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CAPITAL: Final = r"(?:(?:[A-Z]\.)+|(?:Inc|Corp|Co|Ltd|Sr)\.|[A-Z&][\w’'&/-]*)"
_RUN: Final = re.compile(
    rf"{_CAPITAL}(?:(?:[,;]?\s+(?:(?:and|of|for|the|to|[&–—-])\s+){{0,2}}){_CAPITAL})*"
)
_OF_THE_COMPANY: Final = re.compile(r"[\s,]+of\s+(?:the|our)\s+(?:Company|Corporation|Registrant)$")
_ALSO: Final = frozenset("since and as our the its a has have served also".split())
_CHIEF: Final = re.compile(
    r"\b(?:chief\s+executive(?:\s+officer)?|principal\s+executive\s+officer)\b|\bC\.?E\.?O\b\.?",
    re.I,
)
_NOT_HELD: Final = frozenset("former retired deputy assistant to office".split())
_GOES_ON: Final = frozenset("and & interim acting".split())
_BOARD: Final = re.compile(
    r"\b(?:non-?executive|independent|lead)?\s*"
    r"(?:directors?(?!\s+of\s+(?!the\b|our\b))|chair(?:man|woman|person)?)\b"
    r"|\bmember\b|\btrustee\b|\bof the board\b",
    re.IGNORECASE,
)


def is_office(text: str) -> bool:
    """Whether a short text is an office: it has a word of rank and does not read as a sentence."""
    return (
        len(text) <= _LONGEST
        and ":" not in text
        and OFFICE_WORD.search(text) is not None
        and not _SENTENCE_WORDS.intersection(text.split())
        and sum(map(str.isdigit, text)) <= _MOST_DIGITS
    )


def office_in(text: str) -> str | None:
    """The office that a sentence names first, by its capitals: "President and CEO" of "is President and
    CEO since May 2020". Another that is held as well follows behind a comma."""
    found: list[str] = []
    end = 0
    for run in _RUN.finditer(text):
        if not OFFICE_WORD.search(run[0]):
            continue
        if found and not _is_held_as_well(text[end : run.start()]):
            break
        found.append(_OF_THE_COMPANY.sub("", run[0]))
        end = run.end()
    return ", ".join(found) or None


def _is_held_as_well(between: str) -> bool:
    """Whether what stands between two offices joins them: "since May 2020, and as our"."""
    words = between.replace(",", " ").split()
    return (
        "as" in words
        and "." not in between
        and all(word in _ALSO or word[0].isdigit() or word[0].isupper() for word in words)
    )


def tidy_office(office: str) -> str:
    """An office with one space between words, abbreviations written out, and no shouting."""
    clean = " ".join(office.split()).strip(" ,;:*|-–—")
    if (len(clean) > 6 and clean.isupper()) or clean.islower():
        clean = " ".join(_cased(word, first=not at) for at, word in enumerate(clean.split(" ")))
    return _ABBREVIATION.sub(
        lambda found: _SPELLED_OUT.get(found[0].replace(".", "").lower(), found[0]), clean
    )


def _cased(word: str, *, first: bool) -> str:
    bare = word.lower().strip(",.;()")
    if bare in word_set("title_sets.toml", "initials"):
        return word.upper()
    if bare in word_set("title_sets.toml", "small_words") and not first:
        return word.lower()
    return _LETTERS.sub(lambda part: part[0].capitalize(), word)


def is_chief_executive(office: str) -> bool:
    """Whether an office is that of the whole company's chief executive, acting and co-chiefs included.

    "CEO, Europe" and "Chief Executive Officer of Bank North" lead a part of it.
    """
    found = _CHIEF.search(office)
    if found is None or _NOT_HELD.intersection(office[: found.start()].lower().split()):
        return False
    after = _OF_THE_COMPANY.sub("", " " + office[found.end() :]).lstrip(" ,;/|–—-")
    word = after.split(" ")[0].strip(",").lower()
    return not word or word[0] == "(" or word in _GOES_ON or bool(OFFICE_WORD.match(word))


def role_of(office: str | None) -> Role:
    """`officer` for an office of the management, `director` for one of the board alone."""
    return "officer" if OFFICE_WORD.search(_BOARD.sub("", office or "")) else "director"
