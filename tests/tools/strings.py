"""Prints every string that a person may read, one per line with its place, to read them in one go.

python -m tests.tools.strings [ROOM...]     rooms and files of src/sightline; default: all of it
python -m tests.tools.strings --modules     the first docstring of every module
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path("src") / "sightline"
NOT_TEXT = re.compile(r"\{#.*?#\}|<script.*?</script>|<[^>]*>|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
ATTRIBUTE = re.compile(r"\b(?:title|placeholder|aria-label|alt)=\"([^\"{]+ [^\"{]+)\"")


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """Strings with a space in them, in order, without docstrings of private functions and of classes."""
    tree = ast.parse(path.read_text("utf-8"))
    private = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module)
        or (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and (node.name.startswith("_") or isinstance(node, ast.ClassDef))
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
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if " " in text.strip():
            yield node.lineno, " ".join(text.split())


def template_strings(path: Path) -> Iterator[tuple[int, str]]:
    """The text of each line of a template, and of attributes that people see or hear."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        for text in (*ATTRIBUTE.findall(line), " ".join(NOT_TEXT.sub(" ", line).split())):
            if re.search(r"[a-z] [a-zA-Z]", text):
                yield number, text


def modules() -> Iterator[str]:
    for path in sorted(PACKAGE.rglob("*.py")):
        said = ast.get_docstring(ast.parse(path.read_text("utf-8")))
        if said:
            first = " ".join(said.split("\n\n")[0].split())
            yield f"{path.relative_to(PACKAGE)}: {first}"


def main(arguments: list[str]) -> None:
    if arguments == ["--modules"]:
        print(*modules(), sep="\n")
        return
    for room in arguments or [str(PACKAGE)]:
        top = Path(room)
        for file in sorted(top.rglob("*")) if top.is_dir() else [top]:
            is_template = file.suffix == ".html" and "templates" in file.parts
            if file.suffix == ".py" or is_template:
                found = template_strings(file) if is_template else strings(file)
                for line, text in sorted(set(found)):
                    print(f"{file}:{line}: {text}")


if __name__ == "__main__":
    main(sys.argv[1:])
