"""Account search: chooses between the index in memory, if there is one, and SQL."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.domain.filters import Condition, Filter, Group, conditions, references
from sightline.store.account_index.index import AccountIndex, Window
from sightline.store.account_index.indexes import AccountIndexes
from sightline.store.account_index.loading import read_group, read_page
from sightline.store.account_index.segment import LEFT_OUT, ORDERS, microseconds
from sightline.store.accounts import (
    FILTER_COLUMNS,
    SORT_EXPRESSIONS,
    AccountFilter,
    AccountOrder,
    count_accounts,
    count_facet,
    find_accounts,
)
from sightline.store.database import Connection, TenantReads

# Times an index is brought up to date for one page before SQL answers: others write without pause.
TRIES = 5

Facets = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True, kw_only=True)
class AccountQuery:
    """A page of accounts. `after` is the end of the page before; `offset` counts rows from there."""

    where: AccountFilter
    order: AccountOrder
    after: tuple[str, str] | None = None
    offset: int = 0
    limit: int
    facets: tuple[str, ...] = ()


class AccountsFound(NamedTuple):
    """One page: the items as the text of a JSON array, where it ends, and the exact total and facets."""

    items: str
    length: int
    last: tuple[str, str] | None  # (sort value as text, account id)
    total: int
    facets: Facets


@dataclass(frozen=True)
class AccountSearcher:
    """Answers account queries of all organizations, exactly as of the moment of the call."""

    indexes: AccountIndexes | None = None  # None: SQL alone

    async def find(
        self, reads: TenantReads | Connection, organization_id: OrganizationId, query: AccountQuery
    ) -> AccountsFound:
        """A page with its total and facets; by SQL inside a transaction, which sees its own moment.

        Raises ValueError or asyncpg.DataError for an `after` that is none.
        """
        if not isinstance(reads, TenantReads):
            return await self._by_sql(reads, organization_id, query)
        wanted = _as_filter(query.where)
        if self.indexes is not None and not _needs_sql(wanted):
            index = self.indexes.ready(organization_id)
            if index is not None:
                search = _IndexSearch(index, organization_id, query, wanted)
                found = await search.find(reads)
                if found is not None:
                    return found
                if search.is_of_another_server:
                    self.indexes.forget(organization_id)
        async with reads.snapshot() as connection:
            return await self._by_sql(connection, organization_id, query)

    async def _by_sql(
        self, connection: Connection, organization_id: OrganizationId, query: AccountQuery
    ) -> AccountsFound:
        where = query.where
        page = await find_accounts(
            connection,
            organization_id,
            where=where,
            order=query.order,
            after=query.after,
            offset=query.offset,
            limit=query.limit,
        )
        total = await count_accounts(connection, organization_id, where)
        facets = {
            facet: await count_facet(connection, organization_id, where, facet=facet)
            for facet in query.facets
        }
        return AccountsFound(page.items, page.length, page.last, total, facets)


class _IndexSearch:
    """One query on an index."""

    def __init__(
        self,
        index: AccountIndex,
        organization_id: OrganizationId,
        query: AccountQuery,
        wanted: Filter,
    ) -> None:
        self._index, self._organization_id, self._query = index, organization_id, query
        self._wanted, self._groups = wanted, references(wanted)
        self._order = ORDERS[query.order.key][query.order.descending]
        self._after = _end_of_page(query)
        self.is_of_another_server = False

    async def find(self, reads: TenantReads) -> AccountsFound | None:
        """The answer; None when the index cannot keep up."""
        index, query = self._index, self._query
        expressions = SORT_EXPRESSIONS[query.order.key]
        for _ in range(TRIES):
            for kind, key in sorted(self._groups - set(index.groups)):
                index.groups[kind, key] = await read_group(reads, self._organization_id, kind, key)
            stamp = index.stamp
            window, facets = self._computed()
            page = await read_page(
                reads,
                self._organization_id,
                stamp,
                window.ids,
                sorted_by=expressions[query.order.descending],
            )
            changes = page.changes
            if changes.stamp.server != stamp.server:
                self.is_of_another_server = True
                return None
            last = (page.last, str(window.ids[-1])) if page.last is not None else None
            if not (changes.accounts or changes.groups):
                index.saw(stamp, changes.stamp)
                return AccountsFound(page.items, page.length, last, window.total, facets)
            if index.stamp is not stamp:
                continue  # another call took these changes, and perhaps later ones
            index.apply(changes)
            if self._groups & set(changes.groups):
                continue
            newer, facets = self._computed()
            if newer.ids == window.ids:  # they were read at the moment of the changes
                return AccountsFound(page.items, page.length, last, newer.total, facets)
        return None

    def _computed(self) -> tuple[Window, Facets]:
        index, query = self._index, self._query
        window = index.page(
            self._wanted,
            self._order,
            descending=query.order.descending,
            after=self._after,
            offset=query.offset,
            limit=query.limit,
        )
        return window, {
            facet: _facet(index.facet(self._wanted, self._order, facet), facet)
            for facet in query.facets
        }


def _facet(counts: dict[bytes | None, int], facet: str) -> list[dict[str, Any]]:
    """Most first, then by value; unknown last."""
    listed = sorted(counts.items(), key=lambda each: (-each[1], each[0] is None, each[0] or b""))
    return [{"value": _value(value, facet), "count": count} for value, count in listed]


def _value(value: bytes | None, facet: str) -> str | bool | None:
    if value is None:
        return None
    return value == b"t" if facet == "public_company" else value.decode()


_FIELD_OF = {column: field for field, column in FILTER_COLUMNS.items()}


def _as_filter(where: AccountFilter) -> Filter:
    """All that must hold of an account, in the filter language."""
    parts: list[Filter] = [Condition(_FIELD_OF[c], "eq", (value,)) for c, value in where.equal]
    if where.nothing:
        parts.append(Group("or", ()))
    if where.name_spaced is not None:
        parts.append(Condition("company_name", "contains", (where.name_spaced,)))
    if where.changed_since is not None:
        parts.append(Condition("updated_at", "gte", (where.changed_since,)))
    return Group("and", (*parts, where.wanted))


def _needs_sql(wanted: Filter) -> bool:
    return any(each.field in LEFT_OUT for each in conditions(wanted))


def _end_of_page(query: AccountQuery) -> tuple[Any, UUID] | None:
    """The end of the page before, with its value in the form that the index has."""
    if query.after is None:
        return None
    text, account_id = query.after
    value: Any = text
    match query.order.key:
        case "company_name":
            value = text.encode()
        case "updated_at":
            value = microseconds(datetime.fromisoformat(text))
        case "employees" | "revenue":
            is_absent = not query.order.descending and text in ("9223372036854775807", "Infinity")
            value = None if is_absent else float(text)
    return value, UUID(account_id)
