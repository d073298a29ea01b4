"""The lock files: pins and hashes alone, and each pin on the systems that need it."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCKS = ["requirements.lock", "requirements-dev.lock"]
PIN = re.compile(r"([a-z0-9][a-z0-9._-]*)(?:\[[a-z,]+\])?==([^ ]+)(?: ; ([^\\]+))? \\")
# The first and the last Python that the files are for, on each of their systems.
SYSTEMS = [
    {
        "python_version": version,
        "python_full_version": f"{version}.2",
        "sys_platform": system,
        "platform_system": name,
        "platform_machine": machine,
        "os_name": "posix",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    for version in ("3.11", "3.14")
    for system, name, machine in (("linux", "Linux", "x86_64"), ("darwin", "Darwin", "arm64"))
]


@pytest.mark.parametrize("name", LOCKS)
def test_lock_files_hold_pins_and_hashes_alone(name: str, root: Path) -> None:
    allowed = re.compile(rf"#.*|{PIN.pattern}|    --hash=sha256:[0-9a-f]{{64}}( \\)?")
    lines = (root / name).read_text("ascii").splitlines()
    assert [line for line in lines if not allowed.fullmatch(line)] == []
    assert [line for line in lines if "://" in line] == []


def test_developers_run_the_versions_that_users_run(root: Path) -> None:
    users, developers = (
        {found[:2] for found in PIN.findall((root / name).read_text("ascii"))} for name in LOCKS
    )
    assert users - developers == set()


@pytest.mark.parametrize(
    "system", SYSTEMS, ids=lambda s: f"{s['sys_platform']}-{s['python_version']}"
)
@pytest.mark.parametrize("name", LOCKS)
def test_a_pin_is_for_the_systems_that_need_it(
    name: str, system: dict[str, str], root: Path
) -> None:
    """Markers that a machine of one system leaves out would install there what is another's.

    What is not installed here says nothing of what it needs; it is taken as needed.
    """
    needed, unknown = closure(wanted(root, developers=name == LOCKS[1]), system)
    pins = [
        canonicalize_name(package)
        for package, _, marker in PIN.findall((root / name).read_text("ascii"))
        if not marker or Marker(marker).evaluate(system)
    ]
    pinned = set(pins)
    assert len(pins) == len(pinned), "two versions of one package"
    assert needed - pinned == set(), "is needed and not pinned"
    assert pinned - needed - unknown == set(), "is pinned and not needed"


def wanted(root: Path, *, developers: bool) -> list[Requirement]:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"]
    named = [each for group, each in extras.items() if developers or group != "dev"]
    lists = [project["project"]["dependencies"], project["build-system"]["requires"], *named]
    return [Requirement(each) for given in lists for each in given] + [Requirement("editables")]


def closure(wanted: list[Requirement], system: dict[str, str]) -> tuple[set[str], set[str]]:
    """The names of all that is needed on a system, and those that are not installed here."""
    needed: set[str] = set()
    unknown: set[str] = set()
    seen: set[tuple[str, str]] = set()
    while wanted:
        asked = wanted.pop()
        name = canonicalize_name(asked.name)
        if asked.marker is not None and not holds(asked.marker, system, ""):
            continue
        needed.add(name)
        for extra in ("", *asked.extras):
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            try:
                listed = requires(name) or []
            except PackageNotFoundError:
                unknown.add(name)
                continue
            for each in map(Requirement, listed):
                if each.marker is None or holds(each.marker, system, extra):
                    each.marker = None
                    wanted.append(each)
    return needed, unknown


def holds(marker: Marker, system: dict[str, str], extra: str) -> bool:
    return marker.evaluate({**system, "extra": extra})
