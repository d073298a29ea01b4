"""Account search: chooses between the index in memory, if there is one, and SQL."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeVar
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.domain.filters import Condition, Filter, Group, references
from sightline.store.account_index.index import AccountIndex, Changes, Stamp, Window
from sightline.store.account_index.indexes import AccountIndexes
from sightline.store.account_index.loading import read_group, read_page
from sightline.store.account_index.segment import ORDERS, microseconds
from sightline.store.accounts import (
    FILTER_COLUMNS,
    SORT_EXPRESSIONS,
    AccountFilter,
    AccountOrder,
    count_accounts,
    count_facet,
    find_accounts,
    first_ids,
)
from sightline.store.database import Tenant, TenantReads

# Times an index is brought up to date for one page before SQL answers: others write without pause.
TRIES = 5
# Of more, SQL evaluates the filter about as fast as it finds the ids (decision 0086).
MOST_IDS = 20_000

Facets = dict[str, list[dict[str, Any]]]
Answer = TypeVar("Answer")


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

    async def find(self, reads: Tenant, query: AccountQuery) -> AccountsFound:
        """A page with its total and facets; by SQL inside a transaction, which sees its own moment.

        Raises ValueError or asyncpg.DataError for an `after` that is none.
        """
        return await self._answer(
            reads,
            query,
            by_index=_IndexSearch.find,
            by_sql=lambda tenant: self._by_sql(tenant, query),
        )

    async def ids(
        self,
        reads: Tenant,
        where: AccountFilter,
        *,
        limit: int,
    ) -> Window:
        """The first ids that match, by name, and how many match in all, without reading the accounts; by
        SQL inside a transaction."""
        return await self._answer(
            reads,
            AccountQuery(where=where, order=AccountOrder(), limit=limit),
            by_index=_IndexSearch.ids,
            by_sql=lambda tenant: _ids_by_sql(tenant, where, limit),
        )

    @asynccontextmanager
    async def selecting(
        self,
        reads: Tenant,
        where: AccountFilter,
    ) -> AsyncIterator[tuple[Tenant, AccountFilter]]:
        """A transaction whose statements agree, and a filter that selects in it what `where` does: the ids,
        if the index knows them and they are few. A transaction that is given goes on, with `where`."""
        if not isinstance(reads, TenantReads):
            yield reads, where
            return
        query = AccountQuery(where=where, order=AccountOrder(), limit=MOST_IDS)
        search = self._on_index(reads.organization_id, query)
        known = await search.known(reads) if search is not None else None
        async with reads.snapshot() as connection:
            if search is not None and known is not None:
                found = await search.ids_since(connection, known)
                self._forget_another_server(reads.organization_id, search)
                if found is not None and found.total <= MOST_IDS:
                    where = AccountFilter(account_ids=tuple(found.ids))
            yield connection, where

    async def _answer(
        self,
        reads: Tenant,
        query: AccountQuery,
        *,
        by_index: Callable[["_IndexSearch", TenantReads], Awaitable[Answer | None]],
        by_sql: Callable[[Tenant], Awaitable[Answer]],
    ) -> Answer:
        """What the index answers if there is one that keeps up, else what SQL does."""
        if not isinstance(reads, TenantReads):
            return await by_sql(reads)
        search = self._on_index(reads.organization_id, query)
        found = await by_index(search, reads) if search is not None else None
        if found is not None:
            return found
        if search is not None:
            self._forget_another_server(reads.organization_id, search)
        async with reads.snapshot() as connection:
            return await by_sql(connection)

    def _forget_another_server(
        self, organization_id: OrganizationId, search: "_IndexSearch"
    ) -> None:
        if search.is_of_another_server and self.indexes is not None:
            self.indexes.forget(organization_id)  # its server is no longer asked

    def _on_index(
        self, organization_id: OrganizationId, query: AccountQuery
    ) -> "_IndexSearch | None":
        """A query on the organization's index; None while there is none."""
        wanted = _as_filter(query.where)
        if self.indexes is None or query.where.account_ids is not None:
            return None
        index = self.indexes.ready(organization_id)
        if index is None:
            return None
        return _IndexSearch(index, query, wanted)

    async def _by_sql(self, tenant: Tenant, query: AccountQuery) -> AccountsFound:
        where = query.where
        page = await find_accounts(
            tenant,
            where=where,
            order=query.order,
            after=query.after,
            offset=query.offset,
            limit=query.limit,
        )
        total = await count_accounts(tenant, where)
        facets = {facet: await count_facet(tenant, where, facet=facet) for facet in query.facets}
        return AccountsFound(page.items, page.length, page.last, total, facets)


