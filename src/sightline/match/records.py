"""Companies for matching: many records as columns, with words and places as numbers."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from sightline.domain.countries import country_from_text
from sightline.domain.names import fold
from sightline.domain.websites import domain_of
from sightline.match.grams import Grams, name_grams
from sightline.match.names import MAX_CHARS, Word, read_name
from sightline.match.places import MOST_AREAS, areas_of, city_key
from sightline.match.romanise import consonants
from sightline.match.variants import variants
from sightline.match.vocabulary import BACKGROUND, KINDS, vocabulary

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

MAX_VARIANTS: Final = 12
MANY: Final = 100_000
"""Names of more than this are not all taken apart: only those that are looked at."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A company to match, on either side. Only the name is needed; other texts as lists have them.

    ``country`` is a code or a name, ``domain`` a host or an address, ``other_names`` aliases.
    """

    id: str
    name: str
    country: str | None = None
    city: str | None = None
    address: str | None = None
    domain: str | None = None
    ticker: str | None = None
    lei: str | None = None
    other_names: tuple[str, ...] = ()


class Lexicon:
    """Texts as numbers: every distinct word, city, address and identifier of one comparison.

    Number 0 stands for absent. ``document_frequency`` counts words in the candidates' names.
    """

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.keys: list[str] = []
        self.consonants: list[str] = []
        self.kinds: list[int] = []
        self.commonness: list[int] = []
        self.families: list[int] = []
        self._families = vocabulary().families
        self.texts: dict[str, int] = {"": 0}
        self.text_list: list[str] = [""]
        self._columns: tuple[Ints, ...] = tuple(np.zeros(0, np.int32) for _ in range(5))
        self._documents = 0
        self._frequency: npt.NDArray[np.float64] = np.zeros(0)
        self._weights: Floats = np.zeros(0, np.float32)
        self.gram_rarity: Floats = np.zeros(0, np.float32)

    def word(self, word: Word) -> int:
        """The number of a word."""
        at = self.words.get(word.key)
        if at is None:
            at = self.words[word.key] = len(self.keys)
            self.keys.append(word.key)
            self.consonants.append(consonants(word.key))
            self.kinds.append(KINDS.index(word.kind))
            self.commonness.append(word.commonness)
            self.families.append(self._families.get(word.key, 0))
        return at

    def text(self, text: str) -> int:
        """The number of a place or identifier; 0 for ""."""
        at = self.texts.get(text)
        if at is None:
            at = self.texts[text] = len(self.text_list)
            self.text_list.append(text)
        return at

    def count(self, words: Ints, names: int) -> None:
        """Take the words of the candidates' names as the sample that rarity is measured on."""
        self._frequency = np.bincount(words, minlength=len(self.keys)).astype(np.float64)
        self._documents = names
        self._weights = np.zeros(0, np.float32)

    def columns(self) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """Of each word: kind, commonness, letters, consonants, family. Only new words are read."""
        known = len(self._columns[0])
        if known < len(self.keys):
            new = (
                self.kinds[known:],
                self.commonness[known:],
                [len(text) for text in self.keys[known:]],
                [len(text) for text in self.consonants[known:]],
                self.families[known:],
            )
            self._columns = tuple(
                np.concatenate([old, np.array(added, np.int32)])
                for old, added in zip(self._columns, new, strict=True)
            )
        kinds, commonness, letters, bones, families = self._columns
        return kinds, commonness, letters, bones, families

    def weights(self) -> Floats:
        """How much each word tells: inverse document frequency, 1 for the rarest."""
        known = len(self._weights)
        if known < len(self.keys):
            often = self.columns()[1][known:].astype(np.float64)
            seen = self._frequency[known:]
            often[: len(seen)] += seen
            total = BACKGROUND + self._documents
            new = (np.log(total / often) / math.log(total / 2)).clip(0.08, 1)
            self._weights = np.concatenate([self._weights, new.astype(np.float32)])
        return self._weights


