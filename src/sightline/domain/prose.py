"""Text as filters compare it: letter by letter, case aside; words of prose are runs of letters and digits."""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Final

# What stands between words, as the inside of a bracket in a pattern of Python or PostgreSQL: what ASCII
# has beside letters and digits, and the signs of Latin-1, of Unicode's general punctuation and of CJK's.
# Text has its ASCII in lower case before. All else is a letter.
GAPS: Final = r"\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f"
_SIGNS: Final = (range(0x80, 0xC0), range(0x2000, 0x2070), range(0x3000, 0x3040))
_WITH_CASE: Final = range(0xC0, 0x2000)  # Latin, Greek, Cyrillic, Armenian, Georgian
_ASCII: Final = bytes(
    ord(chr(code).lower()) if chr(code).isalnum() else 32 for code in range(128)
) + bytes(range(128, 256))


def folded(text: bytes) -> bytes:
    """A text in UTF-8 with each letter read as the one that stands for its spellings. Accents count."""
    if not text.isascii():
        text = text.decode().translate(_letters()).encode()
    return text.lower()  # those of ASCII


def words(text: bytes) -> list[bytes]:
    """The words of a text in UTF-8, in their order, folded."""
    if not text.isascii():
        text = text.decode().translate(_others()).encode()
    return text.translate(_ASCII).split()


def spellings(letter: str) -> str:
    """A letter of a word, and those outside ASCII that `words` reads as it."""
    return letter + _read_as().get(letter, "")


def to_translate(texts: Iterable[str]) -> tuple[str, str]:
    """The letters to replace, and by which, in a text whose ASCII is in lower case, so that it compares with
    these folded texts as if it were folded. Few, as SQL's translate() looks through them for every letter."""
    letters = sorted(set("".join(texts)) & set(_read_as()))
    others = [_read_as()[each] for each in letters]
    return "".join(others), "".join(
        letter * len(each) for letter, each in zip(letters, others, strict=True)
    )


@cache
def _letters() -> dict[int, str]:
    """What each letter with case is read as: one letter, so that SQL can."""
    return {code: _lower(chr(code)) for code in _WITH_CASE}


@cache
def _others() -> dict[int, str]:
    """Characters outside ASCII, and what `words` reads them as."""
    return _letters() | dict.fromkeys((code for signs in _SIGNS for code in signs), " ")


@cache
def _read_as() -> dict[str, str]:
    found: defaultdict[str, str] = defaultdict(str)
    for code, letter in _letters().items():
        if letter != chr(code):
            found[letter] += chr(code)
    return dict(found)


def _lower(letter: str) -> str:
    read = letter.casefold()
    return read if len(read) == 1 else letter.lower()[0]
