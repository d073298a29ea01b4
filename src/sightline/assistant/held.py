"""Everything held about one company, read when it is first needed and within the caller's reach.

Nothing is held open between two readings, so that whoever writes an answer may take its time.
"""

import json
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sightline.assistant.contract import Source
from sightline.domain.callers import Caller
from sightline.domain.scopes import is_granted
from sightline.kit.clock import now
from sightline.search.relevance import Request, relevance
from sightline.store.assistant import all_signals, open_postings
from sightline.store.database import Connection
from sightline.store.facts import Fact, read_facts
from sightline.store.indexable import read_shown
from sightline.store.profile_evidence import document_addresses, document_heads, document_texts
from sightline.store.profiles import stored_bodies

# Opens a connection to read with, inside a transaction of the caller's organization.
Reading = Callable[[], AbstractAsyncContextManager[Connection]]

MOST_PASSAGES = 30
_MOST_PER_SOURCE = 15
_MOST_TEXTS = 16
_MOST_CHARACTERS = 3_000_000
READABLE = ("filing", "page", "news", "feed_item")


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """Words of a stored document that a search found. `text` stands there word for word."""

    document_id: UUID
    text: str
    heading: str
    kind: str  # filing, news, web, job, insight, technology
    url: str | None
    title: str | None
    published_at: datetime | None
    score: float

    def source(self, quote: str) -> Source:
        return Source(self.document_id, self.url, self.title, quote, self.published_at)


@dataclass(frozen=True, slots=True)
class HeldText:
    """The whole text of a document; `low` is the same in lower case."""

    document_id: UUID
    text: str
    low: str
    kind: str
    url: str | None
    title: str | None
    published_at: datetime | None


