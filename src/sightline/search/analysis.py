"""Text to index terms. The same rules read a passage and a query, whatever the subject.

A term is a lower-case stem without accents, a number without thousands separators, or an initialism
such as "u.s". Compounds are read both ways: "e-mail" gives "e", "mail" and also "email", so that every
spelling of a compound meets the others. Function words take a position but are no terms, except in
a title, where they may be all there is ("Who we are").
"""

import re
import unicodedata
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

import Stemmer

from sightline.search.vocabulary import (
    DIGRAPHS,
    FUNCTION_WORDS,
    GREEK,
    IRREGULAR,
    SPELLINGS,
    UNLIKE,
)

MAX_TERM = 64  # characters; longer runs are data (hashes, base64), cut so that they cost no more

_COMPOUND = re.compile(r"[^\W_]+(?:[-'.,&][^\W_]+)*")
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_INITIALS = re.compile(r"[a-z](?:\.[a-z])+")
_PARTS = re.compile(r"[-.,&]")
_LETTERS_DIGITS = re.compile(r"([a-z]{2,})(\d{2,})")
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SIGNS = str.maketrans(
    {"’": "'", "‘": "'", "‐": "-", "‑": "-", "\u00ad": "", "\u2212": "-", **GREEK}
)
_BRITISH = tuple(british for british, _ in SPELLINGS)
_CACHE_LIMIT = 400_000  # compounds; about 100 MB at worst


@dataclass(frozen=True, slots=True)
class Token:
    """One term of a text. `extra` marks a second reading of the words at the same position (the closed
    form of a compound); `function` marks a closed-class word."""

    term: str
    position: int
    extra: bool = False
    function: bool = False


@dataclass(frozen=True, slots=True)
class _Reading:
    """A compound read once: (term, offset from the compound's position, extra, function), the words it
    spans; and the terms alone, all of them and those that are no function words."""

    entries: tuple[tuple[str, int, bool, bool], ...]
    words: int
    terms: tuple[str, ...]
    content: tuple[str, ...]

    @classmethod
    def of(cls, entries: Sequence[tuple[str, int, bool, bool]], words: int) -> "_Reading":
        terms = tuple(term for term, *_ in entries)
        content = tuple(term for term, _, _, function in entries if not function)
        return cls(tuple(entries), words, terms, content)


