"""The room that reads filings only gets lighter: ceilings of its lines, patterns and branches."""

import ast
from pathlib import Path

from tests.architecture.test_patterns import patterns

ROOM = "src/sightline/sources/sec_edgar"
MOST_LINES = 6_500
MOST_PATTERNS = 147
MOST_BRANCHES = 15
"""Of a function: ways through it, counted as McCabe does."""
_BRANCHES = (
    ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.comprehension,
    ast.Assert, ast.match_case,
)  # fmt: skip


def branches(function: ast.AST) -> int:
    inside = list(ast.walk(function))
    chains = sum(len(each.values) - 1 for each in inside if isinstance(each, ast.BoolOp))
    return 1 + sum(isinstance(each, _BRANCHES) for each in inside) + chains


def test_branches_are_counted() -> None:
    source = "def f(a, b):\n    return 1 if a and b else [x for x in a]\n"
    assert branches(ast.parse(source).body[0]) == 4


def test_the_room_stays_light(root: Path) -> None:
    files = sorted((root / ROOM).rglob("*.py"))
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) <= MOST_LINES
    assert len(patterns(root / ROOM)) <= MOST_PATTERNS
    tangled = [
        f"{path.name}::{node.name}"
        for path in files
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and branches(node) > MOST_BRANCHES
    ]
    assert tangled == []
