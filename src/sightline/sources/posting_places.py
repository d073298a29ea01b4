"""Places of work: one text that names several, "Remote - US", and parts given one by one."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from sightline.domain.countries import country_from_text
from sightline.domain.names import fold
from sightline.domain.places import Place, city_name, split_place, state_from_text
from sightline.domain.postings import PostingLocation, RemotePolicy
from sightline.sources.plain_text import one_line
from sightline.sources.vocabulary import vocabulary

_MAX_PLACES = 60
_HARD = re.compile(r"\s*(?:[;|\n•·]|\s/\s)\s*")
_SOFT = re.compile(r"\s+(?:or|and|&|oder|und|ou|et|y|o|e)\s+|\s*/\s*", re.IGNORECASE)
_REMOTE = re.compile(
    r"\b(?:100\s?%\s*|fully\s+)?(?:remote(?:ly)?|home[\s-]?office|home[\s-]?based|work[\s-]from[\s-]home|wfh"
    r"|telecommute|telework|télétravail|teletrabajo|remoto|remota|distributed|virtual)\b",
    re.IGNORECASE,
)
_HYBRID = re.compile(r"\bh[yíi]brid[aoe]?\b", re.IGNORECASE)
_ON_SITE = re.compile(
    r"\bon[\s-]?site\b|\bin[\s-]office\b|\bin[\s-]person\b|\bvor ort\b|\bsur site\b|\bpresencial\b",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"\b(?:hybrid|on[\s-]?site|in[\s-]office|in[\s-]person|office|based|eligible|friendly|only|anywhere in"
    r"|within|preferred|headquarters|hq|location|flexible|select locations|multiple locations"
    r"|region|bay area|area"
    r"|greater|^field|anywhere|metro(?:politan)?(?: area)?)\b|^(?:in|the|from|across)\b|\bin the\b",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\(([^)]*)\)|\[([^\]]*)\]")
_EDGES = " \t-–—:,./()[]*+"
_CODE_CHAIN = re.compile(r"^([A-Z]{2,3})\s?-\s?([A-Z]{2,3})(?:\s?-\s?(.+))?$")
_DASH = re.compile(r"\s*[-–—]+\s+|\s*-{2,}\s*|:\s+")
_STATE_TAIL = re.compile(r"^([^,]*[^\W\d_]{3,}[^,]*?)\s+([A-Z]{2})$")
_COUNTRY_TAIL = re.compile(r"^(.*[^\W\d_]{2}.*?),?\s+(USA|US|UK|UAE|CAN)$")
_COUNTRY_LEAD = re.compile(r"^([A-Z]{2,3}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)\s?[-–:]\s?(?=[^\W\d_]{2})")
_DIRECTIONS = frozenset(
    [
        "southwest",
        "southeast",
        "northeast",
        "northwest",
        "midwest",
        "central",
        "east",
        "west",
        "north",
        "south",
        "east coast",
        "west coast",
        "nationwide",
        "office",
        "home",
        "offices",
    ]
)
# Before the name of a state these make a town's name of it: "Fort Washington".
_NAME_STARTS = frozenset(
    [
        "fort",
        "port",
        "mount",
        "new",
        "west",
        "east",
        "north",
        "south",
        "lake",
        "old",
        "upper",
        "lower",
        "saint",
        "st",
    ]
)
_COUNT = re.compile(r"^\d+\s+(?:locations?|offices?|sites?|places?|standorte?)$", re.IGNORECASE)
# Short forms of cities that stand alone in lists of offices.
_SHORT_CITIES = {
    "nyc": Place("New York", "NY", "US"),
    "new york city": Place("New York", "NY", "US"),
    "sf": Place("San Francisco", "CA", "US"),
    "chi": Place("Chicago", "IL", "US"),
    "atl": Place("Atlanta", "GA", "US"),
    "washington dc": Place("Washington", "DC", "US"),
    "dc": Place("Washington", "DC", "US"),
}


def locations_from_text(text: str | None) -> tuple[PostingLocation, ...]:
    """The places of work that a text names, in its order, each once.

    "3 Locations" and empty texts name none. A place whose parts cannot be told keeps its words.
    """
    found: dict[tuple[str | None, ...], PostingLocation] = {}
    for piece in _HARD.split(one_line_keeping_breaks(text)):
        for part in _pieces(piece.strip()):
            raw = part.strip(" ,;")
            if (
                not raw
                or _COUNT.match(raw)
                or fold(raw) in {"n a", "na", "none", "null", "tbd", ""}
            ):
                continue
            place = place_of(raw)
            key = (place.city, place.state, place.country_code)
            found.setdefault(
                key if any(key) else (fold(raw),),
                PostingLocation(raw, place.city, place.state, place.country_code),
            )
    return tuple(found.values())[:_MAX_PLACES]


def one_line_keeping_breaks(text: str | None) -> str:
    """Text without entities and odd spaces; line breaks stay, since they part places."""
    return "\n".join(one_line(line) for line in (text or "").split("\n"))


def location_from_parts(
    city: str | None = None,
    region: str | None = None,
    country: str | None = None,
    *,
    raw: str | None = None,
) -> PostingLocation | None:
    """A place given in parts; the parts that are missing are read from `raw`. None for nothing."""
    words = [one_line(part) for part in (city, region, country)]
    shown = one_line(raw) or ", ".join(dict.fromkeys(filter(None, words)))
    if not shown or _COUNT.match(shown):
        return None
    nation = country_from_text(words[2])
    code = nation.alpha2 if nation else None
    state = state_from_text(words[1], code) if words[1] and (code or len(words[1]) > 2) else None
    if state is None and words[1] and code is None:
        state = state_from_text(words[1])
    region_label = state.label if state else _region_name(words[1], code)
    town = city_name(_city_words(words[0])) if words[0] else None
    read = place_of(shown) if not (town and code) else Place()
    if state is not None and code is None and words[2] == "":
        code = state.country_code
    return PostingLocation(
        raw=shown,
        city=town or (None if words[0] else read.city),
        region=region_label or (read.state if not words[1] and not town else None),
        country_code=code or read.country_code,
    )


def distinct_locations(places: Iterable[PostingLocation | None]) -> tuple[PostingLocation, ...]:
    """Places without the missing and the repeated ones."""
    found: dict[tuple[str | None, ...], PostingLocation] = {}
    for place in places:
        if place is not None:
            key = (place.city, place.region, place.country_code)
            found.setdefault(key if any(key) else (fold(place.raw),), place)
    return tuple(found.values())[:_MAX_PLACES]


def remote_from_location(text: str | None) -> RemotePolicy | None:
    """What the words of a location say about where one works; hybrid wins over remote."""
    if not text:
        return None
    if _HYBRID.search(text):
        return "hybrid"
    if _REMOTE.search(text):
        return "remote"
    return "on_site" if _ON_SITE.search(text) else None


def place_of(text: str) -> Place:
    """City, region and country of one place: "Remote (New Jersey, US)", "US-CA-San Francisco"."""
    whole = (
        text.strip().removeprefix("(").removesuffix(")") if text.startswith("(") else text.strip()
    )
    bare = _without_asides(whole)
    folded = fold(bare)
    if not folded or folded in _no_city():
        return Place()
    if folded in _SHORT_CITIES:
        return _SHORT_CITIES[folded]
    if _is_state_code(bare) and country_from_text(bare) is None:
        state = state_from_text(bare)
        return Place(None, state.label, state.country_code) if state else Place()
    if (nation := _nation_and_direction(bare)) is not None:
        return Place(None, None, nation)
    parts = _parts(bare)
    if len(parts) > 1 and _is_country(parts[0]) and not _is_country(parts[-1]):
        if len(parts) > 2 and _is_state(parts[-1]):
            parts = [*parts[1:], parts[0]]  # "US: Fresno, California"
        else:
            parts.reverse()  # "United States, California, Fresno"
    elif len(parts) == 2 and _is_state_name(parts[0]) and not _is_place_above_city(parts[1]):
        parts.reverse()  # "Illinois - Chicago"
    place = split_place(", ".join(parts))
    city = place.city
    if city is not None and fold(city) in _no_city():
        city = None
    elif city is not None and fold(city) in _SHORT_CITIES:
        city = _SHORT_CITIES[fold(city)].city
    vague = place.country_code is None and len(place.state or "") <= 3
    if vague and place.state and (state := state_from_text(place.state, "AU")) is not None:
        return Place(city, state.label, "AU")
    return Place(city, None if vague else place.state, place.country_code)


def _nation_and_direction(bare: str) -> str | None:
    """The country of "Southwest USA", "US East Coast", "NY" (none) and "Puerto Rico" alone."""
    words = bare.split() if country_from_text(bare) is None else []
    for cut in range(1, len(words)):
        head, tail = " ".join(words[:cut]), " ".join(words[cut:])
        for place, rest in ((head, tail), (tail, head)):
            if fold(rest) in _DIRECTIONS and _is_country(place) and not _is_state_code(place):
                nation = country_from_text(place)
                return nation.alpha2 if nation else None
    nation = country_from_text(bare) if len(bare) > 3 and fold(bare) != "georgia" else None
    return nation.alpha2 if nation and nation.alpha2 == "PR" else None


def _parts(bare: str) -> list[str]:
    lead = _COUNTRY_LEAD.match(bare)
    if chain := _CODE_CHAIN.match(bare):
        if country_from_text(chain[1]) is not None:
            bare = ", ".join(filter(None, chain.groups()))
    elif lead and _is_country(lead[1]) and country_from_text(bare) is None:
        rest = bare[lead.end() :]
        # "CA-Toronto" and "CA-Fresno" read as "Toronto, CA" and "Fresno, CA" do.
        bare = f"{rest}, {lead[1]}" if _is_state_code(lead[1]) else f"{lead[1]}, {rest}"
    elif "," not in bare:
        bare = _DASH.sub(", ", bare)
    else:
        bare = _DASH.sub(", ", bare) if _is_country(_DASH.split(bare)[0]) else bare
    if tail := _COUNTRY_TAIL.match(bare):
        bare = f"{tail[1]}, {tail[2]}"
    pieces = []
    for piece in bare.split(","):
        piece = piece.strip(_EDGES) if not piece.strip().endswith("D.C.") else piece.strip()
        state = _STATE_TAIL.match(piece)
        if state and state_from_text(state[2]) is not None:
            pieces += [state[1], state[2]]
        elif piece:
            pieces += _with_state_name(piece)
    return pieces


def _with_state_name(piece: str) -> list[str]:
    """ "Herndon Virginia" as town and state, "Tokyo Japan" as town and country; others as they are."""
    town, _, last = piece.rpartition(" ")
    apart = (
        town
        and fold(town) not in _NAME_STARTS
        and (_is_state_name(last) or (len(last) > 3 and country_from_text(last) is not None))
        and not _is_state_name(piece)
        and country_from_text(piece) is None
    )
    return [town, last] if apart else [piece]


def _without_asides(text: str) -> str:
    """The place without words about how one works; what brackets hold counts if nothing else does."""
    inside = [next(filter(None, found), "") for found in _BRACKETS.findall(text)]
    outside = _cleared(_BRACKETS.sub(" ", text))
    if fold(outside):
        return outside
    return next((cleared for part in inside if fold(cleared := _cleared(part))), "")


def _cleared(text: str) -> str:
    text = _FILLER.sub(" ", _FILLER.sub(" ", _REMOTE.sub(" ", text)).strip(_EDGES))
    text = re.sub(r"^\s*(?:in|or|and|from)\s+|\s+(?:in|or|and)\s*$", " ", text.strip(_EDGES))
    text = re.sub(r"(?:\s*,\s*)+(?=,)", "", text)
    return (
        " ".join(text.split()).strip(_EDGES) if not text.strip().endswith("D.C.") else text.strip()
    )


def _pieces(text: str) -> list[str]:
    """One piece between hard separators as its places: "Paris or Rome", "Boston, Denver, Remote"."""
    if not text or country_from_text(text) is not None:
        return [text]
    outside = _BRACKETS.sub(lambda found: " " * len(found[0]), text)
    cuts = [found.span() for found in _SOFT.finditer(outside)]
    if cuts and all(_may_stand_alone(part) for part in _cut(text, cuts)):
        return [piece for part in _cut(text, cuts) for piece in _comma_list(part)]
    return _comma_list(text)


def _cut(text: str, cuts: Sequence[tuple[int, int]]) -> list[str]:
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(text)]
    return [text[a:b].strip() for a, b in zip(starts, ends, strict=True)]


def _may_stand_alone(part: str) -> bool:
    """Whether a piece names a place by itself, so that "Research and Triangle" stays whole."""
    bare = _without_asides(part)
    words = fold(bare)
    return (
        not words
        or words in _office_cities()
        or "," in bare
        or _is_country(bare)
        or state_from_text(bare) is not None
        or words in _no_city()
    )


def _comma_list(text: str) -> list[str]:
    """A comma list of several whole places; one address stays one.

    A country ends a place, and so does a known office city that another one or a remote follows.
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    if len(words) < 2 or len(words) > _MAX_PLACES or "(" in text[1:]:
        return [text]
    if len(words) < 5 and _is_country(words[0]) and not any(map(_names_country, words[1:])):
        return [text]  # the country first: "United States, California, Fresno"
    groups: list[list[str]] = [[]]
    for index, word in enumerate(words):
        groups[-1].append(word)
        if index + 1 < len(words) and _ends_place(words, index, groups[-1]):
            groups.append([])
    return [", ".join(group) for group in groups]


