"""Cities and the areas around large ones."""

import pytest

from sightline.match.places import areas_of, city_key


@pytest.mark.parametrize(
    ("seat", "office"),
    [
        ("Courbevoie", "Paris"),
        ("Minato-ku", "Tokyo"),
        ("Unterföhring", "München"),
        ("Dublin 4", "Dublin"),
        ("Mountain View", "San Francisco, CA"),
    ],
)
def test_a_seat_near_the_head_office_is_in_its_area(seat: str, office: str) -> None:
    assert set(areas_of(seat)) & set(areas_of(office))


def test_far_and_unknown_cities_are_in_no_common_area() -> None:
    assert not set(areas_of("Lyon")) & set(areas_of("Paris"))
    assert areas_of("Quillen") == areas_of("") == areas_of("--") == ()


def test_a_city_reads_alike_in_its_languages() -> None:
    assert city_key("Köln") == city_key("Cologne")
    assert city_key("Austin, Texas") == city_key("Austin")
    assert city_key("?") == ""
