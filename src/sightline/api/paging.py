"""Pages, the Pagination object and opaque cursors."""

import base64
import hashlib
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache, partial
from types import GenericAlias
from typing import Any, Protocol

import asyncpg
from pydantic import Field, create_model
from pydantic_core import to_json

from sightline.api.endpoint import Call, Reply, Schema
from sightline.domain.callers import Caller
from sightline.domain.errors import CursorIsInvalid, PaginationConflicts
from sightline.store.pages import Pages, Slice

DEFAULT_PER_PAGE = 25
MOST_PER_PAGE = 50
# Far past any real list, and still inside what the database multiplies without overflow.
LAST_PAGE = 100_000_000
MOST_OFFSET = 1_000_000_000
MOST_CURSOR = 1024
SEAL_BYTES = 12
# Made once: json.dumps makes one for each call that asks for another form.
_SORTED = json.JSONEncoder(sort_keys=True, default=str).encode
_COMPACT = json.JSONEncoder(separators=(",", ":")).encode
LAST_POSITION = LAST_PAGE * MOST_PER_PAGE + MOST_OFFSET


class Pagination(Schema):
    """The position of a page in its list."""

    page: int = Field(description="Page number.", examples=[1])
    per_page: int = Field(description="Items per page.", examples=[25])
    total: int | None = Field(description="Total items, exact.", examples=[61])
    total_items: int | None = Field(description="The same as `total`.", examples=[61])
    total_pages: int = Field(description="Total pages.", examples=[3])
    has_next: bool | None = Field(examples=[True])
    has_previous: bool | None = Field(examples=[False])
    next_cursor: str | None = Field(
        default=None,
        description="Pass it as `cursor` for the next page, unaffected by new rows. Null on an empty page.",
        examples=["eyJwIjogMjV9"],
    )


@cache
def page_of(item: type[Schema], name: str | None = None) -> type[Schema]:
    """The type of a page of such items, named after them unless `name` is given."""
    fields: dict[str, Any] = {
        "items": (GenericAlias(list, item), ...),
        "pagination": (Pagination, ...),
    }
    return create_model(name or f"{item.__name__}Page", __base__=Schema, **fields)


class PageParameters(Schema):
    """What every list takes: a page from 1, or a cursor."""

    page: int = Field(default=1, ge=1, le=LAST_PAGE, description="Page number, from 1.")
    per_page: int = Field(
        default=DEFAULT_PER_PAGE, ge=1, le=MOST_PER_PAGE, description="Items per page."
    )
    cursor: str | None = Field(
        default=None,
        max_length=MOST_CURSOR,
        description="The `next_cursor` of the previous page; unaffected by new rows.",
    )


def filters_of(asked: PageParameters) -> dict[str, Any]:
    """The parameters of a list that are its own."""
    return {
        name: getattr(asked, name)
        for name in type(asked).model_fields
        if name not in PageParameters.model_fields
    }


class ReadPage(Protocol):
    """Reads a page of a list from the store: the items as the text of a JSON array, the exact total,
    and where the page ends (sort value, id) or None when it is empty."""

    def __call__(self, *, part: Slice) -> Awaitable[tuple[str, int, tuple[str, str] | None]]: ...


async def read_list(
    caller: Caller, asked: PageParameters, read: ReadPage, *, bound_to: tuple[Any, ...]
) -> tuple[str, dict[str, Any]]:
    """The page that is asked for, as JSON text, and its Pagination object.

    `bound_to` is everything that decides the list: its name and filters. Raises CursorIsInvalid,
    PaginationConflicts.
    """
    fingerprint = list_fingerprint(caller, *bound_to)
    start = (asked.page - 1) * asked.per_page
    part = Slice(asked.per_page, start)
    if asked.cursor is not None:
        if asked.page > 1:
            raise PaginationConflicts()
        start, before = read_cursor(asked.cursor, fingerprint)
        part = Slice(asked.per_page, before=before)
    with reading_from(asked.cursor):
        items, total, last = await read(part=part)
    count = min(asked.per_page, max(0, total - start)) if last else 0
    end = start + count
    cursor = make_cursor(fingerprint, position=end, last=last) if last and end < total else None
    described = pagination(
        total=total,
        start=start,
        count=count,
        per_page=asked.per_page,
        first_page=1,
        next_cursor=cursor,
    )
    return items, described


