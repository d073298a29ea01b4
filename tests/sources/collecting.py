"""One source at work: the real context, evidence store and database over a web that the test makes."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from sightline.enrich.target import target_of
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.sources.context import EvidenceContext
from sightline.sources.contract import (
    Candidate,
    Query,
    RecordIsUnusable,
    Source,
    SourceIsAway,
)
from sightline.store import catalogue
from sightline.store.database import Database
from sightline.store.facts import read_facts


@dataclass
class MadeWeb:
    """A folder of answers, as `replay:` reads it; the newest answer of an address counts."""

    folder: Path
    rows: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)

    def answer(
        self,
        url: str,
        body: str | bytes | dict[str, Any] = "",
        *,
        status: int = 200,
        media_type: str | None = None,
        method: str = "GET",
        **headers: str,
    ) -> None:
        if isinstance(body, dict):
            body, media_type = json.dumps(body), media_type or "application/json"
        content = body.encode() if isinstance(body, str) else body
        digest = hashlib.sha256(content).hexdigest()
        (self.folder / digest).write_bytes(content)
        sent = {"content-type": media_type or "text/html; charset=utf-8"} | headers
        self.rows[method, url] = {
            "url": url, "method": method, "status": status, "headers": sent, "file": digest,
            "encoding": None, "fetched_at": "2026-08-01T00:00:00Z", "bytes": len(content),
            "sha256": digest,
        }  # fmt: skip

    def redirect(self, url: str, target: str) -> None:
        self.answer(url, status=301, location=target)

    def remove(self, url: str) -> None:
        self.rows.pop(("GET", url))

    def fetcher(self) -> Fetcher:
        lines = "".join(json.dumps(row) + "\n" for row in self.rows.values())
        (self.folder / "index.jsonl").write_text(lines)
        return Fetcher(FetcherConfig(web=f"replay:{self.folder}", sample_dir=self.folder))


@dataclass
class Collecting:
    """A company in a database, and sources that are asked about it."""

    database: Database
    web: MadeWeb
    company_id: UUID

    async def find(
        self, source: Source, **query: Any
    ) -> tuple[Sequence[Candidate], EvidenceContext]:
        assert source.find is not None
        context = EvidenceContext(source.manifest, self.web.fetcher(), self.database, None, None)
        found = await source.find(context, Query(**query))
        await context.flush(error=None)
        return found, context

    async def collect(self, source: Source) -> EvidenceContext:
        """One run; what ended it early is the last of the context's notes."""
        async with self.database.connection() as connection:
            target = await target_of(connection, self.company_id)
        context = EvidenceContext(source.manifest, self.web.fetcher(), self.database, None, target)
        try:
            await source.collect(context, target)
        except (SourceIsAway, RecordIsUnusable) as error:
            context.notes.append(f"{type(error).__name__}: {error}")
        await context.flush(error=None)
        return context

    async def facts(self, name: str) -> list[Any]:
        """The values of a field, each once."""
        async with self.database.connection() as connection:
            found = await read_facts(connection, self.company_id, fields=(name,))
        return list({json.dumps(fact.value): fact.value for fact in found}.values())

    async def documents(self) -> dict[str, dict[str, Any]]:
        """What is stored about the company, by address."""
        async with self.database.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT d.url, d.kind, d.title, d.published_at, d.body_text,
                  array(SELECT section FROM passages p WHERE p.document_id = d.document_id
                        ORDER BY start_at) AS sections,
                  array(SELECT heading FROM passages p WHERE p.document_id = d.document_id
                        ORDER BY start_at) AS headings
                FROM company_documents c JOIN documents d USING (document_id)
                WHERE company_id = $1 AND c.superseded_at IS NULL
                """,
                self.company_id,
            )
        return {row["url"]: dict(row) for row in rows}

    async def jobs(self) -> dict[str, dict[str, Any]]:
        """Postings by title."""
        async with self.database.connection() as connection:
            rows = await connection.fetch(
                "SELECT title, board, description, closed_at, url FROM jobs WHERE company_id = $1",
                self.company_id,
            )
        return {row["title"]: dict(row) for row in rows}


async def make_collecting(
    database: Database, folder: Path, *, name: str = "Tarn Instruments", domain: str | None = None
) -> Collecting:
    """A company that is known by its name and domain alone."""
    async with database.connection() as connection, connection.transaction():
        company_id = await catalogue.make_company(connection, name=name, domain=domain)
    return Collecting(database, MadeWeb(folder), company_id)


def page(main: str, *, title: str = "", head: str = "", lang: str = "en") -> str:
    """A page with words enough to be one."""
    return (
        f'<!doctype html><html lang="{lang}"><head><title>{title}</title>{head}</head>'
        f"<body><main>{main}</main></body></html>"
    )
