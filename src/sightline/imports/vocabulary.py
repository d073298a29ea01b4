"""Words in lists that the vocabularies of the domain lack or have twice."""

from functools import lru_cache

from sightline.domain.countries import Country, country_from_text
from sightline.domain.industries import industry_from_text, sector_from_text

# Signs of one letter of the Convention on Road Traffic, which no code of ISO 3166 is.
_VEHICLES = {
    "A": "AT", "B": "BE", "D": "DE", "E": "ES", "F": "FR", "H": "HU", "I": "IT", "J": "JP", "L": "LU",
    "M": "MT", "N": "NO", "P": "PT", "S": "SE", "T": "TH",
}  # fmt: skip


@lru_cache(1 << 13)
def country(text: str) -> Country | None:
    """See `country_from_text`; lists also have the letter of vehicles: "D"."""
    return country_from_text(_VEHICLES.get(text.strip(), text))


def is_industry(text: str) -> bool:
    """Whether a text names an industry or a sector."""
    return industry_from_text(text) is not None or sector_from_text(text) is not None
