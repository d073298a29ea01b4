"""Account search: filter, sort, page and count over an organization's accounts."""

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.domain.filters import EVERYTHING, Filter
from sightline.store.database import Tenant
from sightline.store.filters import condition_of, needs_record
from sightline.store.pages import only_row

# A filter of the API -> the column it is compared with.
FILTER_COLUMNS = {
    "industry": "industry",
    "employee_size_category": "employee_size_category",
    "revenue_category": "revenue_category",
    "country": "country_code",
    "public_company": "public_company",
}
FACET_COLUMNS = {**FILTER_COLUMNS, "sector": "sector"}

SortKey = Literal["company_name", "updated_at", "employees", "revenue"]

# What a list is ordered by; accounts without a value come last in both directions.
SORT_EXPRESSIONS: dict[SortKey, tuple[str, str, str]] = {
    # key: (ascending, descending, type)
    "company_name": ("a.sort_key", "a.sort_key", "text"),
    "updated_at": ("a.updated_at", "a.updated_at", "timestamptz"),
    "employees": (
        "coalesce(a.full_time_employees, 9223372036854775807)",
        "coalesce(a.full_time_employees, -1)",
        "bigint",
    ),
    "revenue": ("coalesce(a.revenue_usd, 'Infinity')", "coalesce(a.revenue_usd, -1)", "numeric"),
}


@dataclass(frozen=True)
class AccountFilter:
    """What must hold of an account. A value that no account can have gives no rows."""

    equal: tuple[tuple[str, str | bool], ...] = ()  # (column, value)
    name_spaced: str | None = None
    name_squeezed: str | None = None
    nothing: bool = False  # a filter named a value outside its vocabulary
    wanted: Filter = EVERYTHING
    changed_since: datetime | None = None
    account_ids: tuple[UUID, ...] | None = None  # of these alone


@dataclass(frozen=True)
class AccountOrder:
    """A sort key and its direction."""

    key: SortKey = "company_name"
    descending: bool = False


class AccountPage(NamedTuple):
    """One page: the items as the text of a JSON array, and where the page ends."""

    items: str
    length: int
    last: tuple[str, str] | None  # (sort value as text, account id)


async def find_accounts(
    tenant: Tenant,
    *,
    where: AccountFilter,
    order: AccountOrder,
    after: tuple[str, str] | None,
    offset: int,
    limit: int,
) -> AccountPage:
    """A page of accounts. `after` is the end of the page before; `offset` counts rows from there."""
    tables, conditions, values = conditions_of(tenant.organization_id, where)
    ascending, descending, kind = SORT_EXPRESSIONS[order.key]
    expression = descending if order.descending else ascending
    direction = "DESC" if order.descending else "ASC"
    if after is not None:
        comparison = "<" if order.descending else ">"
        values += [after[0], UUID(after[1])]
        conditions.append(
            f"({expression}, a.account_id) {comparison} "
            f"(${len(values) - 1}::text::{kind}, ${len(values)})"
        )
    values += [offset, limit]
    row = await only_row(
        tenant,
        f"""
        WITH page AS (
          SELECT a.organization_id, a.account_id, {expression} AS sort_value,
            row_number() OVER (ORDER BY {expression} {direction}, a.account_id {direction}) AS n
          FROM {tables} WHERE {" AND ".join(conditions)}
          ORDER BY {expression} {direction}, a.account_id {direction}
          OFFSET ${len(values) - 1} LIMIT ${len(values)}
        )
        SELECT
          (SELECT '[' || coalesce(string_agg(r.item_head || substr(r.document, 2), ',' ORDER BY n), '')
             || ']'
           FROM page p JOIN account_records r USING (organization_id, account_id)
           WHERE r.organization_id = $1) AS items,
          (SELECT count(*) FROM page) AS count,
          (SELECT ARRAY[sort_value::text, account_id::text] FROM page ORDER BY n DESC LIMIT 1) AS last
        """,
        *values,
    )
    last = tuple(row["last"]) if row["last"] else None
    return AccountPage(row["items"], row["count"], last)


async def count_accounts(tenant: Tenant, where: AccountFilter) -> int:
    """How many accounts match, exactly."""
    tables, conditions, values = conditions_of(tenant.organization_id, where)
    counted: int = await tenant.fetchval(
        f"SELECT count(*) FROM {tables} WHERE {' AND '.join(conditions)}", *values
    )
    return counted


async def first_ids(tenant: Tenant, where: AccountFilter, *, limit: int) -> list[UUID]:
    """The first ids of accounts that match, by name."""
    tables, conditions, values = conditions_of(tenant.organization_id, where)
    rows = await tenant.fetch(
        f"SELECT a.account_id FROM {tables} WHERE {' AND '.join(conditions)}"
        f" ORDER BY a.sort_key, a.account_id LIMIT {int(limit)}",
        *values,
    )
    return [row["account_id"] for row in rows]


async def count_facet(tenant: Tenant, where: AccountFilter, *, facet: str) -> list[dict[str, Any]]:
    """How many matching accounts have each value of a field, most first; unknown counts as null."""
    column = FACET_COLUMNS[facet]
    tables, conditions, values = conditions_of(tenant.organization_id, where)
    rows = await tenant.fetch(
        f"""
        SELECT a.{column} AS value, count(*) AS count FROM {tables}
        WHERE {" AND ".join(conditions)} GROUP BY 1 ORDER BY 2 DESC, 1
        """,
        *values,
    )
    return [dict(row) for row in rows]


