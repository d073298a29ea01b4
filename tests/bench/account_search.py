"""Account search by the index, beside plain SQL, SQLite, DuckDB and, where it is installed, tantivy on the
same accounts, in one run; and what a page costs the database as accounts grow.

    .venv/bin/python -m tests.bench.account_search [--accounts 300000] [--rounds 30]

Times are those of one caller in this process, from the query to the JSON of 25 accounts with the total. Fails
when a page of the large organization touches more than 1.5 times the buffers a row of the small one's.
"""

import argparse
import asyncio
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from sightline.domain.callers import OrganizationId
from sightline.domain.filters import EVERYTHING, read_filter
from sightline.kit.postgres import EmbeddedPostgres
from sightline.store.account_index.indexes import AccountIndexes
from sightline.store.account_search import AccountQuery, AccountSearcher
from sightline.store.accounts import AccountFilter, AccountOrder, SortKey
from sightline.store.database import Database, open_database
from sightline.store.migrate import migrate
from tests.bench.account_filling import fill_accounts
from tests.bench.tantivy_peer import Tantivy, library

SMALL = 10_000
MOST_GROWTH = 1.5
PER_PAGE = 25


class Case(NamedTuple):
    """A query of the growth table: a filter, what SQLite and DuckDB make of it (None: they are not asked), a
    sort, and where the page lies as a share of the total."""

    name: str
    wanted: dict[str, Any] | None
    plain: str | None
    sort: SortKey = "company_name"
    descending: bool = False
    deep: float = 0.0


_INDUSTRY = {"field": "industry", "op": "eq", "value": "Software"}


def _described(value: str) -> dict[str, Any]:
    return {"field": "description", "op": "contains", "value": value}


CASES = (
    Case("first page", None, "true"),
    Case("middle page", None, "true", deep=0.5),
    Case("last page", None, "true", deep=1.0),
    Case("industry, middle page", _INDUSTRY, "industry = 'Software'", deep=0.5),
    Case("by employees", None, "true", "employees", True),
    Case("by revenue, middle page", None, "true", "revenue", True, 0.5),
    Case(
        "range and country",
        {"and": [{"field": "employees", "op": "between", "value": [200, 5_000]},
                 {"field": "country", "op": "eq", "value": "US"}]},
        "employees BETWEEN 200 AND 5000 AND country = 'US'",
        deep=0.5,
    ),
    Case(
        "a name",
        {"field": "company_name", "op": "contains", "value": "harbor"},
        "search_text LIKE '%harbor%'",
    ),
    Case(
        "a name that is not there",
        {"field": "company_name", "op": "contains", "value": "zzyzxq"},
        "search_text LIKE '%zzyzxq%'",
    ),
    Case("city", {"field": "hq_city", "op": "eq", "value": "City 77"}, "lower(city) = 'city 77'"),
    Case("tag", {"field": "tags", "op": "contains", "value": "tag7"}, "tag = 'tag7'"),
    Case("description, a rare word", _described("itofs"), None),
    Case("description, a common word", _described("cs"), None, deep=0.5),
    Case("description, two words", _described("dgs cbs"), None, deep=0.5),
    Case("description, a beginning", _described("ca"), None, "employees", True),
    Case(
        "six conditions",
        {"or": [
            {"and": [_INDUSTRY, {"field": "revenue", "op": "gte", "value": 1e8}]},
            {"and": [{"field": "hq_state", "op": "in", "value": ["State 1", "State 2"]},
                     {"not": {"field": "public_company", "op": "eq", "value": True}}]},
            {"field": "market_cap", "op": "lt", "value": 1e6},
        ]},
        "(industry = 'Software' AND revenue >= 1e8) OR (lower(state) IN ('state 1', 'state 2')"
        " AND NOT public) OR market_cap < 1e6",
    ),
)  # fmt: skip
_PLAIN_SORT = {"company_name": "sort_key", "employees": "employees", "revenue": "revenue"}


def query_of(case: Case, accounts: int, total: int | None = None) -> AccountQuery:
    where = AccountFilter(wanted=read_filter(case.wanted).filter if case.wanted else EVERYTHING)
    offset = int((accounts if total is None else total) * case.deep)
    return AccountQuery(
        where=where, order=AccountOrder(case.sort, case.descending), offset=offset, limit=PER_PAGE
    )


