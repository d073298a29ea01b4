"""openapi.json and docs/reference are what the code says now."""

import shutil
from pathlib import Path

import pytest
from pydantic import Field

from docs.generate import reference
from sightline.cli.commands import COMMANDS
from sightline.domain.errors import REFUSALS
from sightline.domain.scopes import SCOPES
from sightline.settings import Settings


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    """A tree with the project's file and its generated files alone."""
    shutil.copy(root / "pyproject.toml", tmp_path)
    shutil.copy(root / "openapi.json", tmp_path)
    shutil.copytree(root / "docs" / "reference", tmp_path / "docs" / "reference")
    return tmp_path


def test_the_reference_is_up_to_date(root: Path) -> None:
    assert reference.differences(root) == []
    assert reference.main(["--check", "--root", str(root)]) == 0


def test_a_changed_page_is_named(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = copy / "docs" / "reference" / "settings.md"
    page.write_text(page.read_text("utf-8").replace("Port the API listens on", "The port"), "utf-8")
    (copy / "openapi.json").unlink()
    (copy / "docs" / "reference" / "old.md").write_text("No longer made.\n")
    assert reference.main(["--check", "--root", str(copy)]) == 1
    named = [line.split()[0] for line in capsys.readouterr().err.splitlines()]
    assert named == ["openapi.json", "docs/reference/settings.md", "docs/reference/old.md"]


def test_writing_mends_every_difference(copy: Path) -> None:
    shutil.rmtree(copy / "docs")
    (copy / "openapi.json").write_text("{}")
    assert reference.main(["--root", str(copy)]) == 0
    assert reference.differences(copy) == []


def test_a_root_without_a_project_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reference.main(["--check", "--root", str(tmp_path)]) == 2
    assert "pyproject.toml" in capsys.readouterr().err


def test_a_changed_description_of_a_setting_changes_the_page() -> None:
    class Described(Settings):
        port: int = Field(default=8000, ge=1, le=65535, description="Another meaning.")

    assert "Another meaning." in reference.settings_page(Described)
    assert "Another meaning." not in reference.settings_page()


def test_a_default_that_depends_on_the_machine_needs_words() -> None:
    class Homely(Settings):
        cache_dir: Path = Field(default_factory=Path.home, description="A folder.")

    with pytest.raises(ValueError, match="cache_dir"):
        reference.settings_page(Homely)


def test_no_page_holds_this_machine(root: Path) -> None:
    for name, content in reference.files(root).items():
        assert str(Path.home()).encode() + b"/" not in content, name
        assert str(root).encode() not in content, name


def test_pages_are_complete(root: Path) -> None:
    pages = {Path(name).stem: content.decode() for name, content in reference.files(root).items()}
    assert all(f"| `{name}` |" in pages["settings"] for name in Settings.model_fields)
    assert all(f"| `{kind.code}` |" in pages["errors"] for kind in REFUSALS)
    assert all(f"| `{scope}` |" in pages["scopes"] for scope in SCOPES)
    assert all(f"| {code} |" in pages["exit-codes"] for code in (0, 1, 2, 3, 4, 5, 130))
    assert "`10001+`" in pages["vocabularies"]
    headings = [line for line in pages["cli"].splitlines() if line.startswith("## sightline ")]
    assert {heading.split()[2] for heading in headings} == set(COMMANDS)
    assert "| `--sample`, `--no-sample` | `--sample` |" in pages["cli"]
