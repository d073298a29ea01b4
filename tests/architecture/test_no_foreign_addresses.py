"""The tree installs from whatever registry a machine is set up for, and names no machine."""

import re
from pathlib import Path

import pytest

# Put together from halves, so that this file passes its own test.
REGISTRY_HOSTS = [
    "py" + "pi.org",
    "python" + "hosted.org",
    "registry." + "npmjs",
    "conda." + "anaconda.org",
    "download." + "pytorch.org",
    "docker" + ".io",
    "ghcr" + ".io",
]
MACHINE_PATHS = ["/work" + "/main", "/work" + "/shared", "/tmp" + "/bash_jobs", "/opt" + "/wheels"]


@pytest.mark.parametrize("text", [*REGISTRY_HOSTS, *MACHINE_PATHS])
def test_no_file_names(text: str, root: Path, project_files: list[Path]) -> None:
    needle = text.encode()
    named = [str(path.relative_to(root)) for path in project_files if needle in path.read_bytes()]
    assert named == []


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_lock_files_hold_pins_and_hashes_alone(name: str, root: Path) -> None:
    allowed = re.compile(
        r"#.*"
        r"|[a-z0-9][a-z0-9._-]*(\[[a-z,]+\])?==[^ ]+( ; [^\\]+)? \\"
        r"|    --hash=sha256:[0-9a-f]{64}( \\)?"
    )
    lines = (root / name).read_text("ascii").splitlines()
    assert [line for line in lines if not allowed.fullmatch(line)] == []
    assert [line for line in lines if "://" in line] == []


def test_developers_run_the_versions_that_users_run(root: Path) -> None:
    def pins(name: str) -> set[str]:
        lines = (root / name).read_text("ascii").splitlines()
        # Without the marker: a developer's tool may need on every system what users need on one.
        return {line.split()[0] for line in lines if "==" in line and line[0] != " "}

    assert pins("requirements.lock") - pins("requirements-dev.lock") == set()
