"""Business words of other languages in English, for an encoder that was trained on English.

`data/glossary.tsv` has an English gist a row and the words that mean it. No sentence is translated:
what is left is what it is about.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from sightline.domain.names import fold

_WORD: Final = re.compile(r"[^\W\d_]+")
# Written without blanks between words.
_UNSPACED: Final = re.compile("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_SHORTEST: Final = 3
_STEM: Final = 5
"""Letters from which an entry also stands for words that begin with it."""
_COMPOUND: Final = 9
"""Letters of a word from which its inside is looked through."""
_ENDING: Final = 4
"""Letters that may follow an entry inside a compound: an inflection, not another word."""


@dataclass(frozen=True, slots=True)
class _Glossary:
    words: dict[str, str]
    stems: dict[str, str]
    unspaced: dict[str, str]


def english_gist(text: str) -> str:
    """The English of the business words of a text in their order, each once; "" when none is known."""
    table = _glossary()
    found: list[tuple[int, str]] = []
    if _UNSPACED.search(text):
        places = ((text.find(word), gist) for word, gist in table.unspaced.items())
        found += [(at, gist) for at, gist in places if at >= 0]
    for match in _WORD.finditer(text):
        word = fold(match[0])
        if len(word) >= _SHORTEST and (gist := _meaning(word, table)):
            found.append((match.start(), gist))
    return " ".join(dict.fromkeys(gist for _, gist in sorted(found)))


def _meaning(word: str, table: _Glossary) -> str | None:
    """The gist of a word: whole, by its beginning, or by the last part of a compound."""
    if word in table.words:
        return table.words[word]
    if begun := _stem_at(word, 0, table, ending=len(word)):
        return begun
    if len(word) < _COMPOUND:
        return None
    starts = range(_SHORTEST, len(word) - _STEM + 1)
    inside = (_stem_at(word, start, table, ending=_ENDING) for start in starts)
    return next(filter(None, inside), None)


def _stem_at(word: str, start: int, table: _Glossary, *, ending: int) -> str | None:
    """The longest entry that stands at a place of a word, with at most `ending` letters behind it."""
    shortest = max(start + _STEM, len(word) - ending)
    ends = range(len(word), shortest - 1, -1)
    return next((table.stems[part] for e in ends if (part := word[start:e]) in table.stems), None)


@cache
def _glossary() -> _Glossary:
    table = _Glossary({}, {}, {})
    text = (files("sightline.reading") / "data" / "glossary.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        gist, _, words = line.partition("\t")
        for word in words.split():
            if _UNSPACED.search(word):
                table.unspaced.setdefault(word, gist)
                continue
            folded = fold(word)
            table.words.setdefault(folded, gist)
            if len(folded) >= _STEM:
                table.stems.setdefault(folded, gist)
    return table
