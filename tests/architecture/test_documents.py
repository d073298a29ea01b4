"""Documents stay true: the paths, make targets and commands they name exist."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from sightline.cli.commands import app

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "sightline"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)(?:#[^)]*)?\)")
CALL = re.compile(r"\.venv/bin/sightline ([^\n`>|]+)")
CODE = re.compile(r"`([^`\n]+)`")
FILE_NAME = re.compile(r"[\w.*-]+\.(py|md|toml|lock|json|yaml|sql)")
# Made on the reader's machine or lying beside the clone.
NOT_OURS = ("data/", "../shared", ".venv/", "dist/")
# Placeholders that a recipe uses on purpose.
PLACEHOLDER = re.compile(r"[<>{}…$]|NNNN|(^|/)my[._]")


def prose_of(document: Path) -> str:
    return FENCE.sub("", document.read_text("utf-8"))


def named_paths(document: Path) -> set[str]:
    """Link targets, and code spans that can only be a path of this tree."""
    prose = prose_of(document)
    rooms = {path.name for base in (ROOT, PACKAGE) for path in base.iterdir() if path.is_dir()}
    spans = {
        span
        for span in CODE.findall(prose)
        if " " not in span and (FILE_NAME.fullmatch(span) or span.partition("/")[0] in rooms)
        if "/" in span or FILE_NAME.fullmatch(span)
    }
    spans |= set(LINK.findall(prose))
    return {
        span for span in spans if not span.startswith(NOT_OURS) and not PLACEHOLDER.search(span)
    }


def exists(name: str, document: Path) -> bool:
    """Whether the name, or a pattern of names, is found beside the document or under a root.

    A bare file name may be that of any file of the package: the sentence around it says which.
    """
    name = name.partition("::")[
        0
    ]  # of a test: that there is such a one, test_security_page.py says
    if ".." in name:
        return (document.parent / name).resolve().exists()
    if "/" not in name and next(PACKAGE.rglob(name), None) is not None:
        return True
    bases = (document.parent, ROOT, PACKAGE)
    return any(next(base.glob(name.rstrip("/")), None) is not None for base in bases)


def test_named_paths_exist(documents: list[Path]) -> None:
    missing = [
        f"{document.relative_to(ROOT)}: {name}"
        for document in documents
        for name in sorted(named_paths(document))
        if not exists(name, document)
    ]
    assert missing == []


def test_a_wrong_path_would_be_noticed(tmp_path: Path) -> None:
    document = tmp_path / "sample.md"
    document.write_text("`src/sightline/none.py`, [x](none.md), `docs/`, `/v1/accounts`, `a.b`")
    found = named_paths(document)
    assert found == {"src/sightline/none.py", "none.md", "docs/"}
    assert {name for name in found if exists(name, document)} == {"docs/"}


def test_named_make_targets_exist(documents: list[Path]) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        word
        for document in documents
        for word in re.findall(r"(?:^|`)make ([a-z-]+)", document.read_text(), re.MULTILINE)
    }
    assert named - targets == set()
    assert {"run", "test", "check", "fix"} <= named


def documented_calls() -> list[str]:
    """Each `sightline …` command that a document tells its reader to type."""
    calls = set()
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md")]:
        calls.update(CALL.findall(document.read_text("utf-8")))
    for document in ROOT.glob("docs/howto/*.md"):
        calls.update(CALL.findall(document.read_text("utf-8")))
    return sorted(call.strip() for call in calls)


@pytest.mark.parametrize("call", documented_calls())
def test_documented_commands_and_their_options_exist(call: str) -> None:
    command: Any = get_command(app)
    words = shlex.split(call, comments=True)
    while isinstance(command, TyperGroup) and words:
        command = command.get_command(command.make_context("sightline", [*words]), words.pop(0))
        assert command is not None, call
    assert not isinstance(command, TyperGroup) or command.invoke_without_command, call
    known = {flag for option in command.params for flag in (*option.opts, *option.secondary_opts)}
    used = {word.partition("=")[0] for word in words if word.startswith("--")}
    assert used <= known | {"--help"}, call


def test_every_decision_is_listed_once() -> None:
    folder = ROOT / "docs" / "decisions"
    files = sorted(path.name for path in folder.glob("[0-9]*.md"))
    rows = re.findall(r"^\| \[\d{4}\]\(([^)]+)\)", (folder / "README.md").read_text(), re.MULTILINE)
    assert rows == files
    # A decision that no longer holds is taken out, and its number is not used again.
    assert len({name[:4] for name in files}) == len(files)


def test_every_decision_has_its_three_parts() -> None:
    for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md"):
        text = path.read_text("utf-8")
        headings = re.findall(r"^\*\*(\w+)\.\*\*", text, re.MULTILINE)
        assert headings == ["Context", "Decision", "Consequence"], path.name
        assert text.startswith(f"# {path.name[:4]} "), path.name
        assert len(text.splitlines()) <= 25, path.name


@pytest.mark.parametrize("name", ["README.md", "docs/quickstart.md"])
def test_the_first_commands_fit_a_terminal_of_eighty_columns(name: str) -> None:
    blocks = re.findall(r"^```bash\n(.*?)^```", (ROOT / name).read_text(), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(lines) > 5
    assert [line for line in lines if len(line) > 80] == []


def test_pictures_are_there_and_small() -> None:
    named = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", (ROOT / "README.md").read_text())
    assert len(named) == 2
    for path in named:
        assert (ROOT / path).read_bytes().startswith(b"\x89PNG")
        assert (ROOT / path).stat().st_size < 150_000
