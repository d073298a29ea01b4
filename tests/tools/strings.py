"""Prints every string that a person may read of a room, one a line with its place, to be read in one go.

python tests/tools/strings.py [src/sightline/cli]
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """Strings with a space in them, in their order; docstrings of what begins with `_` are left out."""
    tree = ast.parse(path.read_text("utf-8"))
    private = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module)
        or (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and _is_inner(node)
        )
        if node.body and isinstance(node.body[0], ast.Expr)
    }
    inside = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in ast.walk(tree):
        if id(node) in private or id(node) in inside:
            continue
        if isinstance(node, ast.JoinedStr):
            text = "".join(
                part.value if isinstance(part, ast.Constant) else "{}" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if " " in text.strip():
            yield node.lineno, " ".join(text.split())


def _is_inner(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    return node.name.startswith("_") or isinstance(node, ast.ClassDef)


if __name__ == "__main__":
    room = Path(sys.argv[1] if len(sys.argv) > 1 else "src/sightline/cli")
    for file in sorted(room.rglob("*.py")):
        for line, text in sorted(set(strings(file))):
            print(f"{file.name}:{line}: {text}")
