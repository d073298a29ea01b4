"""Saved lists: accounts chosen by hand, or a search that runs on each read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg

from sightline.domain.errors import NameIsTaken, RulesAreCircular
from sightline.domain.filters import Filter, read_filter, references, with_lists
from sightline.kit.ids import new_id
from sightline.store.database import Tenant
from sightline.store.pages import Rows, utc

_MOST_NESTING = 8


class ListIsMissing(LookupError):
    """A filter names a list that the organization does not have."""


class ListIdIsMalformed(ListIsMissing):
    """A filter names a list by what is not an id."""


@dataclass(frozen=True, slots=True)
class SavedList:
    """A list as stored; `filter` only of a search."""

    list_id: UUID
    kind: str
    filter: Mapping[str, Any] | None


async def create_list(
    tenant: Tenant,
    *,
    name: str,
    description: str,
    filter: Mapping[str, Any] | None,
    created_by: UUID | None,
) -> UUID:
    """Create a list: a saved search when there is a filter. Raises NameIsTaken."""
    list_id = new_id()
    try:
        await tenant.run(
            """
            INSERT INTO account_lists (organization_id, list_id, name, description, kind,
              filter, created_by)
            VALUES ($1, $2, $3, $4, CASE WHEN $5::jsonb IS NULL THEN 'accounts' ELSE 'search' END,
              $5, $6)
            """,
            list_id,
            name,
            description,
            filter,
            created_by,
        )
    except asyncpg.UniqueViolationError as error:
        raise NameIsTaken(f"There is a list named {name!r} already.") from error
    return list_id


async def update_list(
    tenant: Tenant,
    list_id: UUID,
    *,
    name: str | None,
    description: str | None,
    filter: Mapping[str, Any] | None,
) -> bool:
    """Change what is given. False when there is no such list. Raises NameIsTaken."""
    try:
        status = await tenant.run(
            """
            UPDATE account_lists SET name = coalesce($3, name),
              description = coalesce($4, description),
              filter = CASE WHEN kind = 'search' THEN coalesce($5, filter) END,
              updated_at = now()
            WHERE organization_id = $1 AND list_id = $2
            """,
            list_id,
            name,
            description,
            filter,
        )
    except asyncpg.UniqueViolationError as error:
        raise NameIsTaken(f"There is a list named {name!r} already.") from error
    if filter is not None:  # members of what names this search change with it
        await tenant.run(
            "INSERT INTO account_changes (organization_id, lists) VALUES ($1, ARRAY[$2::uuid])",
            list_id,
        )
    return status == "UPDATE 1"


async def find_list(tenant: Tenant, list_id: UUID) -> SavedList | None:
    """A list; None if there is none."""
    row = await tenant.row(
        "SELECT list_id, kind, filter FROM account_lists WHERE organization_id = $1 AND list_id = $2",
        list_id,
    )
    return SavedList(**dict(row)) if row else None


async def list_choices(tenant: Tenant) -> list[dict[str, str]]:
    """{id, name} of an organization's lists, by name; 200 at most."""
    rows = await tenant.rows(
        "SELECT list_id, name FROM account_lists WHERE organization_id = $1"
        " ORDER BY lower(name), list_id LIMIT 200"
    )
    return [{"id": str(row["list_id"]), "name": row["name"]} for row in rows]


async def list_named(tenant: Tenant, name: str) -> UUID | None:
    """The id of the list of this name or id."""
    found: UUID | None = await tenant.value(
        "SELECT list_id FROM account_lists WHERE organization_id = $1"
        " AND (name = $2 OR list_id::text = lower($2)) ORDER BY name = $2 DESC LIMIT 1",
        name,
    )
    return found


async def change_members(
    tenant: Tenant, list_id: UUID, *, add: Sequence[UUID], remove: Sequence[UUID]
) -> tuple[int, int]:
    """Put accounts into a list and take others out; ids that are not accounts are ignored."""
    added = await tenant.run(
        """
        INSERT INTO account_list_members (organization_id, list_id, account_id)
        SELECT $1, $2, account_id FROM accounts
        WHERE organization_id = $1 AND account_id = ANY($3::uuid[]) ON CONFLICT DO NOTHING
        """,
        list_id,
        list(add),
    )
    removed = await tenant.run(
        """
        DELETE FROM account_list_members
        WHERE organization_id = $1 AND list_id = $2 AND account_id = ANY($3::uuid[])
        """,
        list_id,
        list(remove),
    )
    return int(added.split()[-1]), int(removed.split()[-1])


_OBJECT = f"""
  json_build_object('id', list_id, 'name', name, 'description', description, 'kind', kind,
    'filter', filter, 'created_at', {utc("created_at")},
    'updated_at', {utc("updated_at")},
    'account_count', CASE WHEN kind = 'accounts' THEN (SELECT count(*) FROM account_list_members m
       WHERE m.organization_id = $1 AND m.list_id = account_lists.list_id) END)
"""
_LISTS = Rows("account_lists", _OBJECT, "list_id")
read_list_object = _LISTS.one
delete_list = _LISTS.delete
lists_page = _LISTS.page


async def resolve(tenant: Tenant, wanted: Filter, *, inside: Sequence[str] = ()) -> Filter:
    """A filter with its saved searches put in. `inside` are the searches that it is itself part of.

    Raises RulesAreCircular, ListIsMissing.
    """
    named = {each for kind, each in references(wanted) if kind == "list"}
    saved: dict[str, Filter] = {}
    for each in sorted(named):
        try:
            found = await find_list(tenant, UUID(each))
        except ValueError as error:
            raise ListIdIsMalformed(f"{each!r} is not the id of a list.") from error
        if found is None:
            raise ListIsMissing(f"There is no list {each}.")
        if found.filter is None:
            continue
        if each in inside or len(inside) >= _MOST_NESTING:
            raise RulesAreCircular("The search refers to itself through other saved searches.")
        inner = read_filter(dict(found.filter)).filter
        saved[each] = await resolve(tenant, inner, inside=[*inside, each])
    return with_lists(wanted, saved)
