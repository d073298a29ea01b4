"""The result of a query for one page of a list.

Making the JSON of a page costs more than finding its rows. The text of a page that is read again is
therefore kept in memory, and served while the same query finds the same versions of the same rows:
`Rows.versions` is the id and transaction number (xmin) of all rows that an item is made of, and two versions
of a row that others see never have the same. Which rows are on a page, their total and their policies are
asked each time. Only single reads do this: a transaction sees each of several versions that it wrote itself.
The start of the server counts as well, since numbers can return after a failover.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from sys import getsizeof
from typing import Any, Literal
from uuid import UUID

from sightline.store.database import Connection, Tenant, TenantReads

# The items as the text of a JSON array, the exact total, and where the page ends (sort value, id);
# None at the end of an empty page.
Pages = tuple[str, int, tuple[str, str] | None]

Shown = Literal["items", "versions", "both"]
# The server that answers, as bytes of SQL.
SERVER = "timestamptz_send(pg_postmaster_start_time())"
_KEY_BYTES = 1_000  # of a key and what holds it, about


@dataclass(frozen=True, slots=True)
class Slice:
    """Which rows of a list: at most `limit`, behind the row with the sort value and id `before`, or behind
    the first `offset`."""

    limit: int
    offset: int = 0
    before: tuple[str, str] | None = None

    @property
    def parameters(self) -> tuple[str | None, str | None, int, int]:
        """Sort value and id of the row before, offset and limit."""
        return *(self.before or (None, None)), self.offset, self.limit


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one table as a list, in SQL: `table` with the alias that `item` uses, if any; `item`, the
    JSON object that is shown of a row; `order`, what rows are sorted by, of type `kind`; `key`, the id
    of a row, which settles ties. `joins` brings in what `item` says of other tables. `made` is the common
    table expression that `table` names, where it is not a table of the database. `versions` is what the text
    of an item depends on, as bytes (see above); without it no text is kept."""

    table: str
    item: str
    key: str
    order: str = "lower(name)"
    kind: str = "text"
    key_kind: str = "uuid"
    descending: bool = False
    joins: str = ""
    made: str = ""
    versions: str = ""

    async def one(self, tenant: Tenant, key: UUID | str) -> str | None:
        """A row of an organization as JSON text; None if there is none."""
        alias = self.table.split()[-1]
        body: str | None = await tenant.value(
            f"SELECT {self.item}::text FROM {self.table} {self.joins}"
            f" WHERE {alias}.organization_id = $1 AND {alias}.{self.key} = $2",
            key,
        )
        return body

    async def delete(self, tenant: Tenant, key: UUID | str) -> bool:
        """False when an organization has no such row."""
        status = await tenant.run(
            f"DELETE FROM {self.table} WHERE organization_id = $1 AND {self.key} = $2", key
        )
        return status == "DELETE 1"

    async def page(self, tenant: Tenant, *, part: Slice) -> Pages:
        """A page of all rows of an organization."""
        return await read_rows(
            tenant, self, Where("organization_id = $1", [tenant.organization_id]), part=part
        )


@dataclass(frozen=True, slots=True)
class Kept:
    """A page and the versions it was made of; None when it was read once."""

    versions: bytes | None = None
    page: Pages = "", 0, None


@dataclass
class Where:
    """The condition that rows meet, which names `values` as $1, $2...

    Only what a caller asks for stands in it: with "$2 IS NULL OR" for the rest, the plan that PostgreSQL
    keeps for a query suits none of its uses.
    """

    text: str
    values: list[Any] = field(default_factory=list)

    def add(self, condition: str, value: Any) -> None:
        """One more condition, in which {} is the value; None for the value adds nothing."""
        if value is not None:
            self.values.append(value)
            self.text += f" AND {condition.replace('{}', f'${len(self.values)}')}"


async def read_rows(connection: Connection, rows: Rows, where: Where, *, part: Slice) -> Pages:
    """The page of a table's rows that meet a condition."""
    page, _ = await page_and_row(connection, rows, where, part=part)
    return page


async def page_and_row(
    connection: Connection | TenantReads,
    rows: Rows,
    where: Where,
    *,
    part: Slice,
    around: str = "{}",
) -> tuple[Pages, Any]:
    """The page of a table's rows, and the row that was read for it. `around` is SQL with {} for the query,
    and keeps its columns."""

    async def asked(shown: Shown) -> Any:
        query, values = rows_query(rows, where, part=part, shown=shown, around=around)
        return await only_row(connection, query, *values)

    if not isinstance(connection, TenantReads) or not rows.versions:
        row = await asked("items")
        return page_of(row), row
    key = (rows.item, rows.joins, where.text, str(where.values), part)
    kept: Kept | None = connection.pages.get(key)
    if kept is not None and kept.versions is not None:
        row = await asked("versions")
        if row["versions"] == kept.versions:
            items, _, last = kept.page
            return (items, row["total"] or 0, last), row
    # A page that is read once costs nothing more: versions are asked for the second time.
    row = await asked("items" if kept is None else "both")
    page = page_of(row)
    keep(connection, key, Kept() if kept is None else Kept(row["versions"], page))
    return page, row