@dataclass(slots=True)
class Block:
    """Records in columns. A record has one or more names; names are rows of their own.

    ``owner[i]`` is the record of name i, ``first[r]`` the first name of record r (the last entry is
    the number of names), ``word_start`` and ``words`` hold the words of names, ``squeezed`` all words
    in one, ``plain`` the words as they are written, as keys; ``joined`` is that without blanks, and
    ``written`` are their letters. ``areas[r]`` are the metropolitan areas of record r, 0 for none.
    """

    lexicon: Lexicon
    ids: list[str]
    owner: Ints
    first: Ints
    word_start: Ints
    words: Ints
    squeezed: list[str]
    plain: list[str]
    joined: list[str]
    grams: Grams | None
    consonants: list[str]
    written: list[str]
    initials: list[tuple[str, ...]]
    bare: list[str]
    forms: Ints
    latin: npt.NDArray[np.bool_]
    blank: npt.NDArray[np.bool_]
    could_be_acronym: npt.NDArray[np.bool_]
    country: Ints
    city: Ints
    address: Ints
    domain: Ints
    ticker: Ints
    lei: Ints
    areas: Ints

    def __len__(self) -> int:
        return len(self.ids)

    def grams_of(self, names: Ints) -> tuple[Grams, Ints]:
        """The letter groups of some names at least, and where each of ``names`` is among them."""
        if self.grams is not None:
            return self.grams, names
        wanted, at = np.unique(names, return_inverse=True)
        return name_grams([self.plain[name] for name in wanted.tolist()]), at.astype(np.int32)

    def gram_rarity(self) -> Floats:
        """How rare each group is among these names, of very many in a sample."""
        names = len(self.owner)
        grams = self.grams or name_grams(self.plain[:: 1 + names // MANY])
        return grams.rarity()


def make_block(records: Iterable[Candidate], lexicon: Lexicon) -> Block:
    """Read records into columns; words and places get their numbers in the lexicon."""
    ids: list[str] = []
    owner: list[int] = []
    first: list[int] = [0]
    starts: list[int] = [0]
    words: list[int] = []
    squeezed: list[str] = []
    plain: list[str] = []
    bare: list[str] = []
    written: list[str] = []
    initials: list[tuple[str, ...]] = []
    whole: list[str] = []
    forms: list[int] = []
    latin: list[bool] = []
    fields: list[tuple[int, ...]] = []
    known = lexicon.words
    for record in records:
        for text in _names(record):
            name = read_name(text)
            try:
                numbers = [known[word.key] for word in name.words]
            except KeyError:
                numbers = [lexicon.word(word) for word in name.words]
            words.extend(numbers)
            starts.append(len(words))
            owner.append(len(ids))
            squeezed.append("".join([word.key for word in name.words]))
            plain.append(name.plain)
            bare.append("".join([lexicon.consonants[number] for number in numbers]))
            written.append(name.written)
            initials.append(name.initials)
            whole.append(name.bare)
            forms.append(name.forms)
            latin.append(name.latin)
        ids.append(record.id)
        first.append(len(owner))
        fields.append(_fields(record, lexicon))
    table = np.array(fields, np.int32).reshape(len(ids), 6 + MOST_AREAS).T.copy()
    return Block(
        lexicon, ids, _ints(owner), _ints(first), _ints(starts), _ints(words), squeezed, plain,
        [text.replace(" ", "") for text in plain],
        name_grams(plain) if len(plain) <= MANY else None,
        bare, written, initials, whole, _ints(forms),
        np.array(latin, np.bool_), np.array([text == "?" for text in squeezed], np.bool_),
        np.array([3 <= len(text) <= 8 for text in whole], np.bool_),
        table[0], table[1], table[2], table[3], table[4], table[5],
        table[6:].T,
    )  # fmt: skip


def _fields(record: Candidate, lexicon: Lexicon) -> tuple[int, ...]:
    """The numbers of country, city, address, domain, ticker, LEI, areas; 0 for what is not given."""
    text = lexicon.text
    given = (record.country, record.city, record.address, record.domain, record.ticker, record.lei)
    # Like names, the rest is read by its beginning where it is longer than anything that is meant so.
    country, city, address, domain, ticker, lei = ((each or "")[:MAX_CHARS] for each in given)
    return (
        text(_country(country)) if country else 0,
        text(city_key(city)) if city else 0,
        text(_address(address)) if address else 0,
        text(_domain(domain)) if domain else 0,
        text(_code(ticker)) if ticker else 0,
        text(_code(lei)) if lei else 0,
        *(areas_of(city) if city else ()), 0, 0, 0,
    )[: 6 + MOST_AREAS]  # fmt: skip


# Only names with one of these hold further names; most have none. Apart, they are found sooner.
_MARK = re.compile(r"[(\[（/–—-]")
_SET_OFF = re.compile(r"[(\[（]| [/–—-] |[^\W\d_]-[^\W\d_]")
_HOLDS_NAMES = re.compile(
    r"\b(?:d\s?[/.]?\s?b|[fat]\s?/?\s?k?\s?/?\s?a|form|prev|also|trading|doing|ehem|ancien|nee)"
)


def _names(record: Candidate) -> Sequence[str]:
    name = record.name
    set_off = _MARK.search(name) and _SET_OFF.search(name)
    if not (record.other_names or set_off or _HOLDS_NAMES.search(name.lower())):
        return (name,)
    found: dict[str, None] = {}
    for each in (name, *record.other_names):
        found.update(dict.fromkeys(variants(each)))
    return list(found)[:MAX_VARIANTS]


def _ints(values: list[int]) -> Ints:
    return np.array(values, np.int32)


@lru_cache(maxsize=4096)
def _country(text: str) -> str:
    found = country_from_text(text)
    return found.alpha2 if found is not None else fold(text)


@lru_cache(maxsize=4096)
def _address(text: str) -> str:
    if not fold(text):
        return ""
    return " ".join(sorted(word.key for word in read_name(text).words))


@lru_cache(maxsize=4096)
def _domain(text: str) -> str:
    return domain_of(text) or ""


def _code(text: str) -> str:
    return "".join(fold(text).split()).upper()
