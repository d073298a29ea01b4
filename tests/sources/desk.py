"""A connector run against a recorded web that the test makes, with the real evidence store below."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from sightline.enrich.target import target_of
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.sources.context import EvidenceContext
from sightline.sources.contract import Candidate, Query, Source
from sightline.store import catalogue
from sightline.store.database import Database, open_database
from sightline.store.facts import read_facts
from tests.enrich.conftest import RecordedWeb


@dataclass
class Desk:
    """Runs one source for one company after another."""

    database: Database
    web: RecordedWeb

    async def company(self, name: str, **identifiers: str) -> UUID:
        async with self.database.connection() as connection, connection.transaction():
            company_id = await catalogue.make_company(connection, name=name, domain=None)
            await catalogue.add_identifiers(connection, company_id, identifiers)
        return company_id

    async def find(self, source: Source, query: Query) -> Sequence[Candidate]:
        assert source.find is not None
        return await source.find(self.context(source), query)

    async def collect(self, source: Source, company_id: UUID) -> EvidenceContext:
        """Run the source; its context tells what was counted and noted."""
        async with self.database.connection() as connection:
            target = await target_of(connection, company_id)
        assert source.applies(target)
        context = self.context(source)
        context.target = target
        await source.collect(context, target)
        return context

    async def values(self, company_id: UUID) -> dict[str, list[Any]]:
        async with self.database.connection() as connection:
            facts = await read_facts(connection, company_id)
        found: dict[str, list[Any]] = {}
        for fact in facts:
            found.setdefault(fact.field, []).append(fact.value)
        return found

    def context(self, source: Source) -> EvidenceContext:
        folder = self.web.folder
        fetcher = Fetcher(FetcherConfig(web=f"replay:{folder}", sample_dir=folder))
        return EvidenceContext(source.manifest, fetcher, self.database, None, None)


@pytest.fixture
async def desk(database_url: str, tmp_path: Path) -> AsyncIterator[Desk]:
    """A desk with an empty recorded web."""
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "index.jsonl").write_text("")
    database = await open_database(database_url, role="sightline_worker", size=4)
    yield Desk(database, RecordedWeb(folder))
    await database.close()
