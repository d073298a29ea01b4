"""Boards found by their token alone: how many of the recorded ones, and how many of namesakes."""

import json
from pathlib import Path
from typing import Any

from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.sources.job_boards.connector import JOB_BOARDS
from sightline.store.database import open_database
from tests.sources.collecting import Collecting, MadeWeb, make_collecting

FOUND_FLOOR = 0.98
NAMESAKES = 20


class RecordedWeb(MadeWeb):
    """The recorded public data instead of a made web."""

    def fetcher(self) -> Fetcher:
        return Fetcher(FetcherConfig(web=f"replay:{self.folder}", sample_dir=self.folder))


async def test_recorded_boards_are_found_and_those_of_namesakes_are_not(
    shared: Path, database_url: str
) -> None:
    companies = json.loads((shared / "companies.json").read_text())
    held = [(each, url) for each in companies if (url := _board_url(each))]
    assert len(held) >= 50
    database = await open_database(database_url, role="sightline_worker", size=4)
    web = RecordedWeb(shared / "web")
    found = wrong = 0
    for company, url in held:
        collecting = await make_collecting(
            database, web.folder, name=company["name"], domain=company.get("domain")
        )
        found += any(f"/{token}/" in url for token in await _boards(collecting, web))
    for _, url in held[:NAMESAKES]:
        token = url.split("/boards/")[1].split("/")[0]
        name = f"{token.title()} Bakery Supplies"
        collecting = await make_collecting(database, web.folder, name=name, domain=f"{token}.dk")
        wrong += bool(await _boards(collecting, web))
    await database.close()
    print(f"boards found: {found} of {len(held)}; of namesakes: {wrong} of {NAMESAKES}")
    assert found / len(held) >= FOUND_FLOOR
    assert wrong == 0


def _board_url(company: dict[str, Any]) -> str:
    return str(company["held"].get("greenhouse board", {}).get("url", ""))


async def _boards(collecting: Collecting, web: MadeWeb) -> list[str]:
    collecting.web = web
    await collecting.collect(JOB_BOARDS)
    return [board["token"] for board in await collecting.facts("job_board")]
