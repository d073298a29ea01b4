"""All stored evidence about one company, loaded on first use and within the caller's permissions.

No connection stays open between two readings, so that the writer of an answer may take its time.
"""

import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar
from uuid import UUID

from pydantic import TypeAdapter

from sightline.assistant.contract import Source, Statement
from sightline.assistant.routing import Route
from sightline.assistant.units import unit_beside
from sightline.domain.callers import Caller
from sightline.domain.scopes import is_granted
from sightline.search.quotes import Quote
from sightline.store.assistant import all_signals, open_postings
from sightline.store.database import Connection, Tenant
from sightline.store.facts import Fact, read_facts
from sightline.store.profile_evidence import document_addresses
from sightline.store.profiles import stored_bodies

_SOURCES: Final = TypeAdapter(tuple[Source, ...])
# Opens a connection to read with, inside a transaction of the caller's organization.
Reading = Callable[[], AbstractAsyncContextManager[Tenant]]
T = TypeVar("T")
Read = Callable[[Connection, UUID], Awaitable[T]]


@dataclass
class CompanyEvidence:
    """One company as one caller may see it. Bound to them here; a question cannot change either."""

    reading: Reading
    caller: Caller
    company_id: UUID
    record: dict[str, Any]  # as the organization sees it
    _addresses: dict[UUID, dict[str, Any]] = field(default_factory=dict)
    _known: dict[str, Any] = field(default_factory=dict)  # what was read, by what it is

    def may(self, scope: str) -> bool:
        """Whether the caller's key grants a scope."""
        return is_granted(scope, self.caller.scopes)

    @property
    def name(self) -> str:
        return str(self.record.get("company_name") or "The company")

    async def names(self) -> list[str]:
        """What the company is called, its ticker and domain included."""
        named = [self.name, str(self.record.get("website_domain") or "").partition(".")[0]]
        for one in ("legal_name", "alternative_name", "company_name", "stock_ticker"):
            named += [str(fact.value) for fact in await self.facts(one)]
        return [name for name in dict.fromkeys(named) if name]

    async def facts(self, *fields: str) -> list[Fact]:
        """The winning facts of fields."""
        known = await self._once("facts", read_facts)
        await self.learn({fact.document_id for fact in known})
        return [fact for fact in known if fact.wins and fact.field in fields]

    async def learn(self, document_ids: Collection[UUID]) -> None:
        """Read where documents are, so that they can be cited."""
        unknown = set(document_ids) - self._addresses.keys()
        if unknown:
            async with self.reading() as connection:
                self._addresses |= await document_addresses(connection, unknown)

    def proof(self, fact: Fact) -> Source:
        """The source of a fact: its words, or its place in data."""
        source = self.source(fact.document_id, quote=fact.quote, pointer=fact.pointer)
        return replace(source, url=fact.url)

    def source(
        self, document_id: UUID, *, quote: str | None = None, pointer: str | None = None
    ) -> Source:
        """A citation of a document whose address `learn` has read."""
        known = self._addresses.get(document_id, {})
        title = known.get("title") if quote or not pointer else pointer
        url, published_at = known.get("url"), known.get("published_at")
        return Source(document_id, url, title, quote, published_at, pointer)

    async def section(self, name: str) -> Any:
        """A section of the profile with its sources; an empty list when there is none."""
        return json.loads((await self._once("sections", stored_bodies)).get(name) or "[]")

    async def postings(self) -> list[dict[str, Any]]:
        """Open postings, newest first."""
        return await self._learned("postings", open_postings)

    async def signals(self) -> list[dict[str, Any]]:
        """What happened, newest first."""
        return await self._learned("signals", all_signals)

    async def _learned(self, name: str, read: Read[list[dict[str, Any]]]) -> list[dict[str, Any]]:
        rows = await self._once(name, read)
        await self.learn({row["document_id"] for row in rows if row["document_id"]})
        return list(rows)

    async def _once(self, name: str, read: Read[T]) -> T:
        """What a query says of the company, read once."""
        if name not in self._known:
            async with self.reading() as connection:
                self._known[name] = await read(connection, self.company_id)
        known: T = self._known[name]
        return known


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what it asks for. `wordings`, without the company's name, are what to search for."""

    evidence: CompanyEvidence
    question: str
    route: Route | None = None
    wordings: tuple[str, ...] = ()

    def asks_for(self, *look_ups: str) -> bool:
        return self.route is not None and self.route.topic.look_up in look_ups

    @property
    def is_sure(self) -> bool:
        return self.route is not None and self.route.is_sure


def stored_sources(row: Mapping[str, Any]) -> tuple[Source, ...]:
    """What proves a row of a profile's section."""
    sources = _SOURCES.validate_python(row.get("sources") or ())
    return tuple(each if each.quote else replace(each, title=each.pointer) for each in sources)


def quoted(one: Quote, above: str = "") -> Statement:
    """'10-K, 2025-02-26 (in thousands): “…”'; `above` is what its passage does not say of its amounts."""
    passage, unit = one.passage, unit_beside(one.text, one.passage, above)
    day = f", {passage.published_at.date().isoformat()}" if passage.published_at else ""
    unit = f" ({unit})" if unit else ""
    text = f"{passage.title or passage.kind}{day}{unit}: “{' '.join(one.text.split())}”"
    source = Source(passage.document_id, passage.url, passage.title, one.text, passage.published_at)
    return Statement(text, (source,))
