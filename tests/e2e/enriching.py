"""Enrichment through the real queue, pipeline, sources and database, over a recorded web."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from sightline.enrich.finish import refresh_accounts
from sightline.enrich.pipeline import Enrichment
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.queue.runner import Handler, Runner
from sightline.sources.registry import SOURCES
from sightline.store.database import Database
from sightline.store.operations import WORK_KIND
from sightline.store.work import Work

V1 = "/public-api/v1"


@dataclass
class Enricher:
    """Submits over the API and works the queue empty; every call is one operation."""

    client: httpx.AsyncClient
    database: Database

    async def run(self, archive: Path, *, at: str | None = None, **asked: str) -> dict[str, Any]:
        """One operation from its submission to its end, over an archive as of a day."""
        answer = await self.client.post(f"{V1}/companies", json=asked)
        assert answer.status_code == 202, answer.text
        accepted = answer.json()
        await self._work(archive, at=at)
        done: dict[str, Any] = (await self.client.get(accepted["status_url"])).json()
        return done

    async def refresh(
        self, archive: Path, company_id: str, *, at: str | None = None
    ) -> dict[str, Any]:
        """The same company again, as a refresh submits it."""
        return await self.run(archive, at=at, id=company_id)

    async def _work(self, archive: Path, *, at: str | None) -> None:
        web = f"replay:{archive}" + (f"?at={at}" if at else "")
        fetcher = Fetcher(FetcherConfig(web=web, sample_dir=archive))
        enrichment = Enrichment(self.database, fetcher, SOURCES)

        async def refreshed(work: Work) -> None:
            await refresh_accounts(self.database, work)

        handlers: dict[str, Handler] = {
            WORK_KIND: enrichment.run, "refresh_accounts": refreshed,
        }  # fmt: skip
        runner = Runner(database=self.database, handlers=handlers, slots=1, per_organization=1)
        await runner.run_all()
        await fetcher.close()


Enrich = Callable[..., Awaitable[dict[str, Any]]]


def steps_of(operation: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The steps of an operation by source; those without one by name."""
    return {step["source"] or step["name"]: step for step in operation["steps"]}