@dataclass
class Held:
    """One company as one caller may see it. Bound to them here; a question cannot change either."""

    reading: Reading
    caller: Caller
    company_id: UUID
    record: dict[str, Any]  # as the organization sees it
    _facts: list[Fact] | None = None
    _addresses: dict[UUID, dict[str, Any]] = field(default_factory=dict)
    _sections: dict[str, Any] | None = None
    _postings: list[dict[str, Any]] | None = None
    _signals: list[dict[str, Any]] | None = None
    _passages: dict[str, list[FoundPassage]] = field(default_factory=dict)
    _texts: list[HeldText] | None = None

    def may(self, scope: str) -> bool:
        """Whether the caller's key grants a scope."""
        return is_granted(scope, self.caller.scopes)

    @property
    def name(self) -> str:
        return str(self.record.get("company_name") or "The company")

    async def names(self) -> list[str]:
        """What the company is called, its ticker and domain included."""
        named = [self.name, str(self.record.get("website_domain") or "").partition(".")[0]]
        for one in ("legal_name", "alternative_name", "company_name"):
            named += [str(fact.value) for fact in await self.facts(one)]
        named += [str(fact.value) for fact in await self.facts("stock_ticker")]
        return [name for name in dict.fromkeys(named) if name]

    async def facts(self, *fields: str) -> list[Fact]:
        """The winning facts of fields."""
        if self._facts is None:
            async with self.reading() as connection:
                found = await read_facts(connection, self.company_id)
            self._facts = [fact for fact in found if fact.wins]
            ids = {fact.document_id for fact in self._facts}
            await self.learn(ids)
        return [fact for fact in self._facts if fact.field in fields]

    async def learn(self, document_ids: Collection[UUID]) -> None:
        """Read where documents are, so that they can be cited."""
        unknown = set(document_ids) - self._addresses.keys()
        if unknown:
            async with self.reading() as connection:
                self._addresses |= await document_addresses(connection, unknown)

    def proof(self, fact: Fact, *, title: str | None = None) -> Source:
        """The source of a fact: its words, or its place in data."""
        known = self._addresses.get(fact.document_id, {})
        return Source(
            document_id=fact.document_id,
            url=fact.url,
            title=title or (fact.pointer if not fact.quote else known.get("title")),
            quote=fact.quote,
            published_at=known.get("published_at"),
            pointer=fact.pointer,
        )

    def source(self, document_id: UUID, *, quote: str | None, pointer: str | None = None) -> Source:
        """A citation of a document that `learn` was told of."""
        known = self._addresses.get(document_id, {})
        title = known.get("title") if quote or not pointer else pointer
        return Source(
            document_id, known.get("url"), title, quote, known.get("published_at"), pointer
        )

    async def section(self, name: str) -> Any:
        """A section of the profile with its sources; an empty list when there is none."""
        if self._sections is None:
            async with self.reading() as connection:
                bodies = await stored_bodies(connection, self.company_id)
            self._sections = {section: json.loads(body) for section, body in bodies.items()}
        return self._sections.get(name) or []

    async def postings(self) -> list[dict[str, Any]]:
        """Open postings, newest first."""
        if self._postings is None:
            async with self.reading() as connection:
                self._postings = await open_postings(connection, self.company_id)
            await self.learn({row["document_id"] for row in self._postings if row["document_id"]})
        return self._postings

    async def signals(self) -> list[dict[str, Any]]:
        """What happened, newest first."""
        if self._signals is None:
            async with self.reading() as connection:
                self._signals = await all_signals(connection, self.company_id)
            await self.learn({row["document_id"] for row in self._signals if row["document_id"]})
        return self._signals

    async def passages(self, text: str) -> list[FoundPassage]:
        """The passages that a search for the words finds, best first; whole, not their snippets."""
        if text not in self._passages:
            self._passages[text] = await self._search(text)
        return self._passages[text]

    async def texts(self) -> list[HeldText]:
        """The newest documents that people read, whole, newest first."""
        if self._texts is None:
            async with self.reading() as connection:
                heads = await document_heads(connection, self.company_id)
                heads = [head for head in heads if head.kind in READABLE][:_MOST_TEXTS]
                found = await document_texts(
                    connection, self.company_id, [head.document_id for head in heads]
                )
            self._texts, size = [], 0
            for head in heads:
                text = found[head.document_id].text if head.document_id in found else ""
                size += len(text)
                if size > _MOST_CHARACTERS and self._texts:
                    break
                low = text.lower()
                if len(low) != len(text):  # a capital that becomes two letters: places would differ
                    low = text
                self._texts.append(
                    HeldText(
                        head.document_id,
                        text,
                        low,
                        head.kind,
                        head.url,
                        head.title,
                        head.published_at,
                    )
                )
        return self._texts

    async def _search(self, text: str) -> list[FoundPassage]:
        engine = relevance()
        request = Request(now=now(), text=text, max_hits_per_source=_MOST_PER_SOURCE)
        async with self.reading() as connection:
            placed = (await engine.search(connection, self.company_id, request))[:MOST_PASSAGES]
            # What was folded into a hit says the same in other words, often in whole sentences.
            ranked = [(place, hit) for hit in placed for place in (hit.place, *hit.duplicates)]
            places = [place for place, _ in ranked]
            quoted = await engine.quote(connection, self.company_id, dict.fromkeys(places, 0), text)
            shown = await read_shown(connection, self.company_id, places)
        found: list[FoundPassage] = []
        for place, hit in ranked:
            known, words = shown.get(place), quoted.get(place)
            if known is None or words is None or known.document_id is None:
                continue
            text_held, heading = words.text, words.title
            if known.signal:
                text_held, heading = known.signal["quote"], known.signal["title"]
            found.append(
                FoundPassage(
                    known.document_id,
                    text_held,
                    heading,
                    hit.hit.candidate.source_kind,
                    known.url,
                    known.title,
                    known.published_at,
                    hit.hit.score,
                )
            )
        return found


def list_words(words: Sequence[str]) -> str:
    """'a, b and c'."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