def _ends_place(words: Sequence[str], index: int, group: Sequence[str]) -> bool:
    word, after = words[index], words[index + 1]
    if _is_bare_remote(word):
        return len(words) > 2 and _is_city(after)
    if _is_bare_remote(after):
        # "Germany, Remote" is one place; "Boston, Denver, Remote" had several before.
        return len(words) > 2 and index + 2 == len(words) and _is_city(word) and index > 0
    if _REMOTE.match(after):
        return True
    if (lead := _COUNTRY_LEAD.match(after)) and _is_country(lead[1]) and _COUNTRY_LEAD.match(word):
        return True  # "US-Seattle, US-Chicago"
    if _REMOTE.search(word):
        return _is_country(_cleared(word))
    if fold(word) in _SHORT_CITIES and _is_state_code(after):
        return state_from_text(after) != state_from_text(_SHORT_CITIES[fold(word)].state)
    after = _cleared(after) if _REMOTE.search(after) else after
    if _is_country(word) and not (len(word) == 2 and _is_state_code(word)):
        rest = words[index + 1 :]
        if country_from_text(word) == country_from_text(after):
            return False  # "England, GB"
        return (len(group) > 1 and any(_is_country(each) for each in rest)) or (
            len(group) == 1 and _is_country(after) and fold(word) != fold(after)
        )
    if _is_state(word) and len(group) > 1:
        return not _is_country(after)
    if not _is_city(word) or not _is_city(after) or fold(word) == fold(after):
        return False
    # "New York, New York" and "Singapore, Singapore" are one; a known city after a city is another.
    return not (
        _is_country(after) or (index + 2 < len(words) and fold(words[index + 2]) == fold(after))
    )


