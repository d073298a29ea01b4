"""The types of a row in the endpoint table."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, create_model

from sightline.api.limits import RateLimiter
from sightline.api.usage import UsageCounter
from sightline.domain.callers import Caller
from sightline.domain.credits import Credit
from sightline.domain.errors import Refusal
from sightline.domain.sign_on import IdentityProvider
from sightline.kit.fetch.addresses import IPNetwork
from sightline.kit.fetch.live import LiveWeb, Web
from sightline.kit.fetch.mail_exchange import TakesMail, takes_mail
from sightline.kit.secrets import SecretBox
from sightline.llm.models import ModelConfig
from sightline.monitor.mail import Send, send
from sightline.reading.encoder import Encoder
from sightline.store.account_index.indexes import AccountIndexes
from sightline.store.database import Database, Tenant
from sightline.store.replica import Replica

Maturity = Literal["ga", "beta"]
_ID = re.compile(r"{(\w+)}")


class Schema(BaseModel):
    """Base of every request and answer type: no unknown fields, no coercion.

    What validates them is built when it is first used: most answers are only described.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class NoParameters(Schema):
    """For operations without path or query parameters."""


class PricedParameters(Schema):
    """For operations that may charge credits."""

    dry_run: bool = Field(default=False, description="Return the cost without doing anything.")


class DryRun(Schema):
    """What an operation would cost now."""

    dry_run: Literal[True]
    credit: Credit
    amount: int = Field(description="Credits it would charge.", examples=[1])
    remaining: int = Field(description="Credits of that kind left.", examples=[99])


@dataclass(frozen=True)
class Services:
    """What the handlers use; made once by the composition root."""

    database: Database
    limiter: RateLimiter
    usage: UsageCounter
    secrets: SecretBox
    max_body_bytes: int
    trust_proxy: bool
    version: str
    live_refresh_seconds: float = 8.0  # how long a request waits for a pull of job boards
    model: ModelConfig | None = None  # writes answers of the assistant; None: extractive
    model_name: str | None = None  # of the language model, if one is configured
    mail: Send = send  # how a test message goes out
    open_web: Callable[[], Web] = LiveWeb  # asks CRMs and providers of contacts
    takes_mail: TakesMail = takes_mail  # whether a domain does
    # Inside networks that mail servers and webhooks of organizations may stand in.
    allowed_networks: tuple[IPNetwork, ...] = ()
    identity_provider: IdentityProvider | None = None  # where users of the console may sign in
    most_webhooks: int = 20  # of one organization
    encoder: Encoder | None = None  # None: words alone
    indexes: AccountIndexes | None = None  # None: account search by SQL alone
    replica: Replica | None = None  # answers single reads; None: the primary answers all
    # The last answer of /ready, and until when it stands; of this process.
    readiness: dict[str, tuple[float, "Reply"]] = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    """An answer: ready JSON bytes, a status and further headers."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    kept: bytes | None = None  # what a replay answers instead, where the body holds a secret


def json_reply(body: Any, **more: Any) -> Reply:
    """The answer with a value that JSON can hold."""
    return Reply(json.dumps(body, ensure_ascii=False).encode(), **more)


def one(body: str | None, missing: type[Refusal], *, status: int = 200) -> Reply:
    """The answer with one object, as JSON text. Raises `missing` where there is none."""
    if body is None:
        raise missing()
    return Reply(body.encode(), status=status)


def deleted(found: object, missing: type[Refusal], id: object) -> Reply:
    """The answer to a deletion. Raises `missing` where there was nothing to delete."""
    if not found:
        raise missing()
    return json_reply({"deleted": True, "id": str(id)})


@dataclass(frozen=True)
class StreamReply:
    """An answer of any length, made while it is sent, inside the call's transaction.

    Whatever fails before the first of `chunks` is an ordinary refusal; after it the connection is cut,
    so that half an answer is never taken for a whole one. `open` is what the gate holds for it.
    """

    chunks: AsyncIterator[bytes]
    media_type: str
    headers: dict[str, str] = field(default_factory=dict)
    open: AsyncExitStack | None = None


@dataclass(frozen=True)
class DeferredReply:
    """An answer that waits for something outside, and holds no connection while it does.

    What the handler did is committed first. `make` then works outside any transaction, for `seconds` at
    most, and answers what keeps the thing it made: that runs in a second transaction, together with the
    answer kept for an Idempotency-Key. Where either fails or is broken off, `compensate` undoes in one of its
    own what the handler had done. `streamed` makes a stream of it, if the caller wants one.
    """

    make: Callable[[], Awaitable["Keep"]]
    compensate: Callable[[Tenant], Awaitable[None]]
    seconds: float
    streamed: Callable[["Finish"], StreamReply] | None = None


@dataclass(frozen=True)
class Call:
    """A request that passed the gate, inside its organization's transaction."""

    caller: Caller
    params: Any  # an instance of the endpoint's `params`
    body: Any  # an instance of the endpoint's `body`; None when it has none
    tenant: Tenant  # the transaction, or single reads: what functions of the store take first
    # Another transaction of the organization, for what runs when that of `tenant` has ended.
    transaction: Callable[[], AbstractAsyncContextManager[Tenant]]
    services: Services
    request_id: str
    prepared: Any = None  # what the endpoint's `before` answered
    accept: str = ""  # the media types that the caller takes, as it sent them


