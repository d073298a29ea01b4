"""Filters on prose: what a word is, in the index and in SQL; filters that were stored before."""

import json
from typing import Any

import asyncpg
import numpy as np
import pytest

from sightline.domain.callers import OrganizationId
from sightline.domain.filters import FilterIsWrong, read_filter
from sightline.domain.prose import spellings, words
from sightline.kit.postgres import EmbeddedPostgres
from sightline.store import migrate
from sightline.store.account_index.columns import bitmap, packed
from sightline.store.account_index.indexes import AccountIndexes
from sightline.store.account_search import AccountQuery, AccountSearcher
from sightline.store.accounts import AccountFilter, AccountOrder
from sightline.store.database import Database
from tests.api.accounts_data import add_accounts
from tests.conftest import fresh_database

DESCRIPTIONS = {
    "Mill": "Manufacturing of cloud-security appliances.",
    "Sea": "Das Überseehafen–Haus “Ödland”, 24/7",
    "Dots": "…",
    "Empty": "",
    "Tokyo": "日立 製作所、東京",
    "Street": "İzmir ΟΔΟΣ",
    "None": None,
}


@pytest.mark.parametrize(
    ("op", "value", "found"),
    [
        ("contains", "manufactur", {"Mill"}),
        ("contains", "SECUR cloud", {"Mill"}),
        ("contains", "ecurity", set()),
        ("contains", "cloud manufacturer", set()),
        ("not_contains", "manufactur", {"Sea", "Dots", "Empty", "Tokyo", "Street", "None"}),
        ("contains", "ÜBERSEE", {"Sea"}),
        ("contains", "haus öd", {"Sea"}),
        ("contains", "24.7", {"Sea"}),
        ("contains", "東", {"Tokyo"}),
        ("contains", "izmir οδοσ", {"Street"}),
        ("blank", None, {"Dots", "Empty", "None"}),
        ("not_blank", None, {"Mill", "Sea", "Tokyo", "Street"}),
    ],
)
async def test_prose_is_compared_by_the_beginnings_of_words(
    organization: OrganizationId, database: Database, op: str, value: str | None, found: set[str]
) -> None:
    records = [
        {"company_name": name} | ({} if text is None else {"description": text})
        for name, text in DESCRIPTIONS.items()
    ]
    await add_accounts(database, organization, records)
    indexes = AccountIndexes(database, 1 << 30, least_accounts=1)
    indexes.ready(organization)
    assert await indexes.built(organization) is not None
    given = {"field": "description", "op": op} | ({"value": value} if value else {})
    where = AccountFilter(wanted=read_filter(given).filter)
    query = AccountQuery(where=where, order=AccountOrder(), limit=25)
    async with database.reads(organization) as reads:
        for searcher in (AccountSearcher(indexes), AccountSearcher()):
            answer = await searcher.find(reads, query)
            assert {name for name in DESCRIPTIONS if f'"{name}"' in answer.items} == found
            assert answer.total == len(found)
    await indexes.close()


@pytest.mark.parametrize(
    ("op", "value", "message"),
    [
        ("eq", "cloud", "contains finds words by their beginnings"),
        ("starts_with", "cloud", "contains, not_contains, blank, not_blank"),
        ("contains", "…-!", "Must have a word"),
        ("contains", "a\ud800", "no half of a pair"),
    ],
)
def test_what_prose_is_not_compared_by_is_refused(op: str, value: str, message: str) -> None:
    with pytest.raises(FilterIsWrong, match=message):
        read_filter({"field": "description", "op": op, "value": value})


def test_every_letter_is_read_as_one_that_is_read_as_itself() -> None:
    for code in (*range(1, 0xD800), *range(0xE000, 0x11000)):
        read = words(chr(code).encode())
        if read and code > 127:
            (letter,) = [each.decode() for each in read]
            assert len(letter) == 1
            assert words(letter.encode()) == read
            assert chr(code) in spellings(letter)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.06, 0.07, 0.5, 1.0])
@pytest.mark.parametrize("size", [0, 1, 65_536, 200_001])
def test_flags_make_the_bitmap_of_their_numbers(share: float, size: int) -> None:
    flags = np.random.default_rng(1).random(size) < share
    flags[:70_000] &= size % 2 == 0
    assert packed(flags) == bitmap(np.flatnonzero(flags))


def _on(op: str, value: Any = None) -> dict[str, Any]:
    return {"field": "description", "op": op} | ({"value": value} if value else {})


async def test_filters_that_were_stored_before_are_written_anew(server: EmbeddedPostgres) -> None:
    other = {"field": "ceo", "op": "eq", "value": "description"}
    before = [
        *(_on(op, "Makes tea.") for op in ("eq", "ne", "starts_with", "contains")),
        {"field": "description", "value": "Tea"},
        {"not": {"or": [_on("in", ["tea", "cups"]), {"and": [_on("not_in", ["x"])]}, other]}},
        {"and": [_on("blank"), {}]},
    ]
    after = [
        *(_on(op, "Makes tea.") for op in ("contains", "not_contains", "contains", "contains")),
        _on("contains", "Tea"),
        {
            "not": {
                "or": [
                    {"or": [_on("contains", "tea"), _on("contains", "cups")]},
                    {"and": [{"and": [_on("not_contains", "x")]}]},
                    other,
                ]
            }
        },
        {"and": [_on("blank"), {}]},
    ]
    scores = [{"filter": each, "points": 5, "why": "eq"} for each in before]
    one = "11111111-1111-4111-8111-111111111111"
    async with fresh_database(server, "template0") as url:
        await migrate.upgrade(url, to="0039")
        connection = await asyncpg.connect(url)
        await connection.execute(
            "INSERT INTO organizations (organization_id, slug, name) VALUES ($1, 'o', 'O')", one
        )
        for n, each in enumerate(before):
            await connection.execute("SELECT set_config('app.organization', $1, false)", one)
            await connection.execute(
                "INSERT INTO account_lists (organization_id, list_id, name, kind, filter)"
                " VALUES ($1, gen_random_uuid(), $2, 'search', $3)",
                one, str(n), json.dumps(each),
            )  # fmt: skip
        await connection.execute(
            "INSERT INTO territories (organization_id, territory_id, name, rules, score_rules)"
            " VALUES ($1, 't', 'T', '{}', $2)",
            one, json.dumps(scores),
        )  # fmt: skip
        await connection.close()
        await migrate.upgrade(url)
        connection = await asyncpg.connect(url)
        await connection.execute("SELECT set_config('app.organization', $1, false)", one)
        rows = await connection.fetch("SELECT filter FROM account_lists ORDER BY name")
        found = [json.loads(row["filter"]) for row in rows]
        scored = json.loads(await connection.fetchval("SELECT score_rules FROM territories"))
        await connection.close()
    assert found == after
    assert scored == [score | {"filter": each} for score, each in zip(scores, after, strict=True)]
    for each in found:
        read_filter(each)
