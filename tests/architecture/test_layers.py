"""The import contracts of pyproject.toml hold, and every room of the package is in them."""

from pathlib import Path

from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports


def test_imports_point_down(root: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(root)
    status = lint_imports(config_filename="pyproject.toml", no_cache=True)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out
