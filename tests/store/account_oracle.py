"""What SQL answers to many account queries at one moment, by two statements."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from sightline.domain.callers import OrganizationId
from sightline.store.account_index.index import Window
from sightline.store.account_search import AccountQuery, AccountsFound
from sightline.store.accounts import FACET_COLUMNS, SORT_EXPRESSIONS, conditions_of
from sightline.store.database import Database

_SORTED = ", ".join(
    f"{sql}::text AS {key}_{way}, "
    f"row_number() OVER (ORDER BY {sql} {way}, a.account_id {way}) AS {key}_{way}_n"
    for key, (up, down, _) in SORT_EXPRESSIONS.items()
    for sql, way in ((up, "asc"), (down, "desc"))
)
_FACETS = ", ".join(f"a.{column} AS facet_{column}" for column in FACET_COLUMNS.values())
_ROWS = f"""
    SELECT a.account_id, r.item_head || substr(r.document, 2) AS item, {_SORTED}, {_FACETS}
    FROM accounts a JOIN account_records r USING (organization_id, account_id)
    WHERE a.organization_id = $1
"""


async def answers_by_sql(
    database: Database, organization_id: OrganizationId, queries: Sequence[AccountQuery]
) -> list[tuple[AccountsFound, Window]]:
    """The answers of `find` and `ids` to queries without `after`: PostgreSQL says which accounts match each
    filter, and where each account stands in each order; the pages are cut from that."""
    selects: list[str] = []
    values: list[Any] = [organization_id]
    for n, query in enumerate(queries):
        tables, conditions, own = conditions_of(organization_id, query.where)
        selects.append(
            f"SELECT {n} AS query, a.account_id FROM {tables}"
            f" WHERE {_shifted(' AND '.join(conditions), len(values) - 1)}"
        )
        values += own[1:]
    async with database.tenant(organization_id, repeatable=True) as connection:
        matches = await connection.fetch(" UNION ALL ".join(selects), *values)
        rows = {row["account_id"]: row for row in await connection.fetch(_ROWS, organization_id)}
    matching: list[list[Any]] = [[] for _ in queries]
    for match in matches:
        matching[match["query"]].append(rows[match["account_id"]])
    return [_answer(query, found) for query, found in zip(queries, matching, strict=True)]


def _answer(query: AccountQuery, found: list[Any]) -> tuple[AccountsFound, Window]:
    by_name = sorted(found, key=lambda row: row["company_name_asc_n"])
    ids = Window([row["account_id"] for row in by_name[: query.limit]], len(found))
    sort = f"{query.order.key}_{'desc' if query.order.descending else 'asc'}"
    ordered = sorted(found, key=lambda row: row[f"{sort}_n"])
    page = ordered[query.offset : query.offset + query.limit]
    last = (page[-1][sort], str(page[-1]["account_id"])) if page else None
    items = "[" + ",".join(row["item"] for row in page) + "]"
    facets = {facet: _counted(facet, found) for facet in query.facets}
    return AccountsFound(items, len(page), last, len(found), facets), ids


def _counted(facet: str, found: list[Any]) -> list[dict[str, Any]]:
    counts = Counter(row[f"facet_{FACET_COLUMNS[facet]}"] for row in found)
    order = sorted(counts.items(), key=lambda each: (-each[1], each[0] is None, str(each[0])))
    return [{"value": value, "count": count} for value, count in order]


def _shifted(sql: str, by: int) -> str:
    """The condition with its parameters moved up, all but the organization."""
    return re.sub(r"\$(\d+)", lambda m: m[0] if m[1] == "1" else f"${int(m[1]) + by}", sql)
