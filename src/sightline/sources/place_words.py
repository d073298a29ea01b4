"""Parses one place: "Remote (New Jersey, US)", "US-CA-San Francisco", "Illinois - Chicago"."""

import re
from collections.abc import Sequence
from functools import cache

from sightline.domain.cities import home_of_city
from sightline.domain.countries import country_from_text
from sightline.domain.names import fold
from sightline.domain.places import Place, split_place, state_from_text
from sightline.sources.vocabulary import vocabulary

REMOTE = re.compile(
    r"\b(?:100\s?%\s*|fully\s+)?(?:remote(?:ly)?|home[\s-]?office|home[\s-]?based|work[\s-]from[\s-]home|wfh"
    r"|telecommute|telework|télétravail|teletrabajo|remoto|remota|distributed|virtual)\b",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"\b(?:hybrid|on[\s-]?site|in[\s-]office|in[\s-]person|office|based|eligible|friendly|only|anywhere in"
    r"|within|preferred|headquarters|hq|location|flexible|select locations|multiple locations"
    r"|region|bay area|area|cbd|city cent(?:er|re)|downtown|cedex|hub|campus"
    r"|greater|^field|anywhere|metro(?:politan)?(?: area)?)\b"
    r"|^(?:in|the(?! hague)|from|across)\b|\bin the\b",
    re.IGNORECASE,
)
_MAX_PLACE = 200
"""Characters; a longer text is no place."""
BRACKETS = re.compile(rf"\(([^)]{{0,{_MAX_PLACE}}})\)|\[([^\]]{{0,{_MAX_PLACE}}})\]")
_EDGES = " \t-–—:,./()[]*+"
_CODE_CHAIN = re.compile(r"^([A-Z]{2,3})\s?-\s?([A-Z]{2,3})(?:\s?-\s?(.+))?$")
_DASH = re.compile(r"\s*[-–—]+\s+|\s*-{2,}\s*|:\s+")
_STATE_TAIL = re.compile(r"^([^,]*[^\W\d_]{3,}[^,]*?)\s+([A-Z]{2})$")
_COUNTRY_TAIL = re.compile(r"^(.{2,}?),?\s+(USA|US|UK|UAE|CAN)$")
COUNTRY_LEAD = re.compile(r"^([A-Z]{2,3}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)\s?[-–:]\s?(?=[^\W\d_]{2})")
_CODE_FIRST = re.compile(r"^([A-Z]{2}) (.+)$")
# "Dublin 2", "Paris 8e", "10115 Berlin".
_POSTAL_NUMBER = re.compile(r"^\d{4,6}\s+|\s+\d{1,2}(?:e|er|[eè]me)?$")
_DIRECTIONS = frozenset(
    "southwest southeast northeast northwest midwest central east west north south nationwide office home"
    " offices".split()
) | {"east coast", "west coast"}
# Before the name of a state these make a town's name of it: "Fort Washington".
_NAME_STARTS = frozenset(
    "fort port mount new west east north south lake old upper lower saint st".split()
)
# Short forms of cities that stand alone in lists of offices.
SHORT_CITIES = {
    "nyc": Place("New York", "NY", "US"),
    "new york city": Place("New York", "NY", "US"),
    "sf": Place("San Francisco", "CA", "US"),
    "chi": Place("Chicago", "IL", "US"),
    "atl": Place("Atlanta", "GA", "US"),
    "washington dc": Place("Washington", "DC", "US"),
    "dc": Place("Washington", "DC", "US"),
}


def place_of(text: str) -> Place:
    """City, region and country of one place: "Remote (New Jersey, US)", "US-CA-San Francisco"."""
    if len(text) > _MAX_PLACE:
        return Place()
    whole = text.strip()
    if text.startswith("("):
        whole = whole.removeprefix("(").removesuffix(")")
    bare = without_asides(whole)
    if (known := _whole_place(bare)) is not None:
        return known
    parts = _city_first(_parts(bare))
    place = split_place(", ".join(parts))
    city = _city_of(place.city or "")
    vague = place.country_code is None and len(place.state or "") <= 3
    if vague and place.state and (state := state_from_text(place.state, "AU")) is not None:
        return Place(city, state.label, "AU")
    return at_home(Place(city, None if vague else place.state, place.country_code), parts)


