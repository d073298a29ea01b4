"""Which places a sentence names: countries, states, known regions, and cities with their state.

Pure. Words that are places only by chance ("Jordan Brand", "Taiwan Semiconductor") are told apart by
what stands around them.
"""

import re
from collections.abc import Sequence
from typing import Final

from sightline.domain.countries import country_from_text
from sightline.domain.places import state_from_text

_MOST_WORDS: Final = 4
_LONGEST_CODE: Final = 3  # letters of a word in capitals that may be a code
_CODES: Final = frozenset({"US", "U.S.", "UK", "U.K.", "UAE", "USA", "U.S.A."})
_REGIONS: Final = frozenset(
    """Europe|Asia|Africa|Oceania|Antarctica|Eurasia|Americas|North America|South America|Central America
Latin America|Middle East|Near East|Far East|Southeast Asia|South Asia|East Asia|Central Asia|Asia Pacific
Asia-Pacific|Western Europe|Eastern Europe|Northern Europe|Southern Europe|Central Europe|Caribbean
Scandinavia|Nordics|Baltics|Balkans|Benelux|Iberia|British Isles|Greater China|Mainland China|North Africa
West Africa|East Africa|Southern Africa|Sub-Saharan Africa|Gulf States|European Union|EU|EMEA|APAC|LATAM
AMER|APJC|APLA|DACH|ANZ|MENA|IMEA|Australasia|Europa|Asien|Afrika|Nordamerika|Südamerika|Osteuropa
Westeuropa|Europe de l’Est|Amérique du Nord|Amérique latine|Afrique|Asie|América Latina|América del Norte
Midwest|New England|Pacific Northwest|Great Plains|Gulf Coast|West Coast|East Coast""".replace("\n", "|")
    .split("|")
)  # fmt: skip
_WORLD = re.compile(
    r"\b(?:worldwide|globally|around the world|throughout the world|weltweit|dans le monde|en todo el mundo"
    r"|(?:\d+|[a-z]+teen|t(?:wo|hree|en|welve)|four|five|six|seven|eight|nine|eleven|twenty|thirty|forty"
    r"|fifty|sixty|seventy|eighty|ninety|hundred|many|several|multiple)(?:-[a-z]+)?"
    r" (?:other |different |foreign )?(?:countries|continents|Länder\w*|pays|países))\b",
    re.I,
)
_WORD = r"(?:[A-ZÀ-Þ][\w’'-]*(?:\.[A-Z]\.)*\.?)"
_CITY = re.compile(
    r"(?:(?:^|(?<=[\s(])))(?P<city>(?:(?:St\.|Ft\.|Mt\.|[A-ZÀ-Þ][\w’'-]+)[ ]){0,3}[A-ZÀ-Þ][\w’'-]+),"
    r" (?:the )?(?P<whole>[A-Z][\w’'-]+(?: [A-Z][\w’'-]+){0,2}|[A-Z]{2}(?= \d{5}))"
)
_NAME = r"[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+){0,2}"
# "headquarters are located in Oslo", "plants in Lyon and Graz": towns that no list has to know.
_LOCATED = re.compile(
    r"\b(?:located|based|headquartered|headquarters|offices?|plants?|factor(?:y|ies)|facilit(?:y|ies)"
    r"|warehouses?|laborator(?:y|ies)|people|employees|Hauptsitz|Sitz|Standorte?n?|siège|bureaux|usines?"
    r"|sede|oficinas|plantas)\b(?: (?!in\b|at\b|à\b|en\b)[a-zà-ÿ]+){0,4} (?:in|at|à|en) "
    rf"(?P<names>{_NAME}(?:, {_NAME})*(?:,? (?:and|und|et|y) {_NAME})?)(?= *[,.;]|$| [a-zà-ÿ(])"
)
_NO_TOWN = re.compile(
    r"^(?:January|February|March|April|May|June|July|August|September|October|November|December|Item|Note"
    r"|Part|Building|Fiscal|The|Our|We|Phase|Class|Section|Form|Exhibit|Q[1-4]|FY.*|North|South|East|West"
    r"|Zone|Country|Level|Group|Region)\b"
)
_NOT_A_CITY = re.compile(
    r"^(?:In|At|From|Near|The|Our|And|Outside|Throughout|Across|Street|Road|Avenue|Suite|Drive|Floor|Box"
    r"|North|South|East|West)\b\s*|.*\b(?:Street|Road|Avenue|Drive|Boulevard|Inc|Corporation|Brand|Group)$"
)
_STREET = re.compile(r"\d[\w’'. ]*$")