async def read_account(tenant: Tenant, account_id: UUID) -> str | None:
    """The Account item as JSON text; None when there is no such account."""
    item: str | None = await tenant.value(
        """
        SELECT item_head || substr(document, 2) FROM account_records
        WHERE organization_id = $1 AND account_id = $2
        """,
        account_id,
    )
    return item


class AccountIds(NamedTuple):
    """An account and the company that it is of."""

    account_id: UUID
    company_id: UUID


async def ids_of_account(tenant: Tenant, either: UUID) -> AccountIds | None:
    """The account that an id is of, or is the company of."""
    row = await tenant.row(
        """
        SELECT account_id, company_id FROM accounts
        WHERE organization_id = $1 AND (account_id = $2 OR company_id = $2) LIMIT 1
        """,
        either,
    )
    return AccountIds(row["account_id"], row["company_id"]) if row else None


async def account_names(
    tenant: Tenant, account_ids: Sequence[UUID], *, limit: int
) -> list[dict[str, str]]:
    """{id, company_name} of the first of the accounts, by name."""
    rows = await tenant.rows(
        """
        SELECT account_id, company_name FROM accounts
        WHERE organization_id = $1 AND account_id = ANY($2::uuid[])
        ORDER BY sort_key, account_id LIMIT $3
        """,
        list(account_ids),
        limit,
    )
    return [{"id": str(row["account_id"]), "company_name": row["company_name"]} for row in rows]


async def companies_of(tenant: Tenant, account_ids: Sequence[UUID]) -> list[UUID]:
    """The companies of accounts."""
    rows = await tenant.rows(
        "SELECT company_id FROM accounts WHERE organization_id = $1"
        " AND account_id = ANY($2::uuid[])",
        list(account_ids),
    )
    return [row["company_id"] for row in rows]


class StoredAccount(NamedTuple):
    """The Account item as an object, when it changed, and where the organization's own values come
    from."""

    item: dict[str, Any]
    updated_at: datetime
    own_sources: dict[str, Any]


async def stream_accounts(
    tenant: Tenant, where: AccountFilter, *, batch: int
) -> AsyncIterator[list[StoredAccount]]:
    """All matching accounts, by id, a batch at a time, from a server-side cursor."""
    tables, conditions, values = conditions_of(tenant.organization_id, where)
    if "account_records" not in tables:
        tables += " JOIN account_records r USING (organization_id, account_id)"
    cursor = await tenant.cursor(
        f"""
        SELECT r.item_head || substr(r.document, 2) AS item, a.updated_at, r.own_sources
        FROM {tables} WHERE {" AND ".join(conditions)} ORDER BY a.account_id
        """,
        *values,
    )
    while rows := await cursor.fetch(batch):
        yield [StoredAccount(json.loads(row[0]), row[1], row[2]) for row in rows]


def conditions_of(
    organization_id: OrganizationId, where: AccountFilter
) -> tuple[str, list[str], list[Any]]:
    """The tables, the conditions on them and their parameters."""
    conditions, values = ["a.organization_id = $1"], [organization_id]
    if where.nothing:
        conditions.append("false")
    rest: list[Any] = [*values]
    for column, value in where.equal:
        rest.append(value)
        conditions.append(f"a.{column} = ${len(rest)}")
    if where.name_spaced is not None and where.name_squeezed is not None:
        rest += [where.name_spaced, "\n" + where.name_squeezed]
        conditions.append(
            f"(strpos(a.search_text, ${len(rest) - 1}) > 0 OR strpos(a.search_text, ${len(rest)}) > 0)"
        )
    if where.changed_since is not None:
        rest.append(where.changed_since)
        conditions.append(f"a.updated_at >= ${len(rest)}")
    if where.account_ids is not None:
        rest.append(list(where.account_ids))
        conditions.append(f"a.account_id = ANY(${len(rest)}::uuid[])")
    tables = "accounts a"
    if where.wanted != EVERYTHING:
        conditions.append(condition_of(where.wanted, rest))
        if needs_record(where.wanted):
            tables += " JOIN account_records r USING (organization_id, account_id)"
    return tables, conditions, rest


async def companies_with_evidence(
    tenant: Tenant, where: AccountFilter, *, company_ids: Sequence[UUID] | None
) -> dict[UUID, dict[str, Any]]:
    """{id, name, website_domain} of the companies of the organization's accounts of which passages are
    indexed, by id; of these ids only, if given. Costs as much as there are of them."""
    tables, conditions, values = conditions_of(tenant.organization_id, where)
    values.append(None if company_ids is None else list(company_ids))
    conditions.append(f"(${len(values)}::uuid[] IS NULL OR a.company_id = ANY(${len(values)}))")
    conditions.append("a.company_id IN (SELECT company_id FROM passage_indexes)")
    rows = await tenant.fetch(
        f"""
        SELECT DISTINCT ON (a.company_id) a.company_id, a.company_name, a.website_domain
        FROM {tables} WHERE a.company_id IS NOT NULL AND {" AND ".join(conditions)}
        ORDER BY a.company_id, a.account_id
        """,
        *values,
    )
    return {
        row["company_id"]: {
            "id": str(row["company_id"]),
            "name": row["company_name"],
            "website_domain": row["website_domain"],
        }
        for row in rows
    }
