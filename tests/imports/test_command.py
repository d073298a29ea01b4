"""`import accounts` on the command line, on a real database."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from sightline.cli.imports import app

Run = Callable[..., Awaitable[Result]]


@pytest.fixture
def run(database_url: str, organization: Any, monkeypatch: pytest.MonkeyPatch) -> Run:
    import asyncio

    monkeypatch.setenv("SIGHTLINE_DATABASE_URL", database_url)
    monkeypatch.setenv("COLUMNS", "200")

    async def run(*arguments: str | Path) -> Result:
        words = ["accounts", "--org", "first", *map(str, arguments)]
        return await asyncio.to_thread(CliRunner().invoke, app, words)

    return run


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    path = tmp_path / "list.csv"
    path.write_text("Company,Website,Fax\nOro,oro.example,1\nUno,uno.example,2\n,,3\n")
    return path


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    path = tmp_path / "clean.csv"
    path.write_text("Company,Website\nOro,oro.example\n")
    return path


async def test_json_and_exit_codes(run: Run, listed: Path) -> None:
    result = await run(listed, "--json")
    assert result.exit_code == 5, result.output
    outcome = json.loads(result.stdout)
    assert (outcome["created"], outcome["bad"], outcome["rows"]) == (2, 1, 3)
    assert [row["field"] for row in outcome["mapping"]] == ["company_name", "website"]
    assert outcome["ignored"] == [{"column": "Fax", "reason": "no matching field"}]
    assert outcome["report"] == f"{listed}.problems.csv"


async def test_a_list_without_bad_rows_ends_well(run: Run, clean: Path) -> None:
    result = await run(clean)
    assert result.exit_code == 0
    assert "1 account created" in result.stdout


async def test_a_dry_run_shows_the_mapping(run: Run, listed: Path) -> None:
    result = await run(listed, "--dry-run", "--map", "Fax=full_time_employees")
    assert result.exit_code == 5
    for words in (
        "full_time_employees",
        "given by --map",
        "2 accounts would be created",
        "Nothing was written",
    ):
        assert words in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--map", "Company=nothing"), 2, "is not a field"),
        (("--map", "Firm=company_name"), 2, "There is no column 'Firm'"),
        (("--map", "Company="), 5, ""),
        (("--map", "Company=", "--map", "Website="), 1, "Name one yourself: --map"),
        (("--sheet", "A"), 1, "not a workbook"),
    ],
)
async def test_wrong_command_lines(
    run: Run, listed: Path, arguments: tuple[str, ...], code: int, words: str
) -> None:
    result = await run(listed, *arguments)
    assert result.exit_code == code
    assert words in result.stderr


async def test_a_missing_file_and_organization(run: Run, listed: Path, tmp_path: Path) -> None:
    assert "There is no file" in (await run(tmp_path / "absent.csv")).stderr
    result = await run(listed, "--org", "missing")
    assert result.exit_code == 1
    assert "no organization" in result.stderr