def _city_of(name: str) -> str | None:
    """The city that a name or its short form means; None for words that name no city."""
    folded = fold(name)
    if folded in no_city():
        return None
    return SHORT_CITIES[folded].city if folded in SHORT_CITIES else name or None


def _whole_place(bare: str) -> Place | None:
    """The place of a text that is read as a whole; None for one that has parts to tell apart."""
    folded = fold(bare)
    if not folded or folded in no_city():
        return Place()
    if folded in SHORT_CITIES:
        return SHORT_CITIES[folded]
    if is_state_code(bare) and country_from_text(bare) is None:
        state = state_from_text(bare)
        return Place(None, state.label, state.country_code) if state else Place()
    nation = _nation_and_direction(bare)
    return None if nation is None else Place(None, None, nation)


def _city_first(parts: list[str]) -> list[str]:
    """The parts of a place from the smallest to the largest."""
    if len(parts) > 1 and is_country(parts[0]) and _may_be_within(parts[-1], parts[0]):
        if len(parts) > 2 and is_state(parts[-1]):
            return [*parts[1:], parts[0]]  # "US: Fresno, California"
        return parts[::-1]  # "United States, California, Fresno"
    if (
        len(parts) == 2
        and is_state_name(parts[0])
        and not (is_country(parts[1]) or is_state(parts[1]))
    ):
        return parts[::-1]  # "Illinois - Chicago"
    return parts


def at_home(place: Place, words: Sequence[str] = ()) -> Place:
    """A place with the country, and state, of its city where nothing said lies elsewhere.

    `words` are all parts of the place. Of "Team North - Stuttgart" the one that is a known city counts.
    """
    city, region = _POSTAL_NUMBER.sub("", place.city or ""), place.state
    home = home_of_city(city)
    if home is None and place.country_code is None and region and (home := home_of_city(region)):
        city, region = region, None
    if home is None or not _all_within(words, home.country_code):
        return place
    if place.country_code not in (None, home.country_code):
        # "Pune, MH" and "Perth, WA": the code of a state there reads as another country or state.
        state = state_from_text(words[-1], home.country_code) if words else None
        return Place(city, state.label, home.country_code) if state else place
    return Place(city, region or home.state, home.country_code)


def _all_within(words: Sequence[str], nation: str) -> bool:
    """Whether no word is a city that lies in another country."""
    homes = (home_of_city(word) for word in words)
    return all(home is None or home.country_code == nation for home in homes)


def without_asides(text: str) -> str:
    """The place without words about how one works; what brackets hold counts if nothing else does."""
    inside = [next(filter(None, found), "") for found in BRACKETS.findall(text)]
    outside = cleared(BRACKETS.sub(" ", text))
    if fold(outside):
        return outside
    return next((words for part in inside if fold(words := cleared(part))), "")


def cleared(text: str) -> str:
    """A text without words about how one works and without loose punctuation."""
    text = " ".join(text.split())
    text = _FILLER.sub(" ", _FILLER.sub(" ", REMOTE.sub(" ", text)).strip(_EDGES))
    text = re.sub(r"^\s*(?:in|or|and|from)\s+|\s+(?:in|or|and)\s*$", " ", text.strip(_EDGES))
    text = re.sub(r"(?:\s*,\s*)+(?=,)", "", text)
    return (
        " ".join(text.split()).strip(_EDGES) if not text.strip().endswith("D.C.") else text.strip()
    )


def is_country(word: str) -> bool:
    """Whether a word is a country: a name, or a code in capitals."""
    word = word.strip()
    if len(word) == 2 and not word.isupper():
        return False
    return country_from_text(word) is not None


def is_state(word: str) -> bool:
    """Whether a word is a state or province, by code or name."""
    return is_state_code(word) or is_state_name(word)


