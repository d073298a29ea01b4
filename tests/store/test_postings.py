"""Pulls of job boards: what they open, change and close, and what a partial or late one must not."""

import gzip
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import pytest

from sightline.domain.postings import ParsedPosting, PostingLocation, Salary
from sightline.store.database import Database
from sightline.store.postings import PullChange, store_pull

BOARD = "greenhouse/quill"
START = datetime(2026, 3, 1, 8, tzinfo=UTC)


def posting(external_id: str, title: str = "Clerk", **more: object) -> ParsedPosting:
    values = {"description": f"You keep the books of {title} {external_id}.", **more}
    return ParsedPosting(external_id, title, f"https://jobs.example/{external_id}", **values)  # type: ignore[arg-type]


class Board:
    """One company's board, pulled once a day."""

    def __init__(self, database: Database, company_id: UUID) -> None:
        self.database = database
        self.company_id = company_id

    async def pull(
        self, day: int, listed: Sequence[ParsedPosting], *, complete: bool = True
    ) -> PullChange:
        async with self.database.connection() as connection, connection.transaction():
            return await store_pull(
                connection,
                self.company_id,
                board=BOARD,
                source="job_boards",
                listed=listed,
                complete=complete,
                document_id=None,
                pulled_at=START + timedelta(days=day),
            )

    async def rows(self) -> dict[str, asyncpg.Record]:
        async with self.database.connection() as connection:
            rows = await connection.fetch(
                "SELECT * FROM jobs WHERE company_id = $1 ORDER BY external_id", self.company_id
            )
        return {row["external_id"]: row for row in rows}


@pytest.fixture
def board(owner: Database) -> Board:
    return Board(owner, uuid4())


async def test_opens_changes_and_closes(board: Board) -> None:
    assert await board.pull(0, [posting("1"), posting("2")]) == PullChange(2, 2, 0)
    assert await board.pull(1, [posting("1"), posting("2", "Head Clerk")]) == PullChange(2, 0, 0)
    assert await board.pull(2, [posting("1"), posting("3")]) == PullChange(2, 1, 1)
    rows = await board.rows()
    assert rows["1"]["first_seen_at"] == START
    assert rows["1"]["last_seen_at"] == START + timedelta(days=2)
    assert rows["2"]["title"] == "Head Clerk"
    assert rows["2"]["seniority"] == "head"
    assert rows["2"]["closed_at"] == START + timedelta(days=2)
    assert rows["2"]["last_seen_at"] == START + timedelta(days=1)
    assert rows["3"]["closed_at"] is None


async def test_everything_served_is_stored(board: Board) -> None:
    full = posting(
        "1",
        "Senior Data Engineer (m/f/d)",
        description="Python and Snowflake.",
        locations=(PostingLocation("Berlin, Germany", "Berlin", "Berlin", "DE"),),
        employment_type="full_time",
        remote="hybrid",
        salary=Salary(70_000.0, 90_000.0, "EUR", "year"),
        posted_at=START - timedelta(days=9),
        openings=2,
    )
    await board.pull(0, [full])
    row = (await board.rows())["1"]
    assert (row["normalized_title"], row["department"], row["seniority"]) == (
        "Senior Data Engineer",
        "data",
        "senior",
    )
    assert json.loads(json.dumps(row["locations"])) == [
        {"raw": "Berlin, Germany", "city": "Berlin", "region": "Berlin", "country_code": "DE"}
    ]
    assert row["salary"] == {"min": 70_000, "max": 90_000, "currency": "EUR", "period": "year"}
    assert row["technologies"] == ["Python", "Snowflake"]
    assert (row["employment_type"], row["remote"], row["openings"]) == ("full_time", "hybrid", 2)
    assert row["posted_at"] == START - timedelta(days=9)


async def test_a_partial_pull_closes_nothing(board: Board) -> None:
    await board.pull(0, [posting("1"), posting("2")])
    assert await board.pull(1, [posting("3")], complete=False) == PullChange(3, 1, 0)
    assert all(row["closed_at"] is None for row in (await board.rows()).values())
    assert await board.pull(2, [posting("3")]) == PullChange(1, 0, 2)


