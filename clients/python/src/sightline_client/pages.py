"""Lists that come in pages."""

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Generic, TypeVar, cast

from sightline_client.transport import AsyncTransport, Transport

Item = TypeVar("Item")
Page = TypeVar("Page")


class Pages(Generic[Item, Page]):
    """All items of a list, read page by page as the loop comes to them.

    `first()` reads one page alone: the total is in its `pagination`.
    """

    def __init__(self, transport: Transport, items: str, *row: str, **given: Any) -> None:
        self._transport, self._items, self._row, self._given = transport, items, row, given

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from cast(Mapping[str, Any], page)[self._items]

    def pages(self) -> Iterator[Page]:
        """Each page as the API answers it."""
        given: dict[str, Any] | None = self._given
        while given is not None:
            page = self._transport.call(*self._row, **given)
            yield page
            given = after(given, page, self._items)

    def first(self) -> Page:
        """The first page alone."""
        return next(self.pages())


class AsyncPages(Generic[Item, Page]):
    """All items of a list, read page by page as the loop comes to them.

    `first()` reads one page alone: the total is in its `pagination`.
    """

    def __init__(self, transport: AsyncTransport, items: str, *row: str, **given: Any) -> None:
        self._transport, self._items, self._row, self._given = transport, items, row, given

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in cast(Mapping[str, Any], page)[self._items]:
                yield item

    async def pages(self) -> AsyncIterator[Page]:
        """Each page as the API answers it."""
        given: dict[str, Any] | None = self._given
        while given is not None:
            page = await self._transport.call(*self._row, **given)
            yield page
            given = after(given, page, self._items)

    async def first(self) -> Page:
        """The first page alone."""
        return cast(Page, await self._transport.call(*self._row, **self._given))


def after(given: dict[str, Any], page: Mapping[str, Any], items: str) -> dict[str, Any] | None:
    """What to ask for after a page; None after the last.

    The cursor reads on undisturbed by new rows, so it takes the place of a page's number.
    """
    pagination = page["pagination"]
    cursor = pagination.get("next_cursor")
    if cursor is None or not page[items] or pagination.get("has_next") is False:
        return None
    place = "body" if "body" in given else "query"
    asked = {key: value for key, value in (given.get(place) or {}).items() if key not in _STARTS}
    return {**given, place: {**asked, "cursor": cursor}}


_STARTS = frozenset({"page", "offset"})