def is_state_code(word: str) -> bool:
    """Whether a word is the code of a US state or Canadian province."""
    return len(word) == 2 and word.isupper() and state_from_text(word) is not None


def is_state_name(word: str) -> bool:
    """Whether a word is the full name of a state or province."""
    return len(word) > 3 and state_from_text(word) is not None


def _nation_and_direction(bare: str) -> str | None:
    """The country of "Southwest USA", "US East Coast", "NY" (none) and "Puerto Rico" alone."""
    words = bare.split() if country_from_text(bare) is None else []
    for cut in range(1, len(words)):
        head, tail = " ".join(words[:cut]), " ".join(words[cut:])
        for place, rest in ((head, tail), (tail, head)):
            if fold(rest) in _DIRECTIONS and is_country(place) and not is_state_code(place):
                nation = country_from_text(place)
                return nation.alpha2 if nation else None
    nation = country_from_text(bare) if len(bare) > 3 and fold(bare) != "georgia" else None
    return nation.alpha2 if nation and nation.alpha2 == "PR" else None


def _parts(bare: str) -> list[str]:
    bare = _with_commas(bare)
    if tail := _COUNTRY_TAIL.match(bare):
        bare = f"{tail[1]}, {tail[2]}"
    pieces = []
    for piece in bare.split(","):
        piece = piece.strip() if piece.strip().endswith("D.C.") else piece.strip(_EDGES)
        state = _STATE_TAIL.match(piece)
        if state and state_from_text(state[2]) is not None:
            pieces += [state[1], state[2]]
        elif piece:
            pieces += _with_state_name(piece)
    return pieces


def _with_commas(bare: str) -> str:
    """A place whose parts stand between commas, whatever stood between them."""
    if chain := _CODE_CHAIN.match(bare):
        named = country_from_text(chain[1]) is not None
        return ", ".join(filter(None, chain.groups())) if named else bare
    if parted := _after_country(bare) or _after_code(bare):
        return parted
    is_list = "," in bare and not is_country(_DASH.split(bare)[0])
    return bare if is_list else _DASH.sub(", ", bare)


def _after_country(bare: str) -> str | None:
    """ "Germany - Berlin" with a comma; None for a text that starts with no country."""
    lead = COUNTRY_LEAD.match(bare)
    if lead is None or not is_country(lead[1]) or country_from_text(bare) is not None:
        return None
    rest = bare[lead.end() :]
    # "CA-Toronto" and "CA-Fresno" read as "Toronto, CA" and "Fresno, CA" do.
    return f"{rest}, {lead[1]}" if is_state_code(lead[1]) else f"{lead[1]}, {rest}"


def _after_code(bare: str) -> str | None:
    """ "DE Berlin" as "Berlin, DE"; None where the city is not known to lie in that country."""
    first = _CODE_FIRST.match(bare)
    home = home_of_city(first[2]) if first else None
    return f"{first[2]}, {first[1]}" if first and home and home.country_code == first[1] else None


def _with_state_name(piece: str) -> list[str]:
    """ "Herndon Virginia" as town and state, "Tokyo Japan" as town and country; others as they are."""
    town, _, last = piece.rpartition(" ")
    apart = (
        town
        and fold(town) not in _NAME_STARTS
        and (is_state_name(last) or (len(last) > 3 and country_from_text(last) is not None))
        and fold(last) != "island"  # the country's own name of Iceland in German
        and not is_state_name(piece)
        and country_from_text(piece) is None
        and home_of_city(piece) is None
    )
    return [town, last] if apart else [piece]


def _may_be_within(word: str, nation: str) -> bool:
    """Whether a word can be a part of a country: no country, or a state there ("US, Georgia")."""
    country = country_from_text(nation)
    state = state_from_text(word, country.alpha2) if country else None
    return not is_country(word) or state is not None


@cache
def no_city() -> frozenset[str]:
    """Folded words that stand where a place should and are none."""
    return vocabulary("no_city")
