"""Words of a text with their positions, and the stem shared by all forms of an English word."""

import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import Stemmer

LONGEST: Final = 64
"""Characters of a word that count; longer runs are data (hashes, base64)."""

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W\d_]{1,2}\b)?")
_DOT: Final = re.compile(r"\.(?=\w)")
_GAP: Final = re.compile(r"[ \n]")
# A Stemmer keeps state while it works, so threads do not share one.
_local: Final = threading.local()


@dataclass(frozen=True, slots=True)
class Token:
    """A word as written, and the characters `start` up to `end` of the text that it takes."""

    text: str
    start: int
    end: int


def tokens(text: str) -> Iterator[Token]:
    """The words and numbers of a text, in order; compounds give their parts."""
    for match in _WORD.finditer(text):
        yield Token(match[0], match.start(), match.end())


def dotted_words(text: str) -> Iterator[tuple[int, int]]:
    """The spans of what stands between spaces or line ends and has a dot inside, in order."""
    end = 0
    for dot in _DOT.finditer(text):
        if dot.start() < end:
            continue
        gap = max(text.rfind(" ", end, dot.start()), text.rfind("\n", end, dot.start()))
        stop = _GAP.search(text, dot.end())
        begin, end = max(gap + 1, end), stop.start() if stop else len(text)
        yield begin, end


def stems(text: str) -> list[str]:
    """The stems of all words of a text, in order, accents and possessives left out."""
    return [stem(match[0].removesuffix("'s").removesuffix("’s")) for match in _WORD.finditer(text)]


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """One key for the forms of a word ("hires", "hiring", "Hired"): Porter's second English stemmer."""
    folded = unicodedata.normalize("NFKD", word[:LONGEST].casefold())
    plain = "".join(letter for letter in folded if not unicodedata.combining(letter))
    stemmer: Stemmer.Stemmer | None = getattr(_local, "stemmer", None)
    if stemmer is None:
        # The cache above is ours; its own would be a second one.
        stemmer = _local.stemmer = Stemmer.Stemmer("english", 0)
    return str(stemmer.stemWord(plain))
