"""Places as business lists write them: "San Francisco, CA, USA", "Dublin, Ireland", "NEW YORK".

States are known for the United States, Canada, Australia, India and the United Kingdom; elsewhere
the words of the list are kept. What a text does not say stays None.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from sightline.domain.casing import clean_text, title_words
from sightline.domain.cities import is_city_of
from sightline.domain.countries import Country, country_from_text
from sightline.domain.names import fold
from sightline.domain.tables import rows_of


@dataclass(frozen=True, slots=True)
class Place:
    """A place. ``state`` is a postal code in the US, Canada and Australia, elsewhere a name."""

    city: str | None = None
    state: str | None = None
    country_code: str | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A first-level division: ``code`` without the country, as in ISO 3166-2 ("US-CA" is "CA")."""

    country_code: str
    code: str
    name: str

    @property
    def label(self) -> str:
        """What readers of the country write: the code where it is postal custom, else the name."""
        return self.code if self.country_code in _POSTAL_CUSTOM else self.name


_NOWHERE = Place()
_LONGEST = 500  # characters that are looked at: a place is no paragraph
_POSTAL_CUSTOM = frozenset({"US", "CA", "AU"})
# Bare codes without a country are read for these alone: "Springfield, IL" and "Toronto, ON".
_CODE_COUNTRIES = ("US", "CA")
_CITY_STATES = frozenset({"SG", "HK", "MO", "MC", "GI", "VA"})
# "New York" and "Washington" alone are the city as often as the state.
_CITY_AND_STATE = {"new york": "NY", "washington": None}
_NOT_US_GEORGIA = frozenset({"tbilisi", "batumi", "kutaisi", "rustavi"})
_NEXT_PLACE = re.compile(r"\s*[;|\n]\s*| / ")
_ASIDE = re.compile(
    r"\([^)]*\)|\[\d+\]|\b(?:fully )?remote\b|\bheadquarters\b|\bHQ\b|\bhybrid\b", re.IGNORECASE
)
_POSTCODE = re.compile(r"\s+(?:\d{5}(?:-\d{4})?|[A-Z]\d[A-Z]\s?\d[A-Z]\d)$", re.IGNORECASE)
_ABSENT = frozenset(
    {"", "n a", "na", "none", "null", "unknown", "anywhere", "worldwide", "global", "various"}
)


@lru_cache(1 << 13)  # the same few hundred words fill a whole column
def split_place(text: str | None) -> Place:
    """City, state and country of a place in one text; the first of several places counts.

    "Remote" is not a place. A code alone after a city ("Wilmington, DE") is a US state or Canadian
    province when there is one of that code.
    """
    for piece in _NEXT_PLACE.split((text or "")[:_LONGEST]):
        parts = [clean_text(part) for part in _ASIDE.sub("", piece).split(",")]
        parts = [part.strip(" -–—.") if not part.endswith(".C.") else part for part in parts]
        parts = [part for part in parts if fold(part) not in _ABSENT]
        place = _place(parts) if parts else _NOWHERE
        if place != _NOWHERE:
            return place
    return _NOWHERE


def city_name(text: str | None) -> str | None:
    """A city for display: "NEW YORK" and "new york" become "New York"; None for fillers."""
    clean = clean_text(text or "").strip(",;")
    if fold(clean) in _ABSENT:
        return None
    if clean.islower():
        clean = clean.upper()
    return title_words(clean)


@lru_cache(1 << 13)
def state_from_text(text: str | None, country_code: str | None = None) -> State | None:
    """The state that a code or name means; without a country the US and Canada come first.

    Codes are read without a country only for the US and Canada; names for all known countries.
    """
    folded = fold(_POSTCODE.sub("", (text or "")[:_LONGEST].strip()))
    if country_code is not None:
        return _states().get((country_code.upper(), folded))
    known = _states()
    countries = _CODE_COUNTRIES if len(folded) <= 3 else _state_countries()
    return next((known[c, folded] for c in countries if (c, folded) in known), None)


def _place(parts: list[str]) -> Place:
    if len(parts) == 1:
        return _single(parts[0])
    nation = country_from_text(parts[-1])
    if nation is not None and not _is_state(parts):
        return _with_country(parts, nation)
    state = state_from_text(parts[-1])
    if state is not None:
        return Place(_city(parts[:-1]), state.label, state.country_code)
    # A county or district number ("Tacoma, 053") is no name of a state.
    named = parts[-1] if any(map(str.isalpha, parts[-1])) else None
    return Place(city_name(parts[0]), city_name(named), None)


def _is_state(parts: Sequence[str]) -> bool:
    """Whether a last part that reads as a country is a state: "Atlanta, GA", "Paris, Georgia"."""
    last = parts[-1]
    state = state_from_text(last)
    if state is None:
        return False
    if len(last) > 3:
        # Territories are countries of their own in ISO 3166; the nations of the UK are in the UK.
        return fold(last) == "georgia" and fold(parts[0]) not in _NOT_US_GEORGIA
    nation = country_from_text(last)
    if nation is not None and is_city_of(parts[0], nation.alpha2):
        return False  # "Berlin, DE"
    # "San Francisco, CA, CA": with a state before it, the code is the country's.
    return len(parts) == 2 or state_from_text(parts[-2]) is None


def _single(part: str) -> Place:
    folded = fold(part)
    if folded in _CITY_AND_STATE:
        return Place(city_name(part), _CITY_AND_STATE[folded], "US")
    if folded in {"washington dc", "washington d c"}:
        return Place("Washington", "DC", "US")
    nation = country_from_text(part)
    state = state_from_text(part)
    if nation is not None and state is not None and state.country_code != nation.alpha2:
        return _NOWHERE
    if state is not None and len(folded) > 3:
        return Place(None, state.label, state.country_code)
    if nation is None:
        return Place(None if state else city_name(part))
    return Place(nation.name if nation.alpha2 in _CITY_STATES else None, None, nation.alpha2)


def _with_country(parts: list[str], nation: Country) -> Place:
    code = nation.alpha2
    within = state_from_text(parts[-1], code)
    if within is not None:
        # "London, England": the country's name is a state of it.
        return Place(_city(parts[:-1]), within.label, code)
    rest = parts[:-1]
    state = state_from_text(rest[-1], code)
    if len(rest) == 1:
        both = fold(rest[0])
        if code == "US" and both in _CITY_AND_STATE:
            return Place(city_name(rest[0]), _CITY_AND_STATE[both], code)
        if state is not None and not is_city_of(both, code):
            return Place(None, state.label, code)
        return Place(city_name(rest[0]), None, code)
    if state is not None:
        return Place(_city(rest[:-1]), state.label, code)
    return Place(city_name(rest[0]), city_name(rest[-1]), code)


def _city(parts: Sequence[str]) -> str | None:
    """The city stands right before the state; what stands before it is a street."""
    return city_name(parts[-1]) if parts else None


@cache
def _states() -> dict[tuple[str, str], State]:
    """States by country code and folded code, name or alias."""
    table: dict[tuple[str, str], State] = {}
    for row in rows_of("states.tsv"):
        state = State(row["country"], row["code"], row["name"])
        for word in (state.code, state.name, *filter(None, row["aliases"].split("|"))):
            table.setdefault((state.country_code, fold(word)), state)
    return table


@cache
def _state_countries() -> tuple[str, ...]:
    return tuple(dict.fromkeys(country_code for country_code, _ in _states()))
