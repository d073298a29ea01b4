"""Patterns of the profile find shapes: they are few, and none names a company, product or phrase."""

import ast
import re
from pathlib import Path

MOST_PATTERNS = 18
"""Of the room `profile`; it only shrinks."""
CALLS = {"compile", "search", "match", "sub", "findall", "split", "fullmatch", "finditer", "subn"}
# What a name looks like in a pattern: a capital followed by small letters, of four letters or more.
NAME = re.compile(r"(?<![\\\[\w-])[A-Z][a-z]{3,}")
LONGEST_PHRASE = 4  # words in a row without a choice among them


def patterns(folder: Path) -> list[tuple[str, str]]:
    """(file, text) of each literal pattern."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "re" and node.func.attr in CALLS:
                texts = [n.value for n in ast.walk(node.args[0]) if isinstance(n, ast.Constant)]
                found.append((path.name, "".join(str(text) for text in texts)))
    return found


def test_patterns_are_few(root: Path) -> None:
    assert len(patterns(root / "src/sightline/profile")) <= MOST_PATTERNS


def test_no_pattern_names_anything(root: Path) -> None:
    named = [
        (name, NAME.findall(text))
        for name, text in patterns(root / "src/sightline/profile")
        if NAME.search(text)
    ]
    assert named == []


def test_no_pattern_holds_a_phrase_of_a_document(root: Path) -> None:
    phrase = re.compile(rf"[a-z]+(?: [a-z]+){{{LONGEST_PHRASE},}}")
    held = [
        (name, phrase.findall(text))
        for name, text in patterns(root / "src/sightline/profile")
        if phrase.search(text)
    ]
    assert held == []


def test_a_name_would_be_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('import re\nre.compile(r"(?:at|of) Harborline")\n')
    ((_, text),) = patterns(tmp_path)
    assert NAME.findall(text) == ["Harborline"]
