"""One postal address read from lines of text, as many countries write it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from sightline.domain.countries import country_from_text
from sightline.domain.places import state_from_text
from sightline.sources.website.document import squeeze, words_pattern


@dataclass(frozen=True, slots=True)
class Address:
    """An address in parts, as the page writes them; `country_code` is ISO 3166-1 alpha-2."""

    street: str | None
    city: str | None
    region: str | None
    postcode: str | None
    country_code: str | None
    quote: str | None = None
    pointer: str | None = None
    head_office: bool = False


# The postal code is searched first and the rest parted at commas: no pattern runs over a whole line twice.
_STATE = r"([A-Z]{2}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)"
_STATE_THEN_CODE = {
    "US": re.compile(rf"[,\s]{_STATE}[,.]?\s{{1,3}}(\d{{5}}(?:-\d{{4}})?)(?![\d-])"),
    "CA": re.compile(rf"[,\s]\(?{_STATE}\)?,?\s{{1,3}}([A-Z]\d[A-Z]\s?\d[A-Z]\d)\b"),
    "AU": re.compile(r"[,\s](NSW|VIC|QLD|WA|SA|TAS|ACT|NT),?\s{1,3}(\d{4})(?!\d)"),
}
_GB = re.compile(r"\b([A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})\b")
_NL = re.compile(r"(?<![\w-])(?:NL-?\s?)?([1-9]\d{3}\s?[A-Z]{2})\s{1,3}(?=[A-Z'])")
_CODE_FIRST = re.compile(
    r"(?<![\w-])(?:(D|DE|A|AT|CH|F|FR|E|ES|I|IT|B|BE|L|DK|N|NO|S|SE|FI|FIN|CZ|SK|PL|HU|PT|LU|FL)[- ]\s?)?"
    r"(\d{5}|\d{4}-\d{3}|\d{2}-\d{3}|\d{3}\s\d{2}|\d{4})(?:\s{1,3}|\s?[–—-]\s{1,2}|,\s)(?=[A-ZÀ-ÞĀ-Ž])"
)
_CITY = re.compile(r"[A-ZÀ-ÞĀ-Ž'][\w.'’()/-]*(?:[ -][\w.'’()/&-]+){0,4}")
_PARTS = re.compile(r"[,|·•;]| [–—-] |(?<=[a-z]{5})(?<!str)\.\s(?=[\dA-Z])")
_LABEL = re.compile(r"^(?:Address|Adresse|Anschrift|Dirección|Indirizzo):\s*")
_CONTACTS_BEHIND = re.compile(
    r"(?<=\w)[\s.,|·–-]+"
    r"(?:(?:tel|tél|tfno|tlf|phone|ph|fax|mob|e-?mail|mail)[a-zéó]{0,7}(?:\s?[.:]|\s+[+(\d])|[TFPM]:).*$",
    re.IGNORECASE,
)
_NUMBER_FIRST = frozenset({"US", "GB", "CA", "AU", "FR", "BE", "LU", "IE", "NZ", "MC", None})
_PLATES = {
    "D": "DE", "A": "AT", "F": "FR", "E": "ES", "I": "IT", "B": "BE", "L": "LU", "N": "NO", "S": "SE",
    "FIN": "FI", "FL": "LI",
}  # fmt: skip
_CODE_COUNTRIES = {
    5: "DE FR ES IT FI MX TR UA EE HR RS LT GR CZ SK SE KR MY TH ID SA MC".split(),
    4: "AT CH BE LU DK NO HU BG SI LI CY LV NL PT ZA TN AU NZ".split(),
}
_LONGEST = 300  # characters of a line that is an address
_MOST_WORDS = 5  # of a place that is given instead of street and number
_NOT_STREET = re.compile(
    r"@|https?:|www\.|\b(?:tel|phone|fax|telefon|e-?mail|©|copyright|iban|bic|ust|vat|hrb"
    r"|siret|rcs|tva)\b|\+\d",
    re.IGNORECASE,
)
_HOUSE = re.compile(
    r"^(?:[\w.'’ ,/#&°º()-]*\s)?\d{1,5}(?:\s?[a-zA-Z])?(?:\s?[-/+–]\s?\d{1,5}[a-z]?)?[.,]?(?:[\s,].*)?$|^\d"
)


def read_postal_line(
    text: str, before: list[str], after: str, *, default: str | None, streetless: bool = False
) -> Address | None:
    """An address whose postal line is `text`; `before` are the lines above it, the nearest last. With
    `streetless`, what stands before the code is a street though nothing shows it but its place."""
    if len(text) > _LONGEST:
        return None
    text = _LABEL.sub("", squeeze(text).strip(" .,|·•"))
    text = _CONTACTS_BEHIND.sub("", text)
    found = next(filter(None, _readings(text, default)), None)
    if found is None:
        return None
    loose = found.country_code in _NUMBER_FIRST
    street = _street_in(found.street, loose=loose) or _street_above(before, loose=loose)
    if street is None and streetless and found.country_code == default:
        street = found.street if 1 < len((found.street or "").split()) <= _MOST_WORDS else None
    nation = found.country_code or _country_line(after)
    return replace(found, street=street, country_code=nation) if street and nation else None


def _readings(text: str, default: str | None) -> Iterator[Address | None]:
    for country, pattern in _STATE_THEN_CODE.items():
        yield _state_then_code(pattern, text, country)
    if match := _GB.search(text):
        street, city = _split(text[: match.start()])
        yield _address(street, city, None, match[1], "GB") if city else None
    if match := _NL.search(text):
        yield _code_then_city(text, match.start(), match.end(), match[1], "NL")
    yield _read_code_first(text, default)


def _state_then_code(pattern: re.Pattern[str], text: str, country: str) -> Address | None:
    for match in pattern.finditer(text):
        state = state_from_text(match[1], country)
        if state is None or state.country_code != country:
            continue
        tail = text[match.end() :].strip(" ,.|·•")
        nation = country_from_text(tail) if tail and len(tail) < 40 else None
        if nation is not None and nation.alpha2 != country:
            return None
        street, city = _split(text[: match.start()])
        return _address(street, city, state.label, match[2], country) if city else None
    return None


def _read_code_first(text: str, default: str | None) -> Address | None:
    for match in _CODE_FIRST.finditer(text):
        plate, code = match[1], match[2]
        nation = _country_behind(text[match.end() :])
        country = (
            (_PLATES.get(plate, plate) if plate else None) or nation or _by_code(code, default)
        )
        # A year before a word looks like a code of four digits.
        bare = len(code) == 4 and code[:2] in {"19", "20"} and not plate and not nation
        if bare and country not in {"AT", "CH", "BE", "DK", "NO", "HU", "LU"}:
            continue
        found = _code_then_city(text, match.start(), match.end(), code, country)
        if found:
            return found
    return None


def _code_then_city(
    text: str, start: int, end: int, code: str, country: str | None
) -> Address | None:
    city = _PARTS.split(text[end:].lstrip(" –—-,"), maxsplit=1)[0].strip(" .")
    if len(city) < 2 or any(char.isdigit() for char in city) or not _CITY.fullmatch(city):
        return None
    return _address(text[:start], city, None, code, country)


def _country_behind(text: str) -> str | None:
    """The country that the last part of a line names."""
    parts = [part.strip(" .") for part in _PARTS.split(text)]
    nation = country_from_text(parts[-1]) if len(parts) > 1 and 1 < len(parts[-1]) < 30 else None
    return nation.alpha2 if nation else None


def _split(text: str) -> tuple[str | None, str | None]:
    """Street and city of what stands before state or code; the city is the last part."""
    parts = [part.strip(" .") for part in _PARTS.split(text) if part.strip(" .")]
    while len(parts) > 1 and country_from_text(parts[-1]) is not None and len(parts[-1]) > 3:
        parts.pop()
    if not parts:
        return None, None
    city = parts[-1]
    if any(char.isdigit() for char in city) or not _CITY.fullmatch(city) or len(city.split()) > 4:
        return None, None
    return ", ".join(parts[:-1]) or None, city


def _by_code(code: str, default: str | None) -> str | None:
    shape = "".join("9" if char.isdigit() else char for char in code)
    if shape == "999 99":
        return default if default in {"SE", "CZ", "SK", "GR"} else None
    return {"99-999": "PL", "9999-999": "PT"}.get(shape) or (
        default if default in _CODE_COUNTRIES.get(len(shape), ()) else None
    )


def _address(
    street: str | None, city: str, region: str | None, code: str, country: str | None
) -> Address:
    return Address(
        squeeze(street or "").strip(" ,|·•–-") or None, city.strip(" ,."), region, code, country
    )


def _street_in(text: str | None, *, loose: bool) -> str | None:
    """The street in what stands before the postal line: from the first part that reads as one."""
    parts = [part.strip() for part in _PARTS.split(text or "") if part.strip()]
    for index, part in enumerate(parts):
        if len(part.split()) <= 7 and _is_street(part, loose=loose):
            return ", ".join(parts[index:])
    whole = ", ".join(parts)
    short = 0 < len(whole.split()) <= 9
    return whole if short and _is_street(whole, loose=loose) else None


def _is_street(text: str, *, loose: bool) -> bool:
    """Whether a text reads as street and number; `loose` where custom puts the number first."""
    if not 4 <= len(text) <= 110 or _NOT_STREET.search(text):
        return False
    if not re.search(r"[^\W\d_]{2}", text):
        return False
    if text[0].isdigit() and not loose:
        return _street_word().search(text) is not None
    return (
        _HOUSE.match(text) is not None
        or words_pattern("places", "street").search(text) is not None
        or _street_word().search(text) is not None
    )


@cache
def _street_word() -> re.Pattern[str]:
    """Streets written as one word: "Hauptstraße 5", "Keizersgracht 12"."""
    return re.compile(
        r"\w(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse|ring|damm|ufer|gracht|straat|laan"
        r"|plein|vej|gade|gatan|vägen|katu)\b",
        re.IGNORECASE,
    )


def _street_above(before: list[str], *, loose: bool) -> str | None:
    """The street in the nearest line above; a suite or floor may stand between."""
    for offset, text in enumerate(reversed(before[-2:])):
        text = text.strip(" ,|·•")
        if _is_street(text, loose=loose) and len(text) <= 90:
            if (
                offset == 0
                and len(before) > 1
                and words_pattern("places", "suite").match(text)
                and _is_street(before[-2].strip(" ,"), loose=loose)
            ):
                return f"{before[-2].strip(' ,')}, {text}"
            return text
        if len(text) > 60:
            return None
    return None


def _country_line(text: str) -> str | None:
    nation = country_from_text(text.strip(" .,|")) if 3 < len(text) < 40 else None
    return nation.alpha2 if nation else None
