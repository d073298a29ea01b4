"""Cities that tell their country, and the table of them."""

import pytest

from sightline.domain.cities import CityHome, home_of_city, is_city_of
from sightline.domain.tables import read_table


@pytest.mark.parametrize(
    ("city", "home"),
    [
        ("Berlin", ("DE", None)),
        ("MÜNCHEN", ("DE", None)),
        ("Muenchen", ("DE", None)),
        ("Cologne", ("DE", None)),
        ("Genève", ("CH", None)),
        ("Praha", ("CZ", None)),
        ("Boston", ("US", "MA")),
        ("Portland", ("US", None)),
        ("Montréal", ("CA", "QC")),
        ("Perth", ("AU", "WA")),
        ("Paris", ("FR", None)),
    ],
)
def test_a_city_tells_its_country(city: str, home: tuple[str, str | None]) -> None:
    assert home_of_city(city) == CityHome(*home)


@pytest.mark.parametrize(
    "city",
    [
        "Birmingham",
        "Cambridge",
        "Richmond",
        "San José",
        "Valencia",
        "Georgia",
        "Kent",
        "Mobile",
        "",
    ],
)
def test_shared_names_tell_none(city: str) -> None:
    assert home_of_city(city) is None


@pytest.mark.parametrize(
    ("city", "code", "reported"),
    [
        ("Berlin", "DE", True),
        ("Wilmington", "DE", False),
        ("Walldorf", "DE", True),
        ("Córdoba", "AR", True),
        ("Little Rock", "AR", False),
        ("London", "CA", True),
        ("Fresno", "CA", False),
        ("Delhi", "IN", True),
        ("Gary", "IN", False),
    ],
)
def test_a_code_after_a_city_is_the_country_where_it_lies(
    city: str, code: str, reported: bool
) -> None:
    assert is_city_of(city, code) is reported


def test_the_table_is_small_and_tells_each_name_once() -> None:
    text = read_table("cities.tsv")
    assert len(text.encode()) < 150_000
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    alone = [name for place, names in lines if place[0] != "+" for name in names.split("|")]
    assert len(alone) == len(set(alone))
