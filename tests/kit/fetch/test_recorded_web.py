"""Every address of the recorded web comes back byte for byte; robots.txt files are all understood."""

import csv
import hashlib
import json
from collections import Counter
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from sightline.kit.fetch.answer import HostRules
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.kit.fetch.errors import NotInArchive
from sightline.kit.fetch.robots import read_robots


@pytest.fixture
def newest(shared: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """The newest row of each request that has a body of its own."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for line in (shared / "web" / "index.jsonl").read_text().splitlines():
        row = json.loads(line)
        key = (row["method"], row["url"])
        if key not in rows or when(row) >= when(rows[key]):
            rows[key] = row
    return rows


def when(row: dict[str, Any]) -> str:
    text = row["fetched_at"]
    return datetime.fromisoformat(text).isoformat() if text else ""


async def test_every_address_answers_and_costs_nothing_again(
    shared: Path, newest: dict[tuple[str, str], dict[str, Any]]
) -> None:
    rules = HostRules(obey_robots=False)
    outcomes: Counter[str] = Counter()
    async with Fetcher(FetcherConfig(web=f"replay:{shared / 'web'}")) as made:
        for (method, url), row in newest.items():
            if method == "POST":
                answer = await made.post(url, {}, rules=rules)
            elif row["status"] == 304:
                with pytest.raises(NotInArchive):
                    await made.get(url, rules=rules)
                outcomes["only a 304"] += 1
                continue
            elif row["status"] in (301, 302):  # followed, to where it is recorded
                with suppress(NotInArchive):
                    assert (await made.get(url, rules=rules)).final_url != url
                outcomes["redirect"] += 1
                continue
            else:
                answer = await made.get(url, rules=rules)
            assert answer.status == row["status"], url
            assert hashlib.sha256(answer.content).hexdigest() == row["sha256"], url
            outcomes[str(answer.status)] += 1
            if method == "GET" and answer.status == 200:
                again = await made.get(url, rules=rules, conditional=answer.validators)
                assert again.not_modified, url
    assert sum(outcomes.values()) == len(newest) >= 1_000
    assert outcomes["200"] >= 900


async def test_boards_of_two_days_differ(shared: Path) -> None:
    rows = [
        row
        for line in (shared / "web" / "index.jsonl").read_text().splitlines()
        if (row := json.loads(line))["kind"] == "greenhouse jobs" and row["fetched_at"]
    ]
    dates: dict[str, set[str]] = {}
    for row in rows:
        dates.setdefault(row["url"], set()).add(row["fetched_at"])
    url, several = max(dates.items(), key=lambda item: len(item[1]))
    ordered = sorted(several)
    assert len(ordered) >= 2
    bodies = []
    for at in (ordered[0], ordered[-1]):
        async with Fetcher(FetcherConfig(web=f"replay:{shared / 'web'}?at={at[:19]}")) as made:
            bodies.append((await made.get(url, rules=HostRules(obey_robots=False))).content)
    assert bodies[0] != bodies[1]


def test_every_recorded_robots_file_is_understood(shared: Path) -> None:
    with (shared / "labelled" / "robots" / "index.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 200
    allowed = 0
    for row in rows:
        rules = read_robots(200, (shared / row["document"]).read_bytes())
        assert rules.allows(f"https://{row['host']}/robots.txt", "Sightline")
        assert 0 <= rules.delay("Sightline") < float("inf")
        allowed += rules.allows(f"https://{row['host']}/", "Sightline")
    assert allowed > len(rows) * 0.9