async def _ids_by_sql(tenant: Tenant, where: AccountFilter, limit: int) -> Window:
    first = await first_ids(tenant, where, limit=limit)
    return Window(first, await count_accounts(tenant, where))


class _IndexSearch:
    """One query on an index."""

    def __init__(
        self,
        index: AccountIndex,
        query: AccountQuery,
        wanted: Filter,
    ) -> None:
        self._index, self._query = index, query
        self._wanted, self._groups = wanted, references(wanted)
        self._order = ORDERS[query.order.key][query.order.descending]
        self._after = _end_of_page(query)
        self.is_of_another_server = False

    async def find(self, reads: TenantReads) -> AccountsFound | None:
        """The answer; None when the index cannot keep up."""
        expressions = SORT_EXPRESSIONS[self._query.order.key]
        for _ in range(TRIES):
            if not await self._read_groups(reads):
                continue
            stamp = self._index.stamp
            window, facets = self._computed()
            page = await read_page(
                reads,
                stamp,
                window.ids,
                sorted_by=expressions[self._query.order.descending],
            )
            last = (page.last, str(window.ids[-1])) if page.last is not None else None
            match self._take(stamp, page.changes):
                case "same":
                    return AccountsFound(page.items, page.length, last, window.total, facets)
                case "changed":
                    newer, facets = self._computed()
                    if newer.ids == window.ids:  # they were read at the moment of the changes
                        return AccountsFound(page.items, page.length, last, newer.total, facets)
                case "strange":
                    return None
        return None

    async def ids(self, reads: TenantReads) -> Window | None:
        """The page's ids alone; None when the index cannot keep up."""
        for _ in range(TRIES):
            known = await self.known(reads)
            found = await self.ids_since(reads, known) if known is not None else None
            if found is not None or self.is_of_another_server:
                return found
        return None

    async def known(self, reads: TenantReads) -> tuple[Stamp, Window] | None:
        """The page's ids as of the index's stamp; None where lists or territories changed meanwhile."""
        if not await self._read_groups(reads):
            return None
        return self._index.stamp, self._window()

    async def ids_since(self, reads: Tenant, known: tuple[Stamp, Window]) -> Window | None:
        """What has become of known ids, as of this statement or of its transaction, which began after they
        were known; None where the index went on meanwhile."""
        stamp, window = known
        page = await read_page(reads, stamp, (), sorted_by="a.sort_key")
        match self._take(stamp, page.changes):
            case "same":
                return window
            case "changed":
                return self._window()
        return None

    async def _read_groups(self, reads: TenantReads) -> bool:
        """Read the members that the index lacks; False where it lacks some after all, as others changed
        lists or territories meanwhile."""
        index = self._index
        for kind, key in sorted(self._groups - set(index.groups)):
            dropped = index.dropped
            group = await read_group(reads, kind, key)
            if index.dropped != dropped:  # perhaps this one, after it was read
                return False
            index.groups[kind, key] = group
        return self._groups <= set(index.groups)

    def _take(
        self, stamp: Stamp, changes: Changes
    ) -> Literal["same", "changed", "again", "strange"]:
        """Take what changed since a stamp, and say what is to be done: nothing, compute again, ask again
        (another call took these changes, or members have to be read), or ask SQL."""
        index = self._index
        if changes.stamp.server != stamp.server:
            self.is_of_another_server = True
            return "strange"
        if not (changes.accounts or changes.groups):
            index.saw(stamp, changes.stamp)
            return "same"
        if index.stamp is not stamp:
            return "again"
        index.apply(changes)
        return "again" if self._groups & set(changes.groups) else "changed"

    def _window(self) -> Window:
        query = self._query
        return self._index.page(
            self._wanted,
            self._order,
            descending=query.order.descending,
            after=self._after,
            offset=query.offset,
            limit=query.limit,
        )

    def _computed(self) -> tuple[Window, Facets]:
        return self._window(), {
            facet: _facet(self._index.facet(self._wanted, self._order, facet), facet)
            for facet in self._query.facets
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
