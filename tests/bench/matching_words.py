"""Compile the matcher's tables of words: ``python -m tests.bench.matching_words`` after every change.

Reading ``concepts.tsv`` and ``legal_forms.tsv`` takes every spelling through folding, transliteration
and keys, a hundred milliseconds that no start of the matcher needs to spend.
"""

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from sightline.domain.names import fold
from sightline.match.romanise import key, romanise
from sightline.match.vocabulary import (
    COMMONNESS,
    Concept,
    Kind,
    Vocabulary,
    bare_spellings,
    is_compound_script,
)

_PLAIN_WORDS: Final = re.compile("[a-z0-9 ]+")


def keys_of(text: str) -> tuple[str, ...]:
    """The words of a text as keys; empty words are left out."""
    return _keys(text if _PLAIN_WORDS.fullmatch(text) else fold(text))


def _keys(folded: str) -> tuple[str, ...]:
    romanised = [romanise(word) for word in folded.split()]
    return tuple([key(word) for word in romanised if word])


def compiled() -> Vocabulary:
    """The tables as they are written down."""
    made = Vocabulary(
        {}, {}, {}, {}, {}, {}, {}, 6, {}, {}, frozenset(), {}, (), {}, frozenset(), {}
    )  # fmt: skip
    for name, kind, words in _rows("concepts.tsv"):
        if name == "~":
            family = len(made.families) + 1
            made.families.update((_own_name(each), family) for each in words.split())
            continue
        if name == "=":
            short, full = (fold(text.replace("_", " ")) for text in (kind, words))
            made.short.setdefault(short.split()[0], []).append((short, full))
            continue
        concept = Concept(_own_name(name), _kind(kind), COMMONNESS[kind])
        for word in (name, *words.split()):
            _add_concept(made, word, concept)
    _add_numbers(made)
    for spelling, concept in made.inside.items():
        _add_reading(made, spelling, concept)
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
    tables = (made.concept_phrases, made.form_phrases)
    bigrams = frozenset(
        phrase[:2] for table in tables for rows in table.values() for phrase, _ in rows
    )
    return Vocabulary(
        made.concepts, made.stems, made.native, made.native_stems, made.concept_phrases, made.inside,
        made.inside_first, max(map(len, made.inside)), made.forms, made.edge_forms, start, made.form_phrases,
        tuple(inside), made.families, bigrams, made.short,
    )  # fmt: skip


def _own_name(name: str) -> str:
    return "".join(keys_of(name.replace("_", " ")))


def _add_concept(made: Vocabulary, word: str, concept: Concept) -> None:
    if is_compound_script(word):
        table = made.inside_first if word[0] == "^" else made.inside
        table.setdefault("".join(fold(word).split()), concept)
        return
    stem = word.endswith("*")
    bare = word.rstrip("*")
    bare = bare.replace("_", " ")
    folded = bare if _PLAIN_WORDS.fullmatch(bare) else fold(bare)
    words = _keys(folded)
    if not words:
        return
    if len(words) == 1 and any(letter > "\u036f" for letter in folded):
        (made.native_stems if stem and len(folded) > 3 else made.native).setdefault(folded, concept)
        if "\u0590" <= folded[0] <= "\u06ff":
            for spelling in bare_spellings(folded)[1:]:
                if len(spelling) > 2:
                    made.native.setdefault(spelling, concept)
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


def _add_numbers(made: Vocabulary) -> None:
    """The numbers of two English words: "forty four" is 44."""
    words = {
        short: int(full) for rows in made.short.values() for short, full in rows if full.isdigit()
    }
    for tens, ten in words.items():
        pairs = [
            (f"{tens} {unit}", str(ten + one))
            for unit, one in (("one", 1), *words.items())
            if ten >= 20 and one < 10
        ]
        made.short[tens][:0] = pairs


def _add_reading(made: Vocabulary, spelling: str, concept: Concept) -> None:
    """A compound in Latin letters ("yinhang"); short readings are other words as well."""
    reading = key(romanise(spelling) or "?")
    if len(reading) > 5:
        made.concepts.setdefault(reading, concept)


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


def as_json(made: Vocabulary) -> str:
    """The text of ``vocabulary.json``."""
    rows: dict[Concept, int] = {}

    def numbered(table: dict[str, Concept]) -> dict[str, int]:
        return {word: rows.setdefault(concept, len(rows)) for word, concept in table.items()}

    table: dict[str, Any] = {
        name: numbered(getattr(made, name))
        for name in ("concepts", "stems", "native", "native_stems", "inside", "inside_first")
    }
    table["concept_phrases"] = {
        first: [(words, rows.setdefault(concept, len(rows))) for words, concept in phrases]
        for first, phrases in made.concept_phrases.items()
    }
    for name in ("forms", "edge_forms", "form_phrases", "inside_forms", "families", "short"):
        table[name] = getattr(made, name)
    table["start_forms"] = sorted(made.start_forms)
    table["bigrams"] = sorted(made.bigrams)
    table["concept_rows"] = [(row.name, row.kind, row.commonness) for row in rows]
    lines = ",\n".join(
        f"{json.dumps(name)}:{json.dumps(part, ensure_ascii=False, separators=(',', ':'))}"
        for name, part in table.items()
    )
    return f"{{{lines}}}\n"


def main() -> None:
    """Write ``vocabulary.json`` beside the tables."""
    path = Path(str(files("sightline.match").joinpath("data", "vocabulary.json")))
    path.write_text(as_json(compiled()), encoding="utf-8")


if __name__ == "__main__":
    main()
