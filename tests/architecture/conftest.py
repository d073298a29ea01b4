"""What the tests of the tree itself share: where it is and which files belong to it."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def project_files() -> list[Path]:
    """Files git knows or would take (ignored ones left out), absolute and sorted."""
    # safe.directory: CI may run as another user than the clone's owner.
    listing = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    files = sorted({ROOT / name for name in listing.split("\0") if name})
    return [path for path in files if path.is_file()]


@pytest.fixture(scope="session")
def python_files(project_files: list[Path]) -> list[Path]:
    return [path for path in project_files if path.suffix == ".py"]


@pytest.fixture(scope="session")
def documents(project_files: list[Path]) -> list[Path]:
    return [path for path in project_files if path.suffix == ".md"]
