"""The gate of every authenticated request: key → rate → scope → input → turn → idempotency → handler.

Each step refuses by raising; the server turns that into a body. Handlers run inside the caller's
tenant transaction, and what they change commits together with the stored idempotent answer.
"""

import hashlib
import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

from starlette.datastructures import QueryParams
from starlette.requests import ClientDisconnect, Request

from sightline.api.endpoint import (
    Call,
    DeferredReply,
    Endpoint,
    Reply,
    Schema,
    Services,
    StreamReply,
)
from sightline.api.hints import hinted
from sightline.api.idempotency import IdempotentRequest, answer_once, finish
from sightline.api.limits import RateState
from sightline.api.pricing import uncharged_headers
from sightline.api.turns import turns_over, with_retry
from sightline.api.validation import read_body, read_parameters
from sightline.domain.callers import Caller
from sightline.domain.errors import (
    BodyIsTooLarge,
    ContentTypeIsUnsupported,
    IdempotencyKeyIsInvalid,
    KeyIsInvalid,
    KeyIsMissing,
    RateIsExceeded,
    Refusal,
    RequestIsInvalid,
    ScopeIsMissing,
    ServiceIsUnavailable,
    fault,
)
from sightline.domain.keys import digest, is_well_formed
from sightline.domain.plans import WINDOW_SECONDS
from sightline.domain.scopes import is_granted
from sightline.store.database import Database, DatabaseIsBusy, Tenant
from sightline.store.idempotency import RequestKey
from sightline.store.keys import find_caller
from sightline.store.replica import REFUSED_BY_REPLICA

# A revoked key must be refused everywhere within a second; a cached caller lives half of one.
CALLER_CACHE_SECONDS = 0.5
CALLER_CACHE_SIZE = 10_000
MOST_UNKNOWN_KEYS = 60  # a minute and address, in each process
# A stream keeps a connection for as long as its reader likes: the others are for everybody else.
MOST_STREAMS = 3
MOST_STREAMS_EACH = 1
_NO_QUERY = QueryParams()
# Refusals that say nothing of credits: the payment refusal names its own.
_UNREAD = ("unavailable", "internal_error", "rate_limited", "payment_required")


