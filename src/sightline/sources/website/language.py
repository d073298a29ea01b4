"""The language of a text, by its script and its most common words.

Short function words tell languages of one script apart after a few dozen words; what a page declares
is believed only where its text is too short to tell.
"""

import re
from functools import cache

from sightline.sources.website.document import vocabulary

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_MIN_WORDS = 12
_SAMPLE = 4_000
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af\u1100-\u11ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("bn", re.compile("[\u0980-\u09ff]")),
    ("gu", re.compile("[\u0a80-\u0aff]")),
    ("pa", re.compile("[\u0a00-\u0a7f]")),
    ("ta", re.compile("[\u0b80-\u0bff]")),
    ("te", re.compile("[\u0c00-\u0c7f]")),
    ("kn", re.compile("[\u0c80-\u0cff]")),
    ("ml", re.compile("[\u0d00-\u0d7f]")),
    ("ka", re.compile("[\u10a0-\u10ff]")),
    ("hy", re.compile("[\u0530-\u058f]")),
)


def language_of(text: str, *, declared: str | None = None) -> str | None:
    """ISO 639-1 code; None when neither text nor declaration tells."""
    sample = text[:_SAMPLE]
    letters = sum(1 for char in sample if char.isalpha())
    if letters >= 20:
        for code, script in _SCRIPTS:
            # Japanese has few kana among many Chinese characters.
            share = 0.1 if code == "ja" else 0.3
            if len(script.findall(sample)) > share * letters:
                return code
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


def read_code(declared: str | None) -> str | None:
    """The language of "de-DE", "en_US" or "pt"; None for what is no language code."""
    if not declared:
        return None
    code = re.split(r"[-_,;\s]", declared.strip().lower(), maxsplit=1)[0]
    code = {"iw": "he", "in": "id", "nb": "no", "nn": "no"}.get(code, code)
    return code if len(code) == 2 and code.isascii() and code.isalpha() and code != "xx" else None


@cache
def _common() -> dict[str, frozenset[str]]:
    return {code: frozenset(words.split()) for code, words in vocabulary()["languages"].items()}