async def list_reply(call: Call, read: ReadPage, *bound_to: Any) -> Reply:
    """The answer with the page that is asked for; see `read_list`."""
    items, described = await read_list(call.caller, call.params, read, bound_to=bound_to)
    return Reply(with_pagination(items, described))


def listing(read: Callable[..., Awaitable[Pages]], name: str) -> Callable[[Call], Awaitable[Reply]]:
    """The handler of a list of the organization that takes no filters."""

    async def answer(call: Call) -> Reply:
        return await list_reply(call, partial(read, call.tenant), name)

    return answer


def with_pagination(items: str, described: dict[str, Any]) -> bytes:
    """The body of a list."""
    return b'{"items":%b,"pagination":%b}' % (items.encode(), to_json(described))


def pagination(
    *, total: int, start: int, count: int, per_page: int, first_page: int, next_cursor: str | None
) -> dict[str, Any]:
    """The Pagination object of a page whose first item is the `start`-th of the list, from 0."""
    return {
        "page": start // per_page + first_page,
        "per_page": per_page,
        "total": total,
        "total_items": total,
        "total_pages": -(-total // per_page),
        "has_next": start + count < total and count > 0,
        "has_previous": start > 0,
        "next_cursor": next_cursor if start + count < total and count > 0 else None,
    }


def list_fingerprint(caller: Caller, *parts: Any) -> str:
    """What a cursor is bound to: the key, and everything that decides the list but not the page."""
    text = _SORTED([str(caller.key_id), *parts])
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


@lru_cache(maxsize=1_000)
def make_cursor(fingerprint: str, *, position: int, last: tuple[str, str]) -> str:
    """A cursor to the row after `last` (sort value, id), which is the `position`-th row of the list.

    Its text says nothing to anyone but this service: neither what the list is sorted by nor any id.
    """
    content = _COMPACT([position, *last]).encode()
    seal = _seal(fingerprint, content)
    return base64.urlsafe_b64encode(seal + _masked(content, fingerprint, seal)).decode().rstrip("=")


def read_cursor(cursor: str, fingerprint: str) -> tuple[int, tuple[str, str]]:
    """Position and last row of a cursor. Raises CursorIsInvalid unless it is bound to this list."""
    try:
        whole = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        seal, masked = whole[:SEAL_BYTES], whole[SEAL_BYTES:]
        content = _masked(masked, fingerprint, seal)
        if seal != _seal(fingerprint, content):
            raise CursorIsInvalid()
        position, value, row_id = json.loads(content)
    except (ValueError, TypeError, RecursionError) as error:
        raise CursorIsInvalid() from error
    well_formed = isinstance(value, str) and isinstance(row_id, str) and type(position) is int
    if not well_formed or not 0 < position <= LAST_POSITION:
        raise CursorIsInvalid()
    return position, (value, row_id)


@contextmanager
def reading_from(cursor: str | None) -> Iterator[None]:
    """Around the query that a cursor's values go into: what the database cannot read there was forged."""
    try:
        yield
    except (asyncpg.DataError, ValueError) as error:
        if cursor is None:
            raise
        raise CursorIsInvalid() from error


def _seal(fingerprint: str, content: bytes) -> bytes:
    return hashlib.blake2b(fingerprint.encode() + content, digest_size=SEAL_BYTES).digest()


def _masked(content: bytes, fingerprint: str, seal: bytes) -> bytes:
    """The content made unreadable, or readable again: added to a stream that its seal begins."""
    stream = hashlib.shake_256(fingerprint.encode() + seal).digest(len(content))
    whole = int.from_bytes(content) ^ int.from_bytes(stream)  # eight times as fast as byte by byte
    return whole.to_bytes(len(content))