Keep = Callable[[Call], Awaitable[Reply]]
Finish = Callable[[], Awaitable[Reply]]


@cache
def _with_ids(params: type[Schema], names: tuple[str, ...]) -> type[Schema]:
    """The parameters with the ids of a path before them."""
    ids: dict[str, Any] = {
        name: (UUID, Field(description=f"Id of the {_noun(name)}.")) for name in names
    }
    return create_model(
        params.__name__, __base__=(params, create_model("Ids", __base__=Schema, **ids))
    )


def _noun(name: str) -> str:
    return name.removeprefix("public_").removesuffix("_id")


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One operation. The router, the gate, OpenAPI and the contract tests are made from these."""

    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str  # below the base path
    name: str  # operation id
    summary: str
    description: str = ""
    tag: str = ""
    scopes: tuple[str, ...] = ()  # any one of them suffices
    maturity: Maturity = "ga"
    # Of path and query. Ids of the path that are not among them are UUIDs.
    params: type[Schema] = NoParameters
    body: type[Schema] | None = None
    body_optional: bool = False
    answer: type[BaseModel]
    status: int = 200
    also: dict[int, str] = field(default_factory=dict)  # other statuses of success -> when
    errors: tuple[type[Refusal], ...] = ()  # beside those that `openapi_errors.errors_of` finds
    headers: dict[str, str] = field(default_factory=dict)  # further answer headers, name -> meaning
    price: str | None = None  # the operation of domain.credits that it may charge
    max_body_bytes: int = 0  # over the setting, for operations on many things
    snapshot: bool = False  # all statements see one moment
    # A POST that writes nothing: like a GET it runs without a transaction, and opens one where it needs
    # one moment.
    reads: bool = False
    # Runs before the transaction is opened: for what waits on other processes. Its answer is
    # `Call.prepared`. It may refuse.
    before: Callable[[Caller, Any, Services], Awaitable[Any]] | None = None
    streams: tuple[str, ...] = ()  # media types of a StreamReply; `answer` is then one line of it
    handler: Callable[[Call], Awaitable[Reply | StreamReply | DeferredReply]]

    def __post_init__(self) -> None:
        ids = [each for each in _ID.findall(self.path) if each not in self.params.model_fields]
        if ids:
            object.__setattr__(self, "params", _with_ids(self.params, tuple(ids)))

    @property
    def body_required(self) -> bool:
        return self.body is not None and not self.body_optional


def of_resource(tag: str, scopes: tuple[str, str], *rows: Endpoint) -> tuple[Endpoint, ...]:
    """The rows of a resource. One that does not say its own is of this tag, and needs the first of the
    scopes for a GET, else the second."""
    return tuple(
        replace(
            row,
            tag=row.tag or tag,
            scopes=row.scopes or (scopes[row.method != "GET"],),
        )
        for row in rows
    )


@dataclass(frozen=True, kw_only=True)
class PublicEndpoint:
    """An operation that needs no key."""

    method: Literal["GET"] = "GET"
    path: str
    name: str
    summary: str
    description: str = ""
    tag: str
    maturity: Maturity = "ga"
    answer: type[BaseModel]
    handler: Callable[[Services], Awaitable[Reply]]
