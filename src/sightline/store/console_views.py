"""Saved views of the console's account table: a name, and the query string that shows it."""

from typing import Any, Final
from uuid import UUID

import asyncpg

from sightline.domain.callers import UserId
from sightline.domain.errors import NameIsTaken
from sightline.kit.ids import new_id
from sightline.store.database import Tenant

MOST_VIEWS: Final = 100


async def list_views(tenant: Tenant) -> list[dict[str, Any]]:
    """{id, name, query} of the organization's views, by name."""
    rows = await tenant.rows(
        """
        SELECT view_id::text AS id, name, query FROM console_views
        WHERE organization_id = $1 ORDER BY lower(name) LIMIT $2
        """,
        MOST_VIEWS,
    )
    return [dict(row) for row in rows]


async def save_view(tenant: Tenant, *, name: str, query: str, created_by: UserId) -> None:
    """Raises NameIsTaken."""
    try:
        await tenant.run(
            """
            INSERT INTO console_views (organization_id, view_id, name, query, created_by)
            VALUES ($1, $2, $3, $4, $5)
            """,
            new_id(),
            name,
            query,
            created_by,
        )
    except asyncpg.UniqueViolationError as error:
        raise NameIsTaken(f"There is already a view named {name!r}.") from error


async def delete_view(tenant: Tenant, view_id: UUID) -> bool:
    """False when there is no such view."""
    status = await tenant.run(
        "DELETE FROM console_views WHERE organization_id = $1 AND view_id = $2", view_id
    )
    return status == "DELETE 1"
