"""`calculate`: arithmetic over numbers from sources, so that the result can be cited."""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from pydantic import BaseModel, Field

from sightline.assistant.contract import Source
from sightline.assistant.shown import CALCULATION, Shown, cite, pieces
from sightline.assistant.tools.session import NoAnswer, ToolSession, tool
from sightline.assistant.units import unscaled
from sightline.domain.amounts import exact
from sightline.domain.numbers import currency_of
from sightline.reading.money import sums_in
from sightline.reading.tables import CELL, scale_of

_LONGEST: Final = 200  # characters of an expression
_OPERATORS: Final[Mapping[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_SCALES: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_NUMBER: Final = re.compile(
    r"^\(?[^\d.(-]{0,5}(?P<minus>[(-])?[^\d.]{0,5}(?P<digits>\d[\d,]*(?:\.\d+)?|\.\d+)\)?\s*"
    r"(?P<unit>thousand|million|billion|trillion|%|percent|per cent)?",
    re.I,
)
_COUNT: Final = "count"  # the unit of what has none
_RATIO: Final = "ratio"  # of two numbers of one unit
_PERCENT: Final = "%"


class CitedNumber(BaseModel):
    id: str = Field(description="The id of the source that shows the number.")
    number: str = Field(
        description="The number as the source writes it, with its unit: 12.5 billion."
    )


@dataclass(frozen=True, slots=True)
class _Read:
    """`value` is in whole units, `written` as the source has it; `lines` are the row or sentence with it,
    and the head of its table."""

    value: float
    written: float
    unit: str  # a currency, or one of the units above
    text: str
    lines: str
    sources: tuple[Source, ...]


@tool("calculating")
async def calculate(session: ToolSession, expression: str, numbers: list[CitedNumber]) -> str:
    """Calculate with numbers that sources show. Cite the id of the result for the result, and for the
    numbers that it was made of.

    Args:
        expression: Letters stand for the numbers in their order: "(a - b) / b * 100". Allowed are
            + - * /, parentheses, letters and plain factors such as 100.
        numbers: One cited number for each letter.
    """
    read = {chr(ord("a") + n): _read(session, each) for n, each in enumerate(numbers[:26])}

    def of(part: str) -> dict[str, Any]:
        return {letter: getattr(each, part) for letter, each in read.items()}

    try:
        tree = ast.parse(expression[:_LONGEST], mode="eval").body
        whole, plain = _value(tree, of("value")), _value(tree, of("written"))
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, OverflowError) as error:
        raise NoAnswer(f"That cannot be calculated: {error}.") from error
    unit = _unit(tree, of("unit"))
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    chosen = [read[letter] for letter in sorted({node.id for node in names})]
    if not chosen:
        raise NoAnswer("Use at least one cited number.")
    for node in names:
        node.id = read[node.id].text  # printed as it is
    text = f"{ast.unparse(tree)} = {_in_words(plain, whole, unit)}"
    sources = dict.fromkeys(chain.from_iterable(each.sources for each in chosen))
    lines = "\n".join(dict.fromkeys(each.lines for each in chosen))
    results = (whole, plain, *(each.value for each in chosen))
    name = session.shown.put(Shown(text, tuple(sources), CALCULATION, lines, results=results))
    return f"{name} | {CALCULATION}\n{text}"


def _read(session: ToolSession, cited: CitedNumber) -> _Read:
    """A number as its source shows it. Raises NoAnswer."""
    text = cited.number.strip()
    shown, found = session.shown.by_id.get(cited.id), _NUMBER.match(text)
    if shown is None:
        raise NoAnswer(f"There is no source {cited.id!r}.")
    if found is None:
        raise NoAnswer(f"{cited.number!r} is not a number.")
    digits, unit = found["digits"], (found["unit"] or "").lower()
    wanted = re.compile(rf"(?<![\d.,]){re.escape(digits)}(?![\d]|[.,]\d)")
    piece = next(filter(wanted.search, pieces(shown.text)), None)
    if piece is None:
        raise NoAnswer(f"{cited.id} does not show {digits}.")
    beside = [piece[at.end() :].lstrip(" -").lower() for at in wanted.finditer(piece)]
    whole, written, kind, is_sum = _stated(shown, piece, float(digits.replace(",", "")), unit)
    if not is_sum and not any(after.startswith(unit) for after in beside):
        raise NoAnswer(f"{cited.id} does not show {text}.")
    minus = -1 if found["minus"] else 1
    sources = shown.sources if shown.results else [cite(each, piece) for each in shown.sources]
    lines = "\n".join(filter(None, (shown.table(piece), piece)))
    return _Read(minus * whole, minus * written, kind, text, lines, tuple(sources))


def _stated(shown: Shown, piece: str, number: float, unit: str) -> tuple[float, float, str, bool]:
    """A number of a piece with its unit: in whole units, as it is written, the unit of its results, and
    whether it is one of the sums that the piece states."""
    written, scale = number * _SCALES.get(unit, 1), shown.scale(piece)
    sums = {each.amount: each.currency for each in sums_in(piece)}
    currency = _currency(shown.table(piece), piece) if scale else sums.get(written)
    if scale is None and number in unscaled(piece):
        scale = shown.notes_scale
    scaled = number * (scale or 1)
    kind = _PERCENT if unit and unit not in _SCALES else currency or _COUNT
    return written if unit else scaled, written, kind, written in sums or written == scaled


def _currency(table: str, row: str) -> str | None:
    """What the heads of a table or the row itself say that its figures are in."""
    heads = [line for line in table.split("\n") if CELL in line or scale_of(line)]
    return currency_of(" ".join([*heads, row]))


def _value(node: ast.expr, values: Mapping[str, float]) -> float:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left, values), _value(node.right, values))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, values)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.Name) and node.id in values:
        return values[node.id]
    raise ValueError(f"{ast.unparse(node)} is not allowed")


def _unit(node: ast.expr, units: Mapping[str, str]) -> str:
    """The unit of a result; "" of a plain factor."""
    if isinstance(node, ast.Name):
        return units[node.id]
    if isinstance(node, ast.UnaryOp):
        return _unit(node.operand, units)
    if not isinstance(node, ast.BinOp):
        return ""
    left, right = _unit(node.left, units), _unit(node.right, units)
    if isinstance(node.op, ast.Div) and right:
        return _RATIO if left == right else _COUNT
    known = {left, right} - {""}
    if isinstance(node.op, ast.Mult):
        if known == {_RATIO} and "100" in map(ast.unparse, (node.left, node.right)):
            return _PERCENT
        known = known - {_PERCENT, _RATIO} or known
    return known.pop() if len(known) == 1 else _COUNT


def _in_words(plain: float, whole: float, unit: str) -> str:
    """'33.3333%', '0.2802 (28.02%)', '2,500 (2.5 million USD)'."""
    if unit == _PERCENT:
        return f"{_printed(plain)}%"
    if unit == _RATIO:
        return f"{_printed(whole)} ({_printed(whole * 100)}%)"
    if unit == _COUNT:
        return _printed(plain) + (f" ({_printed(whole)})" if whole != plain else "")
    (amount,) = exact([round(whole, 2)], unit)
    return f"{_printed(plain)} ({amount})" if whole != plain else amount


def _printed(value: float) -> str:
    """Digits enough to be rounded again: '16.09', '416,161,000,000'."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.4f}".rstrip("0") if abs(value) < 1_000 else f"{value:,.2f}"