@dataclass
class CallerCache:
    """Callers by key digest, for half a second each."""

    _entries: OrderedDict[bytes, tuple[float, Caller | None]] = field(default_factory=OrderedDict)

    _strangers: Counter[str] = field(default_factory=Counter)
    _minute: int = 0

    async def find(
        self, key: str, services: Services, *, address: Callable[[], str]
    ) -> Caller | None:
        """The caller of a key; None when it is not valid.

        Raises RateIsExceeded for one that is new here, from an address that had too many that no one
        has: each costs a query, and guesses must not slow those down who have a key.
        """
        key_digest, now = digest(key), time.monotonic()
        cached = self._entries.get(key_digest)
        if cached is not None and cached[0] > now:
            return cached[1]
        if not is_well_formed(key):
            return None
        if int(now // WINDOW_SECONDS) != self._minute:
            self._minute = int(now // WINDOW_SECONDS)
            self._strangers.clear()
        is_new, sender = cached is None or cached[1] is None, _network(address())
        if is_new and self._strangers[sender] >= MOST_UNKNOWN_KEYS:
            refusal = RateIsExceeded(
                "Too many unknown keys were sent from this address.", limit=MOST_UNKNOWN_KEYS
            )
            refusal.retry_after = WINDOW_SECONDS
            raise refusal
        caller = await _find_caller(services, key_digest)
        self._strangers[sender] += caller is None
        self._entries[key_digest] = (now + CALLER_CACHE_SECONDS, caller)
        self._entries.move_to_end(key_digest)
        if len(self._entries) > CALLER_CACHE_SIZE:
            self._entries.popitem(last=False)
        return caller


class Gate:
    """The way of every authenticated request to its handler."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._callers = CallerCache()
        self._streams: Counter[UUID] = Counter()
        database = services.database
        self._turns = turns_over(database.pool.get_max_size(), wait_seconds=database.wait_seconds)

    async def pass_through(self, endpoint: Endpoint, request: Request) -> Reply | StreamReply:
        """Answer a request, or raise the Refusal that says why not."""
        caller = await self.identify(request)
        request.state.caller = caller
        return await self.admit(endpoint, caller, request)

    async def admit(
        self, endpoint: Endpoint, caller: Caller, request: Request
    ) -> Reply | StreamReply:
        """The same for a caller who is known."""
        rate = await self._services.limiter.hit(str(caller.key_id), caller.rate_limit)
        request.state.rate = rate
        if not rate.allowed:
            raise _rate_refusal(rate)
        _check_scope(endpoint, caller)
        query = request.query_params if request.scope["query_string"] else _NO_QUERY
        params = read_parameters(endpoint.params, request.path_params, query)
        limit = max(self._services.max_body_bytes, endpoint.max_body_bytes)
        content = await read_limited(request, limit)
        body = _read_endpoint_body(endpoint, request, content)
        once = _once(request, content, caller)
        prepared = None
        if endpoint.before is not None:
            prepared = await endpoint.before(caller, params, self._services)
        reads = (endpoint.method == "GET" or (endpoint.reads and once is None)) and prepared is None
        call_with = partial(
            Call,
            caller=caller,
            params=params,
            body=body,
            transaction=partial(with_retry, partial(self._transaction, caller)),
            services=self._services,
            request_id=request.state.request_id,
            prepared=prepared,
            accept=request.headers.get("accept", ""),
        )
        answer = partial(
            self._answer, endpoint, caller, call_with=call_with, once=once, reads=reads
        )
        # An index of accounts knows the primary's moments alone, so that searches (POST) go there.
        alone = endpoint.method == "GET" and reads and not (endpoint.snapshot or endpoint.streams)
        return await self._from_replica(answer) if alone else await answer()

    async def _from_replica(
        self, answer: Callable[..., Awaitable[Reply | StreamReply]]
    ) -> Reply | StreamReply:
        """Answer from the replica, if there is one that can, else from the primary."""
        replica = self._services.replica
        if replica is not None and await replica.is_current():
            try:
                return await answer(database=replica.database)
            except REFUSED_BY_REPLICA as error:
                if isinstance(error, DatabaseIsBusy):
                    replica.leave_alone()
        return await answer()

    async def _answer(
        self,
        endpoint: Endpoint,
        caller: Caller,
        *,
        call_with: Callable[..., Call],
        once: IdempotentRequest | None,
        reads: bool,
        database: Database | None = None,
    ) -> Reply | StreamReply:
        """Run the handler when it is the organization's turn; without `database` on the primary."""
        opened = _opened(endpoint, caller, database or self._services.database, reads=reads)
        if endpoint.streams:
            return await self._streamed(endpoint, caller, opened, call_with)
        async with self._turns.of(caller.organization_id), opened as connection:
            call = call_with(tenant=connection)
            reply = await (answer_once(endpoint, call, once) if once else endpoint.handler(call))
        return await _finished(reply, call, once) if isinstance(reply, DeferredReply) else reply

    async def _streamed(
        self,
        endpoint: Endpoint,
        caller: Caller,
        opened: AbstractAsyncContextManager[Tenant],
        call_with: Callable[..., Call],
    ) -> StreamReply:
        """A stream with all that is held for it: the server sends it, and then lets go of that."""
        async with AsyncExitStack() as held:
            await held.enter_async_context(self._stream_of(caller))
            await held.enter_async_context(self._turns.of(caller.organization_id))
            connection = await held.enter_async_context(opened)
            reply = await endpoint.handler(call_with(tenant=connection))
            if not isinstance(reply, StreamReply):
                raise TypeError(f"{endpoint.name} has to stream its answer.")
            return replace(reply, open=held.pop_all())

    async def uncharged(
        self, endpoint: Endpoint, caller: Caller | None, refusal: Refusal
    ) -> dict[str, str]:
        """The credit headers of a refused call of a priced operation; none while the database is away
        or over its limit, where one more query would be one too many."""
        if endpoint.price is None or caller is None or refusal.type in _UNREAD:
            return {}
        try:
            async with self._transaction(caller) as connection:
                return await uncharged_headers(connection, endpoint.price)
        except (DatabaseIsBusy, Refusal):
            return {}

    async def hinted(self, request: Request, refusal: Refusal) -> Refusal:
        """The refusal of an id that does not exist, with what it is instead."""
        caller: Caller | None = request.state.caller
        if caller is None or refusal.code not in ("company_not_found", "account_not_found"):
            return refusal
        path = request.path_params
        try:
            async with self._transaction(caller) as connection:
                return await hinted(connection, refusal, path)
        except (DatabaseIsBusy, Refusal):
            return refusal

    @asynccontextmanager
    async def _transaction(self, caller: Caller) -> AsyncIterator[Tenant]:
        """A transaction of the caller's organization, when it is its turn."""
        async with (
            self._turns.of(caller.organization_id),
            self._services.database.tenant(caller.organization_id) as connection,
        ):
            yield connection

    @asynccontextmanager
    async def _stream_of(self, caller: Caller) -> AsyncIterator[None]:
        """Count a stream while it lasts. Raises ServiceIsUnavailable when there are enough of them."""
        own = self._streams[caller.organization_id]
        if own >= MOST_STREAMS_EACH or self._streams.total() >= MOST_STREAMS:
            raise ServiceIsUnavailable("Another export is running; try again when it finishes.")
        self._streams[caller.organization_id] += 1
        try:
            yield
        finally:
            self._streams[caller.organization_id] -= 1
            self._streams += Counter()  # forgets those at zero

    async def identify(self, request: Request) -> Caller:
        """The caller whose key a request carries. Raises KeyIsMissing, KeyIsInvalid."""
        presented = request.headers.getlist("x-api-key")
        if not presented or presented == [""]:
            raise KeyIsMissing()
        address = partial(self.address, request)
        caller = await self._callers.find(presented[0], self._services, address=address)
        if caller is None or len(presented) > 1:
            raise KeyIsInvalid()
        if caller.expires_at is not None and caller.expires_at <= datetime.now(UTC):
            raise KeyIsInvalid()
        if caller.allowed_networks and not _is_allowed(address(), caller):
            raise KeyIsInvalid()
        return caller

    def address(self, request: Request) -> str:
        """Where a request comes from."""
        address = request.client.host if request.client else ""
        if self._services.trust_proxy:
            # The last address is the one that our own proxy saw; those before it are hearsay.
            forwarded = request.headers.get("x-forwarded-for", "")
            address = forwarded.rpartition(",")[2].strip() or address
        return address


def _opened(
    endpoint: Endpoint, caller: Caller, database: Database, *, reads: bool
) -> AbstractAsyncContextManager[Any]:
    """What the handler runs in: single reads, which have of a connection what a query needs, or one
    transaction."""
    if reads and not endpoint.snapshot:
        return database.reads(caller.organization_id)
    return database.tenant(caller.organization_id, repeatable=endpoint.snapshot or endpoint.reads)


async def _find_caller(services: Services, key_digest: bytes) -> Caller | None:
    """From the replica while the primary is away: a key that was revoked before is revoked there too."""
    try:
        return await find_caller(services.database, key_digest)
    except DatabaseIsBusy:
        if services.replica is None:
            raise
        return await find_caller(services.replica.database, key_digest, recorded=False)


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return None
    # A socket that listens on both families shows IPv4 callers as ::ffff:a.b.c.d.
    return getattr(parsed, "ipv4_mapped", None) or parsed


def _network(address: str) -> str:
    """Who sends from an address: of IPv6 its /64, all addresses of which are at one machine's disposal."""
    parsed = _parsed(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((parsed, 64), strict=False))
    return address


def _is_allowed(address: str, caller: Caller) -> bool:
    parsed = _parsed(address)
    networks = map(ipaddress.ip_network, caller.allowed_networks)
    return parsed is not None and any(parsed in each for each in networks)


async def read_limited(request: Request, limit: int) -> bytes:
    """The whole body. Raises BodyIsTooLarge as soon as it is known to exceed `limit` bytes."""
    declared = request.headers.get("content-length", "").lstrip("0")
    # Not by int() alone: it refuses digits by the thousand, and isdigit() takes those of any script.
    if declared.isascii() and declared.isdigit() and int(declared[:18]) > limit:
        raise BodyIsTooLarge(f"The body is larger than {limit} bytes.", limit=limit)
    parts, size, more = [], 0, True
    while more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        part = message.get("body", b"")
        size += len(part)
        if size > limit:
            raise BodyIsTooLarge(f"The body is larger than {limit} bytes.", limit=limit)
        parts.append(part)
        more = message.get("more_body", False)
    return b"".join(parts)


def _read_endpoint_body(endpoint: Endpoint, request: Request, content: bytes) -> Schema | None:
    if endpoint.body is None:
        if content.strip():
            raise RequestIsInvalid("This operation takes no body.")
        return None
    if not content.strip():
        if endpoint.body_required:
            message = "A body is required."
            raise RequestIsInvalid(message, fields=[fault("body", message, "missing_field")])
        return endpoint.body()
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise ContentTypeIsUnsupported()
    return read_body(endpoint.body, content)


def _rate_refusal(rate: RateState) -> RateIsExceeded:
    refusal = RateIsExceeded(
        f"The key is limited to {rate.limit} requests per minute.", limit=rate.limit
    )
    refusal.retry_after = max(1, rate.reset_at - int(time.time()))
    return refusal


def _check_scope(endpoint: Endpoint, caller: Caller) -> None:
    if not any(is_granted(scope, caller.scopes) for scope in endpoint.scopes):
        raise ScopeIsMissing(
            f"The key lacks the scope {' or '.join(endpoint.scopes)}.",
            required_scope=endpoint.scopes[0],
        )


async def _finished(
    later: DeferredReply, call: Call, once: IdempotentRequest | None
) -> Reply | StreamReply:
    finishing = partial(finish, later, call, once)
    # A stream cannot be kept for a repetition: its events then come as one answer.
    return later.streamed(finishing) if later.streamed and once is None else await finishing()


def _once(request: Request, content: bytes, caller: Caller) -> IdempotentRequest | None:
    if request.method not in ("POST", "PATCH"):
        return None
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    if not (1 <= len(key) <= 255 and key.isascii() and key.isprintable()):
        raise IdempotencyKeyIsInvalid()
    head = f"{request.method} {request.url.path}?{request.url.query}\n"
    fingerprint = hashlib.sha256(head.encode() + content).digest()
    return IdempotentRequest(RequestKey(caller.organization_id, caller.key_id, key), fingerprint)
