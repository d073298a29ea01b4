"""The unit of a column of amounts: from its header, or inferred from the size of the amounts."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from sightline.domain.numbers import (
    BILLION,
    MILLION,
    THOUSAND,
    parse_count,
    parse_money,
    unit_from_header,
)
from sightline.imports.fields import ColumnMapping
from sightline.imports.rows import Row

_FEWEST = 5
# US dollars of yearly revenue per employee. Hardly a company is below the first; as a median over a
# list it is rather some hundred thousand.
_TOO_LITTLE = 500
_USUAL = (10_000, 20_000_000)
_WORDS = {THOUSAND: "thousands", MILLION: "millions", BILLION: "billions"}


@dataclass(frozen=True)
class ColumnUnits:
    """Multipliers of the columns of amounts, and what was concluded rather than read."""

    by_column: dict[str, int]
    notes: tuple[str, ...]


def column_units(mapping: ColumnMapping, sample: Sequence[Row]) -> ColumnUnits:
    """Units of revenue and market value. A revenue column without a unit whose amounts are absurdly
    small beside the numbers of employees is in thousands, millions or billions, and so is a market
    value of the same size beside it."""
    revenues, values = mapping.of("revenue"), mapping.of("market_cap")
    units = {g.column: unit_from_header(g.column) for g in (*revenues, *values)}
    notes: list[str] = []
    employees = mapping.of("full_time_employees")
    for guess in revenues:
        implied = None
        if units[guess.column] == 1 and employees:
            implied = _implied(guess.column, employees[0].column, sample)
        if implied:
            units[guess.column] = implied
            notes.append(
                f"{guess.column!r} is assumed to be in {_WORDS[implied]}: otherwise it would be "
                "too small for the number of employees."
            )
            for value in values:
                if units[value.column] == 1 and _same_size(value.column, guess.column, sample):
                    units[value.column] = implied
                    notes.append(f"{value.column!r} is assumed to be in {_WORDS[implied]} as well.")
    return ColumnUnits(units, tuple(notes))


def _implied(revenue: str, employees: str, sample: Sequence[Row]) -> int | None:
    ratios = []
    for row in sample:
        amount, count = _amount(row, revenue), _amount(row, employees)
        if amount and count and parse_count(_text(row, employees)) is not None:
            ratios.append(amount / count)
    if len(ratios) < _FEWEST or median(ratios) >= _TOO_LITTLE:
        return None
    usual = median(ratios)
    fitting = (
        unit for unit in (MILLION, THOUSAND, BILLION) if _USUAL[0] <= usual * unit <= _USUAL[1]
    )
    return next(fitting, None)


def _same_size(column: str, other: str, sample: Sequence[Row]) -> bool:
    pairs = ((_amount(row, column), _amount(row, other)) for row in sample)
    ratios = [one / two for one, two in pairs if one and two]
    return len(ratios) >= _FEWEST and 0.01 <= median(ratios) <= 1000


def _amount(row: Row, column: str) -> float | None:
    money = parse_money(_text(row, column))
    return money.amount if money and money.amount > 0 else None


def _text(row: Row, column: str) -> str:
    cell = row.cells.get(column, "")
    return cell if isinstance(cell, str) else next(iter(cell), "")
