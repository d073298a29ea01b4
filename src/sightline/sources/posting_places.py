"""Work locations: a text that names several, "Remote - US", and parts given one by one."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain

from sightline.domain.cities import home_of_city
from sightline.domain.countries import country_from_text
from sightline.domain.names import fold
from sightline.domain.places import Place, city_name, state_from_text
from sightline.domain.postings import PostingLocation, RemotePolicy
from sightline.sources.place_words import (
    BRACKETS,
    COUNTRY_LEAD,
    REMOTE,
    SHORT_CITIES,
    at_home,
    cleared,
    is_country,
    is_state,
    is_state_code,
    no_city,
    place_of,
    without_asides,
)
from sightline.sources.plain_text import one_line
from sightline.sources.vocabulary import vocabulary

_MAX_PLACES = 60
_MAX_TEXT = 2000
_HARD = re.compile(r"(?:(?<!\s)\s*|(?=[;|•·]))(?:[;|\n•·]|\s/\s)\s*")
_SOFT = re.compile(r"\s+(?:or|and|&|oder|und|ou|et|y|o|e)\s+|\s*/\s*", re.IGNORECASE)
_BRACKETED = re.compile(r"([^()]+)\(([^()]+)\)")
_AMONG = re.compile(rf",\s*(?:and|or)?\s*|{_SOFT.pattern}", re.IGNORECASE)
_HYBRID = re.compile(r"\bh[yíi]brid[aoe]?\b", re.IGNORECASE)
_ON_SITE = re.compile(
    r"\bon[\s-]?site\b|\bin[\s-]office\b|\bin[\s-]person\b|\bvor ort\b|\bsur site\b|\bpresencial\b",
    re.IGNORECASE,
)
_COUNT = re.compile(r"^\d+\s+(?:locations?|offices?|sites?|places?|standorte?)$", re.IGNORECASE)


@lru_cache(maxsize=8192)
def locations_from_text(text: str | None) -> tuple[PostingLocation, ...]:
    """The places of work that a text names, in its order, each once.

    "3 Locations", "LOCATION" and empty texts name none. A place whose parts are unknown keeps its words.
    """
    found: dict[tuple[str | None, ...], PostingLocation] = {}
    for piece in _HARD.split(one_line_keeping_breaks(text)):
        for part in _pieces(piece.strip()):
            raw = part.strip(" ,;")
            if _is_none(raw):
                continue
            place = place_of(raw)
            key = (place.city, place.state, place.country_code)
            found.setdefault(
                key if any(key) else (fold(raw),),
                PostingLocation(raw, place.city, place.state, place.country_code),
            )
    return tuple(found.values())[:_MAX_PLACES]


def _is_none(text: str) -> bool:
    """Whether a text only stands where a place would: a count of them, or the label of the empty field."""
    folded = fold(text)
    return not folded or folded in vocabulary("no_place") or _COUNT.match(text) is not None


def one_line_keeping_breaks(text: str | None) -> str:
    """Text without entities and odd spaces; line breaks stay, since they part places."""
    return "\n".join(one_line(line) for line in (text or "")[:_MAX_TEXT].split("\n"))


def _line(text: str | None) -> str:
    return one_line((text or "")[:_MAX_TEXT])


def location_from_parts(
    city: str | None = None,
    region: str | None = None,
    country: str | None = None,
    *,
    raw: str | None = None,
) -> PostingLocation | None:
    """A place given in parts; the parts that are missing are read from `raw`. None for nothing."""
    words = [_line(part) for part in (city, region, country)]
    shown = _line(raw) or ", ".join(dict.fromkeys(filter(None, words)))
    if _is_none(shown):
        return None
    code, region = _country_and_region(*words[1:])
    town = city_name(_city_words(words[0]))
    read = Place() if town and code else place_of(shown)
    place = at_home(
        Place(
            town or (None if words[0] else read.city),
            region or (None if words[1] or town else read.state),
            code or read.country_code,
        )
    )
    return PostingLocation(shown, place.city, place.state, place.country_code)


def _country_and_region(region: str, country: str) -> tuple[str | None, str | None]:
    """Code of the country and label of the region; a region tells the country where none is given."""
    nation = country_from_text(country)
    code = nation.alpha2 if nation else None
    state = state_from_text(region, code) if region else None
    if state is None:
        return code, _region_name(region, code)
    return code or (None if country else state.country_code), state.label


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
    if REMOTE.search(text):
        return "remote"
    return "on_site" if _ON_SITE.search(text) else None


def _pieces(text: str) -> list[str]:
    """One piece between hard separators as its places: "Paris or Rome", "Boston, Denver, Remote"."""
    if not text or country_from_text(text) is not None:
        return [text]
    if several := _remote_in_several(text):
        return several
    outside = BRACKETS.sub(lambda found: " " * len(found[0]), text)
    cuts = [found.span() for found in _SOFT.finditer(outside)]
    if cuts and all(_may_stand_alone(part) for part in _cut(text, cuts)):
        return [piece for part in _cut(text, cuts) for piece in _comma_list(part)]
    return _comma_list(text)


def _remote_in_several(text: str) -> list[str]:
    """The countries of "Remote (US & Canada)"; none of "Remote (Ohio, US)", which is one place."""
    found = _BRACKETED.fullmatch(text)
    if found is None or not _is_bare_remote(found[1]):
        return []
    parts = [part.strip() for part in _AMONG.split(found[2])]
    return parts if len(parts) > 1 and all(map(is_country, parts)) else []


def _cut(text: str, cuts: Sequence[tuple[int, int]]) -> list[str]:
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(text)]
    return [text[a:b].strip() for a, b in zip(starts, ends, strict=True)]


def _may_stand_alone(part: str) -> bool:
    """Whether a piece names a place by itself, so that "Research and Triangle" stays whole."""
    bare = without_asides(part)
    words = fold(bare)
    return (
        not words
        or words in _office_cities()
        or home_of_city(bare) is not None
        or "," in bare
        or is_country(bare)
        or state_from_text(bare) is not None
        or words in no_city()
    )


def _comma_list(text: str) -> list[str]:
    """A comma list of several whole places; one address stays one.

    A country ends a place, and so does a known office city that another one or a remote follows.
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    if len(words) < 2 or len(words) > _MAX_PLACES or "(" in text[1:]:
        return [text]
    if len(words) < 5 and _begins_with_country(words):
        return [text]
    groups: list[list[str]] = [[]]
    for index, word in enumerate(words):
        groups[-1].append(word)
        if index + 1 < len(words) and _ends_place(words, index, groups[-1]):
            groups.append([])
    return [", ".join(group) for group in groups]


