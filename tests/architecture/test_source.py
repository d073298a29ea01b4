"""House rules about the text of the source: length, silence of types, empty package files."""

import ast
import re
from pathlib import Path

MOST_LINES_IN_A_FILE = 400
MOST_LINES_IN_A_FUNCTION = 60

# Debt, by path or path::function, at its exact length. A row may only shrink or go.
LONG_FILES: dict[str, int] = {}
LONG_FUNCTIONS: dict[str, int] = {}


def lines_by_function(path: Path) -> dict[str, int]:
    """Qualified name of each function → its lines, decorators and docstring not counted."""
    found: dict[str, int] = {}

    def visit(node: ast.AST, inside: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = inside
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{inside}.{child.name}".lstrip(".")
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                first = child.body[0]
                length = (child.end_lineno or 0) - child.lineno + 1
                if ast.get_docstring(child, clean=False) is not None:
                    length -= (first.end_lineno or 0) - first.lineno + 1
                found[name] = length
            visit(child, name)

    visit(ast.parse(path.read_text("utf-8")), "")
    return found


def test_function_lengths_leave_out_docstrings(tmp_path: Path) -> None:
    path = tmp_path / "sample.py"
    path.write_text(
        'class A:\n    def b(self):\n        """One\n        two."""\n        return 1\n'
    )
    assert lines_by_function(path) == {"A.b": 2}


def test_files_stay_short(root: Path, python_files: list[Path]) -> None:
    lengths = {
        str(path.relative_to(root)): len(path.read_text("utf-8").splitlines())
        for path in python_files
        if path.is_relative_to(root / "src")
    }
    long = {name: size for name, size in lengths.items() if size > MOST_LINES_IN_A_FILE}
    assert long == LONG_FILES


def test_functions_stay_short(root: Path, python_files: list[Path]) -> None:
    long = {
        f"{path.relative_to(root)}::{name}": size
        for path in python_files
        for name, size in lines_by_function(path).items()
        if size > MOST_LINES_IN_A_FUNCTION
    }
    assert long == LONG_FUNCTIONS


def test_types_are_never_silenced_in_the_package(root: Path, python_files: list[Path]) -> None:
    silenced = re.compile(r"#\s*(type:\s*ignore|pyright:\s*ignore|mypy:)")
    offenders = [
        f"{path.relative_to(root)}:{number}"
        for path in python_files
        if path.is_relative_to(root / "src")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if silenced.search(line)
    ]
    assert offenders == []


# What users of the client import stands in its own first file.
CLIENT = "clients/python/src/sightline_client/__init__.py"


def test_package_files_are_empty(root: Path, python_files: list[Path]) -> None:
    full = [
        str(path.relative_to(root))
        for path in python_files
        if path.name == "__init__.py" and path.stat().st_size > 0 and path != root / CLIENT
    ]
    assert full == []


def test_every_folder_of_the_package_is_a_package(root: Path, python_files: list[Path]) -> None:
    folders = {path.parent for path in python_files if path.is_relative_to(root / "src")}
    bare = [str(path.relative_to(root)) for path in folders if not (path / "__init__.py").exists()]
    assert sorted(bare) == []
