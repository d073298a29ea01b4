"""The language of a text, by its script and its most common words.

Short function words tell languages of one script apart after a few dozen words; what a page declares
is believed only where its text is too short to tell.
"""

import re
import tomllib
import unicodedata
from collections import Counter
from functools import cache
from importlib.resources import files

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_MIN_WORDS = 12
_SAMPLE = 4_000
# The first word of a letter's name in Unicode, where the script has one language on the web.
_SCRIPTS = {
    "HIRAGANA": "ja", "KATAKANA": "ja", "KATAKANA-HIRAGANA": "ja", "HANGUL": "ko", "CJK": "zh",
    "GREEK": "el", "HEBREW": "he", "THAI": "th", "DEVANAGARI": "hi", "BENGALI": "bn", "GUJARATI": "gu",
    "GURMUKHI": "pa", "TAMIL": "ta", "TELUGU": "te", "KANNADA": "kn", "MALAYALAM": "ml",
    "GEORGIAN": "ka", "ARMENIAN": "hy",
}  # fmt: skip


def language_of(text: str, *, declared: str | None = None) -> str | None:
    """ISO 639-1 code; None when neither text nor declaration tells."""
    sample = text[:_SAMPLE]
    by_script = _by_script(sample)
    if by_script is not None:
        return by_script
    words = [word.casefold() for word in _WORD.findall(sample)]
    if len(words) >= _MIN_WORDS:
        scores = {
            code: sum(1 for word in words if word in common) for code, common in _common().items()
        }
        first, second = sorted(scores, key=lambda code: (-scores[code], code))[:2]
        clear = scores[first] >= 1.3 * scores[second] + 3
        if scores[first] * 12 >= len(words) and clear:
            return first
        said = read_code(declared)
        if said in {first, second} or scores[first] < 3:
            return said
        return first if scores[first] * 20 >= len(words) else said
    return read_code(declared)


def _by_script(sample: str) -> str | None:
    letters = [char for char in sample if char.isalpha()]
    if len(letters) < 20:
        return None
    names = (unicodedata.name(char, "").partition(" ")[0] for char in letters if char > "\u036f")
    counts = Counter(_SCRIPTS.get(name) for name in names)
    # Japanese has few kana among many Chinese characters.
    shares = {code: 0.1 if code == "ja" else 0.3 for code in _SCRIPTS.values()}
    return next(
        (code for code, share in shares.items() if counts[code] > share * len(letters)), None
    )


def read_code(declared: str | None) -> str | None:
    """The language of "de-DE", "en_US" or "pt"; None for what is no language code."""
    if not declared:
        return None
    code = re.split(r"[-_,;\s]", declared.strip().lower(), maxsplit=1)[0]
    code = {"iw": "he", "in": "id", "nb": "no", "nn": "no"}.get(code, code)
    return code if len(code) == 2 and code.isascii() and code.isalpha() and code != "xx" else None


@cache
def _common() -> dict[str, frozenset[str]]:
    text = (files("sightline.reading") / "data/languages.toml").read_text(encoding="utf-8")
    return {code: frozenset(words.split()) for code, words in tomllib.loads(text).items()}
