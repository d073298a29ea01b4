"""Employees, revenue and market value of a row."""

from functools import lru_cache

from sightline.domain.bands import (
    employee_band,
    employee_band_from_text,
    revenue_band,
    revenue_band_from_text,
)
from sightline.domain.numbers import currency_of, parse_count, parse_money
from sightline.imports.account_row import Value
from sightline.imports.cells import RowCells
from sightline.imports.currencies import rate_in_words, revenue_band_of
from sightline.imports.shapes import is_number

# The largest employer and the largest company there are stay below half of these.
_MOST_EMPLOYEES = 5_000_000
_MOST_REVENUE = 2e12  # US dollars a year
_MOST_MARKET_VALUE = 2e13


def employee_values(cells: RowCells) -> dict[str, Value]:
    """Count and band, or the band alone where the list gives a range. 0 says nothing."""
    for column, text in cells.texts("full_time_employees"):
        found = _employees(text)
        if found is None:
            _refuse(cells, column, "not a number of employees", text)
        elif found:
            return found
    return {}


@lru_cache(1 << 13)  # most companies have one of a few thousand counts
def _employees(text: str) -> dict[str, Value] | None:
    """Count and band of a cell, None where it is not a number of employees; shared, not to be changed."""
    count = parse_count(text)
    if count is None or count > _MOST_EMPLOYEES:
        said = None if count is not None or is_number(text) else employee_band_from_text(text)
        return {"employee_count_range": said} if said else None
    band = employee_band(count)
    found: dict[str, Value] = {"full_time_employees": count} if count else {}
    return found | ({"employee_count_range": band} if count and band else {})


def revenue_values(cells: RowCells) -> dict[str, Value]:
    """Yearly revenue in US dollars and its band, or the band alone. Of another currency the band
    alone is taken, by a dated rate."""
    for column, text in cells.texts("revenue"):
        unit = cells.units.get(column, 1)
        money = parse_money(text, unit, currency=currency_of(column))
        if money is None:
            band = None if "%" in text else revenue_band_from_text(text, unit)
            if band:
                return {"revenue_range": band}
            _refuse(cells, column, "not an annual revenue", text)
        elif money.currency not in (None, "USD"):
            band = revenue_band_of(money.amount, money.currency) if money.amount > 0 else None
            if band:
                rate = rate_in_words(money.currency)
                cells.conclude(f"Bands of {column!r} in {money.currency} are by {rate}.")
                return {"revenue_range": band}
            cells.unknown(column, f"an amount in {money.currency}")
        elif money.amount < 0 or money.amount > _MOST_REVENUE:
            cells.drop(column, "an impossible revenue", text)
        elif money.amount > 0:
            band = revenue_band(money.amount)
            found: dict[str, Value] = {"revenue_usd": money.amount}
            return found | ({"revenue_range": band} if band else {})
    return {}


def market_values(cells: RowCells) -> dict[str, Value]:
    """Market value in whole units of the currency of the shares."""
    for column, text in cells.texts("market_cap"):
        money = parse_money(text, cells.units.get(column, 1), currency=currency_of(column))
        if money is None:
            _refuse(cells, column, "not an amount", text)
        elif money.amount < 0 or money.amount > _MOST_MARKET_VALUE:
            cells.drop(column, "an impossible market value", text)
        elif money.amount > 0:
            found: dict[str, Value] = {"market_cap": round(money.amount, 2)}
            return found | ({"stock_currency": money.currency} if money.currency else {})
    return {}


def _refuse(cells: RowCells, column: str, reason: str, text: str) -> None:
    """A number that is wrong is a problem of the row; mere words are not ("Unknown")."""
    if any(map(str.isdigit, text)):
        cells.drop(column, reason, text)
    else:
        cells.unknown(column, text)
