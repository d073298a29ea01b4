"""The words of organization names: legal forms and shared concepts, in the languages of the world."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from sightline.domain.names import fold
from sightline.match.romanise import key, romanise

Kind = Literal["word", "generic", "place", "number"]
KINDS: Final[tuple[Kind, ...]] = ("word", "generic", "place", "number")

# In how many names of an imagined background of 10,000 a word of the kind stands.
BACKGROUND: Final = 10_000
COMMONNESS: Final = {"g3": 900, "g2": 250, "g1": 60, "p": 60, "n": 40, "w": 4}
PLAIN: Final = 2
"""The same for a word that is in no table."""


@dataclass(frozen=True, slots=True)
class Concept:
    """What a word means: ``name`` is its key in every language, ``commonness`` as in BACKGROUND."""

    name: str
    kind: Kind
    commonness: int


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Tables by key. Phrases are looked up by their first word, longest first."""

    concepts: dict[str, Concept]
    stems: dict[str, Concept]
    native: dict[str, Concept]
    native_stems: dict[str, Concept]
    concept_phrases: dict[str, list[tuple[tuple[str, ...], Concept]]]
    inside: dict[str, Concept]
    inside_longest: int
    forms: dict[str, str]
    edge_forms: dict[str, str]
    start_forms: frozenset[str]
    form_phrases: dict[str, list[tuple[tuple[str, ...], str]]]
    inside_forms: tuple[tuple[str, str], ...]
    found: dict[str, Concept | None] = field(default_factory=dict)

    def concept(self, word: str) -> Concept | None:
        """The concept of one key, whole or by its stem; remembered."""
        if word in self.found:
            return self.found[word]
        concept = self.concepts.get(word) or _by_stem(self.stems, word, shortest=5)
        if len(self.found) < 500_000:
            self.found[word] = concept
        return concept

    def native_concept(self, word: str) -> Concept | None:
        """The concept of a folded word in a script that is not Latin."""
        return self.native.get(word) or _by_stem(self.native_stems, word, shortest=4)


def _by_stem(stems: dict[str, Concept], word: str, *, shortest: int) -> Concept | None:
    # What is no ending is the second half of a compound, and another word.
    for size in range(len(word), max(shortest, len(word) - 8) - 1, -1):
        concept = stems.get(word[:size])
        if concept is not None and _ENDING.fullmatch("".join(map(romanise, word[size:]))):
            return concept
    return None


# Endings of nouns and adjectives, Slavic ones above all, as keys.
_ENDING = re.compile(
    "[aeiouy]{0,4}|[aeiouy]{0,2}(?:sk|tsk|n|nn|ov|ev|ovsk|evsk|ensk|insk|ansk|ck|chesk|cesk|onn|enn|on|"
    "nost|stv|tv|eln|teln|ist|nik|k|l|m|v|h|g|s|t|r|z|d|st|ln|rn|er|en|um|om|am|em|kh|akh|ami|mi|ei|im|"
    "ikh|ih|ts|tsi|tsion|sion|si|izatsi|rov|rovan)[aeiouy]{0,4}(?:[gmhvk]h?[aeiouy]{0,2})?"
)

CLASSES: Final = (
    "limited", "stock", "partnership", "state", "institution", "nonprofit", "cooperative", "sole", "trust",
)  # fmt: skip


def keys_of(text: str) -> tuple[str, ...]:
    """The words of a text as keys; empty words are left out."""
    romanised = (romanise(word) for word in fold(text).split())
    return tuple(key(word) for word in romanised if word)


def is_compound_script(text: str) -> bool:
    """Whether words of this script stand in compounds without blanks: Han, kana, Hangul."""
    return any("\u2e80" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7af" for letter in text)


@cache
def vocabulary() -> Vocabulary:
    """The tables beside this module, read once."""
    made = Vocabulary({}, {}, {}, {}, {}, {}, 6, {}, {}, frozenset(), {}, ())
    for name, kind, words in _rows("concepts.tsv"):
        own_name = "".join(keys_of(name.replace("_", " ")))
        concept = Concept(own_name, _kind(kind), COMMONNESS[kind])
        for word in (name, *words.split()):
            _add_concept(made, word, concept)
    start: frozenset[str] = frozenset()
    inside: list[tuple[str, str]] = []
    for name, spellings in _rows("legal_forms.tsv"):
        if name == "start":
            start = frozenset("".join(keys_of(word)) for word in spellings.split("|"))
            continue
        for spelling in spellings.split("|"):
            _add_form(made, spelling, name, inside)
    for table in (made.concept_phrases, made.form_phrases):
        for phrases in table.values():
            phrases.sort(key=lambda row: -len(row[0]))
    inside.sort(key=lambda row: -len(row[0]))
    return Vocabulary(
        made.concepts, made.stems, made.native, made.native_stems, made.concept_phrases, made.inside,
        max(map(len, made.inside)), made.forms, made.edge_forms, start, made.form_phrases,
        tuple(inside),
    )  # fmt: skip


def _add_concept(made: Vocabulary, word: str, concept: Concept) -> None:
    if is_compound_script(word):
        made.inside.setdefault("".join(fold(word).split()), concept)
        return
    stem = word.endswith("*")
    bare = word.rstrip("*")
    words = keys_of(bare.replace("_", " "))
    if not words:
        return
    if len(words) == 1 and any(letter > "\u036f" for letter in bare):
        folded = fold(bare)
        (made.native_stems if stem and len(folded) > 3 else made.native).setdefault(folded, concept)
        # Short ones read like words of other languages once they are in Latin letters.
        if len(words[0]) < 5:
            return
    if len(words) > 1:
        phrases = made.concept_phrases.setdefault(words[0], [])
        phrases.append((words, concept))
    elif stem and len(words[0]) > 4:
        made.stems.setdefault(words[0], concept)
    else:
        made.concepts.setdefault(words[0], concept)


def _add_form(made: Vocabulary, spelling: str, name: str, inside: list[tuple[str, str]]) -> None:
    if is_compound_script(spelling):
        inside.append(("".join(fold(spelling).split()), name))
        return
    words = keys_of(spelling)
    if not words:
        return
    joined = "".join(words)
    if all(len(word) == 1 for word in words):
        words = (joined,)
    if len(words) > 1:
        made.form_phrases.setdefault(words[0], []).append((words, name))
    elif len(joined) > 7 and made.concept(joined) is None:
        made.forms.setdefault(joined, name)
    else:
        made.edge_forms.setdefault(joined, name)


def _kind(code: str) -> Kind:
    kinds: dict[str, Kind] = {"p": "place", "n": "number", "w": "word"}
    return kinds.get(code, "generic")


def _rows(table: str) -> Iterator[list[str]]:
    text = files("sightline.match").joinpath("data", table).read_text(encoding="utf-8")
    return (line.split("\t") for line in text.splitlines() if line and line[0] != "#")
