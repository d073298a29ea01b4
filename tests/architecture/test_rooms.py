"""Rooms only get lighter: lines, patterns, branches. A room that needs more takes it from another."""

import ast
from pathlib import Path

import pytest

from tests.architecture.test_patterns import patterns

# Room -> most lines, patterns and branches of a function: ways through it, counted as McCabe does.
ROOMS = {
    "api": (13_387, 12, 12),
    "assistant": (3_498, 11, 13),
    "cli": (6_114, 5, 12),
    "console": (6_203, 3, 12),
    "crm": (2_785, 1, 11),
    "domain": (5_763, 73, 12),
    "enrich": (3_380, 0, 12),
    "imports": (5_059, 18, 12),
    "kit": (5_050, 12, 12),
    "llm": (297, 0, 7),
    "match": (2_552, 32, 12),
    "mcp": (1_025, 0, 8),
    "monitor": (936, 0, 12),
    "profile": (6_753, 18, 15),
    "queue": (384, 0, 6),
    "reading": (4_108, 88, 14),
    "search": (1_493, 1, 12),
    "signals": (3_752, 16, 13),
    "store": (17_303, 2, 12),
    "sources/sec_edgar": (6_204, 101, 12),
    "sources/website": (4_500, 97, 12),
    "sources/boards": (3_303, 25, 12),
}
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


@pytest.mark.parametrize("room", ROOMS)
def test_the_room_stays_light(root: Path, room: str) -> None:
    folder = root / "src/sightline" / room
    most_lines, most_patterns, most_branches = ROOMS[room]
    files = sorted(folder.rglob("*.py"))
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) <= most_lines
    assert len(patterns(folder)) <= most_patterns
    tangled = [
        f"{path.name}::{node.name}"
        for path in files
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and branches(node) > most_branches
    ]
    assert tangled == []
