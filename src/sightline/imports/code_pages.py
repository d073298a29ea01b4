"""Detects the single-byte code page of a Latin text: the one in which most rows read as a language.

A row of a list is mostly of one language, so each row counts for the language that explains its letters
best. Letters alone cannot tell "Muñoz" from "Muńoz"; that no language has both "ń" and "ç" can.
"""

import math
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Final

# Letters beyond ASCII by language, the most frequent first.
_LETTERS: Final = {
    "French": "éàèêçœôîûùâëï",
    "German": "üäöß",
    "Spanish": "óíáéñúü",
    "Portuguese": "ãçáéêóíõúâôà",
    "Italian": "àòèùéì",
    "Catalan": "óéàíèòçúïü",
    "Dutch": "ëéïèöü",
    "Swedish": "äåöé",
    "Finnish": "äöå",
    "Danish and Norwegian": "åøæéöä",
    "Icelandic": "áíðóéúþýæö",
    "Turkish": "ıüşçğöâi\u0307",
    "Polish": "łóążęśćńź",
    "Czech": "íáěéžčřýšůúóňťď",
    "Slovak": "áíéýčšžúľťôňäóďĺŕ",
    "Hungarian": "éáőóöíüúű",
    "Romanian": "ăîâţş",
    "Croatian and Slovene": "čšžćđ",
    "Estonian": "äõüöšž",
    "Lithuanian": "ėšžįąųčęū",
    "Latvian": "āīēšūžņļčķģ",
}
# Code pages by how often lists are in them, as logarithms of the odds against the first.
_PAGES: Final = {
    "cp1252": 0.0, "cp1250": -1.0, "cp1254": -2.0, "cp1257": -2.0, "mac_roman": -2.0, "cp850": -2.0,
    "iso8859_2": -3.0,
}  # fmt: skip
LATIN_PAGES: Final = frozenset(_PAGES) | {
    "latin_1", "iso8859_15", "cp858", "cp437", "cp852", "cp1258", "iso8859_9", "iso8859_13",
    "iso8859_4", "iso8859_10", "iso8859_14", "iso8859_16", "mac_latin2", "mac_iceland",
    "mac_turkish", "cp775", "cp857", "cp860", "cp861", "cp863", "cp865", "hp_roman8",
}  # fmt: skip
"""What `code_page_of` decides among, by the names that guesses of others have."""

_SIGNS: Final = "’‘“”–—…•€®™©°·«»\u00a0"
_SIGN: Final = math.log(0.25)
_FOREIGN: Final = math.log(1e-4)  # a letter that the language does not have
_NO_TEXT: Final = math.log(
    1e-6
)  # a byte that the page leaves free, or a sign that names do not hold


def code_page_of(rows: Iterable[bytes]) -> str:
    """The code page of rows of Latin text, each with a byte beyond ASCII."""
    found = list(rows)
    return max(_PAGES, key=lambda page: _PAGES[page] + sum(_score(row, page) for row in found))


def _score(row: bytes, page: str) -> float:
    text = row.decode(page, "replace")
    signs, letters, before = 0.0, Counter[str](), ""
    for letter in text:
        if letter.isascii():
            pass
        elif letter in _SIGNS:
            signs += _SIGN
        elif not letter.isalpha() or (letter.isupper() and before.islower()):
            signs += _NO_TEXT
        else:
            letters[letter.lower()] += 1
        before = letter
    return signs + max(
        sum(n * weights.get(each, _FOREIGN) for each, n in letters.items())
        for weights in _weights()
    )


@cache
def _weights() -> tuple[dict[str, float], ...]:
    """Logarithms of how frequent the letters of each language are: the n-th 1/n as much as the first."""
    return tuple(
        {
            letter: math.log(1 / place / sum(1 / n for n in range(1, len(letters) + 1)))
            for place, letter in enumerate(letters, start=1)
        }
        for letters in _LETTERS.values()
    )
