"""Restores the usual case of names written all in capitals.

Registers and government lists shout: "THE BOEING COMPANY", "MCDONALD'S CORP", "AT&T INC". A name in
mixed case is its owner's spelling and stays as it is. The rules are about English spelling and
legal forms; acronyms are recognized by what cannot be pronounced, and by a list of common ones.
"""

import html
import re
import unicodedata
from contextlib import suppress
from functools import cache, lru_cache

from sightline.domain.tables import word_set

_SPELLED_FORMS = re.compile(
    r"(?<!\b[A-Z] )\b(L L C|L L P|P L L C|P L C|L P|D P C|P C|D D S|U S A|D B A)(?=$|[\s,.;)])"
)
_SLASHED_DBA = re.compile(r"\b(?:C\s?/\s?)?D\s?/\s?B\s?/\s?A\b")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_PARTS = re.compile(r"([-/+,;:()\[\]\"“”‘]+)")
_ORDINAL = re.compile(r"^\d+(ST|ND|RD|TH)$")
_LED_BY_DIGITS = re.compile(r"^(\d+)([^\W\d_]{4,})$")
_SPELLED_TOKEN = re.compile(r"^(?:[^\W\d_]\.)+[^\W\d_]?\.?$")
_TAIL = re.compile(r"^(.*?)(['’])(S|T|D|M|LL|RE|VE|N)$")
_SCOTTISH = re.compile(r"MC(?![AEIOUYÀÁÂÃÄÅÆÈÉÊËÌÍÎÏÒÓÔÕÖØÙÚÛÜÝH])\S{3}|MC[AEIOU]\S{3}")
_VOWELS = frozenset("AEIOUYÀÁÂÃÄÅÆÈÉÊËÌÍÎÏÒÓÔÕÖØÙÚÛÜÝ")
_TABLE = "casing.toml"
_NAME_FOLLOWS = frozenset({"DBA", "FKA", "AKA", "-", "/", "|", "&"})
_MAX_ACRONYM = 5
_MAX_KEPT_ALONE = 6


def clean_text(text: str) -> str:
    """One line of text: HTML entities resolved, invisible characters gone, spaces single."""
    if text.isascii() and text.isprintable() and "&" not in text and "  " not in text:
        return text.strip()  # as most texts are; what follows would leave it as it is
    if "&" in text and ";" in text:
        # A number of thousands of digits is no character, and Python refuses to read it.
        with suppress(ValueError):
            text = html.unescape(html.unescape(text))
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    # White space first: a line break parts words, a zero-width mark does not.
    return " ".join(_CONTROL.sub("", " ".join(text.split())).split())


def tidy_name(name: str, *, all_caps_column: bool = False) -> str:
    """A name for display: cleaned and, when it is all capitals, put into ordinary case.

    ``all_caps_column`` tells that the whole list is in capitals: then a single word such as "GOOGLE"
    is put into ordinary case as well. Otherwise a single word of up to six capitals is taken for
    its owner's spelling ("NVIDIA").
    """
    text = clean_text(name)
    if len(text) > 1 and text[0] == text[-1] == '"' and '"' not in text[1:-1]:
        text = text[1:-1].strip()
    if not is_all_caps(text):
        return text
    if " " not in text and not all_caps_column and len(text) <= _MAX_KEPT_ALONE:
        return text
    return _ordinary_case(text)


def is_all_caps(text: str) -> bool:
    """Whether a text has cased letters and all of them are capitals."""
    return text.isupper()


def title_words(text: str) -> str:
    """Put a shouted text into ordinary case by the rules for names; other text is only cleaned."""
    clean = clean_text(text)
    return _ordinary_case(clean) if is_all_caps(clean) else clean


