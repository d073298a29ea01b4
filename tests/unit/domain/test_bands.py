"""Employee and revenue bands, from numbers and from other people's ranges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.domain.bands import (
    EMPLOYEE_BANDS,
    REVENUE_BANDS,
    closest_bands,
    employee_band,
    employee_band_from_text,
    revenue_band,
    revenue_band_from_text,
)


@pytest.mark.parametrize(
    ("count", "band"),
    [
        (1, "1-10"), (10, "1-10"), (11, "11-50"), (50, "11-50"), (51, "51-200"), (200, "51-200"),
        (201, "201-500"), (501, "501-1000"), (1000, "501-1000"), (1001, "1001-5000"),
        (5001, "5001-10000"), (10000, "5001-10000"), (10001, "10001+"), (2_300_000, "10001+"),
        (0, None), (-1, None), (None, None),
    ],
)  # fmt: skip
def test_employee_band(count: int | None, band: str | None) -> None:
    assert employee_band(count) == band


@pytest.mark.parametrize(
    ("usd", "band"),
    [
        (0, "0-1M"), (999_999.99, "0-1M"), (1e6, "1M-10M"), (1e7, "10M-50M"), (5e7, "50M-100M"),
        (1e8, "100M-500M"), (5e8, "500M-1B"), (1e9, "1B-10B"), (1e10, "10B+"), (1e13, "10B+"),
        (-1, None), (float("nan"), None), (None, None),
    ],
)  # fmt: skip
def test_revenue_band(usd: float | None, band: str | None) -> None:
    assert revenue_band(usd) == band


@given(st.integers(1, 10**8))
def test_band_contains_the_count(count: int) -> None:
    band = employee_band(count)
    assert band is not None
    low, _, high = band.rstrip("+").partition("-")
    assert int(low) <= count
    assert band.endswith("+") or count <= int(high)


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("5001 to 10000 employees", "5001-10000"), ("10000+ employees", "10001+"), ("51-200", "51-200"),
        ("1,001–5,000 employees", "1001-5000"), ("Self-employed", "1-10"), ("2-10 employees", "1-10"),
        ("10,001+", "10001+"), ("201 to 500 Employees", "201-500"), ("1K-5K", "1001-5000"), ("<10", "1-10"),
        ("more than 10000", "10001+"), ("10000 or more", "10001+"), ("Less than 50", "11-50"),
        ("1 to 50 employees", "1-10"), ("0-1", "1-10"), ("11 - 50", "11-50"), ("1000", "501-1000"),
        ("≤ 10", "1-10"), ("100 to 300", "51-200"),
        ("Unknown", None), ("", None), (None, None), ("0", None), ("big", None), ("500-100", None),
    ],
)  # fmt: skip
def test_employee_band_from_text(text: str | None, band: str | None) -> None:
    assert employee_band_from_text(text) == band


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("$500 million to $1 billion (USD) per year", "500M-1B"),
        ("Less than $1 million (USD) per year", "0-1M"), ("$10+ billion (USD) per year", "10B+"),
        ("$1 to $5 million (USD) per year", "1M-10M"), ("$100 to $500 million (USD)", "100M-500M"),
        ("$25 to $50 million (USD) per year", "10M-50M"), ("$5 to $10 billion (USD) per year", "1B-10B"),
        ("$50 to $100 million (USD) per year", "50M-100M"), ("$10B+", "10B+"), ("Over $1B", "1B-10B"),
        ("1-10M", "1M-10M"), ("$0 - $1M", "0-1M"), ("500000", "0-1M"), ("USD 20m - USD 30m", "10M-50M"),
        ("Unknown / Non-Applicable per year", None), ("€5m-€10m", None), ("€5m", None), ("", None),
        (None, None), ("$10M to $1M", None), ("confidential", None),
    ],
)  # fmt: skip
def test_revenue_band_from_text(text: str | None, band: str | None) -> None:
    assert revenue_band_from_text(text) == band


def test_column_unit_applies_to_bare_revenue() -> None:
    assert revenue_band_from_text("500", 1_000_000) == "500M-1B"
    assert revenue_band_from_text("10 - 40", 1_000_000) == "10M-50M"


def test_our_own_bands_are_read_as_themselves() -> None:
    assert [employee_band_from_text(band) for band in EMPLOYEE_BANDS] == list(EMPLOYEE_BANDS)
    assert [revenue_band_from_text(band) for band in REVENUE_BANDS] == list(REVENUE_BANDS)


def test_closest_bands() -> None:
    assert closest_bands("5000+", EMPLOYEE_BANDS)[0] == "5001-10000"
    assert closest_bands("$2 billion", REVENUE_BANDS)[0] == "1B-10B"
    assert len(closest_bands("???", EMPLOYEE_BANDS)) <= 3


@given(st.text(max_size=60), st.text("0123456789-+ to$MBKemployees", max_size=30))
def test_texts_never_raise(text: str, likely: str) -> None:
    for tried in (text, likely):
        assert employee_band_from_text(tried) in {None, *EMPLOYEE_BANDS}
        assert revenue_band_from_text(tried) in {None, *REVENUE_BANDS}
        assert set(closest_bands(tried, EMPLOYEE_BANDS)) <= set(EMPLOYEE_BANDS)