def _is_bare_remote(word: str) -> bool:
    return _REMOTE.search(word) is not None and not fold(_cleared(word))


def _is_city(word: str) -> bool:
    folded = fold(word)
    return folded in _office_cities() or (len(folded) <= 4 and folded in _no_city())


def _is_state(word: str) -> bool:
    return _is_state_code(word) or _is_state_name(word)


def _is_state_code(word: str) -> bool:
    return len(word) == 2 and word.isupper() and state_from_text(word) is not None


def _is_state_name(word: str) -> bool:
    return len(word) > 3 and state_from_text(word) is not None


def _is_place_above_city(word: str) -> bool:
    return _is_country(word) or _is_state(word)


def _is_country(word: str) -> bool:
    word = word.strip()
    if len(word) == 2 and not word.isupper():
        return False
    return country_from_text(word) is not None


def _names_country(word: str) -> bool:
    bare = _cleared(word)
    return (_is_country(bare) and not _is_state_code(bare)) or _REMOTE.search(word) is not None


def _region_name(region: str, code: str | None) -> str | None:
    if not region or fold(region) in _no_city() or country_from_text(region) is not None:
        return None
    if len(region) <= 3 and code not in {"US", "CA", "AU"}:
        return None if region.isdigit() else region
    return city_name(region) if _has_letters(region) else None


def _city_words(city: str) -> str:
    cleared = _without_asides(city)
    if fold(cleared) in _no_city() or not _has_letters(cleared):
        return ""
    found = _SHORT_CITIES.get(fold(cleared))
    return found.city or cleared if found else cleared


def _has_letters(text: str) -> bool:
    return any(letter.isalpha() for letter in text)


@cache
def _no_city() -> frozenset[str]:
    return vocabulary("no_city")


@cache
def _office_cities() -> frozenset[str]:
    return vocabulary("office_cities") | frozenset(_SHORT_CITIES)
