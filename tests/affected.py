"""The test files for a change: those changed themselves, those named like a changed module, those that
import one, and the checks of the architecture. Prints them; `make quick` runs them.

What is compared is the tree with the commit that BASE names (default: the last commit).
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# They say whether every file keeps the rules; the recipes have copies made and take longer.
ALWAYS = ("test_layers.py", "test_source.py", "test_documents.py", "test_patterns.py")
# Test files that import a module, as every test of a store does `Database`: from there on, those of its room.
MOST_FILES = 12
MODULE = re.compile(r"^(?:from|import) (sightline[\w.]*)(?: import \(?([^()\n]*))?", re.MULTILINE)


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
        name.removeprefix("src/").removesuffix(".py").replace("/", ".")
        for name in changed
        if name.startswith("src/") and name.endswith(".py")
    }
    # Data beside the code is read by the modules beside it.
    folders = {
        name.removeprefix("src/").rpartition("/")[0].removesuffix("/data").replace("/", ".")
        for name in changed
        if name.startswith("src/") and not name.endswith(".py")
    }
    stems = {f"test_{module.rpartition('.')[2]}.py" for module in modules}
    chosen = {f"tests/architecture/{name}" for name in ALWAYS}
    users: dict[str, set[str]] = {module: set() for module in modules}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        name = str(path.relative_to(ROOT))
        imported = set(_imports(path.read_text(encoding="utf-8")))
        for module in modules & imported:
            users[module].add(name)
        if (
            name in changed
            or path.name in stems
            or any(each.rpartition(".")[0] in folders for each in imported)
        ):
            chosen.add(name)
    for module, files in users.items():
        chosen |= files if len(files) <= MOST_FILES else _own(module, files)
    return sorted(name for name in chosen if (ROOT / name).exists())


def _own(module: str, files: set[str]) -> set[str]:
    """Of the test files that import a module, those of its room."""
    return {name for name in files if f"/{module.split('.')[1]}/" in name}


def _imports(text: str) -> Iterator[str]:
    for module, names in MODULE.findall(text):
        yield module
        for name in names.split(","):
            yield f"{module}.{name.split()[0]}" if name.strip() else module


if __name__ == "__main__":
    print(*affected(changed_files(sys.argv[1] if len(sys.argv) > 1 else "HEAD")), sep="\n")
