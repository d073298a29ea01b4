"""The result of a query for one page of a list."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.store.database import Connection, TenantReads

# The items as the text of a JSON array, the exact total, and where the page ends (sort value, id);
# None at the end of an empty page.
Pages = tuple[str, int, tuple[str, str] | None]


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
    table expression that `table` names, where it is not a table of the database."""

    table: str
    item: str
    key: str
    order: str = "lower(name)"
    kind: str = "text"
    key_kind: str = "uuid"
    descending: bool = False
    joins: str = ""
    made: str = ""

    async def one(
        self, connection: Connection, organization_id: OrganizationId, key: UUID | str
    ) -> str | None:
        """A row of an organization as JSON text; None if there is none."""
        alias = self.table.split()[-1]
        body: str | None = await connection.fetchval(
            f"SELECT {self.item}::text FROM {self.table} {self.joins}"
            f" WHERE {alias}.organization_id = $1 AND {alias}.{self.key} = $2",
            organization_id,
            key,
        )
        return body

    async def delete(
        self, connection: Connection, organization_id: OrganizationId, key: UUID | str
    ) -> bool:
        """False when an organization has no such row."""
        status = await connection.execute(
            f"DELETE FROM {self.table} WHERE organization_id = $1 AND {self.key} = $2",
            organization_id,
            key,
        )
        return status == "DELETE 1"

    async def page(
        self, connection: Connection, organization_id: OrganizationId, *, part: Slice
    ) -> Pages:
        """A page of all rows of an organization."""
        return await read_rows(
            connection, self, Where("organization_id = $1", [organization_id]), part=part
        )


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
    query, values = rows_query(rows, where, part=part)
    return await read_page(connection, query, *values)


def rows_query(rows: Rows, where: Where, *, part: Slice) -> tuple[str, list[Any]]:
    """The query for `read_page` of a table's rows that meet a condition, and its values."""
    direction, beyond = ("DESC", "<") if rows.descending else ("ASC", ">")
    alias = rows.table.split()[-1]
    on = Where(where.text, list(where.values))
    if part.before is not None:
        end = f"({{}}::text::{rows.kind}, ${len(on.values) + 2}::text::{rows.key_kind})"
        on.add(f"({rows.order}, {rows.key}) {beyond} {end}", part.before[0])
        on.values.append(part.before[1])
    # Numbers, not parameters: a plan for any limit would be one for a tenth of the table.
    query = page_query(
        f"""
        SELECT *, {rows.order} AS sort_value, {rows.key} AS page_key FROM {rows.table} WHERE {on.text}
        ORDER BY {rows.order} {direction}, {rows.key} {direction}
        OFFSET {int(part.offset)} LIMIT {int(part.limit)}
        """,
        item=rows.item,
        total=f"SELECT count(*) FROM {rows.table} WHERE {where.text}",
        alias=alias,
        direction=direction,
        joins=rows.joins,
    )
    return (f"WITH {rows.made} {query}" if rows.made else query), on.values


def page_query(
    page: str, *, item: str, total: str, alias: str, direction: str = "ASC", joins: str = ""
) -> str:
    """The query for `read_page` of a page of rows with `sort_value` and `page_key`: each row is read, and
    made JSON, once."""
    return f"""
        SELECT ({total}) AS total, '[' || coalesce(string_agg(item, ','), '') || ']' AS items,
          ARRAY[(array_agg(sort_value))[count(*)]::text, (array_agg(page_key))[count(*)]::text] AS last
        FROM (
          SELECT ({item})::text AS item, {alias}.sort_value, {alias}.page_key
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


def json_row(columns: str) -> str:
    """SQL of a JSON object of these columns ("a.name, b.id AS other"): two thirds of the time that
    json_build_object takes."""
    return f"(SELECT row_to_json(shown) FROM (SELECT {columns}) AS shown)"


async def read_page(connection: Connection, query: str, *values: Any) -> Pages:
    """Run a query of the scalars `items`, `total` and `last`."""
    row = await only_row(connection, query, *values)
    return page_of(row)


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