async def timed(work: Callable[[], Awaitable[Any]], rounds: int) -> tuple[float, float]:
    """Median and 95th percentile, in ms."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        await work()
        times.append((time.perf_counter() - began) * 1_000)
    times.sort()
    return statistics.median(times), times[int(len(times) * 0.95)]


async def buffers(
    database: Database,
    searcher: AccountSearcher,
    organization_id: OrganizationId,
    query: AccountQuery,
) -> int:
    """Buffers that the statements of a page touch."""
    seen: list[tuple[str, tuple[Any, ...]]] = []
    async with database.reads(organization_id) as reads:
        with reads.connection.query_logger(lambda q: seen.append((q.query, tuple(q.args or ())))):
            await searcher.find(reads, query)
            await asyncio.sleep(0)  # callbacks run in the loop's next turn
        count = 0
        for statement, values in seen:
            if "SELECT" not in statement or statement.startswith("BEGIN"):
                continue
            plan = await reads.connection.fetchval(
                f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", *values
            )
            top = json.loads(plan)[0]["Plan"]
            count += top["Shared Hit Blocks"] + top["Shared Read Blocks"]
    return count


async def flat_rows(database: Database, organization_id: OrganizationId) -> list[tuple[Any, ...]]:
    async with database.tenant(organization_id) as connection:
        rows = await connection.fetch(
            """
            SELECT a.account_id::text, a.sort_key, a.search_text, a.industry, a.country_code,
              a.public_company, a.full_time_employees, a.revenue_usd::float8, d ->> 'hq_city',
              d ->> 'hq_state',
              (d ->> 'market_cap')::float8, d -> 'tags' ->> 0, r.document
            FROM accounts a JOIN account_records r USING (organization_id, account_id)
            CROSS JOIN LATERAL (SELECT r.document::jsonb AS d OFFSET 0) x WHERE a.organization_id = $1
            """,
            organization_id,
        )
    return [tuple(row) for row in rows]


_FLAT = (
    "id TEXT, sort_key TEXT, search_text TEXT, industry TEXT, country TEXT, public BOOLEAN,"
    " employees BIGINT, revenue DOUBLE, city TEXT, state TEXT, market_cap DOUBLE, tag TEXT, document TEXT"
)


def peers(rows: list[tuple[Any, ...]]) -> dict[str, Callable[[str, tuple[Any, ...]], list[Any]]]:
    """The accounts in SQLite, with an index on each column as Datasette advises, and in DuckDB."""
    lite = sqlite3.connect(":memory:")
    lite.execute(f"CREATE TABLE accounts ({_FLAT})")
    lite.executemany(f"INSERT INTO accounts VALUES ({', '.join('?' * 13)})", rows)
    for column in (
        "sort_key", "industry", "country", "employees", "revenue", "lower(city)", "lower(state)",
        "market_cap", "tag",
    ):  # fmt: skip
        lite.execute(f"CREATE INDEX {column.strip('lower()')}_index ON accounts ({column})")
    lite.execute("ANALYZE")
    duck = duckdb.connect()
    duck.execute("SET threads = 1")
    duck.execute(f"CREATE TABLE accounts ({_FLAT})")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        names = [each.split()[0] for each in _FLAT.split(", ")]
        for row in rows:
            file.write(json.dumps(dict(zip(names, row, strict=True))) + "\n")
        file.flush()
        columns = ", ".join(f"{each.split()[0]}: '{each.split()[1]}'" for each in _FLAT.split(", "))
        duck.execute(
            f"INSERT INTO accounts SELECT {', '.join(names)} FROM read_json('{file.name}',"
            f" format = 'newline_delimited', columns = {{{columns}}})"
        )
    return {
        "sqlite": lambda sql, values: lite.execute(sql, values).fetchall(),
        "duckdb": lambda sql, values: duck.execute(sql, values).fetchall(),
    }


def by_peer(
    run: Callable[[str, tuple[Any, ...]], list[Any]], case: Case, query: AccountQuery
) -> Callable[[], Awaitable[int]]:
    """The same page and total."""
    direction = "DESC" if case.descending else "ASC"
    page = (
        f"SELECT document FROM accounts WHERE {case.plain} ORDER BY {_PLAIN_SORT[case.sort]} {direction}"
        " NULLS LAST, id LIMIT ? OFFSET ?"
    )

    async def work() -> int:
        run(page, (query.limit, query.offset))
        (total,) = run(f"SELECT count(*) FROM accounts WHERE {case.plain}", ())[0]
        return int(total)

    return work


def by_tantivy(
    index: Tantivy, case: Case, query: AccountQuery, total: int
) -> Callable[[], Awaitable[None]]:
    """The same page; the total must be the same."""
    page = index.page(
        case.wanted,
        sort=case.sort,
        descending=case.descending,
        offset=query.offset,
        limit=query.limit,
    )

    async def work() -> None:
        assert page() == total, case.name

    return work


async def build(indexes: AccountIndexes, accounts: int, organization_id: OrganizationId) -> None:
    """Build an organization's index, and print what that took."""
    began, cpu = time.perf_counter(), time.process_time()
    indexes.ready(organization_id)
    index = await indexes.built(organization_id)
    assert index is not None
    print(
        f"{accounts} accounts: built in {time.perf_counter() - began:.1f} s"
        f" ({time.process_time() - cpu:.1f} s of processor), {index.nbytes / 1e6:.0f} MB"
    )


