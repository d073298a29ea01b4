"""Makes docs/reference/coverage.md: line of the reference → operation → test, and what is not covered.

Read from `tests/contract`: `rows.py` holds names, kinds, statuses, scopes and limits, which tests beside
it run over; `coverage.toml` the lines that need tests of their own, and those of parameters.
"""

import ast
import importlib.util
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from sightline.api.endpoint import Endpoint, PublicEndpoint
from sightline.api.endpoints import ENDPOINTS, PUBLIC_ENDPOINTS

LINES = Path("tests") / "contract" / "coverage.toml"
ALL: tuple[Endpoint | PublicEndpoint, ...] = (*ENDPOINTS, *PUBLIC_ENDPOINTS)
# Every list takes these; one test asks all of them.
PAGING = {
    "page": "api/test_every_parameter::test_lists_are_pages",
    "per_page": "api/test_every_parameter::test_lists_are_pages",
    "cursor": "api/test_isolation::test_a_cursor_works_for_its_key_and_list_alone",
}
_CASES = "api/test_every_parameter"
# Tests that run over the rows of all operations, by the letter that stands for them on the page.
OVER_ROWS = {
    "P": "contract/test_reference::test_parameters_in_openapi",
    "L": "contract/test_reference::test_limits",
    "F": "contract/test_reference::test_fields_in_openapi",
    "V": "contract/test_reference::test_fields_of_real_answers",
    "A": "contract/test_reference::test_real_answers_are_as_described",
    "E": "contract/test_reference::test_scope_maturity_and_status",
    "S": "contract/test_statuses::test_every_status_of_the_reference_is_documented_and_given",
    "I": "api/test_isolation::test_nothing_of_another_is_shown",
}


class CoverageIsIncomplete(ValueError):
    """Something that the API promises has no test, or a test that is named does not exist."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the reference in words of our own: its part, the operations, the tests."""

    part: str
    label: str
    operations: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Coverage:
    """What `tests/contract` says: lines, tests by (operation, parameter), and the rows."""

    root: Path
    lines: tuple[Line, ...]
    parameters: dict[tuple[str, str], str]
    idle: frozenset[tuple[str, str]]
    rows: Any
    problems: list[str] = field(default_factory=list)


def is_there(root: Path) -> bool:
    """Whether the tree has the tests that the page is made from; a copy of the docs alone has not."""
    return (root / LINES).is_file()


def read_coverage(root: Path) -> Coverage:
    """Read and check. `problems` are sentences; none means that everything has its test."""
    read = tomllib.loads((root / LINES).read_text("utf-8"))
    lines = tuple(
        Line(p, label, tuple(o.split()), tuple(t.split())) for p, label, o, t in read["lines"]
    )
    parameters = dict(_cases(root))
    for test, named in read["parameters"].items():
        for part in named.split(";"):
            operation, _, names = part.strip().partition(":")
            parameters |= {(operation, name): test for name in names.split()}
    idle = frozenset((o, name) for o, names in read["idle"].items() for name in names.split())
    rows = _module(root / "tests" / "contract" / "rows.py")
    found = Coverage(root, lines, parameters, idle, rows)
    found.problems.extend(_problems(found))
    return found


def coverage_page(root: Path) -> str:
    """The page without its head. Raises CoverageIsIncomplete."""
    found = read_coverage(root)
    if found.problems:
        raise CoverageIsIncomplete(found.problems)
    details = list(_details(found))
    asked = sum(len(_parameters(each)) for each in ENDPOINTS)
    return "\n\n".join(
        (
            f"{len(found.lines)} lines that need tests of their own, {len(details)} names, kinds, "
            f"limits, statuses and scopes of the reference, {len(ALL)} operations and {asked} "
            "parameters, each with its tests. They stand below the folder of tests, as "
            "file::function; what is in brackets is one of its rows. Parts are those of the reference "
            "in their order; D are parts of the decisions on what it leaves open.",
            "## Lines",
            _table(
                ("part", "line", "operations", "tests"),
                [
                    (each.part, each.label, ", ".join(each.operations), "<br>".join(each.tests))
                    for each in found.lines
                ],
            ),
            "## Names, kinds, limits, statuses and scopes",
            "A letter is a test that runs over every operation; its row is that of the operation.",
            _table(("letter", "test"), list(OVER_ROWS.items())),
            _table(("part", "operation", "line", "tests"), details),
            "## Operations beside the reference",
            _table(("operation", "tests"), _ours(found)),
            "## Parameters of operations beside the reference",
            _table(("operation", "parameter", "test"), _own_parameters(found)),
        )
    )


def _problems(found: Coverage) -> Iterator[str]:
    known = {each.name for each in ALL}
    covered = {name for line in found.lines for name in line.operations}
    yield from (f"{name} has no line in {LINES}." for name in sorted(known - covered))
    yield from (f"{LINES} names {name}, which is no operation." for name in sorted(covered - known))
    named = {test for line in found.lines for test in line.tests} | set(found.parameters.values())
    for test in sorted(named | {*PAGING.values(), *OVER_ROWS.values()}):
        if not _exists(found.root, test):
            yield f"{test} is named, and does not exist."
    yield from _parameter_problems(found)


