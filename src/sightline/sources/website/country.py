"""The country of a site, out of clues that are weak one by one: phone prefixes, legal forms, the top-level
domain, the language, and places that the title names."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import phonenumbers

from sightline.domain.cities import home_of_city
from sightline.domain.countries import country_from_text
from sightline.domain.names import fold
from sightline.domain.places import state_from_text
from sightline.sources.website.document import Line, Page, read_table
from sightline.sources.website.findings import Findings
from sightline.sources.website.links import site_of
from sightline.sources.website.metadata import is_home, title_of

_INTERNATIONAL = re.compile(r"\+\d[\d\s()./-]{6,18}\d")
_AMERICAN = re.compile(r"(?<![\d+])\(?\d{3}\)?[ .-]\d{3}[.-]\d{4}(?!\d)")
_PLACE = re.compile(r"[A-ZÀ-Þ][\w'’.-]*(?: (?:of |am |de )?[A-ZÀ-Þ][\w'’.-]*){0,2}")
_STATE = re.compile(r"[A-Z][a-z]+, ([A-Z]{2})\b")
_SHARED_PREFIXES = frozenset({1, 7})  # of countries that only the number behind tells apart
_OF_THE_COMPANY = frozenset({"home", "contact", "about", "team", "careers"})  # roles of pages
_LEAST = 0.3
_AHEAD = 1.3  # the likeliest country must be so many times as likely as the next
# General top-level domains that look like a country's.
_GENERAL = frozenset("IO AI CO ME TV EU LY GG SO TO CC FM AM".split())


@dataclass(frozen=True, slots=True)
class Clue:
    """`country` is ISO 3166-1 alpha-2, `kind` a key of the weights."""

    country: str
    kind: str
    line: Line | None = None
    share: float = 1.0


def find_country(found: Findings) -> None:
    """The country that the clues of a page agree on; nothing when two are about as likely."""
    if found.role not in _OF_THE_COMPANY:
        return
    doubt: defaultdict[str, float] = defaultdict(lambda: 1.0)
    best: dict[str, tuple[float, Clue]] = {}
    weights = _table()["weights"]
    for clue in _clues(found):
        weight = weights[clue.kind] * clue.share
        doubt[clue.country] *= 1 - weight
        if weight > best.get(clue.country, (0.0, clue))[0]:
            best[clue.country] = (weight, clue)
    ranked = sorted(((1 - each, code) for code, each in doubt.items()), reverse=True)
    (sure, code), (next_sure, _) = [*ranked, (0.0, ""), (0.0, "")][:2]
    if sure < _LEAST or sure < _AHEAD * next_sure:
        return
    clue = best[code][1]
    if is_home(found.page) and found.value("hq_city") is None:
        _add_city(found, code)
    sure = round(min(sure, 0.9), 3)
    if clue.line is not None:
        found.in_line("country_code", code, clue.line, sure)
    else:
        pointer = clue.kind.replace("_", " ")
        found.add("country_code", code, method="text", confidence=sure, pointer=pointer)


def _add_city(found: Findings, country_code: str) -> None:
    """The one large city of the country that the title or description of the front page names."""
    own = _own_words(found)
    text = _in_one_line(found)
    words = {word.rstrip(".,") for match in _PLACE.finditer(text) for word in _windows(match[0])}
    cities = {word for word in words if (home := home_of_city(word)) and fold(word) not in own
              and home.country_code == country_code}  # fmt: skip
    if len(cities) == 1:
        found.add("hq_city", cities.pop(), method="text", confidence=0.35, pointer="title")


def _windows(text: str) -> Iterator[str]:
    words = text.split()
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            yield " ".join(words[start:end])


def country_of_host(url: str) -> str | None:
    """The country of an address's top-level domain; None for general ones and those used as such."""
    label = (urlsplit(url).hostname or "").rpartition(".")[2].upper()
    nation = country_from_text(label) if len(label) == 2 and label not in _GENERAL else None
    return nation.alpha2 if nation else None


def country_of_language(language: str | None) -> str | None:
    """The country whose main language it is; of those that several share, the largest."""
    code: str | None = _table()["languages"].get(language or "")
    return code


def native_city(text: str) -> str | None:
    """The large city that an address in Japanese, Korean or Chinese names, in English."""
    cities: dict[str, str] = _table()["cities"]
    return next((name for written, name in cities.items() if written in text), None)


