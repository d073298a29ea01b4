"""A job title in tidy writing: its own words, with abbreviations expanded."""

import re

from sightline.domain.tables import toml_table, word_set
from sightline.domain.title_text import Word, folded

_SETS = "title_sets.toml"

# Of a rank these are the field it is over ("VP Eng"), of others the job ("Sr Eng").
_FIELD_OR_JOB = {"eng": ("Engineering", "Engineer")}
_OVER_A_FIELD = frozenset(("c_suite", "vp", "director", "head", "manager"))
_LETTER_PAIR = re.compile(r"\b([A-Z]) & ([A-Z])\b")


def tidy(words: list[Word], level: str | None) -> str:
    """The title in its own words: short forms spelled out, shouting and whispering undone. `level` is
    that of the title."""
    shouting = all(w.written.isupper() for w in words if w.written.isalpha())
    whispering = all(w.written.islower() for w in words if w.written.isalpha())
    long = sum(len(w.written) for w in words if w.written.isalpha()) > 5
    text = ""
    for at, word in enumerate(words):
        if word.written in (",", ")", ":"):
            text += word.written
            continue
        written = _spelled_out(word.plain, level) or _cased(
            word.written, shouting=shouting and long, whispering=whispering, first=at == 0
        )
        glued = text.endswith(("(", "/")) or word.written == "/" or not text
        text += written if glued else f"{word.glue or ' '}{written}"
    return _LETTER_PAIR.sub(r"\1&\2", text).strip(" ,:/&+")


def _spelled_out(word: str, level: str | None) -> str | None:
    if word in _FIELD_OR_JOB:
        return _FIELD_OR_JOB[word][level not in _OVER_A_FIELD]
    spelled: str | None = toml_table(_SETS)["spelled_out"].get(word)
    return spelled


def _cased(word: str, *, shouting: bool, whispering: bool, first: bool) -> str:
    if not (shouting or whispering):
        return word
    plain = folded(word)
    if plain in word_set(_SETS, "initials"):
        return word.upper()
    if plain in word_set(_SETS, "small_words") and not first:
        return word.lower()
    return word[:1].upper() + word[1:].lower()