def keep(connection: TenantReads, key: Hashable, kept: Kept) -> None:
    """Keep a page in the memory of a database."""
    size = _KEY_BYTES + getsizeof(kept.versions) + getsizeof(kept.page[0])
    connection.pages.put(key, kept, size=size)


def rows_query(
    rows: Rows, where: Where, *, part: Slice, shown: Shown = "items", around: str = "{}"
) -> tuple[str, list[Any]]:
    """The query for `page_of` of a table's rows that meet a condition, and its values."""
    on = Where(where.text, list(where.values))
    if part.before is not None:
        end = f"({{}}::text::{rows.kind}, ${len(on.values) + 2}::text::{rows.key_kind})"
        beyond = "<" if rows.descending else ">"
        on.add(f"({rows.order}, {rows.key}) {beyond} {end}", part.before[0])
        on.values.append(part.before[1])
    query = _rows_query(rows, where.text, on.text, part.offset, part.limit, shown, around)
    return query, on.values


@lru_cache(maxsize=1_000)
def _rows_query(
    rows: Rows, where: str, on: str, offset: int, limit: int, shown: Shown, around: str
) -> str:
    direction = "DESC" if rows.descending else "ASC"
    # Numbers, not parameters: a plan for any limit would be one for a tenth of the table.
    query = page_query(
        f"""
        SELECT *, {rows.order} AS sort_value, {rows.key} AS page_key{", xmin" * bool(rows.versions)}
        FROM {rows.table} WHERE {on}
        ORDER BY {rows.order} {direction}, {rows.key} {direction}
        OFFSET {int(offset)} LIMIT {int(limit)}
        """,
        item=rows.item,
        versions=rows.versions,
        shown=shown,
        total=f"SELECT count(*) FROM {rows.table} WHERE {where}",
        alias=rows.table.split()[-1],
        direction=direction,
        joins=rows.joins,
    )
    return around.replace("{}", f"WITH {rows.made} {query}" if rows.made else query)


def page_query(
    page: str,
    *,
    item: str,
    total: str,
    alias: str,
    direction: str = "ASC",
    joins: str = "",
    versions: str = "",
    shown: Shown = "items",
) -> str:
    """The query for `page_of` of a page of rows with `sort_value` and `page_key`: each row is read, and
    made JSON, once."""
    together = f"{SERVER} || coalesce(string_agg({{}}, ''), '') AS versions"
    if shown == "versions":
        # Of rows in another order they would be others: no need to sort again.
        return f"""
          SELECT ({total}) AS total, {together.format(versions)}
          FROM ({page}) AS {alias} {joins}
        """
    kept = (f", {versions} AS version", f", {together.format('version')}") if versions else ("", "")
    of_row, of_page = kept if shown == "both" else ("", "")
    return f"""
        SELECT ({total}) AS total, '[' || coalesce(string_agg(item, ','), '') || ']' AS items,
          ARRAY[(array_agg(sort_value))[count(*)]::text, (array_agg(page_key))[count(*)]::text] AS last
          {of_page}
        FROM (
          SELECT ({item})::text AS item, {alias}.sort_value, {alias}.page_key{of_row}
          FROM ({page}) AS {alias} {joins}
          ORDER BY {alias}.sort_value {direction}, {alias}.page_key {direction}) AS listed
        """


def joined_row(name: str, columns: str) -> str:
    """SQL that joins these columns ("a.name, b.id AS other") as one row: `row_to_json(name)` takes less than
    a subquery for each row, and a row within it is printed once."""
    return f" CROSS JOIN LATERAL (SELECT {columns}) AS {name}"


def utc(column: str) -> str:
    """SQL of a time as the API writes it."""
    return f"""to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""


def version_of(*rows: str) -> str:
    """SQL of the versions of rows with these aliases, as bytes; zeros for one that is missing."""
    return " || ".join(f"xidsend(coalesce({row}.xmin, '0'))" for row in rows)


def json_row(columns: str) -> str:
    """SQL of a JSON object of these columns ("a.name, b.id AS other"): two thirds of the time that
    json_build_object takes."""
    return f"(SELECT row_to_json(shown) FROM (SELECT {columns}) AS shown)"


async def read_page(connection: Connection, query: str, *values: Any) -> Pages:
    """Run a query of the scalars `items`, `total` and `last`."""
    return page_of(await only_row(connection, query, *values))


def page_of(row: Any) -> Pages:
    """The page in a row of the scalars `items`, `total` and `last`."""
    last = row["last"]
    ended = last is not None and last[0] is not None
    return row["items"], row["total"] or 0, (last[0], last[1]) if ended else None


async def only_row(connection: Connection | TenantReads, query: str, *values: Any) -> Any:
    """The row of a query that always answers one: a SELECT of scalars."""
    row = await connection.fetchrow(query, *values)
    if row is None:
        raise RuntimeError("A query of scalars answered no row.")
    return row
