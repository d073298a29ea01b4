"""EDGAR's names and places in ordinary spelling."""

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Final

import phonenumbers

from sightline.domain.casing import title_words
from sightline.domain.contacts import PARTICLES
from sightline.domain.names import tidy_name
from sightline.domain.places import city_name, state_from_text
from sightline.reading.legal_forms import is_organization_name
from sightline.reading.people import ending_of, word_case

# "PLUM CORP /DE/", "PLUM CORP/CA", "PLUM CO/", "PLUM AG/ADR": EDGAR's
# way to tell two registrants of one name apart.
_TAIL = re.compile(r"\s*[/\\]\s*(?:[A-Z]{2,4}\s*[/\\]?)?\s*$")
# EDGAR drops the stop: "PLUM COM INC".
_DOT_COM = re.compile(
    r"(?<=\w) COM\b(?=$| (?:INC|CORP|LTD|LLC|GROUP|HOLDINGS?|CO|PLC)\b)", re.IGNORECASE
)
_FORM_WORD = re.compile(r"\s(?:Co|Corp|Inc|Ltd|Llc|Plc|Lp)\.?,?$")
_MAX_ACRONYM = 6
_MOSTLY = 0.85

ADDRESS_PARTS: Final = {
    "hq_address": "street1", "hq_city": "city", "hq_state": "stateOrCountry",
    "hq_postcode": "zipCode", "country_code": "stateOrCountry",
}  # fmt: skip
"""What EDGAR calls the part of an address that a field is taken from."""


def registrant_name(name: str) -> str:
    """A registrant's name in ordinary case, without the "/DE/" that EDGAR adds to some."""
    plain = _TAIL.sub("", name.strip()) or name.strip()
    plain = _DOT_COM.sub(".COM" if plain.isupper() else ".com", plain)
    head = _FORM_WORD.sub("", plain)
    # "PLUM & PEAR Co" is all capitals as well; "PQR Corp" and other short words are their owner's own.
    if head != plain and head.isupper() and (" " in head or len(head) > _MAX_ACRONYM):
        plain = plain.upper()
    letters = [letter for letter in plain if letter.isalpha()]
    if " " in plain and sum(map(str.isupper, letters)) > _MOSTLY * len(letters) > 6:
        plain = plain.upper()  # "McQUILL'S CORPORATION"
    return re.sub(r"\.com\b", ".com", tidy_name(plain), flags=re.IGNORECASE)


def edgar_place(code: str | None, description: str | None = None) -> tuple[str | None, str | None]:
    """Country code and state of EDGAR's place code ("CA", "A6", "2M"); None for what it leaves open."""
    key = (code or "").strip().upper()
    foreign = _foreign().get(key)
    if foreign is not None:
        country, _, region = foreign.partition("-")
        return country, region or None
    state = state_from_text(key, "US") if key else None
    if state is None and description:
        state = state_from_text(description, "US")
    return ("US", state.label) if state is not None else (None, None)


def address_fields(
    streets: Iterable[str], *, city: str, state: str | None, postcode: str, country: str | None
) -> dict[str, str]:
    """The fields of the record that an address fills, in ordinary spelling."""
    values = {
        "hq_address": ", ".join(title_words(street) for street in streets if street),
        "hq_city": city_name(city),
        "hq_state": state,
        "hq_postcode": postcode,
        "country_code": country,
    }
    return {field: value for field, value in values.items() if value}


def valid_phone(tries: Iterable[tuple[str, str | None]]) -> str | None:
    """E.164 of the first (number, country to read it at home in) that is a number."""
    for text, home in tries:
        with suppress(phonenumbers.NumberParseException):
            number = phonenumbers.parse(text, home)
            if phonenumbers.is_valid_number(number):
                return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    return None


def insider_name(name: str) -> str:
    """A person's name from the last-name-first spelling of ownership forms: "Quill Ada".

    "VAN DER BERG ANNA M" keeps its particles together; names of companies stay in their order.
    """
    clean = " ".join(name.replace(",", " ").split())
    if is_organization_name(clean):
        return tidy_name(clean)
    words = clean.split(" ")
    if len(words) < 2:
        return tidy_name(clean)
    suffix = [ending for word in words if (ending := ending_of(word))]
    words = [word for word in words if not ending_of(word)]
    last = 1
    while last < len(words) - 1 and words[last - 1].lower() in PARTICLES:
        last += 1
    ordered = words[last:] + words[:last]
    return " ".join([*(word_case(word) for word in ordered), *suffix])


@cache
def _foreign() -> dict[str, str]:
    """EDGAR's own codes of places outside the United States -> the ISO 3166 code."""
    table = files("sightline.sources.sec_edgar").joinpath("places.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    return {row[0]: row[1] for row in rows}
