"""The page of coverage is true: everything promised has a test, and what is named exists."""

import shutil
from pathlib import Path

import pytest

from docs.generate import reference
from docs.generate.coverage import (
    LINES,
    CoverageIsIncomplete,
    coverage_page,
    is_there,
    read_coverage,
)
from sightline.api.endpoints import ENDPOINTS
from tests.conftest import ROOT


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The tree of the tests, to be spoilt."""
    shutil.copytree(
        ROOT / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("data", "__pycache__")
    )
    return tmp_path


def _replace(root: Path, old: str, new: str) -> None:
    path = root / LINES
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_everything_has_its_test() -> None:
    found = read_coverage(ROOT)
    assert found.problems == []
    page = coverage_page(ROOT)
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    print(f"{len(found.lines)} lines, {len(found.parameters)} parameters, {len(rows)} rows")
    assert len(rows) > 1000
    for endpoint in ENDPOINTS:
        assert f"{endpoint.method} {endpoint.path} |" in page, endpoint.name


def test_an_operation_without_a_line_is_noticed(copy: Path) -> None:
    _replace(copy, '"list_jobs", "api/test_jobs::test_live', '"read_job_trends", "api/test_jobs::t')
    _replace(
        copy, '"list_jobs", "api/test_jobs::test_filters', '"read_job_trends", "api/test_jobs::t'
    )
    _replace(copy, '"list_jobs", "api/test_refusals', '"read_job_trends", "api/test_refusals')
    with pytest.raises(CoverageIsIncomplete) as caught:
        coverage_page(copy)
    assert any(problem.startswith("list_jobs has no line") for problem in caught.value.problems)


def test_a_parameter_without_a_test_is_noticed(copy: Path) -> None:
    _replace(copy, "list_jobs: active department", "list_jobs: active")
    (problem,) = read_coverage(copy).problems
    assert problem == "The parameter department of list_jobs has no test."


def test_a_test_that_does_not_exist_is_noticed(copy: Path) -> None:
    _replace(copy, "api/test_jobs::test_trends", "api/test_jobs::test_fashions")
    assert (
        "api/test_jobs::test_fashions is named, and does not exist." in read_coverage(copy).problems
    )


def test_a_test_that_does_not_name_its_parameter_is_noticed(copy: Path) -> None:
    _replace(copy, '"api/test_jobs::test_trends"', '"api/test_accounts::test_facets"')
    _replace(copy, '"api/test_accounts::test_facets" = "search_accounts: facets"\n', "")
    problems = read_coverage(copy).problems
    assert any("is to test the parameter months" in problem for problem in problems)


def test_a_copy_without_tests_keeps_the_page(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    assert not is_there(tmp_path)
    names = set(reference.files(tmp_path))
    assert "docs/reference/coverage.md" not in names
    assert "docs/reference/coverage.md" in reference.files(ROOT)


def test_the_check_prints_what_is_missing(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(ROOT / "pyproject.toml", copy)
    _replace(copy, "list_jobs: active department", "list_jobs: active")
    assert reference.main(["--check", "--root", str(copy)]) == 1
    assert "The parameter department of list_jobs has no test." in capsys.readouterr().err
