"""Places in one text, states and cities."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.domain.countries import country_from_text
from sightline.domain.places import Place, city_name, split_place, state_from_text


@pytest.mark.parametrize(
    ("text", "city", "state", "country_code"),
    [
        ("San Francisco, CA, USA", "San Francisco", "CA", "US"),
        ("Dublin, Ireland", "Dublin", None, "IE"),
        ("Saint Paul, Minnesota", "Saint Paul", "MN", "US"),
        ("London, England, United Kingdom", "London", "England", "GB"),
        ("London, England", "London", "England", "GB"),
        ("New York, NY, USA; Remote", "New York", "NY", "US"),
        ("Remote; Berlin, Germany", "Berlin", None, "DE"),
        ("Singapore, Singapore", "Singapore", None, "SG"),
        ("Singapore", "Singapore", None, "SG"),
        ("Shenzhen, China", "Shenzhen", None, "CN"),
        ("Tel Aviv-Yafo, Tel Aviv District, Israel", "Tel Aviv-Yafo", "Tel Aviv District", "IL"),
        ("MCLEAN, VA", "McLean", "VA", "US"),
        ("WILMINGTON, DE, US", "Wilmington", "DE", "US"),
        ("Wilmington, DE", "Wilmington", "DE", "US"),
        ("Berlin, DE", "Berlin", None, "DE"),
        ("Mumbai, IN", "Mumbai", None, "IN"),
        ("Toronto, CA", "Toronto", None, "CA"),
        ("Los Angeles, CA", "Los Angeles", "CA", "US"),
        ("Amsterdam, NL", "Amsterdam", None, "NL"),
        ("St. John's, NL", "St. John's", "NL", "CA"),
        ("Atlanta, Georgia", "Atlanta", "GA", "US"),
        ("Tbilisi, Georgia", "Tbilisi", None, "GE"),
        ("Toronto, Ontario", "Toronto", "ON", "CA"),
        ("Bengaluru, KA, India", "Bengaluru", "Karnataka", "IN"),
        ("Sydney, New South Wales, Australia", "Sydney", "NSW", "AU"),
        ("123 Main St, Springfield, IL 62701, USA", "Springfield", "IL", "US"),
        ("Seattle, WA 98101", "Seattle", "WA", "US"),
        ("Bentonville, Ark.", "Bentonville", "AR", "US"),
        ("Charlotte, N.C.", "Charlotte", "NC", "US"),
        ("Washington, D.C.", "Washington", "DC", "US"),
        ("West Falls Church, Virginia[2]", "West Falls Church", "VA", "US"),
        ("San Juan, PR, USA", "San Juan", "PR", "US"),
        ("San Juan, Puerto Rico", "San Juan", None, "PR"),
        ("NEW YORK", "New York", "NY", "US"),
        ("California, USA", None, "CA", "US"),
        ("Texas", None, "TX", "US"),
        ("United States (Remote)", None, None, "US"),
        ("Victoria, Canada", "Victoria", None, "CA"),
        ("Tacoma, 053", "Tacoma", None, None),
        ("Georgia", None, None, None),
        ("CA", None, None, None),
        ("Remote", None, None, None),
        ("N/A", None, None, None),
        ("", None, None, None),
        (None, None, None, None),
        (",,;", None, None, None),
    ],
)
def test_split_place(
    text: str | None, city: str | None, state: str | None, country_code: str | None
) -> None:
    assert split_place(text) == Place(city, state, country_code)


@pytest.mark.parametrize(
    ("text", "country_code", "found"),
    [
        ("CA", None, ("US", "CA")),
        ("california", None, ("US", "CA")),
        ("on", None, ("CA", "ON")),
        ("Québec", "CA", ("CA", "QC")),
        ("WA", "AU", ("AU", "WA")),
        ("WA", None, ("US", "WA")),
        ("Karnataka", None, ("IN", "KA")),
        ("KA", None, None),
        ("KA", "IN", ("IN", "KA")),
        ("XX", "US", None),
        ("", None, None),
        (None, None, None),
    ],
)
def test_state_from_text(
    text: str | None, country_code: str | None, found: tuple[str, str] | None
) -> None:
    state = state_from_text(text, country_code)
    assert ((state.country_code, state.code) if state else None) == found


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("NEW YORK", "New York"),
        ("san francisco", "San Francisco"),
        ("Winston-Salem", "Winston-Salem"),
        ("ST. LOUIS", "St. Louis"),
        ("none", None),
        ("", None),
        (None, None),
    ],
)
def test_city_name(text: str | None, city: str | None) -> None:
    assert city_name(text) == city


@given(st.one_of(st.text(max_size=60), st.text("abN Y,;()USA-CA1", max_size=40)))
def test_never_raises_and_names_real_countries(text: str) -> None:
    place = split_place(text)
    assert place.country_code is None or country_from_text(place.country_code) is not None
