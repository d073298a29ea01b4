"""The index terms of a text: words in lower case, without accents, reduced to their English stem."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from sightline.reading.tokens import stem

# Words with their inner signs: "R&D", "U.S", "10,000", "company's". A hyphen parts words.
_WORD = re.compile(r"\w+(?:[.,'’&]\w+)*")
_HYPHENATED = re.compile(r"\w+(?:[-‐‑]\w+){1,2}")
_NO_HYPHENS = str.maketrans("", "", "-‐‑")
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_LONGEST = 60  # characters of a term


def folded(text: str) -> str:
    """In lower case, compatibility forms opened, accents off."""
    if text.isascii():
        return text.lower()
    opened = unicodedata.normalize("NFKD", text.replace("’", "'"))
    return "".join(c for c in opened if not unicodedata.combining(c)).casefold()


def terms(text: str) -> list[str]:
    """The terms in the order of the text, function words included. What a hyphen joins is there in its
    parts and, at the end, as one word."""
    plain = folded(text)
    return [*(term for word in _WORD.findall(plain) for term in _of_word(word)), *_joined(plain)]


def _joined(plain: str) -> list[str]:
    """Each hyphenated word as one."""
    return [
        _of_word(whole.translate(_NO_HYPHENS))[0]
        for piece in plain.split()
        if "-" in piece or "‑" in piece or "‐" in piece
        for whole in _HYPHENATED.findall(piece)
    ]


def word_spans(text: str) -> Iterator[tuple[int, int]]:
    """The characters of each word that has terms."""
    return (found.span() for found in _WORD.finditer(text))


def written_terms(text: str) -> Iterator[tuple[str, str]]:
    """(term, the word as it is written), in the order of the text."""
    for word in _WORD.findall(unicodedata.normalize("NFC", text)):
        for term in _of_word(folded(word)):
            yield term, word


def counted(text: str) -> dict[str, int]:
    """How often each term occurs. Each different word is read once, which halves the time of `terms`."""
    plain = folded(text)
    counts: dict[str, int] = {}
    for word, times in Counter(_WORD.findall(plain)).items():
        for term in _of_word(word):
            counts[term] = counts.get(term, 0) + times
    for whole in _joined(plain):
        counts[whole] = counts.get(whole, 0) + 1
    return counts


@lru_cache(maxsize=200_000)
def _of_word(word: str) -> tuple[str, ...]:
    if word.isascii() and word.isalpha():
        return (stem(word[:_LONGEST]),)
    if _IDEOGRAPHS.search(word):
        return tuple(word[at : at + 2] for at in range(len(word) - 1))
    if word.endswith(("'s", "s'")):
        word = word[:-2] if word.endswith("'s") else word[:-1]
    if word[0].isdigit():
        return (word.replace(",", "")[:_LONGEST],)
    plain = word.replace(".", "").replace("'", "").replace(",", " ")
    return tuple(stem(part[:_LONGEST]) for part in plain.split()) or (word[:_LONGEST],)
