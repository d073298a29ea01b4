"""The test files for a change: those changed themselves, those named like a changed module, those that
import one or cover an operation of one, and the checks of the architecture. A module with no tests of
its own has those of the modules that import it. Prints them; `make quick` runs them.

What is compared is the tree with the commit that BASE names (default: the last commit).
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# They say whether every file keeps the rules; the recipes have copies made and take longer.
ALWAYS = (
    "test_layers.py",
    "test_source.py",
    "test_documents.py",
    "test_patterns.py",
    "test_rooms.py",
)
# Test files that import a module, as every test of a store does `Database`: from there on, those of its room,
# the shortest first.
MOST_FILES = 12
# Files of tests that a module without tests of its own borrows from one that imports it.
MOST_BORROWED = 5
# What takes longest, the slowest first: files, then whole folders of them. The files run here only when
# they are changed themselves.
SLOWEST = (
    "chaos/test_chaos.py", "console/test_axe.py", "contract/test_schemathesis.py", "enrich/test_kills.py",
    "contract/test_statuses.py", "assistant/test_injections.py", "console/test_browser.py", "e2e/test_up.py",
    "e2e/test_sample_enrichment.py", "eval/test_profile_proof.py", "console/test_crm_browser.py",
    "eval/test_questions.py", "eval/test_recorded_answers.py", "eval/test_board_probing.py",
    "sources/sec_edgar/test_archive.py", "eval", "e2e", "console", "enrich", "",
)  # fmt: skip
_IMPORT = re.compile(
    r"^ *(?:from|import) (sightline[\w.]*)(?: import (?:\(([^)]*)\)|([^()\n]*)))?", re.MULTILINE
)
_OPERATION = re.compile(r'\bname="(\w+)"')


def changed_files(base: str) -> set[str]:
    """Paths below the root that differ from `base`, new ones too."""
    found = set()
    for command in (
        ["git", "diff", "--name-only", base],
        ["git", "ls-files", "--others", "--exclude-standard"],
    ):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        found |= set(done.stdout.split())
    return found


def affected(changed: set[str]) -> list[str]:
    """Test files, by path from the root."""
    modules = {
        _module(name) for name in changed if name.startswith("src/") and name.endswith(".py")
    }
    for name in changed:
        if name.startswith("src/") and not name.endswith(".py"):
            modules |= _readers(name)
    tests = {
        str(path.relative_to(ROOT)): imports(path.read_text(encoding="utf-8"))
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if path.parent.name != "architecture"
    }
    chosen: set[str] = set()
    if modules:
        importers = _importers()
        for module in modules:
            chosen |= tests_of(module, tests, importers)
    chosen -= {f"tests/{name}" for name in SLOWEST}
    chosen |= {f"tests/architecture/{name}" for name in ALWAYS} | changed_tests(changed)
    return sorted(name for name in chosen if (ROOT / name).exists())


def _readers(data: str) -> set[str]:
    """The modules that name a file of data; its folder, as if that were one, where none does."""
    modules = {
        _module(str(path.relative_to(ROOT)))
        for path in (ROOT / "src").rglob("*.py")
        if Path(data).name in path.read_text(encoding="utf-8")
    }
    return modules or {_module(str(Path(data).parent))}


def changed_tests(changed: set[str]) -> set[str]:
    return {name for name in changed if re.fullmatch(r"tests/.*\btest_\w+\.py", name)}


def tests_of(
    module: str, tests: Mapping[str, set[str]], importers: Mapping[str, set[str]]
) -> set[str]:
    """A module's own test files; where it has none, some of those of the nearest modules that lead to it."""
    found = _own_tests(module, tests)
    for level in _leading_to(module, importers):
        if found:
            break
        borrowed = set().union(*(_own_tests(each, tests) for each in level))
        nearest = sorted(borrowed, key=lambda name: (_room(module) not in name, name))
        found = set(nearest[:MOST_BORROWED])
    return found


def _leading_to(module: str, importers: Mapping[str, set[str]]) -> Iterator[set[str]]:
    """Modules that import it, those that import them, and so on; then those of its folder and above:
    boards, commands and migrations are found by their names, not imported."""
    seen, level = {module}, {module}
    while level := set().union(*(importers.get(each, set()) for each in level)) - seen:
        seen |= level
        yield level
    while "." in (module := module.rpartition(".")[0]):
        yield {module} | {name for name in importers if name.startswith(f"{module}.")}


def _own_tests(module: str, tests: Mapping[str, set[str]]) -> set[str]:
    """Test files named like a module, those that import it, and those of its operations."""
    *_, folder, own = module.split(".")
    named = {name for name in tests if name.endswith(f"/test_{own}.py")}
    # Each source has its `connector`, each room may have its `names`.
    named = {name for name in named if f"/{folder}/" in name} or named
    users = {name for name, imported in tests.items() if module in imported}
    if len(users) > MOST_FILES:
        own_room = [name for name in users if _room(module) in name]
        users = set(sorted(own_room, key=lambda name: (ROOT / name).stat().st_size)[:MOST_FILES])
    return (named | users | _covering(module)) - {f"tests/{name}" for name in SLOWEST}


def _covering(module: str) -> set[str]:
    """The test files that tests/contract/coverage.toml names for the operations of a resource."""
    if not module.startswith("sightline.api.resources."):
        return set()
    source = ROOT / f"src/{module.replace('.', '/')}.py"
    operations = set(_OPERATION.findall(source.read_text("utf-8"))) if source.exists() else set()
    lines = tomllib.loads((ROOT / "tests/contract/coverage.toml").read_text("utf-8"))["lines"]
    return {
        f"tests/{test.partition('::')[0]}.py"
        for _, _, covered, names in lines
        if operations.intersection(covered.split())
        for test in names.split()
    }


def _room(module: str) -> str:
    return f"/{module.split('.')[1]}/"


def _module(name: str) -> str:
    return name.removeprefix("src/").removesuffix(".py").replace("/", ".")


def _importers() -> dict[str, set[str]]:
    """Module -> the modules that import it."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "src").rglob("*.py"):
        module = _module(str(path.relative_to(ROOT)))
        for each in imports(path.read_text(encoding="utf-8")):
            found.setdefault(each, set()).add(module)
    return found


def imports(text: str) -> set[str]:
    """The modules, and the names of modules, that a text imports from the package."""
    return set(_imported(_IMPORT.findall(text)))


def _imported(found: Iterable[tuple[str, str, str]]) -> Iterable[str]:
    for module, *lists in found:
        yield module
        for name in "".join(lists).split(","):
            if words := name.split("#")[0].split():
                yield f"{module}.{words[0]}"


if __name__ == "__main__":
    print(*affected(changed_files(sys.argv[1] if len(sys.argv) > 1 else "HEAD")), sep="\n")