def _parameter_problems(found: Coverage) -> Iterator[str]:
    wanted = {(each.name, name) for each in ENDPOINTS for name in _parameters(each)}
    asked = set(found.parameters) | found.idle
    for operation, name in sorted(wanted - asked):
        if name not in PAGING:
            yield f"The parameter {name} of {operation} has no test."
    for operation, name in sorted(asked - wanted):
        yield f"A test of the parameter {name} of {operation} is named; there is no such one."
    for (_, name), test in sorted(found.parameters.items()):
        text = _text(found.root, test)
        if text is not None and not re.search(rf"\b{name}\b", text):
            yield f"{test} is to test the parameter {name}, which it does not name."


def _parameters(endpoint: Endpoint) -> list[str]:
    """What an operation takes in its query and its body."""
    in_query = [n for n in endpoint.params.model_fields if f"{{{n}}}" not in endpoint.path]
    return in_query + (list(endpoint.body.model_fields) if endpoint.body else [])


def _details(found: Coverage) -> Iterator[tuple[str, str, str, str]]:
    """A row for each thing that rows.py says of an operation of the reference."""
    names = {(each.method, each.path): each.name for each in ALL}
    for row in found.rows.REFERENCE:
        name = names[row.method, row.path]
        part = next((x.part for x in found.lines if name in x.operations and x.part[0] == "4"), "4")
        for what, tests in _of_row(found, row, name):
            yield part, f"{row.method} {row.path}", what, tests


def _of_row(found: Coverage, row: Any, name: str) -> Iterator[tuple[str, str]]:
    for parameter in row.parameters:
        tests = ["P"]
        if parameter.place != "path":
            tests.append(found.parameters.get((name, parameter.name)) or PAGING[parameter.name])
        if parameter.largest is not None and row.path.count("{") <= ("{company_id}" in row.path):
            tests.append("L")
        default = "" if parameter.default is None else f", default {parameter.default}"
        largest = "" if parameter.largest is None else f", at most {parameter.largest}"
        text = f"{parameter.place} {parameter.name}: {parameter.kind}{default}{largest}"
        yield text, " ".join(tests)
    for text in _fields(row.fields, ""):
        yield f"answer {text}", "F A" if row.world else "F V"
    for status in sorted(row.statuses):
        yield f"status {status}", "S"
    scope = " or ".join((row.scope, *row.also)) if row.scope else "no key"
    yield f"status {row.success}, {scope}, {row.maturity}", "E"


def _fields(fields: Any, before: str) -> Iterator[str]:
    for each in fields:
        name = f"{before}{each.name}"
        kind = f"array of {each.of}" if each.of else each.kind
        yield f"{name}: {kind}{', nullable' if each.nullable else ''}"
        yield from _fields(each.inner, f"{name}{'[]' if each.kind == 'array' else ''}.")


def _ours(found: Coverage) -> list[tuple[str, str]]:
    rows = []
    reference = {(row.method, row.path) for row in found.rows.REFERENCE}
    for each in ENDPOINTS:
        if (each.method, each.path) in reference:
            continue
        own = [test for line in found.lines if each.name in line.operations for test in line.tests]
        answered = each.method != "DELETE" and each.name != "erase_person" and not each.streams
        if answered:
            own.append("A")
        own.append("I")
        rows.append((f"{each.method} {each.path}", "<br>".join(dict.fromkeys(own))))
    return rows


def _own_parameters(found: Coverage) -> list[tuple[str, str, str]]:
    reference = {(row.method, row.path) for row in found.rows.REFERENCE}
    return [
        (
            f"{each.method} {each.path}",
            name,
            found.parameters.get(
                (each.name, name), PAGING.get(name, "none: it changes nothing here")
            ),
        )
        for each in ENDPOINTS
        if (each.method, each.path) not in reference
        for name in _parameters(each)
    ]


def _cases(root: Path) -> Iterator[tuple[tuple[str, str], str]]:
    module = _module(root / "tests" / "api" / "parameter_cases.py")
    for (operation, name), case in module.CASES.items():
        test = "test_it_narrows" if isinstance(case, module.Narrows) else "test_it_is_kept"
        yield (operation, name), f"{_CASES}::{test}[{operation}-{name}]"


def _exists(root: Path, test: str) -> bool:
    file, _, name = test.partition("[")[0].partition("::")
    path = root / "tests" / f"{file}.py"
    return path.is_file() and (name == "*" or name in _functions(path))


def _text(root: Path, test: str) -> str | None:
    """The file of a test; None for those whose parameter stands in their own id."""
    if "[" in test:
        return None
    path = root / "tests" / f"{test.partition('::')[0]}.py"
    return path.read_text("utf-8") if path.is_file() else ""


@cache
def _functions(path: Path) -> frozenset[str]:
    body = ast.parse(path.read_text("utf-8")).body
    return frozenset(n.name for n in body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))


@cache
def _module(path: Path) -> ModuleType:
    """A file of the tests as a module of its own, under a name that nothing else has."""
    name = f"sightline_coverage_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their own module up
    spec.loader.exec_module(module)
    return module


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)
