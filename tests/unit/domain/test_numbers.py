"""Counts, money and units of column headers."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.domain.numbers import Money, currency_of, parse_count, parse_money, unit_from_header


@pytest.mark.parametrize(
    ("value", "count"),
    [
        ("1,234", 1234), ("1.2k", 1200), ("12,000+", 12000), ("1 234", 1234), ("1\u00a0234", 1234),
        ("1'234", 1234), ("1’234", 1234), (1234.0, 1234), (7, 7), ("1.234", 1234), ("1.234.567", 1234567),
        ("~500", 500), ("about 300 employees", 300), ("1e3", 1000), ("３00", 300), ("0", 0),
        ("2300000", 2300000), ("1.5 million", 1500000),
        ("10-50", None), ("-5", None), ("", None), ("N/A", None), ("1,5", None), ("12 apples", None),
        (True, None), (None, None), (float("inf"), None), (float("nan"), None), (10**400, None),
        (0.5, None), ("999999999999", None), ([], None), ("9" * 100, None),
    ],
)  # fmt: skip
def test_parse_count(value: object, count: int | None) -> None:
    assert parse_count(value) == count


@pytest.mark.parametrize(
    ("value", "amount", "currency"),
    [
        ("$1.2B", 1.2e9, "USD"), ("1,234.5 million", 1234.5e6, None), ("USD 3.4bn", 3.4e9, "USD"),
        ("482130", 482130, None), ("€5m", 5e6, "EUR"), ("£1.5 bn", 1.5e9, "GBP"), ("10 crore", 1e8, None),
        ("1.5 Mrd. €", 1.5e9, "EUR"), ("US$ 3 billion", 3e9, "USD"), ("C$20k", 20e3, "CAD"),
        ("(1,200)", -1200, None), ("-3", -3, None), ("1.234.567,89 EUR", 1234567.89, "EUR"),
        ("¥1,000", 1000, "JPY"), ("RMB 5m", 5e6, "CNY"), (5.5, 5.5, None),
    ],
)  # fmt: skip
def test_parse_money(value: object, amount: float, currency: str | None) -> None:
    money = parse_money(value)
    assert money is not None
    assert math.isclose(money.amount, amount)
    assert money.currency == currency


@pytest.mark.parametrize(
    "value", ["", "$", "N/A", "1-2", "$1 to $2", "12 apples", None, "Unknown", True]
)
def test_what_is_no_amount(value: object) -> None:
    assert parse_money(value) is None


def test_header_unit_applies_to_bare_numbers_only() -> None:
    assert parse_money("500", 1_000_000) == Money(5e8, None)
    assert parse_money(500, 1_000_000) == Money(5e8, None)
    assert parse_money("$3B", 1_000_000) == Money(3e9, "USD")
    assert parse_money("500", currency="EUR") == Money(500.0, "EUR")
    assert parse_money("$500", currency="EUR") == Money(500.0, "USD")


@pytest.mark.parametrize(
    ("header", "unit"),
    [
        ("revenue ($ millions)", 10**6), ("Revenue ($M)", 10**6), ("Revenue, USD mn", 10**6),
        ("Sales (000s)", 1000), ("Revenue (in thousands)", 1000), ("rev $bn", 10**9), ("Sales $K", 1000),
        ("revenue_usd", 1), ("Annual Revenue", 1), ("Plan B", 1), ("Column M", 1), ("", 1),
    ],
)  # fmt: skip
def test_unit_from_header(header: str, unit: int) -> None:
    assert unit_from_header(header) == unit


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("$5", "USD"),
        ("5 eur", "EUR"),
        ("R$5", "BRL"),
        ("5 zł", "PLN"),
        ("5", None),
        ("Europe", None),
    ],
)
def test_currency_of(text: str, code: str | None) -> None:
    assert currency_of(text) == code


@given(
    st.one_of(
        st.text(max_size=100), st.text("0123456789.,'- $kKmMbB+()eE", max_size=30), st.floats()
    )
)
def test_parsers_never_raise(value: object) -> None:
    count = parse_count(value)
    assert count is None or count >= 0
    money = parse_money(value)
    assert money is None or math.isfinite(money.amount)


@given(st.integers(0, 10**8))
def test_written_counts_are_read_back(count: int) -> None:
    for written in (
        str(count),
        f"{count:,}",
        f"{count:,}".replace(",", " "),
        float(count),
        f"{count}+",
    ):
        assert parse_count(written) == count
