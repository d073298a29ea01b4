"""The import contracts of pyproject.toml hold, and every room of the package is in them."""

import importlib.util
import subprocess
import sys
from pathlib import Path


def test_imports_point_down(root: Path) -> None:
    # In a process of its own: the linter sets logging up, and silences every logger that there is.
    linter = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run([linter, "--no-cache"], cwd=root, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_the_picture_shows_the_rooms_that_there_are(root: Path) -> None:
    spec = importlib.util.spec_from_file_location("rooms", root / "docs/rooms.py")
    assert spec is not None
    assert spec.loader is not None
    rooms = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rooms)
    assert rooms.PICTURE.read_text("utf-8") == rooms.picture(), "run: python docs/rooms.py"
