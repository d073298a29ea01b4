"""Ledgers under concurrency and kills; the long run is `tests.bench.ledger`."""

from tests.bench.ledger import Report, run


async def test_ledgers_agree_while_processes_are_killed(database_url: str) -> None:
    report = Report(seed=20_261)
    await run(database_url, report, operations=900, pause=0.6)
    assert not report.anomalies, report.anomalies
    assert report.operations >= 900
    assert report.kills >= 3
    assert report.audits >= 41
    assert set(report.calls) == {
        "grant", "reserve", "reserve_each", "settle", "release", "charge", "expire"
    }  # fmt: skip
    assert report.operations_per_second.keys() == {"spread", "hot", "killed"}
