"""What a query for one page of a list answers."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.store.database import Connection, TenantReads

# The items as the text of a JSON array, the exact total, and where the page ends (sort value, id);
# None at the end of an empty page.
Pages = tuple[str, int, tuple[str, str] | None]


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one table as a list, in SQL: `table` with the alias that `item` uses, if any; `item`, the
    JSON object that is shown of a row; `order`, what rows are sorted by, of type `kind`; `key`, the id
    of a row, which settles ties. `made` is the common table expression that `table` names, where it is
    no table of the database."""

    table: str
    item: str
    key: str
    order: str = "lower(name)"
    kind: str = "text"
    key_kind: str = "uuid"
    descending: bool = False
    made: str = ""

    async def one(
        self, connection: Connection, organization_id: OrganizationId, key: UUID | str
    ) -> str | None:
        """A row of an organization as JSON text; None when there is no such one."""
        body: str | None = await connection.fetchval(
            f"SELECT {self.item}::text FROM {self.table}"
            f" WHERE organization_id = $1 AND {self.key} = $2",
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
        self,
        connection: Connection,
        organization_id: OrganizationId,
        *,
        before: tuple[str, str] | None,
        offset: int,
        limit: int,
    ) -> Pages:
        """A page of all rows of an organization."""
        return await read_rows(
            connection,
            self,
            "organization_id = $1",
            organization_id,
            before=before,
            offset=offset,
            limit=limit,
        )


async def read_rows(
    connection: Connection,
    rows: Rows,
    condition: str,
    *values: Any,
    before: tuple[str, str] | None,
    offset: int,
    limit: int,
) -> Pages:
    """The page of a table's rows that meet the condition, which names `values` as $1, $2..."""
    direction, beyond = ("DESC", "<") if rows.descending else ("ASC", ">")
    sort = f"{rows.order} {direction}, {rows.key} {direction}"
    alias = rows.table.split()[-1]
    made = f"{rows.made}," if rows.made else ""
    n = len(values)
    return await read_page(
        connection,
        f"""
        WITH {made} page AS (
          SELECT *, {rows.order} AS sort_value, row_number() OVER (ORDER BY {sort}) AS n
          FROM {rows.table} WHERE {condition} AND (${n + 1}::text IS NULL OR ({rows.order}, {rows.key})
            {beyond} (${n + 1}::text::{rows.kind}, ${n + 2}::text::{rows.key_kind}))
          ORDER BY {sort} OFFSET ${n + 3} LIMIT ${n + 4})
        SELECT (SELECT count(*) FROM {rows.table} WHERE {condition}) AS total,
          (SELECT coalesce(json_agg({rows.item} ORDER BY n), '[]')::text FROM page AS {alias}) AS items,
          (SELECT ARRAY[sort_value::text, {rows.key}::text] FROM page ORDER BY n DESC LIMIT 1) AS last
        """,
        *values,
        before[0] if before else None,
        before[1] if before else None,
        offset,
        limit,
    )


async def read_page(connection: Connection, query: str, *values: Any) -> Pages:
    """Run a query of the scalars `items`, `total` and `last`."""
    row = await only_row(connection, query, *values)
    return row["items"], row["total"] or 0, tuple(row["last"]) if row["last"] else None


async def only_row(connection: Connection | TenantReads, query: str, *values: Any) -> Any:
    """The row of a query that always answers one: a SELECT of scalars."""
    row = await connection.fetchrow(query, *values)
    if row is None:
        raise RuntimeError("A query of scalars answered no row.")
    return row