def places_in(text: str, *, known: Sequence[str] = ()) -> list[str]:
    """The places that a text names, in its order, each once. `known` are further names of places."""
    found: dict[int, str] = {}
    taken: set[int] = set()
    for match in _CITY.finditer(text):
        if place := _city(text, match):
            found[match.start()] = place
            taken.update(range(match.start(), match.end()))
    for name in known:
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            if match.start() not in taken:
                found[match.start()] = name
                taken.update(range(match.start(), match.end()))
    for start, end, name in _named(text):
        if start not in taken:
            found[start] = name
            taken.update(range(start, end))
    for match in _LOCATED.finditer(text):
        for town in re.finditer(_NAME, match["names"]):
            start = match.start("names") + town.start()
            if start not in taken and not town[0].isupper() and not _NO_TOWN.match(town[0]):
                found.setdefault(start, town[0])
    return list(dict.fromkeys(found[start] for start in sorted(found)))


def is_worldwide(text: str) -> bool:
    """Whether a text speaks of many countries without naming them."""
    return _WORLD.search(text) is not None


def _city(text: str, match: re.Match[str]) -> str | None:
    city, whole = match["city"], match["whole"]
    while stripped := _NOT_A_CITY.match(city):
        if stripped.end() == len(city):
            return None
        city = city[stripped.end() :]
    if _is_country(city) or city in _REGIONS or _STREET.search(text[: match.start()][-12:]):
        return None
    for words in (whole, " ".join(whole.split()[:2]), whole.split()[0]):
        if len(words) <= _LONGEST_CODE and not words.isupper():  # "Co."
            continue
        if state_from_text(words, "US") or state_from_text(words, "CA") or _is_country(words):
            return f"{city}, {words}"
    return None


def _named(text: str) -> list[tuple[int, int, str]]:
    found = []
    words = [(m.start(), m.end()) for m in re.finditer(_WORD, text)]
    at = 0
    while at < len(words):
        for size in range(min(_MOST_WORDS, len(words) - at), 0, -1):
            start, end = words[at][0], words[at + size - 1][1]
            run = text[start:end]
            if re.search(r"[,;:]|\w\.\s", run.replace("U.S. ", "US ")) or "\n" in run:
                continue
            if (name := _place(run)) and not _is_part_of_name(text, start, end):
                found.append((start, end, name))
                at += size - 1
                break
        at += 1
    return found


def _place(run: str) -> str | None:
    bare = run.removesuffix("’s").removesuffix("'s")
    if bare in _REGIONS or bare.rstrip(".") in _REGIONS:
        return bare.rstrip(".")
    if len(bare) <= _LONGEST_CODE and bare not in _CODES:  # "In", "As" and "To" are codes too
        return None
    state = state_from_text(bare, "US") if len(bare) > _LONGEST_CODE else None
    if state is not None and bare[1:2].islower():
        return state.name
    nation = country_from_text(bare if bare in _CODES else bare.rstrip("."))
    return nation.name if nation is not None else None


def _is_country(text: str) -> bool:
    return len(text) > _LONGEST_CODE and country_from_text(text) is not None


def _is_part_of_name(text: str, start: int, end: int) -> bool:
    """Whether a place only begins or ends a longer name: "Taiwan Semiconductor", "Bank of China"."""
    after = re.match(r" (?:&|[A-ZÀ-Þ][\w’'-]+)", text[end:])
    if (
        after
        and not re.match(r" (?:Inc|In|The|We|Our)\b", text[end:])
        and text[end - 1] not in ".,"
    ):
        return True
    before = re.search(r"[A-ZÀ-Þ][\w’'-]+ (?:of |& )?$", text[:start])
    return before is not None and not re.match(
        r"(?:In|From|The|To|Throughout|Across|Outside|Within|For|And|Northern|Southern|Eastern|Western"
        r"|Central|Mainland|Rest of|Republic of|Greater)\b",
        before[0],
    )
