"""Cities: recognizes spellings of the same one, and groups cities around a large one."""

from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from sightline.domain.names import fold
from sightline.match.names import read_name

MOST_AREAS: Final = 3
"""Of how many areas a name of a city can be: there is a Richmond near London and one near Melbourne."""
# "Kariya-shi" is Kariya, "Dublin 4" Dublin and "Paris Cedex" Paris.
_TAILS: Final = frozenset("ku shi si gun city cedex".split())


@lru_cache(maxsize=50_000)
def city_key(text: str) -> str:
    """The words of a city as keys; well-known cities read alike in all languages."""
    head = _head(text)
    return " ".join(word.key for word in read_name(head).words) if head else ""


@lru_cache(maxsize=50_000)
def areas_of(text: str) -> tuple[int, ...]:
    """The numbers, from 1, of the metropolitan areas that have a city of this name, at most MOST_AREAS.

    Head office and registered seat are often two cities of one of them.
    """
    words = fold(_head(text)).split()
    while words:
        found = _areas().get(" ".join(words))
        if found:
            return found
        if not (words[-1].isdigit() or words[-1] in _TAILS):
            break
        words.pop()
    return ()


def _head(text: str) -> str:
    """What is before the first comma; "" for a text without letters."""
    first = text.split(",")[0]
    return first if fold(first) else text if fold(text) else ""


@cache
def _areas() -> dict[str, tuple[int, ...]]:
    """By folded city: ``data/metros.tsv`` has an area a line, the large city first."""
    text = files("sightline.match").joinpath("data", "metros.tsv").read_text(encoding="utf-8")
    found: dict[str, tuple[int, ...]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        for city in line.split("|"):
            found[city] = (*found.get(city, ()), number)[:MOST_AREAS]
    return found
