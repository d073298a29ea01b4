"""Maps the address cells of a row to the place fields of a company record."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from sightline.domain.casing import clean_text, title_words
from sightline.domain.countries import country
from sightline.domain.places import Place, city_name, split_place, state_from_text
from sightline.imports import vocabulary

_LONGEST_PART = 120


class Address(NamedTuple):
    """The cells of a row that say where a company is; "" where the list says nothing."""

    country: str = ""
    state: str = ""
    city: str = ""
    street: str = ""
    postcode: str = ""
    whole: str = ""


def place_values(address: Address) -> dict[str, str]:
    """City, state, address, postcode, country code, country name and region, those that are known.

    A state of the US or Canada tells the country where no country is given.
    """
    values = dict(_where(address.country, address.state, address.city, address.whole))
    if not address.street and not address.postcode:
        return values
    found = {
        "hq_address": title_words(address.street),
        "hq_postcode": _postcode(address.postcode, values.get("country_code")),
    }
    return values | _known(found)


@lru_cache(1 << 13)  # a list names the same few thousand places over and over
def _where(country_cell: str, state_cell: str, city_cell: str, place_cell: str) -> dict[str, str]:
    """City, state and country; the answer is shared and not to be changed."""
    nation = vocabulary.country(country_cell)
    code = nation.alpha2 if nation else None
    whole = split_place(place_cell)
    in_city_cell = split_place(city_cell if "," in city_cell else "")
    label, state_country = _state(state_cell, code)
    if in_city_cell.city and not whole.city:
        whole = in_city_cell
    code = code or state_country or whole.country_code
    if whole.country_code not in (None, code):
        whole = Place()
    city = (in_city_cell.city and whole.city) or city_name(city_cell) or whole.city
    found: dict[str, str | None] = {
        "hq_city": city,
        "hq_state": label or whole.state,
        "country_code": code,
    }
    return _known(found | _nation(code))


def _nation(code: str | None) -> dict[str, str | None]:
    known = country(code) if code else None
    return {"hq_country_name": known.name, "region": known.region} if known else {}


def _known(found: Mapping[str, str | None]) -> dict[str, str]:
    return {field: text[:_LONGEST_PART] for field, text in found.items() if text}


def _state(text: str, code: str | None) -> tuple[str | None, str | None]:
    """Label and country of a state cell; a text that names no known state is kept as it is."""
    if not text:
        return None, None
    nation, hyphen, part = text.partition("-")  # ISO 3166-2, such as "US-TX"
    if hyphen and len(nation) == 2 and nation.isupper() and code in (None, nation):
        text, code = (part, nation) if 1 <= len(part) <= 3 and part.isalnum() else (text, code)
    known = state_from_text(text, code)
    if known is not None:
        return known.label, known.country_code
    label = clean_text(text)
    if not any(map(str.isalpha, label)):
        return None, None
    return (title_words(label) if len(label) > 3 else label), None


def _postcode(text: str, code: str | None) -> str | None:
    postcode = clean_text(text)
    whole = postcode.removesuffix(".0")
    postcode = whole if whole.isdecimal() else postcode
    if not any(map(str.isdigit, postcode)) or len(postcode) > 16:
        return None
    # Spreadsheets take the leading zero of New England away.
    if code == "US" and postcode.isdigit() and len(postcode) in (3, 4):
        return postcode.zfill(5)
    return postcode.upper()