async def measure(url: str, accounts: int, rounds: int, *, with_peers: bool) -> bool:
    ids = {n: await fill_accounts(url, n, slug=f"bench{n}") for n in (SMALL, accounts)}
    database = await open_database(url, statement_timeout_seconds=0)
    indexes = AccountIndexes(database, 1 << 36, least_accounts=1)
    by_index, by_sql = AccountSearcher(indexes), AccountSearcher()
    for n, organization_id in ids.items():
        await build(indexes, n, organization_id)
    rows = await flat_rows(database, ids[accounts]) if with_peers else []
    others = peers(rows) if with_peers else {}
    tantivy = Tantivy(library(), rows) if with_peers and library() else None
    rows.clear()
    kept = True
    sums: dict[str, float] = {}
    print(f"\nmedian/p95 ms at {accounts} accounts; buffers a row at {SMALL} and {accounts}")
    for case in CASES:
        query, cells, touched = query_of(case, accounts), [], []
        for organization_id, size in ((ids[SMALL], SMALL), (ids[accounts], accounts)):
            async with database.reads(organization_id) as reads:
                found = await by_index.find(reads, query_of(case, size))
            query = query_of(case, size, max(0, found.total - PER_PAGE))
            shown = max(1, min(PER_PAGE, found.total - query.offset))
            touched.append(await buffers(database, by_index, organization_id, query) / shown)
        organization_id = ids[accounts]
        async with database.reads(organization_id) as reads:
            same = await by_sql.find(reads, query)
            assert same == await by_index.find(reads, query), case.name

            async def ask(
                searcher: AccountSearcher, reads: Any = reads, query: Any = query
            ) -> None:
                await searcher.find(reads, query)

            runs: dict[str, Callable[[], Awaitable[Any]]] = {
                "index": lambda: ask(by_index),
                "sql": lambda: ask(by_sql),
            }
            if case.plain is not None:
                runs |= {name: by_peer(run, case, query) for name, run in others.items()}
            if tantivy is not None and case.plain is not None:
                runs["tantivy"] = by_tantivy(tantivy, case, query, same.total)
            for name, work in runs.items():
                median, late = await timed(
                    work, rounds if name == "index" else max(3, rounds // 10)
                )
                if case.plain is not None:
                    sums[name] = sums.get(name, 0.0) + median
                cells.append(f"{name} {median:.2f}/{late:.2f}")
        growth = touched[1] / touched[0]
        kept = kept and growth <= MOST_GROWTH
        print(
            f"{case.name:26} {' | '.join(cells)} | {touched[0]:.1f} -> {touched[1]:.1f} ({growth:.2f}x)"
        )
    print("\nall cases:", ", ".join(f"{n} {s / sums['index']:.0f}x" for n, s in sums.items()))
    print(f"after it all: {indexes._ready[ids[accounts]].nbytes / 1e6:.0f} MB")
    await indexes.close()
    await database.close()
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--accounts", type=int, default=300_000)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--without-peers", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder)) as postgres:
        migrate(postgres.url)
        kept = asyncio.run(
            measure(postgres.url, asked.accounts, asked.rounds, with_peers=not asked.without_peers)
        )
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
