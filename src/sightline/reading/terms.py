"""The index terms of a text: words in lower case, without accents, reduced to their English stem."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from sightline.reading.tokens import stem

# Words with their inner signs: "R&D", "U.S", "10,000", "company's". A hyphen parts words.
_WORD = re.compile(r"\w+(?:[.,'’&]\w+)*")
_HYPHENATED = re.compile(r"\b\w+(?:[-‐‑]\w+){1,2}")
_PLAIN = str.maketrans({"’": "'", "™": None, "℠": None})  # NFKD makes letters of the last two
_NO_HYPHENS = str.maketrans("", "", "-‐‑")
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_LONGEST = 60  # characters of a term
_REMEMBERED = 100_000  # pieces
Piece = tuple[tuple[str, ...], tuple[str, ...]]  # its terms, and each hyphenated word as one


def folded(text: str) -> str:
    """In lower case, compatibility forms opened, accents and trade marks off."""
    if text.isascii():
        return text.lower()
    opened = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(c for c in opened if not unicodedata.combining(c)).casefold()


def terms(text: str) -> list[str]:
    """The terms in the order of the text, function words included. What a hyphen joins is there in its
    parts and, at the end, as one word."""
    return list(_read(text))


def counted(text: str) -> dict[str, int]:
    """How often each term occurs."""
    return Counter(_read(text))


def _read(text: str) -> Iterator[str]:
    # No term spans white space: of all pieces the terms, then of all the joined words.
    columns = zip(*map(_memory.__getitem__, text.split()), strict=True)
    return chain.from_iterable(chain.from_iterable(columns))


class _Memory(dict[str, Piece]):
    """Pieces that were read; without the long ones of a script that has no spaces."""

    def __missing__(self, piece: str) -> Piece:
        plain = folded(piece)
        joined = (whole.translate(_NO_HYPHENS) for whole in _HYPHENATED.findall(plain))
        read = (
            tuple(term for word in _WORD.findall(plain) for term in _of_word(word)),
            tuple(_of_word(whole)[0] for whole in joined),
        )
        if len(piece) <= _LONGEST:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[piece] = read
        return read


_memory = _Memory()


class Sought(dict[str, tuple[str, ...]]):
    """Counts some terms in many texts; holds which of them each piece has."""

    def __init__(self, terms: Iterable[str]) -> None:
        self._terms = frozenset(terms)

    def __missing__(self, piece: str) -> tuple[str, ...]:
        own = tuple(term for term in chain.from_iterable(_memory[piece]) if term in self._terms)
        self[piece] = own
        return own

    def counted(self, text: str) -> dict[str, int]:
        """How often each of the terms occurs."""
        return Counter(chain.from_iterable(filter(None, map(self.__getitem__, text.split()))))


def word_spans(text: str) -> Iterator[tuple[int, int]]:
    """The characters of each word that has terms."""
    return (found.span() for found in _WORD.finditer(text))


def written_terms(text: str) -> Iterator[tuple[str, str]]:
    """(term, the word as it is written), in the order of the text."""
    for word in _WORD.findall(unicodedata.normalize("NFC", text)):
        for term in _of_word(folded(word)):
            yield term, word


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
