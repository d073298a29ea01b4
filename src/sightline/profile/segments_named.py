"""Divisions as a sentence lists them, for reports whose figures are not tagged. Pure."""

import re
from dataclasses import dataclass
from typing import Final

from sightline.profile.evidence import Evidence
from sightline.profile.sentences import Sentence

_LISTS: Final = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|[2-8]) (?:(?:distinct|separate|primary|principal"
    r"|main|global) )?"
    r"(?:(?:reportable|operating|business|reporting|industry|product)(?: and (?:reportable"
    r"|operating))? )+"
    r"(?:segments|divisions|units)\b[^:.;]{0,40}?"
    r"(?::|[–—]|,? (?:which are|namely|consisting of|comprised of|comprising"
    r"|as follows:?))\s*(?P<list>[^.]{8,260})\.?$",
    re.I,
)
_NUMBERED: Final = re.compile(r"(?:[,;]\s*)?(?:\band\s+)?\(?(?:\d|[a-h]|i{1,3}|iv|v)\)\s*")
_NAME: Final = re.compile(r"[A-Z][\w&’'./-]*(?:,? (?:and |of |the |& |for )?[A-Z][\w&’'./-]*){0,6}")
_ASIDE: Final = re.compile(r"\s*\([^()]*\)")
_ENDING: Final = re.compile(r"\s+segments?$", re.I)
_PARTS: Final = ("business", "notes", "review")


@dataclass(frozen=True, slots=True)
class Listed:
    """The divisions that a sentence lists."""

    names: tuple[str, ...]
    sentence: Sentence


def listed_segments(evidence: Evidence) -> Listed | None:
    """The first sentence of the newest annual report that lists divisions; None when none does."""
    for part in _PARTS:
        for sentence in evidence.annual.sentences if evidence.annual is not None else ():
            found = _LISTS.search(sentence.text) if sentence.part == part else None
            names = names_in_list(found["list"]) if found is not None else ()
            if names:
                return Listed(names, sentence)
    return None


def names_in_list(text: str) -> tuple[str, ...]:
    """The names of an enumeration; () unless every item of it is one."""
    text = _ASIDE.sub("", text) if not _NUMBERED.match(text) else text
    if _NUMBERED.match(text):
        items = _NUMBERED.split(text)
    elif ";" in text:
        items = re.split(r";\s*(?:and\s+)?", text)
    else:
        head, last, tail = text.rpartition(", and ")
        items = [*head.split(", "), tail] if last else re.split(r"\s+and\s+", text)
    names = [
        _ENDING.sub("", _ASIDE.sub("", item).strip(" ,;.")) for item in items if item.strip(" ,;.")
    ]
    if len(names) < 2 or not all(_NAME.fullmatch(name) for name in names):
        return ()
    return tuple(dict.fromkeys(names))
