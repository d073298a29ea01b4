"""What the doubles of CRMs share: records, a clock of their own, and what a test does to them.

Tests speak of fields by our names; the mapping to begin with says what the CRM calls them.
"""

import itertools
import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from sightline.crm.provider import Tokens
from sightline.crm.registry import PROVIDERS
from sightline.kit.fetch.addresses import Url
from sightline.kit.fetch.answer import Reply, Request
from sightline.kit.fetch.bounds import Limits


class Refused(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, body: Any) -> None:
        super().__init__(str(body))
        self.status, self.body = status, body


@dataclass
class Object:
    """One record; `values` by the names of the CRM."""

    id: str
    values: dict[str, Any]
    changed_at: datetime
    archived: bool = False


@dataclass
class Double(ABC):
    """A CRM for one customer. `before` and `after` may raise before, or after, a request is done."""

    provider: ClassVar[str]
    sends_hints: ClassVar[bool]  # whether a limit says for how long
    keeps_html: ClassVar[bool]  # whether notes are HTML
    software: ClassVar[str]  # what it keeps for the industry "Computer Software"
    extra_names: ClassVar[dict[str, str]]  # more names than the mapping has, by those in tests
    site: ClassVar[str | None] = None

    token: str = "token-good"
    refresh: str = "refresh-good"
    app: tuple[str, str] = ("app-id", "app-secret")
    code: str = "code-good"
    objects: dict[str, dict[str, Object]] = field(
        default_factory=lambda: {"accounts": {}, "contacts": {}, "notes": {}}
    )
    notes_of: dict[str, list[str]] = field(default_factory=dict)
    dropped: set[tuple[str, str]] = field(default_factory=set)  # fields that are gone
    clock: datetime = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
    busy: int = 0  # so many requests are answered by a limit
    retry_after: str | None = None
    broken: int = 0  # so many requests are answered 502
    refuse_values: dict[str, str] = field(default_factory=dict)  # record id -> message
    vanish: set[str] = field(default_factory=set)  # ids that an update does not find
    before: Callable[[str], None] = lambda path: None
    after: Callable[[str], None] = lambda path: None
    asked: list[str] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)  # kinds of the pages of changed records
    renewals: int = 0
    _ids: Any = field(default_factory=lambda: itertools.count(1001))

    # What a test does to it.

    def name(self, kind: str, name: str) -> str:
        """What the CRM calls a field of ours."""
        if name in self.extra_names:
            return self.extra_names[name]
        mapping = PROVIDERS[self.provider].mapping
        return next(
            (row.property for row in mapping if (row.kind, row.field) == (kind, name)), name
        )

    def put(self, kind: str, record_id: str | None = None, **values: Any) -> str:
        """Make or change a record as a person there would."""
        self.clock += timedelta(seconds=1)
        record_id = record_id or self.new_id(kind, next(self._ids))
        held = self.objects[kind].setdefault(record_id, Object(record_id, {}, self.clock))
        held.values |= {self.name(kind, name): value for name, value in values.items()}
        held.changed_at = self.clock
        return record_id

    def archive(self, kind: str, record_id: str) -> None:
        self.objects[kind][record_id].archived = True

    def number(self, value: int) -> Any:
        """A number as it is kept."""
        return value

    def value(self, kind: str, record_id: str, name: str) -> str:
        """A value as text."""
        return str(self.objects[kind][record_id].values[self.name(kind, name)])

    def column(self, kind: str, name: str) -> list[str]:
        """The values of all records."""
        return [self.value(kind, record_id, name) for record_id in self.objects[kind]]

    def tokens(self, access: str | None = None, refresh: str | None = None) -> Tokens:
        return Tokens(access or self.token, refresh, *self.app, self.site)

    def note_texts(self) -> list[str]:
        return [each.values[self.extra_names["text"]] for each in self.objects["notes"].values()]

    # sightline.kit.fetch.live.Web

    async def exchange(
        self, url: Url, request: Request, *, limits: Limits, seconds: float
    ) -> Reply:
        del limits, seconds
        parts = urlsplit(str(url))
        self.asked.append(f"{request.method} {parts.path}")
        self.before(parts.path)
        headers = {"date": self.clock.strftime("%a, %d %b %Y %H:%M:%S GMT")}
        try:
            status, body = self._answered(url, request, parts.path, parse_qs(parts.query), headers)
        except Refused as refused:
            status, body = refused.status, refused.body
        self.after(parts.path)
        content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        return Reply(status, headers, content, datetime.now(UTC))

    async def close(self) -> None:
        self.token = ""

    def _answered(
        self,
        url: Url,
        request: Request,
        path: str,
        query: dict[str, list[str]],
        headers: dict[str, str],
    ) -> tuple[int, Any]:
        self.check_host(url, path)
        if path == self.token_path:
            form = parse_qs((request.body or b"").decode())
            self.renewals += 1
            return 200, self.tokens_for({name: values[0] for name, values in form.items()})
        if self.busy:
            self.busy -= 1
            if self.retry_after is not None and self.sends_hints:
                headers["retry-after"] = self.retry_after
            raise self.limit_is_reached()
        if self.broken:
            self.broken -= 1
            raise Refused(502, "<h1>Bad gateway</h1>")
        if request.headers.get("authorization") != f"Bearer {self.token}":
            raise self.token_is_wrong()
        body = json.loads(request.body) if request.body else {}
        return self.answer(request.method, path, query, body)

    def set_values(self, held: Object, values: dict[str, Any]) -> None:
        changed = {n: v for n, v in values.items() if held.values.get(n) != v}
        if changed:
            self.clock += timedelta(milliseconds=1)
            held.values |= changed
            held.changed_at = self.clock

    def ordered(self, kind: str) -> list[Object]:
        return sorted(self.objects[kind].values(), key=lambda each: (len(each.id), each.id))

    # What each CRM answers in its own words.

    token_path: ClassVar[str]

    @abstractmethod
    def new_id(self, kind: str, n: int) -> str: ...

    @abstractmethod
    def check_host(self, url: Url, path: str) -> None: ...

    @abstractmethod
    def limit_is_reached(self) -> Refused: ...

    @abstractmethod
    def token_is_wrong(self) -> Refused: ...

    @abstractmethod
    def tokens_for(self, form: dict[str, str]) -> dict[str, Any]: ...

    @abstractmethod
    def answer(
        self, method: str, path: str, query: dict[str, list[str]], body: Any
    ) -> tuple[int, Any]: ...
