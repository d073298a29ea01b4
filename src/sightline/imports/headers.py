"""What a column header suggests: the fields that the column may have, with a confidence.

Headers are compared squeezed (letters and digits only, no accents), so "# Employees",
"numberOfEmployees" and "Number of employees" are one.
"""

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files

from sightline.domain.names import fold
from sightline.imports.fields import Kind, fields_of

_ASIDE = re.compile(
    r"[(\[{].*?[)\]}]|\bin\s+(?:us\$?|usd|eur|millions?|thousands?|billions?|m|k)\b.*$", re.I
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LONGEST = 200  # characters that are looked at; what names a column is shorter
_FROM_NESTING = 3  # percent a nested column loses per level that had to be left out
_FROM_PREFIX = 2  # percent that the "hq" of "hqcity" adds

_Found = list[tuple[str, int]]


@lru_cache(maxsize=4096)
def header_meanings(header: str, kind: Kind = "accounts") -> tuple[tuple[str, float], ...]:
    """The fields a header may stand for with a confidence of 0 to 1, most certain first.

    Of a nested name of a company ("meta.hq.city") the longest ending that says something counts; of a
    person, only the whole name: the manager's address is not the person's.
    """
    levels = [level.removesuffix("[]") for level in header[:_LONGEST].split(".")]
    if kind == "contacts":
        words = _words(" ".join(levels))
        unnumbered = [bare for word in words if (bare := word.rstrip("0123456789"))]
        return _with_loss(_exact(words, kind) or _meanings(unnumbered, kind), 0)
    nested = _words_of("nested")
    wrapped = {_squeezed(level) for level in levels[:-1]} <= nested["wrappers"].keys()
    is_of_another_thing = _squeezed(levels[-1]) in nested["generic"] and not wrapped
    # The last level alone is about the other thing as well.
    for skipped in range(len(levels) - is_of_another_thing):
        words = _words(" ".join(levels[skipped:]))
        found = _exact(words, kind)
        if not found and not is_of_another_thing:
            found = _meanings(words, kind)
        if found:
            return _with_loss(found, skipped)
    return ()


def _with_loss(found: _Found, skipped: int) -> tuple[tuple[str, float], ...]:
    loss = min(skipped, 3) * _FROM_NESTING
    return tuple((field, max(percent - loss, 5) / 100) for field, percent in found)


def knows_header(header: str) -> bool:
    """Whether the words of a header are any we know."""
    return bool(header_meanings(header) or header_meanings(header, "contacts"))


@cache
def _words_of(part: str) -> dict[str, dict[str, int]]:
    """A table of ``data/headers.toml``: words with their number."""
    text = files("sightline.imports").joinpath("data", "headers.toml").read_text(encoding="utf-8")
    return {
        name: {
            entry.partition(":")[0]: int(entry.partition(":")[2] or 0) for entry in words.split()
        }
        for name, words in tomllib.loads(text)[part].items()
    }


def _squeezed(phrase: str) -> str:
    return "".join(_words(phrase))


def _words(phrase: str) -> list[str]:
    return fold(_HUMP.sub(" ", _ASIDE.sub(" ", phrase).replace("_", " "))).split()


def _exact(words: list[str], kind: Kind, shift: int = 0) -> _Found:
    found = fields_of(kind).headers.get("".join(words), ())
    return sorted(((f, min(p + shift, 99)) for f, p in found), key=lambda pair: -pair[1])


def _meanings(words: list[str], kind: Kind) -> _Found:
    """What the words say behind those that say whose value it is."""
    context, shift, rest = _words_of("context")[kind], 0, words
    while rest:
        if found := _exact(rest, kind, shift):
            return found
        if rest[0] not in context:
            # "hqcity" and "hqzip" are written in one word.
            joined = "".join(rest)
            return (
                _exact([joined[2:]], kind, _FROM_PREFIX) if joined[:2] == "hq" and not shift else []
            )
        shift += context[rest[0]]
        rest = rest[1:]
    return []
