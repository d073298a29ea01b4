"""The input and output types of a console page."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar
from urllib.parse import urlencode
from uuid import UUID

from starlette.datastructures import ImmutableMultiDict, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from sightline.console.responses import origin
from sightline.domain.callers import RunOperation
from sightline.domain.sign_on import IdentityProvider
from sightline.kit.fetch.addresses import IPNetwork
from sightline.kit.secrets import SecretBox
from sightline.store.account_index.indexes import AccountIndexes
from sightline.store.console_sessions import Session
from sightline.store.database import Database, Tenant
from sightline.store.pages import Slice

PER_PAGE: Final = 25
LAST_PAGE: Final = 4_000
"""No one reads further; a narrower search finds what is there."""

# Counts one more try of a key within the minute; False once there were too many.
Throttle = Callable[[str, int], Awaitable[bool]]
# Runs an operation of the API whose answer goes to the browser as it is: a file, or events.
Respond = Callable[..., Awaitable[Response]]
# A page of a list as the store gives it: JSON text, the exact total, and where the page ends.
StoredPage = tuple[str, int, tuple[str, str] | None]
T = TypeVar("T")
Form = ImmutableMultiDict[str, str]


@dataclass(frozen=True)
class ConsoleServices:
    """What the console is made of. `secrets` seals what a browser keeps between two pages and the secrets
    of authenticator apps. `provider` is where users may sign in instead of with a password; it may stand
    in `allowed_networks` of the inside. `model` is the name of the language model that answers, if any;
    `trust_proxy` believes X-Forwarded-Proto and -For; `indexes` are those that the API searches accounts
    with."""

    database: Database
    throttle: Throttle
    operation: RunOperation
    respond: Respond
    secrets: SecretBox
    provider: IdentityProvider | None = None
    allowed_networks: tuple[IPNetwork, ...] = ()
    model: str | None = None
    trust_proxy: bool = False
    indexes: AccountIndexes | None = None


class NothingHere(LookupError):
    """The address leads to nothing that this organization can see."""


class FormIsInvalid(ValueError):
    """A form that did not come from our own page, or is too large."""


class FileIsTooLarge(ValueError):
    """An uploaded file of more than 100 MB."""


@dataclass(frozen=True)
class Shown:
    """A page to render: its template and what it is filled with, beside `is_admin` and `given`, the form
    that was refused. A page with an `error` answers 422."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def status(self) -> int:
        return 422 if self.values.get("error") else 200


@dataclass(frozen=True)
class Moved:
    """Go on to another page of the console, with a word on what was done. `cookies` are kept by the
    browser for a year."""

    to: str
    notice: str | None = None
    cookies: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Visit:
    """A request of a signed-in user. `form` has the fields of a POST that was checked; of a
    form that may send a file, `upload` is the file."""

    request: Request
    session: Session
    services: ConsoleServices
    form: Form
    upload: UploadFile | None = None

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Tenant]:
        """One snapshot of what the user's organization may see."""
        async with self.services.database.tenant(
            self.session.organization_id, repeatable=True
        ) as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Tenant]:
        """A transaction of the user's organization."""
        async with self.services.database.tenant(self.session.organization_id) as connection:
            yield connection

    async def run(self, name: str, **given: Any) -> Any:
        """The answer of an operation of the API for the signed-in user. `given` may have path, query, body.

        Raises Refusal.
        """
        return await self.services.operation(name, self.session.caller, **given)

    async def respond(self, name: str, **given: Any) -> Response:
        """The answer of an operation of the API as it goes to the browser. `given` may have path, query, body
        and what it accepts. Raises Refusal."""
        return await self.services.respond(name, self.session.caller, **given)

    @property
    def is_admin(self) -> bool:
        """Whether the signed-in user may administer the organization."""
        return self.session.role in ("owner", "admin")

    def asked(self, name: str) -> str:
        """A parameter of the address, at most 300 characters, "" when it is not given."""
        text = self.request.query_params.get(name, "").replace("\x00", "")
        return text.strip()[:300]

    def path(self, name: str) -> str:
        return str(self.request.path_params[name])

    def path_id(self, name: str) -> UUID:
        """An id in the path. Raises NothingHere."""
        return _id(self.path(name))

    def form_id(self, name: str) -> UUID:
        """An id that a form sends. Raises NothingHere."""
        return _id(self.form.get(name, ""))

    @staticmethod
    def as_id(text: str) -> UUID:
        """A text that is an id. Raises NothingHere."""
        return _id(text)

    @property
    def origin(self) -> str:
        """Scheme and host of the address that the browser has, for links that people pass on."""
        return origin(self.request, trust_proxy=self.services.trust_proxy)

    def choice(self, name: str, allowed: tuple[str, ...]) -> str:
        """A parameter that is one of some values; "" when it is not."""
        given = self.asked(name)
        return given if given in allowed else ""


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise NothingHere from error


@dataclass(frozen=True)
class Pager:
    """Where a list stands; pages count from 1. Links keep the other parameters of the address."""

    page: int
    total: int
    per_page: int
    parameters: tuple[tuple[str, str], ...]

    @property
    def first(self) -> int:
        return min(self.total, (self.page - 1) * self.per_page + 1)

    @property
    def last(self) -> int:
        return min(self.total, self.page * self.per_page)

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // self.per_page))

    def link(self, page: int) -> str:
        """The query of another page of the same list."""
        return "?" + urlencode([*self.parameters, ("page", str(page))])

    def sorted_by(self, key: str) -> str:
        """The query of the first page of the same list in another order."""
        kept = [pair for pair in self.parameters if pair[0] != "sort"]
        return "?" + urlencode([*kept, ("sort", key)])


def page_number(visit: Visit) -> int:
    """Which page of a list is asked for, from 1."""
    given = visit.asked("page")
    return min(max(int(given), 1), LAST_PAGE) if given.isdecimal() and len(given) < 8 else 1


def pager(visit: Visit, total: int, *, per_page: int = PER_PAGE) -> Pager:
    """Where the list stands; a page beyond its end is its last."""
    parameters = tuple(
        (name, value[:300])
        for name, value in visit.request.query_params.multi_items()
        if name not in ("page", "notice") and value
    )
    last = max(1, -(-total // per_page))
    return Pager(min(page_number(visit), last), total, per_page, parameters)


async def answered_page(
    visit: Visit, operation: str, *, path: Mapping[str, Any] | None = None, **query: Any
) -> tuple[list[Any], Pager]:
    """The page of a list that is asked for, as an operation of the API answers it."""
    found = await visit.run(operation, path=path, query={"page": page_number(visit), **query})
    return found["items"], pager(visit, found["pagination"]["total"])


async def listed(
    visit: Visit, read: Callable[..., Awaitable[StoredPage]], *, per_page: int = PER_PAGE
) -> tuple[list[Any], Pager]:
    """The page of a list that is asked for, or its last. `read` takes the part."""
    asked = page_number(visit)
    items, total, _ = await read(part=Slice(per_page, (asked - 1) * per_page))
    where = pager(visit, total, per_page=per_page)
    if where.page != asked:
        items, _, _ = await read(part=Slice(per_page, (where.page - 1) * per_page))
    return json.loads(items), where
