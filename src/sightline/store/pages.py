"""What a query for one page of a list answers."""

from typing import Any

from sightline.store.database import Connection

# The items as the text of a JSON array, the exact total, and where the page ends (sort value, id);
# None at the end of an empty page.
Pages = tuple[str, int, tuple[str, str] | None]


async def read_page(connection: Connection, query: str, *values: Any) -> Pages:
    """Run a query of the scalars `items`, `total` and `last`."""
    row = await only_row(connection, query, *values)
    return row["items"], row["total"] or 0, tuple(row["last"]) if row["last"] else None


async def only_row(connection: Connection, query: str, *values: Any) -> Any:
    """The row of a query that always answers one: a SELECT of scalars."""
    row = await connection.fetchrow(query, *values)
    if row is None:
        raise RuntimeError("A query of scalars answered no row.")
    return row
