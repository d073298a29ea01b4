"""Address cells of a row to the place fields of a company record."""

import re
from dataclasses import dataclass

from sightline.domain.casing import clean_text, title_words
from sightline.domain.countries import country
from sightline.domain.places import Place, city_name, split_place, state_from_text
from sightline.imports import vocabulary

_SUBDIVISION = re.compile(r"([A-Z]{2})-([A-Z0-9]{1,3})")  # ISO 3166-2
_LONGEST_PART = 120


@dataclass(frozen=True, slots=True)
class Address:
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
    nation = vocabulary.country(address.country)
    code = nation.alpha2 if nation else None
    whole = split_place(address.whole) if address.whole else Place()
    city_cell = split_place(address.city) if "," in address.city else None
    state_label, state_country = _state(address.state, code)
    if city_cell is not None and city_cell.city:
        whole = whole if whole.city else city_cell
    code = code or state_country or whole.country_code
    fits = whole.country_code in (None, code)
    city = (whole.city if city_cell and city_cell.city and fits else city_name(address.city)) or (
        whole.city if fits else None
    )
    found = {
        "hq_city": city,
        "hq_state": state_label or (whole.state if fits else None),
        "hq_address": _street(address.street),
        "hq_postcode": _postcode(address.postcode, code),
        "country_code": code,
    }
    values = {field: text[:_LONGEST_PART] for field, text in found.items() if text}
    if code:
        known = country(code)
        values["hq_country_name"] = known.name
        if known.region:
            values["region"] = known.region
    return values


def _state(text: str, code: str | None) -> tuple[str | None, str | None]:
    """Label and country of a state cell; a text that names no known state is kept as it is."""
    if not text:
        return None, None
    subdivision = _SUBDIVISION.fullmatch(text)
    if subdivision and code in (None, subdivision[1]):
        text, code = subdivision[2], subdivision[1]
    known = state_from_text(text, code)
    if known is not None:
        return known.label, known.country_code
    label = clean_text(text)
    if not any(map(str.isalpha, label)):
        return None, None
    return (title_words(label) if len(label) > 3 else label), None


def _street(text: str) -> str | None:
    return title_words(text) or None if text else None


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
