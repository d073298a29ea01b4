"""`calculate`: arithmetic over numbers that sources show, so that its result may be said with them."""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, Field

from sightline.assistant.contract import Source
from sightline.assistant.shown import Shown, cite, pieces
from sightline.assistant.tools.session import NoAnswer, ToolSession, tool

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
    r"(?P<scale>thousand|million|billion|trillion)?",
    re.I,
)


class CitedNumber(BaseModel):
    id: str = Field(description="The id of the source that shows the number.")
    number: str = Field(
        description="The number as the source writes it, with its unit: 12.5 billion."
    )


@dataclass(frozen=True, slots=True)
class _Read:
    value: float
    text: str
    piece: str  # the line or sentence of the source that has it
    sources: tuple[Source, ...]


@tool("calculating")
async def calculate(session: ToolSession, expression: str, numbers: list[CitedNumber]) -> str:
    """Calculate with numbers that sources show. Cite the id of the result for the result.

    Args:
        expression: Letters stand for the numbers in their order: "(a - b) / b * 100". Allowed are
            + - * /, parentheses, letters and plain factors such as 100.
        numbers: One cited number for each letter.
    """
    read = [_read(session, each) for each in numbers[:26]]
    values = {chr(ord("a") + n): each.value for n, each in enumerate(read)}
    try:
        tree = ast.parse(expression[:_LONGEST], mode="eval")
        result = _value(tree.body, values)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, OverflowError) as error:
        raise NoAnswer(f"That cannot be calculated: {error}.") from error
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if not used:
        raise NoAnswer("Use at least one cited number.")
    words = re.sub(
        r"\b[a-z]\b",
        lambda letter: read[ord(letter[0]) - ord("a")].text,
        ast.unparse(tree.body),
    )
    text = f"{words} = {_printed(result)}"
    chosen = [read[ord(letter) - ord("a")] for letter in sorted(used)]
    sources = tuple(dict.fromkeys(source for each in chosen for source in each.sources))
    context = "\n".join(dict.fromkeys(each.piece for each in chosen))
    name, _ = session.shown.put(Shown(text, sources, "calculation", context, result=result))
    return f"{name} | calculation\n{text}"


def _read(session: ToolSession, cited: CitedNumber) -> _Read:
    shown = session.shown.by_id.get(cited.id)
    if shown is None:
        raise NoAnswer(f"There is no source {cited.id!r}.")
    digits = re.search(r"\d[\d,]*(?:\.\d+)?|\.\d+", cited.number)
    found = _NUMBER.match(cited.number.strip())
    if digits is None or found is None:
        raise NoAnswer(f"{cited.number!r} is not a number.")
    wanted = re.compile(rf"(?<![\d.,]){re.escape(digits[0])}(?![\d]|[.,]\d)")
    piece = next((each for each in pieces(shown.text) if wanted.search(each)), None)
    if piece is None:
        raise NoAnswer(f"{cited.id} does not show {digits[0]}.")
    value = float(found["digits"].replace(",", "")) * _SCALES.get((found["scale"] or "").lower(), 1)
    in_text = shown.result is None
    return _Read(
        -value if found["minus"] else value,
        cited.number.strip(),
        piece,
        tuple(cite(source, piece) if in_text else source for source in shown.sources),
    )


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


def _printed(value: float) -> str:
    """Digits enough to be rounded again: '16.09', '416,161,000,000'."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.4f}".rstrip("0") if abs(value) < 1_000 else f"{value:,.2f}"
