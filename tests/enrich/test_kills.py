"""Workers killed at any moment lose nothing and double nothing; the long run is `tests.enrich.kills`."""

from collections import Counter
from collections.abc import AsyncIterator

import pytest

from sightline.kit.postgres import EmbeddedPostgres
from tests.conftest import fresh_database
from tests.enrich.kills import compare_runs
from tests.enrich.kills_checks import differences


@pytest.fixture
async def calm_url(server: EmbeddedPostgres, template: str) -> AsyncIterator[str]:
    """A second migrated database, for the run in which no one is killed."""
    async with fresh_database(server, template) as url:
        yield url


async def test_killed_workers_lose_nothing_and_double_nothing(
    database_url: str, calm_url: str
) -> None:
    report = await compare_runs(
        database_url, calm_url, seed=20_263, kills=8, companies=4, lease_seconds=6
    )
    assert not report.anomalies, report.anomalies
    assert report.kills == 8
    assert report.work_lost >= 1
    assert report.operations >= 16
    assert report.compared_rows > 300


def test_a_difference_between_two_runs_is_seen() -> None:
    expected = {"facts": Counter({"a": 1, "b": 1})}
    assert differences({"facts": Counter({"a": 1, "b": 1})}, expected) == []
    assert differences({"facts": Counter({"a": 2, "b": 1})}, expected) == ["too much in facts: a"]
    assert differences({"facts": Counter({"a": 1})}, expected) == ["missing in facts: b"]
    assert len(differences({"facts": Counter()}, {"facts": Counter()})) == 1
