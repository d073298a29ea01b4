"""Countries: ISO 3166-1 with the names people write, and a small set of sales regions."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal, cast, get_args

from rapidfuzz import fuzz, process

from sightline.domain.names import fold
from sightline.domain.tables import read_table, rows_of

Region = Literal[
    "North America", "Latin America", "Europe", "Middle East", "Africa", "Asia Pacific"
]
REGIONS: tuple[Region, ...] = get_args(Region)


@dataclass(frozen=True, slots=True)
class Country:
    """One ISO 3166-1 entry. ``name`` is the common English name, ``numeric`` has three digits.

    ``region`` is None for Antarctica alone.
    """

    alpha2: str
    alpha3: str
    numeric: str
    name: str
    region: Region | None


_WITH_ARTICLE = (" Islands", " Republic", "Netherlands", "Philippines", "Bahamas", "Maldives")
# Where the letters read as another country's code in ISO, people still mean this one.
_CUSTOMARY_CODES = {"UK": "GB", "EL": "GR"}
# "Republic of Slovenia", "Kingdom of Denmark", "the Socialist Republic of Viet Nam".
_STYLE = re.compile(
    r"(?:the )?"
    r"(?:(?:\w+ ){0,3}(?:republic|kingdom|commonwealth|principality|sultanate|state|union) of )?"
    r"(?:the )?"
)
# Names whose style tells two countries apart.
_TOLD_BY_STYLE = frozenset({"korea", "congo", "china"})


@cache
def countries() -> tuple[Country, ...]:
    """All 249 countries and territories, by alpha-2 code."""
    return tuple(country for country, _ in _rows())


def country(alpha2: str) -> Country | None:
    """The country of an alpha-2 code, in any case; None where ISO 3166-1 does not assign it."""
    return _by_code().get(alpha2.strip().upper()) if len(alpha2.strip()) == 2 else None


def country_name(alpha2: str | None) -> str | None:
    """The name of a country by its code; None where there is none."""
    found = country(alpha2) if alpha2 else None
    return found.name if found else None


def country_from_text(text: str | None) -> Country | None:
    """The country a country column names: a code of two or three letters or digits, or a name.

    The text must come from a country column: "CA" reads Canada, "GA" Gabon, "Georgia" the country.
    Unknown: None.
    """
    if not text:
        return None
    code = text.strip().upper()
    if code.isascii() and len(code) in {2, 3}:
        padded = code.zfill(3) if code.isdigit() else code
        found = _by_code().get(_CUSTOMARY_CODES.get(padded, padded))
        if found is not None:
            return found
    folded = fold(text)
    found = _by_name().get(folded)
    if found is None and (plain := _STYLE.sub("", folded, count=1)) not in _TOLD_BY_STYLE:
        found = _by_name().get(plain)
    return found


def closest_countries(text: str, limit: int = 3) -> list[str]:
    """Names of the countries written most like a text, nearest first; none that is far off."""
    folded = fold(text)
    if not folded:
        return []
    found = process.extract(
        folded, list(_by_name()), scorer=fuzz.WRatio, limit=limit * 4, score_cutoff=70
    )
    names = dict.fromkeys(_by_name()[name].name for name, _, _ in found)
    return list(names)[:limit]


@cache
def _rows() -> tuple[tuple[Country, tuple[str, ...]], ...]:
    rows = []
    for row in rows_of("countries.tsv"):
        region = cast(Region, row["region"]) if row["region"] else None
        entry = Country(row["alpha2"], row["alpha3"], row["numeric"], row["name"], region)
        rows.append((entry, tuple(filter(None, row["aliases"].split("|")))))
    return tuple(sorted(rows, key=lambda row: row[0].alpha2))


@cache
def _by_code() -> dict[str, Country]:
    return {
        code: entry for entry, _ in _rows() for code in (entry.alpha2, entry.alpha3, entry.numeric)
    }


@cache
def _by_name() -> dict[str, Country]:
    names = {fold(name): entry for entry, aliases in _rows() for name in (entry.name, *aliases)}
    by_code = _by_code()
    # As nine languages call them; what a name means in English stays.
    for line in read_table("country_names.tsv").splitlines():
        code, _, others = line.partition("\t")
        for name in filter(None, others.split("|")):
            names.setdefault(fold(name), by_code[code])
    return names


def seat_in_words(*parts: object) -> str:
    """A seat as a sentence has it, of its parts from city to country: "Oslo, Norway", "the Netherlands"."""
    places, country = [str(each) for each in parts[:-1] if each], str(parts[-1] or "")
    found = country_from_text(country)
    name = found.name if found else country
    has_article = name.startswith("United ") or name.endswith(_WITH_ARTICLE)
    named = f"the {name}" if has_article and not places else name
    return ", ".join(filter(None, (*places, named)))
