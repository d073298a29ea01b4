"""The look-ups of the domain behind one memory: the same few hundred words fill a whole column."""

from functools import lru_cache

from sightline.domain.countries import Country, country_from_text
from sightline.domain.industries import (
    Industry,
    industry_from_naics,
    industry_from_sic,
    industry_from_text,
    sector_from_naics,
    sector_from_sic,
    sector_from_text,
)
from sightline.domain.places import Place, State, split_place, state_from_text

_REMEMBERED = 1 << 13
# Signs of one letter of the Convention on Road Traffic, which no code of ISO 3166 is.
_VEHICLES = {
    "A": "AT", "B": "BE", "D": "DE", "E": "ES", "F": "FR", "H": "HU", "I": "IT", "J": "JP", "L": "LU",
    "M": "MT", "N": "NO", "P": "PT", "S": "SE", "T": "TH",
}  # fmt: skip


@lru_cache(_REMEMBERED)
def country(text: str) -> Country | None:
    """See `country_from_text`; lists also have the letter of vehicles: "D"."""
    return country_from_text(_VEHICLES.get(text.strip(), text))


@lru_cache(_REMEMBERED)
def industry(text: str) -> Industry | None:
    """See `industry_from_text`."""
    return industry_from_text(text)


@lru_cache(_REMEMBERED)
def sector(text: str) -> str | None:
    """See `sector_from_text`."""
    return sector_from_text(text)


@lru_cache(_REMEMBERED)
def industry_of_code(system: str, code: str) -> Industry | None:
    """The industry of a code of "sic" or "naics"."""
    return industry_from_sic(code) if system == "sic" else industry_from_naics(code)


@lru_cache(_REMEMBERED)
def sector_of_code(system: str, code: str) -> str | None:
    """The sector of a code of "sic" or "naics", also of one too broad for an industry."""
    return sector_from_sic(code) if system == "sic" else sector_from_naics(code)


@lru_cache(_REMEMBERED)
def place(text: str) -> Place:
    """See `split_place`."""
    return split_place(text)


@lru_cache(_REMEMBERED)
def state(text: str, country_code: str | None) -> State | None:
    """See `state_from_text`."""
    return state_from_text(text, country_code)


def is_industry(text: str) -> bool:
    """Whether a text names an industry or a sector."""
    return industry(text) is not None or sector(text) is not None
