"""The context of a source: the web through the polite fetcher, with every response kept as evidence.

An answer that has not changed costs one conditional request and one row; nothing is parsed. What did
change is parsed, proved (a quote that is not in the text is dropped with its fact) and stored in one
transaction, under the fence of the work that asked for it.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit
from uuid import UUID

from sightline.domain.evidence import Observation, Parsed
from sightline.domain.postings import ParsedPosting
from sightline.kit.fetch.answer import Answer, HostRules, Validators
from sightline.kit.fetch.client import Fetcher
from sightline.kit.fetch.errors import FetchFailed, HostIsUnknown, NotInArchive
from sightline.reading.times import on_own_day
from sightline.sources.contract import (
    Document,
    Manifest,
    Parser,
    RecordIsUnusable,
    SourceIsAway,
    Target,
    address_key,
)
from sightline.sources.datasets import DATASETS, parse_dataset
from sightline.sources.fenced import fenced
from sightline.sources.freshness import is_fresh, is_known_missing, read_by, unrecorded
from sightline.sources.keeping import Bodiless, as_body, as_evidence, tie
from sightline.sources.parsing import PARSERS, BodyIsQuarantined, Parsers, Parsing
from sightline.sources.proof import prove
from sightline.store import catalogue, documents, postings
from sightline.store.database import Connection, Database
from sightline.store.source_states import note_sync
from sightline.store.work import Work

T = TypeVar("T")

DEFAULT_RATE = 1.0  # requests a second and host
_MISSING = frozenset({404, 410})
_MOST_QUARANTINED = 3  # documents that end their parsers in one run of a source, which then stops


@dataclass
class EvidenceContext:
    """`sources.contract.Context` over the fetcher and the store, for one source and one company.

    `target` is None while a company is being looked for: documents are then kept without a company.
    """

    manifest: Manifest
    fetcher: Fetcher
    database: Database
    work: Work | None
    target: Target | None
    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    learned: bool = False  # whether anything new was stored about the company
    parsers: Parsers = PARSERS
    _unreachable: str | None = None  # a host of the source that this machine cannot find, in words
    _foreseen: dict[str, documents.Address | None] = field(default_factory=dict)
    # What was read of documents that were kept without a company, for when they are said to be about it.
    _read: dict[UUID | None, tuple[Parser, Document, datetime]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._bodiless = Bodiless(self.database, self.manifest.name)

    async def document(
        self,
        url: str,
        *,
        parse: Parser,
        version: int,
        headers: Mapping[str, str] | None = None,
        json: Any = None,
        fresh_for: timedelta | None = None,
        missing_for: timedelta | None = None,
        about: bool = True,
        always_read: bool = False,
    ) -> Document | None:
        """See `Context.document`."""
        key = address_key(url, json)
        known = await self._known(key)
        read = known and read_by(known, version)
        if read and is_fresh(read, fresh_for):
            self.counts["fresh"] += about
            return await self._unchanged(read, parse, version, about=about, always=always_read)
        if known and is_known_missing(known, fresh_for, missing_for):
            self.counts[known.outcome] += 1
            return None
        answer = await self._ask(url, key, read, headers=headers, json=json)
        if answer is None:
            return None
        fetched = as_evidence(answer, key)
        if read and (answer.not_modified or read.sha256 == fetched.sha256):
            await self._note_answer(key, "not_modified", answer.status)
            return await self._unchanged(read, parse, version, about=about, always=always_read)
        parsed = await self._parse(parse, fetched, answer.charset, version)
        document = await self._store(fetched, parsed, version=version, about=about)
        if not about and self.target is not None:
            self._read[document.document_id] = parse, document, fetched.fetched_at
        return document

    async def prefetch(self, keys: Collection[str]) -> None:
        """See `Context.foresee`."""
        self._foreseen |= dict.fromkeys(keys) | await self._look_up(keys)

    async def dataset(
        self, url: str, *, read: Callable[[bytes], T], fresh_for: timedelta
    ) -> T | None:
        """See `Context.dataset`."""
        # Read before it is kept: what is no such file must not count as the newest version of it.
        parse = partial(parse_dataset, read, url)
        document = await self.document(
            url, parse=parse, version=1, fresh_for=fresh_for, about=False
        )
        if document is None:
            return None
        key = (url, document.document_id, read.__qualname__)
        if document.parsed is not None:
            DATASETS.keep(key, document.parsed.extra)
        elif key not in DATASETS:
            async with self.database.connection() as connection:
                stored = await documents.stored_answer(connection, document.document_id)
            if stored is None:
                return None
            parsed = await self._parse(parse, stored, None, 1)
            DATASETS.keep(key, parsed.extra)
        found: T = DATASETS.take(key)
        return found

    async def known_missing(self, keys: Collection[str], *, within: timedelta) -> set[str]:
        """See `Context.known_missing`."""
        await self._bodiless.write(keys)
        async with self.database.connection() as connection:
            return await documents.known_missing(connection, keys, since=datetime.now(UTC) - within)

    async def remember_missing(self, key: str) -> None:
        """Let `known_missing` know that there was nothing under a key just now."""
        await self._note_answer(key, "missing", None, count=None)
        await self._bodiless.write()

    async def pulled(
        self,
        kind: str,
        token: str,
        listed: Sequence[ParsedPosting],
        *,
        complete: bool,
        document_id: UUID | None,
    ) -> None:
        """See `Context.pulled`."""
        if self.target is None:
            return
        async with fenced(self.database, self.work) as connection:
            company_id = await catalogue.hold_company(connection, self.target.company_id)
            change = await postings.store_pull(
                connection,
                company_id,
                board=f"{kind}/{token}",
                source=self.manifest.name,
                listed=listed,
                complete=complete,
                document_id=document_id,
                pulled_at=datetime.now(UTC),
            )
            if change.opened or change.closed:
                await catalogue.note_evidence(connection, company_id)
        self.counts["postings"] += change.active

    def note(self, text: str) -> None:
        """See `Context.note`."""
        if text not in self.notes:
            self.notes.append(text)

    def unreached(self) -> str | None:
        """Why nothing at all was answered; None when something was, or nothing was asked."""
        if any(self.counts[each] for each in ("fetched", "unchanged", "missing", "fresh")):
            return None
        recorded = (
            f"The recorded web has none of the {self.counts['not_recorded']} addresses asked for."
        )
        return self._unreachable or (recorded if self.counts["not_recorded"] else None)

    async def flush(self, *, error: str | None) -> None:
        """Write the day's counts of the source, and how it went: one that reached nothing failed."""
        await self._bodiless.write()
        error = error or self.unreached()
        if not self.counts and error is None:
            return
        async with self.database.connection() as connection:
            await documents.count_day(connection, self.manifest.name, self.counts)
            if self.counts:
                await note_sync(connection, self.manifest.name, error=error)

    async def _known(self, key: str) -> "documents.Address | None":
        if key in self._foreseen:
            return self._foreseen.pop(key)
        return (await self._look_up([key])).get(key)

    async def _look_up(self, keys: Collection[str]) -> "dict[str, documents.Address]":
        company_id = self.target.company_id if self.target is not None else None
        await self._bodiless.write(keys)
        async with self.database.connection() as connection:
            return await documents.find_addresses(connection, keys, company_id=company_id)

    async def _ask(
        self, url: str, key: str, known: "documents.Address | None", **asked: Any
    ) -> Answer | None:
        """What the address answers now; None, noted, where there is nothing."""
        try:
            answer = await self._fetch(url, known, **asked)
        except HostIsUnknown:
            await self._note_unknown_host(key)
            return None
        except NotInArchive:
            await self._note_answer(key, unrecorded(url), None)
            return None
        if answer.status in _MISSING:
            await self._note_answer(key, "missing", answer.status)
            return None
        if known is None or not answer.not_modified:
            self._refuse_bad_status(answer)
        return answer

    async def _fetch(
        self,
        url: str,
        known: "documents.Address | None",
        *,
        headers: Mapping[str, str] | None,
        json: Any,
    ) -> Answer:
        rules = HostRules(
            interval_seconds=1
            / self.manifest.hosts.get(urlsplit(url).hostname or "", DEFAULT_RATE),
            obey_robots=not self.manifest.ignores_robots,
        )
        validators = Validators(known.etag, known.last_modified) if known else None
        most = self.manifest.max_bytes
        try:
            if json is None:
                return await self.fetcher.get(
                    url, conditional=validators, headers=headers, rules=rules, max_bytes=most
                )
            return await self.fetcher.post(url, json, headers=headers, rules=rules, max_bytes=most)
        except (HostIsUnknown, NotInArchive):
            raise
        except FetchFailed as error:
            self.counts["failed"] += 1
            await self._note_answer(url, error.outcome, None, count=None)
            if error.retryable:
                raise SourceIsAway(str(error)) from error
            raise RecordIsUnusable(str(error)) from error

    async def _note_unknown_host(self, url: str) -> None:
        """A site that does not exist is missing, but is asked for again: a machine off the network sees
        the same. A host of the source itself exists."""
        host = urlsplit(url).hostname
        is_own = host in self.manifest.hosts
        count = "unreachable" if is_own else "missing"
        await self._note_answer(url, "host_unknown", None, count=count)
        if is_own:
            title = self.manifest.title
            self._unreachable = f"{title}: the name {host} cannot be found from this machine."
            self.note(self._unreachable)

    def _refuse_bad_status(self, answer: Answer) -> None:
        if answer.status < 300:
            return
        self.counts["failed"] += 1
        host = urlsplit(answer.final_url).hostname
        sentence = f"{host} answered {answer.status}."
        if answer.status in (401, 403, 429) or answer.status >= 500:
            raise SourceIsAway(sentence, status=answer.status, body=answer.content)
        raise RecordIsUnusable(sentence)

    async def _note_answer(
        self, url: str, outcome: str, status: int | None, *, count: str | None = ""
    ) -> None:
        if count == "":
            count = "unchanged" if outcome == "not_modified" else outcome
        if count:
            self.counts[count] += 1
        await self._bodiless.note(url, outcome, status)

    async def _unchanged(
        self,
        known: "documents.Address",
        parse: Parser,
        version: int,
        *,
        about: bool,
        always: bool,
    ) -> Document | None:
        """A document as it was. It is read again if it is new to this company, or `always`."""
        assert known.document_id is not None
        assert known.sha256 is not None
        if always:
            return await self._read_stored(known, parse, version, about=about)
        if about and self.target is not None and not known.tied:
            return await self._read_stored(known, parse, version, about=True)
        return Document(
            known.document_id,
            known.final_url or known.url,
            False,
            known.links,
            None,
            known.notes,
            known.title,
        )

    async def _read_stored(
        self, known: "documents.Address", parse: Parser, version: int, *, about: bool
    ) -> Document | None:
        by, kept, fetched_at = self._read.get(known.document_id, (None, None, None))
        if about and kept and kept.parsed and fetched_at and by == parse:
            proved = self._prove(known.url, kept.parsed)
            # Its values are as new as those read now.
            await self._bodiless.note(known.url, "ok", None)
            async with fenced(self.database, self.work) as connection:
                await self._tie(connection, kept.document_id, kept.parsed, proved, fetched_at)
            return kept
        async with self.database.connection() as connection:
            row = await documents.stored_answer(connection, known.document_id)
        if row is None:
            return None
        parsed = await self._parse(parse, row, None, version)
        return await self._store(row, parsed, version=version, about=about)

    async def _parse(
        self, parse: Parser, fetched: documents.Fetched, charset: str | None, version: int
    ) -> Parsed:
        parsing = Parsing(self.parsers, self.database, self.manifest.name)
        try:
            return await parsing.parse(
                parse, as_body(fetched, charset), key=fetched.url, version=version
            )
        except BodyIsQuarantined as error:
            self.counts["quarantined"] += 1
            self.note(str(error))
            if error.now and self.counts["quarantined"] >= _MOST_QUARANTINED:
                raise SourceIsAway(
                    f"{_MOST_QUARANTINED} documents ended their parsers; the rest was not read."
                ) from error
            raise

    async def _store(
        self, fetched: documents.Fetched, parsed: Parsed, *, version: int, about: bool
    ) -> Document:
        parsed = replace(parsed, published_at=on_own_day(parsed.published_at))
        proved = self._prove(fetched.url, parsed)
        self.counts["fetched"] += 1
        self.counts["bytes"] += len(fetched.content)
        await self._bodiless.write([fetched.url])
        async with fenced(self.database, self.work) as connection:
            document_id = await documents.store_document(
                connection, fetched, parsed, source=self.manifest.name, parser=version
            )
            if about:
                await self._tie(connection, document_id, parsed, proved, fetched.fetched_at)
        links = tuple(link for link in parsed.links if link.role != "other")
        return Document(
            document_id, fetched.final_url, True, links, parsed, parsed.notes, parsed.title
        )

    def _prove(self, url: str, parsed: Parsed) -> list[Observation]:
        proved, dropped = prove(parsed)
        if dropped:
            self.note(f"{dropped} values of {url} were dropped: it lacks their quotes.")
        return proved

    async def _tie(
        self,
        connection: Connection,
        document_id: UUID,
        parsed: Parsed,
        proved: Sequence[Observation],
        seen_at: datetime,
    ) -> None:
        if self.target is None:
            return
        self.learned = True
        self.counts["facts"] += await tie(
            connection,
            self.target.company_id,
            document_id,
            source=self.manifest.name,
            parsed=parsed,
            proved=proved,
            seen_at=seen_at,
        )
        self.counts["values"] += len(proved)
