"""`profile write`: existing profiles given to a model, after what that takes is said."""

from collections.abc import Iterator

import pytest

from tests.assistant.provider import Provider, provider
from tests.cli.conftest import Shell
from tests.cli.test_verify import company
from tests.profile.writing import honest

__all__ = ["company"]


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    with provider(honest) as running:
        monkeypatch.setenv("SIGHTLINE_MODEL", "openai:invented-1")
        monkeypatch.setenv("SIGHTLINE_MODEL_BASE_URL", running.url)
        monkeypatch.setenv("SIGHTLINE_MODEL_API_KEY", "invented")
        yield running


def queued(sightline: Shell) -> list[str]:
    rows = sightline.rows("SELECT kind FROM work WHERE kind LIKE '%profile' ORDER BY kind")
    return [row["kind"] for row in rows]


def test_nothing_is_spent_without_a_yes(
    sightline: Shell,
    company: str,
    model: Provider,
) -> None:
    del model
    before = queued(sightline)
    refused = sightline("profile", "write", company)
    assert refused.code != 0
    assert queued(sightline) == before
    said = sightline("profile", "write", "larkspur.example", "--yes", "--json").json
    assert (said["companies"], said["sections"] >= 5, said["tokens"] > 10_000) == (1, True, True)
    assert queued(sightline) == sorted({*before, "refresh_profile", "write_profile"})


def test_without_a_model_it_says_so(sightline: Shell, company: str) -> None:
    refused = sightline("profile", "write", "--all")
    assert refused.code == 1
    assert "SIGHTLINE_MODEL" in refused.err
    assert sightline("profile", "write").code == 2
