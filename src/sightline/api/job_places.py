"""The place filter of job postings: a country, region, state or city."""

from collections.abc import Iterator
from functools import cache

from sightline.domain.cities import names_of_city
from sightline.domain.countries import countries, country_from_text
from sightline.domain.names import fold
from sightline.domain.places import Place, state_from_text
from sightline.sources.place_words import REMOTE, place_of
from sightline.store.jobs import PlaceMeant, PlacesWanted

_CODE = 3  # letters; a longer text is a name
_WORLD = {
    "emea": ("Europe", "Middle East", "Africa"),
    "apac": ("Asia Pacific",),
    "latam": ("Latin America",),
    "americas": ("North America", "Latin America"),
}
_NAMED_AREAS = {
    "dach": ("DE", "AT", "CH"),
    "benelux": ("BE", "NL", "LU"),
    "nordics": ("DK", "FI", "IS", "NO", "SE"),
    "eu": tuple(
        "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split()
    ),
}


def places_wanted(text: str | None) -> PlacesWanted | None:
    """How the store looks for a place. A text that names a country is that country alone."""
    if not text or not text.strip():
        return None
    meant = tuple(_meant(text))
    # Letters such as "NY" stand within other words.
    is_sure = country_from_text(text) is not None or (meant and len(text.strip()) <= _CODE)
    return PlacesWanted(
        words=None if is_sure else text,
        meant=meant,
        remote=REMOTE.search(text) is not None,
    )


def _meant(text: str) -> Iterator[PlaceMeant]:
    if (area := _areas().get(fold(text))) is not None:
        yield PlaceMeant(area)
        return
    nation = country_from_text(text)
    if nation is not None:
        yield PlaceMeant((nation.alpha2,))
    state = state_from_text(text)
    if state is not None and (nation is None or len(text.strip()) > _CODE):
        yield PlaceMeant((state.country_code,), state.label)
    place = Place() if nation else place_of(text)
    if place.city is not None:
        code = (place.country_code,) if place.country_code else ()
        yield PlaceMeant(code, place.state, names_of_city(place.city))
    elif place.country_code is not None and state is None:
        yield PlaceMeant((place.country_code,), place.state)


@cache
def _areas() -> dict[str, tuple[str, ...]]:
    """Countries by the folded name of a part of the world."""
    by_region: dict[str, list[str]] = {}
    for each in countries():
        if each.region is not None:
            by_region.setdefault(each.region, []).append(each.alpha2)
    regions = {fold(name): tuple(codes) for name, codes in by_region.items()}
    world = {
        name: tuple(c for part in parts for c in by_region[part]) for name, parts in _WORLD.items()
    }
    return regions | world | _NAMED_AREAS