def _begins_with_country(words: Sequence[str]) -> bool:
    """Whether one place is named from the largest part: "United States, California, Fresno"."""
    first, *rest = words
    return is_country(first) and not _is_city(rest[0]) and not any(map(_names_country, rest))


def _ends_place(words: Sequence[str], index: int, group: Sequence[str]) -> bool:
    """Whether a place ends at a word: the first rule that knows decides."""
    alone = (rule(words, index) for rule in (_by_remote, _by_country_lead, _by_state_code))
    grouped = (rule(words, index, group) for rule in (_by_country, _by_state))
    for ends in chain(alone, grouped):
        if ends is not None:
            return ends
    return _by_city(words, index)


def _by_remote(words: Sequence[str], index: int) -> bool | None:
    word, after = words[index], words[index + 1]
    if _is_bare_remote(word):
        return len(words) > 2 and _is_city(after)
    if _is_bare_remote(after):
        # "Germany, Remote" is one place; "Boston, Denver, Remote" had several before.
        return len(words) > 2 and index + 2 == len(words) and _is_city(word) and index > 0
    return True if REMOTE.match(after) else None


def _by_country_lead(words: Sequence[str], index: int) -> bool | None:
    """ "US-Seattle, US-Chicago"; and what is said beside a remote."""
    word, after = words[index], words[index + 1]
    lead = COUNTRY_LEAD.match(after)
    if lead and is_country(lead[1]) and COUNTRY_LEAD.match(word):
        return True
    return is_country(cleared(word)) if REMOTE.search(word) else None


def _by_state_code(words: Sequence[str], index: int) -> bool | None:
    known, after = SHORT_CITIES.get(fold(words[index])), words[index + 1]
    if known is None or not is_state_code(after):
        return None
    return state_from_text(after) != state_from_text(known.state)


def _by_country(words: Sequence[str], index: int, group: Sequence[str]) -> bool | None:
    word, after = words[index], _without_remote(words[index + 1])
    if not is_country(word):
        return None
    if _is_city(word) and _is_city(after):
        return fold(word) != fold(after)  # "Singapore, Sydney"
    if len(word) == 2 and is_state_code(word):
        return None
    if country_from_text(word) == country_from_text(after):
        return False  # "England, GB"
    if len(group) > 1:
        return any(is_country(each) for each in words[index + 1 :])
    return len(group) == 1 and is_country(after) and fold(word) != fold(after)


def _by_state(words: Sequence[str], index: int, group: Sequence[str]) -> bool | None:
    if not is_state(words[index]) or len(group) < 2:
        return None
    return not is_country(_without_remote(words[index + 1]))


def _by_city(words: Sequence[str], index: int) -> bool:
    word, after = words[index], _without_remote(words[index + 1])
    behind = words[index + 2 :]
    if _lie_apart(word, after) and not any(map(_is_above_city, behind)):
        return True
    if not _is_city(word) or not _is_city(after) or fold(word) == fold(after):
        return False
    # "New York, New York" and "Singapore, Singapore" are one; a known city after a city is another.
    return not (is_country(after) or (bool(behind) and fold(behind[0]) == fold(after)))


def _without_remote(word: str) -> str:
    return cleared(word) if REMOTE.search(word) else word


def _lie_apart(word: str, after: str) -> bool:
    """Whether two words are cities of two countries, or of two states, and so two places."""
    one, other = home_of_city(word), home_of_city(after)
    if one is None or other is None or _is_above_city(after):
        return False
    states = one.state and other.state and one.state != other.state
    return one.country_code != other.country_code or bool(states)


def _is_above_city(word: str) -> bool:
    return is_state(word) or is_country(word)


def _is_bare_remote(word: str) -> bool:
    return REMOTE.search(word) is not None and not fold(cleared(word))


def _is_city(word: str) -> bool:
    folded = fold(word)
    return folded in _office_cities() or (len(folded) <= 4 and folded in no_city())


def _names_country(word: str) -> bool:
    bare = cleared(word)
    return (is_country(bare) and not is_state_code(bare)) or REMOTE.search(word) is not None


def _region_name(region: str, code: str | None) -> str | None:
    if not region or fold(region) in no_city() or country_from_text(region) is not None:
        return None
    if len(region) <= 3 and code not in {"US", "CA", "AU"}:
        return None if region.isdigit() else region
    return city_name(region) if _has_letters(region) else None


def _city_words(city: str) -> str:
    bare = without_asides(city)
    if fold(bare) in no_city() or not _has_letters(bare):
        return ""
    found = SHORT_CITIES.get(fold(bare))
    return found.city or bare if found else bare


def _has_letters(text: str) -> bool:
    return any(letter.isalpha() for letter in text)


@cache
def _office_cities() -> frozenset[str]:
    return vocabulary("office_cities") | frozenset(SHORT_CITIES)
