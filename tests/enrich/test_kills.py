"""Workers killed at any moment lose nothing and double nothing; the long run is `tests.enrich.kills`."""

from tests.enrich.kills import run


async def test_killed_workers_lose_nothing_and_double_nothing(database_url: str) -> None:
    report = await run(database_url, kills=6)
    assert not report.anomalies, report.anomalies
    assert report.operations >= 60
    assert report.longest_recovery_seconds < 45
