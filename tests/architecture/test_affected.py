"""`make quick` runs a few tests of any module, and never those that take longest."""

from pathlib import Path

import pytest

from tests.affected import MOST_FILES, ROOT, SLOWEST, affected

SLOW = {f"tests/{name}" for name in SLOWEST}


def chosen(*changed: str) -> list[str]:
    return [name for name in affected(set(changed)) if not name.startswith("tests/architecture/")]


# One that tests import, one that only other modules do, some that are found by their names.
@pytest.mark.parametrize(
    ("module", "test"),
    [
        ("enrich/survivorship", "enrich/test_survivorship"),
        ("imports/cells", "imports/test_import_accounts"),
        ("console/pages/lists", "console/test_pages"),
        ("sources/boards/ashby", "sources/boards/test_boards"),
        ("cli/up", "cli/test_address"),
        ("cli/doctor", "cli/test_maintenance"),
    ],
)
def test_every_kind_of_module_has_its_tests(module: str, test: str) -> None:
    assert f"tests/{test}.py" in chosen(f"src/sightline/{module}.py")


def test_a_name_that_many_rooms_have_means_that_of_its_own() -> None:
    files = chosen("src/sightline/sources/gleif/connector.py")
    assert "tests/sources/gleif/test_connector.py" in files
    assert "tests/sources/wikidata/test_connector.py" not in files


def test_a_resource_has_the_tests_that_cover_its_operations() -> None:
    assert "tests/api/test_kept_things.py" in chosen("src/sightline/api/resources/lists.py")


@pytest.mark.parametrize(
    "module", ["api/endpoints", "store/database", "domain/callers", "settings"]
)
def test_what_everything_imports_has_few_and_none_of_the_slowest(module: str) -> None:
    files = chosen(f"src/sightline/{module}.py")
    assert 0 < len(files) <= MOST_FILES + 2
    assert not SLOW & set(files)


@pytest.mark.parametrize(
    ("data", "test"),
    [
        ("store/migrations/0025_clock.sql", "store/test_migrations"),
        ("match/data/legal_forms.tsv", "match/test_vocabulary"),
        ("console/templates/imports.html", "console/test_imports"),
    ],
)
def test_a_file_of_data_has_the_tests_of_what_reads_it(data: str, test: str) -> None:
    assert (ROOT / "src/sightline" / data).exists()
    files = chosen(f"src/sightline/{data}")
    assert f"tests/{test}.py" in files
    assert len(files) <= MOST_FILES


def test_a_changed_test_runs_however_slow() -> None:
    assert chosen("tests/e2e/test_up.py") == ["tests/e2e/test_up.py"]


def test_the_slowest_are_there() -> None:
    files = [name for name in SLOWEST if name.endswith(".py")]
    assert [name for name in files if not (Path(ROOT) / "tests" / name).exists()] == []
