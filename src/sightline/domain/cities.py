"""The country of a city whose name is unambiguous: `data/cities.tsv`, loaded on first use."""

from functools import cache
from typing import NamedTuple

from sightline.domain.names import fold
from sightline.domain.tables import read_table


class CityHome(NamedTuple):
    """ISO 3166-1 code, and the postal code of the state in the US, Canada and Australia if certain."""

    country_code: str
    state: str | None


def home_of_city(city: str) -> CityHome | None:
    """Where the one large city of a name lies, in English or local spelling; None for shared names."""
    place = _homes().get(fold(city))
    if place is None:
        return None
    country_code, _, state = place.partition("-")
    return CityHome(country_code, state or None)


def names_of_city(city: str) -> tuple[str, ...]:
    """All folded names of a city, its own first: "munich" and "munchen"; one where no other is known."""
    folded = fold(city)
    return (folded, *(name for name in _other_names().get(folded, ()) if name != folded))


def is_city_of(city: str, country_code: str) -> bool:
    """Whether a country's code after a city ("Berlin, DE") means the country and not a state."""
    folded = fold(city)
    return _homes().get(folded, "")[:2] == country_code or folded in _with_code().get(
        country_code, ()
    )


@cache
def _homes() -> dict[str, str]:
    """By folded city: "DE", "US-CA"."""
    return {
        city: place
        for place, cities in _lines()
        if not place.startswith("+")
        for city in cities.replace("=", "|").split("|")
    }


@cache
def _other_names() -> dict[str, list[str]]:
    several = (
        city.split("=") for _, cities in _lines() for city in cities.split("|") if "=" in city
    )
    return {name: names for names in several for name in names}


@cache
def _with_code() -> dict[str, frozenset[str]]:
    return {
        place[1:]: frozenset(cities.split("|"))
        for place, cities in _lines()
        if place.startswith("+")
    }


def _lines() -> list[tuple[str, str]]:
    lines = read_table("cities.tsv").splitlines()
    parted = (line.partition("\t") for line in lines if not line.startswith("#"))
    return [(place, cities) for place, _, cities in parted]
