"""Passes many rows to a statement as one parameter per column.

The driver looks at each text of an array by itself. One text with marks between costs a tenth of it.
"""

import asyncio
from collections.abc import Iterable
from typing import Any, Final

from sightline.store.database import Connection

Statement = tuple[str, tuple[Any, ...]]
"""SQL and its parameters."""

_BETWEEN: Final = "\x1f"
_NULL: Final = "\x1e"


def column_in(parameter: int, kind: str = "text") -> str:
    """SQL: the values of a parameter made by `joined`, as an array."""
    texts = f"(string_to_array(${parameter}, E'\\x1f', E'\\x1e'))[2:]"
    return texts if kind == "text" else f"{texts}::{kind}[]"


def joined(values: Iterable[object]) -> str:
    """Values and NULLs as one parameter. The mark between them is no character of any text: where one
    holds it, it becomes a blank."""
    marked = ["", *[_NULL if value is None else str(value) for value in values]]
    whole = _BETWEEN.join(marked)
    if whole.count(_BETWEEN) != len(marked) - 1:
        whole = _BETWEEN.join([text.replace(_BETWEEN, " ") for text in marked])
    return whole


async def run_ahead(connection: Connection, statements: Iterable[Statement]) -> None:
    """Run statements in their order. While one runs, the next is made, in a thread."""
    following = iter(statements)
    statement = next(following, None)
    while statement is not None:
        sql, parameters = statement
        _, statement = await asyncio.gather(
            connection.execute(sql, *parameters), asyncio.to_thread(next, following, None)
        )
