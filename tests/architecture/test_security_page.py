"""What `docs/security.md` promises names tests, and the planted bugs their places: all of them exist."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.planted_bugs import BUGS, ROOT, Bug

PAGE = ROOT / "docs" / "security.md"
TEST = re.compile(r"(tests/[\w/]+\.py)::(\w+)")
RISKS = [f"API{n}" for n in range(1, 11)]
CHAPTERS = [f"V{n}" for n in range(1, 18)]


@cache
def functions_of(path: Path) -> frozenset[str]:
    """The functions of a file of tests."""
    tree = ast.parse(path.read_text())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, kinds))


def is_there(name: str) -> bool:
    """Whether `file::test` exists."""
    path, _, test = name.partition("::")
    return (ROOT / path).is_file() and test in functions_of(ROOT / path)


def named(text: str) -> list[str]:
    return ["::".join(found) for found in TEST.findall(text)]


def test_every_named_test_exists() -> None:
    names = named(PAGE.read_text())
    assert len(names) > 60
    assert [name for name in names if not is_there(name)] == []


def test_a_wrong_name_would_be_noticed() -> None:
    assert not is_there("tests/api/test_gate.py::test_that_nobody_wrote")
    assert not is_there("tests/api/test_nothing.py::test_x")


@pytest.mark.parametrize("item", [*RISKS, *CHAPTERS])
def test_every_point_is_answered(item: str) -> None:
    """Each risk and chapter has a row: with a test that proves it, or with the gap."""
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith(f"| {item} ")]
    assert len(rows) == 1, item
    assert named(rows[0]) or "Gap:" in rows[0] or "Does not apply" in rows[0]


def test_every_section_of_a_chapter_is_answered() -> None:
    """ASVS 5.0 has so many sections in each chapter; 10 and 17 do not apply as a whole."""
    counts = dict(zip(CHAPTERS, (5, 4, 7, 4, 4, 8, 6, 4, 2, 0, 7, 3, 4, 3, 4, 5, 0), strict=True))
    heads = [line.split("|")[1] for line in PAGE.read_text().splitlines() if line.startswith("| V")]
    said = [name for head in heads for name in re.findall(r"V\d+\.\d+", head)]
    assert said == [f"{v}.{n}" for v, count in counts.items() for n in range(1, count + 1)]


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_every_planted_bug_has_its_place_and_its_tests(bug: Bug) -> None:
    source = (ROOT / "src" / "sightline" / bug.file).read_text()
    planted = bug.planted(source)
    assert not bug.file.endswith(".py") or ast.parse(planted)
    assert all(is_there(name) for name in bug.tests)


def test_a_patch_that_no_longer_applies_is_told() -> None:
    bug = Bug("x", "a.py", "one", "two", ())
    for source in ("", "one one"):
        with pytest.raises(ValueError, match="no longer applies"):
            bug.planted(source)
