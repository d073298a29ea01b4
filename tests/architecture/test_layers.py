"""The import contracts of pyproject.toml hold, and every room of the package is in them."""

import importlib.util
from pathlib import Path

from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports


def test_imports_point_down(root: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(root)
    status = lint_imports(config_filename="pyproject.toml", no_cache=True)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


def test_the_picture_shows_the_rooms_that_there_are(root: Path) -> None:
    spec = importlib.util.spec_from_file_location("rooms", root / "docs/rooms.py")
    assert spec is not None
    assert spec.loader is not None
    rooms = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rooms)
    assert rooms.PICTURE.read_text("utf-8") == rooms.picture(), "run: python docs/rooms.py"