class Analyser:
    """Reads texts; remembers the compounds it has seen. Not for use by two threads at once."""

    def __init__(self) -> None:
        self._stem = Stemmer.Stemmer("english", 0).stemWord
        self._readings: dict[str, _Reading] = {}

    def tokens(self, text: str) -> list[Token]:
        """All readings of all words, function words included, in the order of the text."""
        return [
            Token(term, start + offset, extra, function)
            for reading, start in self._walk(text)
            for term, offset, extra, function in reading
        ]

    def heard(self, text: str, terms: Container[str]) -> set[str]:
        """Those of the terms that a reading of any word gives."""
        return {term for reading in self._read_all(text) for term in reading.terms if term in terms}

    def spoken(self, text: str) -> list[str]:
        """The terms in the order of the text, second readings left out."""
        return [
            term for reading, _ in self._walk(text) for term, _, extra, _ in reading if not extra
        ]

    def plain(self, text: str) -> list[str]:
        """The terms in the order of the text, function words and second readings left out."""
        return [
            term
            for reading, _ in self._walk(text)
            for term, _, extra, function in reading
            if not (extra or function)
        ]

    def indexed(
        self, text: str, *, keep_function_words: bool = False
    ) -> tuple[list[str], list[int], int, int]:
        """Terms, their positions, the number of words that count as length, and the positions used."""
        terms: list[str] = []
        positions: list[int] = []
        length = 0
        end = 0
        for reading, start in self._walk(text):
            for term, offset, extra, function in reading:
                end = max(end, start + offset + 1)
                if function and not keep_function_words:
                    continue
                terms.append(term)
                positions.append(start + offset)
                length += not extra
        return terms, positions, length, end

    def counts(self, title: str, body: str) -> dict[str, float]:
        """Terms of a titled text with how often each occurs, as the index counts them."""
        counts: dict[str, float] = {}
        for reading in self._read_all(title):
            for term in reading.terms:
                counts[term] = counts.get(term, 0.0) + 1.0
        for reading in self._read_all(body):
            for term in reading.content:
                counts[term] = counts.get(term, 0.0) + 1.0
        return counts

    def term(self, word: str) -> str:
        """The index term of one single word in lower case."""
        if len(word) <= 2 or not word.isalpha():
            return word[:MAX_TERM]
        if word in UNLIKE:
            return UNLIKE[word]
        word = IRREGULAR.get(word, word)
        if len(word) >= 5:
            word = _american(word)
        stem: str = self._stem(word[:MAX_TERM])
        return stem

    def _walk(self, text: str) -> Iterable[tuple[tuple[tuple[str, int, bool, bool], ...], int]]:
        position = 0
        for reading in self._read_all(text):
            yield reading.entries, position
            position += reading.words

    def _read_all(self, text: str) -> list[_Reading]:
        readings = self._readings
        if len(readings) >= _CACHE_LIMIT:
            readings.clear()
        compounds = _COMPOUND.findall(normal(text))
        for compound in compounds:
            if compound not in readings:
                readings[compound] = self._read(compound)
        return [readings[compound] for compound in compounds]

    def _read(self, compound: str) -> _Reading:
        if compound == "US":  # the pronoun is never written so in running text
            return _Reading.of([("u.s", 0, False, False)], 1)
        word = compound.lower()
        if word in FUNCTION_WORDS:
            return _Reading.of([(word, 0, False, True)], 1)
        if word.isascii() and word.isalpha():  # nearly all
            return _Reading.of([(self.term(word), 0, False, False)], 1)
        if len(word) > 3:
            word = word.removesuffix("'s")
        if _INITIALS.fullmatch(word):
            return _Reading.of([(word, 0, False, False)], 1)
        if _NUMBER.fullmatch(word):
            return _Reading.of([(word.replace(",", ""), 0, False, False)], 1)
        if _IDEOGRAPHS.search(word):
            pairs = [word[i : i + 2] for i in range(max(1, len(word) - 1))]
            return _Reading.of(
                [(pair, i, False, False) for i, pair in enumerate(pairs)], len(pairs)
            )
        if all(piece in FUNCTION_WORDS for piece in word.split("'")):
            return _Reading.of([(word, 0, False, True)], 1)
        parts = [part.replace("'", "") for part in _PARTS.split(word)]
        terms = [
            (self.term(part), offset, False, part in FUNCTION_WORDS)
            for offset, part in enumerate(parts)
        ]
        if 1 < len(parts) <= 3 and "." not in word and "," not in word:
            terms.append((self.term("".join(parts)), 0, True, False))
        elif len(parts) == 1 and (mixed := _LETTERS_DIGITS.fullmatch(parts[0])):
            terms += [(self.term(mixed[1]), 0, True, False), (mixed[2], 0, True, False)]
        return _Reading.of(terms, len(parts))


def normal(text: str) -> str:
    """The text in one form of its characters: compatibility forms opened, accents off, case kept."""
    if text.isascii():
        return text
    opened = unicodedata.normalize("NFKD", text.translate(_SIGNS))
    return unicodedata.normalize("NFC", "".join(c for c in opened if not "\u0300" <= c <= "\u036f"))


def _american(word: str) -> str:
    if word.endswith(_BRITISH):
        for british, american in SPELLINGS:
            if word.endswith(british):
                word = word[: -len(british)] + american
                break
    for british, american in DIGRAPHS:
        if british in word:
            word = word.replace(british, american)
    return word