def _ordinary_case(text: str) -> str:
    text = _SLASHED_DBA.sub("DBA", text)
    text = _SPELLED_FORMS.sub(lambda found: found[1].replace(" ", ""), text)
    words = text.split(" ")
    cased: list[str] = []
    leads = True
    for index, word in enumerate(words):
        # In "L A TRUST" the A is an initial, in "ONCE UPON A CHILD" an article.
        beside = words[max(0, index - 1) : index + 2]
        initial = (
            len(word) == 1 and sum(len(other) == 1 and other.isalpha() for other in beside) > 1
        )
        cased.append(word if initial else _word(word, leads=leads))
        # There a new name begins, with a capital whatever its word.
        leads = word in _NAME_FOLLOWS or word.endswith((":", "("))
    return " ".join(cased)


@lru_cache(maxsize=16_384)
def _word(word: str, *, leads: bool) -> str:
    parts = _PARTS.split(word)
    cased = []
    for index, part in enumerate(parts):
        if index % 2 or not part:
            cased.append(part)
        elif "&" in part:
            cased.append(_with_ampersand(part))
        else:
            cased.append(_part(part, leads=leads or (index > 0 and len(part) != 2)))
    return "".join(cased)


def _with_ampersand(part: str) -> str:
    pieces = part.split("&")
    if all(len(piece) <= 2 for piece in pieces):
        return part
    return "&".join(_part(piece, leads=True) for piece in pieces)


@cache
def _forms() -> dict[str, str]:
    """Capitals to the proper case of legal forms, abbreviations and acronyms."""
    words = word_set(_TABLE, "forms") | word_set(_TABLE, "acronyms")
    return {word.upper(): word for word in words}


def _part(part: str, *, leads: bool) -> str:
    bare = part.rstrip(".!?*")
    tail = part[len(bare) :]
    if not bare:
        return part
    if bare.lower() in word_set(_TABLE, "small") and (leads or not tail):
        return bare.capitalize() + tail if leads else bare.lower()
    form = _forms().get(bare)
    if form is not None:
        return form + tail
    if _SPELLED_TOKEN.match(part) or len(bare) == 1:
        return part
    return _unlisted(bare, leads=leads) + tail


def _unlisted(bare: str, *, leads: bool) -> str:
    """A word that no list has."""
    if "." in bare:
        return _dotted(bare)
    found = _TAIL.match(bare)
    if found and found[1]:
        return _part(found[1], leads=leads) + found[2] + found[3].lower()
    return _with_digits(bare) if any(map(str.isdigit, bare)) else _letters(bare)


def _dotted(part: str) -> str:
    pieces = part.split(".")
    cased = [_part(piece, leads=True) if piece else piece for piece in pieces]
    if pieces[-1] in word_set(_TABLE, "top_level"):
        cased[-1] = pieces[-1].lower()
    return ".".join(cased)


def _with_digits(part: str) -> str:
    if _ORDINAL.match(part):
        return part.lower()
    found = _LED_BY_DIGITS.match(part)
    if found:
        return found[1] + _letters(found[2])
    letters = sum(character.isalpha() for character in part)
    return part if letters <= 3 else _capitalized(part)


def _letters(word: str) -> str:
    if "'" in word or "’" in word:
        mark = "'" if "'" in word else "’"
        head, rest = word.split(mark, 1)
        if len(head) <= 2 and rest:
            return head.capitalize() + mark + _capitalized(rest)
        return _capitalized(word)
    if is_acronym(word):
        return word
    found = _SCOTTISH.match(word)
    return "Mc" + word[2:].capitalize() if found else _capitalized(word)


def _capitalized(word: str) -> str:
    return word[:1].upper() + word[1:].lower()


def is_acronym(word: str) -> bool:
    """Whether a short word in capitals cannot be pronounced as a word, such as KPMG, BASF or ADP."""
    if not word.isascii() or not word.isalpha() or len(word) > _MAX_ACRONYM:
        return False
    if len(word) <= 2:
        return True
    positions = [index for index, letter in enumerate(word) if letter in _VOWELS]
    if not positions:
        return True
    first, last = positions[0], positions[-1]
    onset, coda = word[:first], word[last + 1 :]
    if onset and onset not in word_set(_TABLE, "onsets"):
        return True
    # Five letters may end in any heap of consonants ("ERNST"), fewer may not ("BASF").
    return len(word) < _MAX_ACRONYM and bool(coda) and coda not in word_set(_TABLE, "codas")