async def test_a_late_pull_changes_nothing(board: Board) -> None:
    await board.pull(5, [posting("1")])
    assert await board.pull(4, [posting("1", "Old title"), posting("2")]) == PullChange(1, 0, 0)
    rows = await board.rows()
    assert list(rows) == ["1"]
    assert rows["1"]["title"] == "Clerk"


async def test_a_posting_that_comes_back_is_open_again(board: Board) -> None:
    await board.pull(0, [posting("1")])
    assert await board.pull(1, []) == PullChange(0, 0, 1)
    assert await board.pull(2, [posting("1")]) == PullChange(1, 0, 0)
    assert (await board.rows())["1"]["closed_at"] is None


async def test_an_empty_partial_pull_is_no_news(board: Board) -> None:
    await board.pull(0, [posting("1")])
    assert await board.pull(1, [], complete=False) == PullChange(1, 0, 0)


async def test_one_job_in_several_places_is_one_row(board: Board) -> None:
    text = "You keep the books."
    places = [
        posting(
            str(n),
            description=text,
            locations=(PostingLocation(city, city),),
            posted_at=START - timedelta(days=n),
        )
        for n, city in enumerate(["Leeds", "York"])
    ]
    assert await board.pull(0, [*places, posting("9", description="Other books.")]) == PullChange(
        2, 2, 0
    )
    rows = await board.rows()
    assert {place["city"] for place in rows["1"]["locations"]} == {"Leeds", "York"}
    # The one that it was stored under goes, the other stays: the job does.
    before = rows["1"]["job_id"]
    assert await board.pull(1, [places[0], posting("9", description="Other books.")]) == PullChange(
        2, 0, 0
    )
    assert (await board.rows())["0"]["job_id"] == before


async def test_a_repost_under_another_id_stays_the_job(board: Board) -> None:
    text = "You keep the books."
    await board.pull(0, [posting("1", description=text)])
    job_id = (await board.rows())["1"]["job_id"]
    await board.pull(3, [])
    again = posting("7", "CLERK", description=text)
    assert await board.pull(9, [again]) == PullChange(1, 0, 0)
    rows = await board.rows()
    assert list(rows) == ["7"]
    assert rows["7"]["job_id"] == job_id
    assert rows["7"]["url"] == "https://jobs.example/7"
    assert rows["7"]["first_seen_at"] == START
    await board.pull(10, [])
    assert await board.pull(400, [posting("8", description=text)]) == PullChange(1, 1, 0)


async def test_without_a_description_nothing_is_joined(board: Board) -> None:
    bare = posting("1", description="")
    assert await board.pull(0, [bare, replace(bare, external_id="2")]) == PullChange(2, 2, 0)


async def test_pulls_are_counted(board: Board) -> None:
    await board.pull(0, [posting("1"), posting("2")])
    await board.pull(1, [posting("2")])
    async with board.database.connection() as connection:
        rows = await connection.fetch(
            """
            SELECT active, opened, closed, complete FROM board_pulls
            WHERE company_id = $1 ORDER BY pulled_at
            """,
            board.company_id,
        )
    assert [tuple(row) for row in rows] == [(2, 2, 0, True), (1, 0, 1, True)]


async def test_dated_boards_open_and_close_what_the_record_says(board: Board, shared: Path) -> None:
    """Real boards at several dates: every id that opened or closed between two of them."""
    folder = shared / "labelled" / "greenhouse_history"
    name, dates = next((name, entry) for name, entry in _histories(folder) if len(entry) >= 3)
    previous: set[str] = set()
    seen: set[str] = set()
    for day, file in enumerate(dates[:4]):
        ids = _ids(file)
        change = await board.pull(day, [posting(i, description="") for i in sorted(ids)])
        assert (change.opened, change.closed, change.active) == (
            len(ids - seen),
            len(previous - ids),
            len(ids),
        ), (name, file.name)
        previous = ids
        seen |= ids


def _histories(folder: Path) -> list[tuple[str, list[Path]]]:
    return [
        (each.name, sorted(f for f in each.iterdir() if ".json" in f.name))
        for each in sorted(folder.iterdir())
        if each.is_dir()
    ]


def _ids(file: Path) -> set[str]:
    content = file.read_bytes()
    content = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
    return {str(job["id"]) for job in json.loads(content)["jobs"]}
