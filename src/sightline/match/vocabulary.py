"""The vocabulary of organization names: legal forms and shared concepts, in many languages.

They are written down in ``data/concepts.tsv`` and ``data/legal_forms.tsv``; what is loaded is
``data/vocabulary.json``, which ``tests.bench.matching_words`` makes of them.
"""

import json
import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from sightline.match.romanise import romanise

Kind = Literal["word", "generic", "place", "number"]
KINDS: Final[tuple[Kind, ...]] = ("word", "generic", "place", "number")

# In how many names of an imagined background of 10,000 a word of the kind stands.
BACKGROUND: Final = 10_000
COMMONNESS: Final = {"g3": 900, "g2": 250, "g1": 60, "p": 60, "n": 40, "w": 4}
PLAIN: Final = 2
"""The same for a word that is in no table."""


_GLUED_FORM = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z][a-z]{0,2}[A-Z]+[a-z]?$)")
"""Before what has two capitals at least: "GitCo" is a name of its own."""


@dataclass(frozen=True, slots=True)
class Concept:
    """What a word means: ``name`` is its key in every language, ``commonness`` as in BACKGROUND."""

    name: str
    kind: Kind
    commonness: int


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Tables by key. Phrases are looked up by their first word, longest first.

    ``bigrams`` are the first two words of all phrases. ``short`` spells out folded words, by their first.
    """

    concepts: dict[str, Concept]
    stems: dict[str, Concept]
    native: dict[str, Concept]
    native_stems: dict[str, Concept]
    concept_phrases: dict[str, list[tuple[tuple[str, ...], Concept]]]
    inside: dict[str, Concept]
    inside_first: dict[str, Concept]
    inside_longest: int
    forms: dict[str, str]
    edge_forms: dict[str, str]
    start_forms: frozenset[str]
    form_phrases: dict[str, list[tuple[tuple[str, ...], str]]]
    inside_forms: tuple[tuple[str, str], ...]
    families: dict[str, int]
    bigrams: frozenset[tuple[str, ...]]
    short: dict[str, list[tuple[str, str]]]
    found: dict[str, Concept | None] = field(default_factory=dict)
    compounds: dict[str, tuple[Concept | str, Concept] | None] = field(default_factory=dict)

    def concept(self, word: str) -> Concept | None:
        """The concept of one key, whole or by its stem; remembered."""
        if word in self.found:
            return self.found[word]
        concept = self.concepts.get(word) or _by_stem(self.stems, word, shortest=5)
        if len(self.found) < 500_000:
            self.found[word] = concept
        return concept

    def spelled_out(self, words: list[str]) -> list[str]:
        """Folded words with those written in full that a line of "=" tells."""
        if self.short.keys().isdisjoint(words):
            return words
        text = f" {' '.join(words)} "
        for word in words:
            for short, full in self.short.get(word, ()):
                text = text.replace(f" {short} ", f" {full} ")
        return text.split()

    def with_form_apart(self, text: str) -> str:
        """A name with the legal form at its end on its own, where it is glued to it: "KestrelAG"."""
        found = _GLUED_FORM.search(text)
        if found is None or text[found.end() :].casefold() not in self.edge_forms:
            return text
        return f"{text[: found.end()]} {text[found.end() :]}"

    def halves(self, word: str) -> tuple[Concept | str, Concept] | None:
        """The two concepts of a compound key ("elektrotekhnika"), or what is before "bank"."""
        if len(word) < 8 or word in self.concepts:
            return None
        if word not in self.compounds:
            self.compounds[word] = self._halves(word)
        return self.compounds[word]

    def _halves(self, word: str) -> tuple[Concept | str, Concept] | None:
        if word.endswith("bank"):
            first = word[:-4]
            return self.concepts.get(first, first), self.concepts["bank"]
        for size in range(4, len(word) - 3):
            last = self.concepts.get(word[size:]) or self.stems.get(word[size:])
            if last is None or last.kind != "generic":
                continue
            for end in ("", "s", "n", "en", "es", "o", "e"):
                one = self.concepts.get(word[: size - len(end)])
                if word[:size].endswith(end) and size - len(end) > 3 and one is not None:
                    return one, last
        return None

    def native_concept(self, word: str) -> Concept | None:
        """The concept of a folded word in a script that is not Latin, without article or ending."""
        for bare in bare_spellings(word):
            if bare in self.native:
                return self.native[bare]
        return _by_stem(self.native_stems, word, shortest=4)


_ARABIC = re.compile("^(?:و?(?:ال|لل|بال)|[لو])?(.{3,}?)(?:يات|ات|يه|ية|ين|ون|ي|ه|ة|ی|ا)?$")
_HEBREW = re.compile("^[הלבומ]?(.{2,}?)(?:יות|ות|ים|ית|ה|ת|י)?$")


def bare_spellings(word: str) -> list[str]:
    """The word, and in Arabic and Hebrew the word without article, preposition and ending."""
    rule = _ARABIC if "\u0600" <= word[0] <= "\u06ff" else _HEBREW
    if rule is _HEBREW and not "\u0590" <= word[0] <= "\u05ff":
        return [word]
    found = rule.match(word)
    if found is None:
        return [word]
    start, end = found.span(1)
    return [word, word[start:], word[:end], word[start:end]]


def _by_stem(stems: dict[str, Concept], word: str, *, shortest: int) -> Concept | None:
    # What is no ending is the second half of a compound, and another word.
    for size in range(len(word), max(shortest, len(word) - 8) - 1, -1):
        concept = stems.get(word[:size])
        if concept is not None and _ENDING.fullmatch("".join(map(romanise, word[size:]))):
            return concept
    return None


# Endings of nouns and adjectives, Slavic ones above all, as keys. A lone consonant follows a vowel:
# what begins with another one is the second half of a name ("Uralkhim").
_ENDING = re.compile(
    "(?:[aeiouy]{0,2}(?:sk|tsk|nn?|ovsk|evsk|ensk|insk|ansk|ck|chesk|cesk|onn|enn|nost|stv|tv|"
    "eln|teln|nik|st|ln|rn|tsi|tsion|sion|si|izatsi|rovan|owty[au]n)|"
    "[aeiouy]{1,2}(?:kh|[klmvhgstrzdn]|ms))?"
    "[aeiouy]{0,4}(?:(?<=[aeiouy])[gmhvk]h?[aeiouy]{0,2})?"
)

CLASSES: Final = (
    "limited", "stock", "partnership", "state", "institution", "nonprofit", "cooperative", "sole", "trust",
)  # fmt: skip

COMPOUND_LETTERS: Final = "\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_COMPOUND: Final = f"[{COMPOUND_LETTERS}]"


def is_compound_script(text: str) -> bool:
    """Whether words of this script stand in compounds without blanks: Han, kana, Hangul, Thai …"""
    return not text.isascii() and re.search(_COMPOUND, text) is not None


@cache
def vocabulary() -> Vocabulary:
    """The compiled tables, read once."""
    text = files("sightline.match").joinpath("data", "vocabulary.json").read_text(encoding="utf-8")
    return read_tables(json.loads(text))


def read_tables(table: dict[str, Any]) -> Vocabulary:
    """The tables of ``vocabulary.json``: concepts are numbers there."""
    concepts = [Concept(*row) for row in table["concept_rows"]]

    def named(name: str) -> dict[str, Concept]:
        return {word: concepts[number] for word, number in table[name].items()}

    phrases = {
        first: [(tuple(words), concepts[number]) for words, number in rows]
        for first, rows in table["concept_phrases"].items()
    }
    forms = {
        first: [(tuple(words), form) for words, form in rows]
        for first, rows in table["form_phrases"].items()
    }
    return Vocabulary(
        named("concepts"), named("stems"), named("native"), named("native_stems"), phrases,
        named("inside"), named("inside_first"), max(map(len, table["inside"])), table["forms"],
        table["edge_forms"], frozenset(table["start_forms"]), forms,
        tuple((spelling, form) for spelling, form in table["inside_forms"]), table["families"],
        frozenset(tuple(pair) for pair in table["bigrams"]),
        {first: [(short, full) for short, full in rows] for first, rows in table["short"].items()},
    )  # fmt: skip
