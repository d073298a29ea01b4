"""Statements of a Wikidata item: rank, time and value of each."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

# Items of currencies that amounts come in most.
_CURRENCIES = {
    "Q4917": "USD", "Q4916": "EUR", "Q25224": "GBP", "Q8146": "JPY", "Q25344": "CHF",
    "Q39099": "CNY", "Q1104069": "CAD", "Q259502": "AUD", "Q80524": "INR", "Q202040": "KRW",
    "Q122922": "SEK", "Q132643": "NOK", "Q25417": "DKK", "Q41044": "RUB", "Q173117": "BRL",
    "Q31015": "HKD", "Q190951": "SGD", "Q208526": "TWD", "Q123213": "PLN", "Q4730": "MXN",
    "Q181907": "ZAR", "Q172872": "TRY", "Q131309": "ILS",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    value: Any
    pointer: str
    preferred: bool
    start: date | None
    ended: bool
    point: date | None
    qualifiers: Mapping[str, Any]


class Statements:
    """The statements of an item that count, best first."""

    def __init__(self, claims: Mapping[str, Any], labels: Mapping[str, str]) -> None:
        self._claims = claims
        self._labels = labels

    def has(self, *names: str) -> bool:
        return any(self._claims.get(name) for name in names)

    def all(self, name: str) -> list[Statement]:
        """Statements of a property: preferred before others, current before ended, latest first."""
        raw = self._claims.get(name)
        found = [
            statement
            for index, claim in enumerate(raw if isinstance(raw, list) else ())
            if (statement := _statement(claim, f"/claims/{name}/{index}")) is not None
        ]
        return sorted(
            found,
            key=lambda s: (s.preferred, not s.ended, s.point or s.start or date.min),
            reverse=True,
        )

    def current(self, name: str) -> list[Statement]:
        """Those that have not ended; of the preferred rank alone where one is preferred."""
        open_ = [statement for statement in self.all(name) if not statement.ended]
        preferred = [statement for statement in open_ if statement.preferred]
        return preferred or open_

    def values(self, name: str) -> list[Any]:
        return [statement.value for statement in self.all(name)]

    def name_of(self, statement: Statement) -> str | None:
        value = statement.value
        return self._labels.get(str(value.get("id"))) if isinstance(value, dict) else None


def _statement(claim: Any, pointer: str) -> Statement | None:
    if not isinstance(claim, dict) or claim.get("rank") == "deprecated":
        return None
    value = _snak(claim.get("mainsnak"))
    if value is None:
        return None
    raw = claim.get("qualifiers")
    qualifiers = {
        name: [v for snak in snaks if (v := _snak(snak)) is not None]
        for name, snaks in (raw if isinstance(raw, dict) else {}).items()
        if isinstance(snaks, list)
    }
    ends = raw.get("P582", []) if isinstance(raw, dict) else []
    # "Ended at an unknown time" has a qualifier without a value.
    return Statement(
        value=value,
        pointer=pointer,
        preferred=claim.get("rank") == "preferred",
        start=_date(first(qualifiers.get("P580"))),
        ended=bool(ends),
        point=_date(first(qualifiers.get("P585"))),
        qualifiers=qualifiers,
    )


def _snak(snak: Any) -> Any:
    if not isinstance(snak, dict) or snak.get("snaktype", "value") != "value":
        return None
    datavalue = snak.get("datavalue")
    return datavalue.get("value") if isinstance(datavalue, dict) else None


def latest(statements: Iterable[Statement]) -> Statement | None:
    """By point in time; without any, the one of the best rank."""
    found = list(statements)
    dated = [statement for statement in found if statement.point is not None]
    if dated:
        return max(dated, key=lambda statement: statement.point or date.min)
    return found[0] if found else None


def amount(value: Any) -> tuple[float, str | None] | None:
    """Amount and currency of a quantity; the currency is None where the unit is none."""
    try:
        amount = float(value["amount"])
    except (KeyError, TypeError, ValueError):
        return None
    return amount, _CURRENCIES.get(str(value.get("unit", "")).rpartition("/")[2])


def _date(value: Any) -> date | None:
    """The day of a time value; of a year or month alone its first day."""
    found = (
        re.match(r"\+(\d{4})-(\d{2})-(\d{2})", str(value.get("time")))
        if isinstance(value, dict)
        else None
    )
    if found is None:
        return None
    year, month, day = (int(part) for part in found.groups())
    try:
        return date(year, month or 1, day or 1)
    except ValueError:
        return None


def year_of(value: Any) -> int | None:
    """The year of a time value of at least that precision (9)."""
    if isinstance(value, dict) and int(value.get("precision") or 9) < 9:
        return None
    found = _date(value)
    return found.year if found else None


def first(values: Any) -> Any:
    return values[0] if isinstance(values, list) and values else None