def _clues(found: Findings) -> Iterator[Clue]:
    page, language = found.page, found.language
    if code := found.value("country_code"):
        yield Clue(code, "address")
    if code := country_of_host(page.url):
        yield Clue(code, "domain")
    if code := country_of_language(language):
        shared = language in _table()["shared_languages"]["languages"]
        yield Clue(code, "language", share=0.5 if shared else 1.0)
    yield from _legal_form(found)
    framed = [
        line
        for line in page.lines
        if len(line.text) <= 300
        and (found.role == "contact" or line.region in {"footer", "header"})
    ]
    yield from _phones(page, framed, language)
    yield from _mentions(found)


def _legal_form(found: Findings) -> Iterator[Clue]:
    names = [str(found.value(field) or "") for field in ("legal_name", "company_name")]
    for code, forms in _table()["legal_forms"].items():
        for form in forms:
            ends = (f" {form}", f" {form}.")
            unspaced = not form.isascii()
            if any(each.endswith(ends) or (unspaced and form in each) for each in names):
                yield Clue(code, "legal_form")
                break


def _phones(page: Page, framed: list[Line], language: str | None) -> Iterator[Clue]:
    said: list[tuple[str, Line | None]] = [
        (match[0], line) for line in framed for match in _INTERNATIONAL.finditer(line.text)
    ]
    said += [(each.url[4:], None) for each in page.anchors if each.url.startswith("tel:+")]
    regions: defaultdict[str, list[Line | None]] = defaultdict(list)
    for text, line in said[:60]:
        if region := _region_of(text):
            regions[region].append(line)
    total = sum(map(len, regions.values()))
    for region, lines in regions.items():
        # A page of the offices of a group speaks for none of them.
        share = len(lines) / total
        yield Clue(region, "phone", next(filter(None, lines), None), share * share)
    local = next((line for line in framed if _AMERICAN.search(line.text)), None)
    if local is not None and not regions and language == "en":
        yield Clue("US", "local_phone", local)


def _region_of(text: str) -> str | None:
    try:
        number = phonenumbers.parse(text.replace("(0)", ""), None)
    except phonenumbers.NumberParseException:
        return None
    code = number.country_code
    region = phonenumbers.region_code_for_number(number)
    if region is None and code not in _SHARED_PREFIXES and code is not None:
        region = phonenumbers.region_code_for_country_code(code)
    return region if region and len(region) == 2 and region.isalpha() else None


def _mentions(found: Findings) -> Iterator[Clue]:
    """Places in what the front page says of itself in one line."""
    if not is_home(found.page):
        return
    text = _in_one_line(found)
    states = (state_from_text(code, "US") for code in _STATE.findall(text))
    codes = _places(text, own=_own_words(found)) | {"US" for each in states if each}
    for code in sorted(codes):
        yield Clue(code, "mention", share=1 / len(codes))


def _in_one_line(found: Findings) -> str:
    return f"{title_of(found.page) or ''}. {found.value('description') or ''}"


def _own_words(found: Findings) -> set[str]:
    named = fold(str(found.value("company_name") or ""))
    return {named, *named.split(), site_of(found.page.url).partition(".")[0]}


def _places(text: str, *, own: Collection[str]) -> set[str]:
    """The countries of the places that a text names. `own` are folded words of the company's name."""
    codes: set[str] = set()
    for match in _PLACE.finditer(text):
        words = match[0].rstrip(".").split()
        start = 0
        while start < len(words):
            ends = range(min(len(words), start + 3), start, -1)
            names = ((" ".join(words[start:end]).strip(".,"), end) for end in ends)
            place = next(((code, e) for n, e in names if (code := _country_of(n, own))), None)
            if place is not None:
                codes.add(place[0])
            start = place[1] if place is not None else start + 1
    return codes


def _country_of(name: str, own: Collection[str]) -> str | None:
    if fold(name) in own or (len(name) <= 3 and name not in {"UK", "USA"}):
        return None
    nation = country_from_text(name)
    if nation is not None:
        return nation.alpha2
    home = home_of_city(name)
    if home is not None:
        return home.country_code
    state = state_from_text(name)
    return state.country_code if state is not None else None


@cache
def _table() -> dict[str, Any]:
    return read_table("places.toml")
