"""How a context keeps answers: without a body, as evidence, and as documents about a company."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from sightline.domain.evidence import Body, Observation, Parsed
from sightline.kit.fetch.answer import Answer
from sightline.store import catalogue, documents, facts
from sightline.store.database import Connection, Database


@dataclass
class Bodiless:
    """Answers of one source that brought no body. They are written together: a company's likely boards
    alone are some thirty addresses."""

    database: Database
    source: str
    _waiting: dict[str, documents.Bodiless] = field(default_factory=dict)

    async def note(self, url: str, outcome: str, status: int | None) -> None:
        """Keep an answer of now; `write` it before the address is looked up or stored."""
        await self.write([url])
        self._waiting[url] = documents.Bodiless(url, outcome, status, datetime.now(UTC))

    async def write(self, urls: Collection[str] | None = None) -> None:
        """Write what waits; with `urls` only if one of them does."""
        if not self._waiting or (urls is not None and self._waiting.keys().isdisjoint(urls)):
            return
        waiting, self._waiting = self._waiting, {}
        async with self.database.connection() as connection:
            await documents.note_answers(connection, list(waiting.values()), source=self.source)


async def tie(
    connection: Connection,
    company_id: UUID,
    document_id: UUID,
    *,
    source: str,
    parsed: Parsed,
    proved: Sequence[Observation],
    seen_at: datetime,
) -> int:
    """Say that a document is about a company, with its facts; returns how many of them are new."""
    company_id = await catalogue.note_evidence(connection, company_id)
    superseded = await documents.tie_to_company(
        connection, company_id, document_id, passages=parsed.passages
    )
    return await facts.store_facts(
        connection,
        company_id,
        document_id,
        source=source,
        observations=proved,
        superseded=superseded,
        seen_at=seen_at,
    )


def as_evidence(answer: Answer, key: str) -> documents.Fetched:
    """An answer with a body, under the address it is remembered by."""
    return documents.Fetched(
        url=key,
        final_url=answer.final_url,
        status=answer.status,
        headers=_kept_headers(answer.headers),
        media_type=answer.media_type or "",
        content=answer.content,
        fetched_at=answer.fetched_at,
    )


def as_body(fetched: documents.Fetched, charset: str | None) -> Body:
    """The answer as parsers take it."""
    return Body(
        url=fetched.final_url,
        content=fetched.content,
        media_type=fetched.media_type,
        charset=charset,
        headers=fetched.headers,
        fetched_at=fetched.fetched_at,
    )


def _kept_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers that are evidence: what shows a technology, and what dates an answer."""
    return {k: v[:2000] for k, v in headers.items() if k not in ("authorization",)}
