"""Profiles over recorded filings: every statement proven, every section with something to say.

The newest annual report of each company goes through the parser, the store and the worker's own
handler, as enrichment would bring it; then everything that was written is proven once more.
"""

import csv
import gzip
import json
import statistics
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.domain.evidence import Body
from sightline.enrich.finish import write_company
from sightline.profile.refresh import refresh_organization_profile, refresh_profile
from sightline.profile.verify import verify
from sightline.queue.runner import Runner
from sightline.reading.onnx_encoder import bundled_encoder
from sightline.sources.contract import RecordIsUnusable
from sightline.sources.sec_edgar.plan import Planned
from sightline.sources.sec_edgar.read_body import read_annual
from sightline.store import profiles
from sightline.store.catalogue import make_company
from sightline.store.database import open_database
from tests.profile.company import store

# Of the companies with an annual report, the share for which a section says something.
# Insight is specific or absent (decision 0027): what classifiers choose, and what has to be true of one
# company alone, is not to be had of every report; competitors are those that the catalogue knows.
LEAST_FILLED = {
    "overview": 0.95,
    "key_executives": 0.95,
    "risks": 0.6,  # a caption alone is noise, unless it is new (decision 0108)
    "swot_analysis": 0.9,
    "geographical_operations": 0.95,
    "divisions": 0.85,
    "how_they_make_money": 0.9,
    "how_they_lose_money": 0.9,  # costs that rose and losses, from tagged figures; a cost that fell is none
    "events": 0.9,
}


def annual_reports(shared: Path) -> list[dict[str, str]]:
    """The newest annual report of each company of which the archive holds one."""
    newest: dict[str, dict[str, str]] = {}
    for row in csv.DictReader((shared / "web/filings.csv").read_text().splitlines()):
        known = newest.get(row["cik"])
        if row["form"] == "10-K" and (known is None or row["filing_date"] > known["filing_date"]):
            newest[row["cik"]] = row
    return list(newest.values())


def read(shared: Path, row: dict[str, str]) -> Any:
    """A report as the connector parses it; None when it holds nothing to read."""
    content = (shared / "web" / row["file"]).read_bytes()
    if row["file"].endswith(".gz"):
        content = gzip.decompress(content)
    filed = date.fromisoformat(row["filing_date"])
    at = datetime.combine(filed, datetime.min.time(), UTC)
    body = Body(row["url"], content, "text/html", None, {}, at)
    reported = date.fromisoformat(row["report_date"]) if row["report_date"] else None
    planned = Planned(
        "annual", "10-K", filed, reported, row["cik"], row["accession"], (), row["url"]
    )
    try:
        return read_annual(body, planned, newest=True, name=row["company"])
    except RecordIsUnusable:
        return None


@pytest.fixture
async def profiled(shared: Path, database_url: str) -> Any:
    """The archive's companies with their profiles: (worker's database, company ids)."""
    worker = await open_database(database_url, role="sightline_worker", size=4)
    ids: list[UUID] = []
    for row in annual_reports(shared):
        parsed = read(shared, row)
        if (
            parsed is None or len(parsed.text) < 50_000
        ):  # a trust's report has no business to tell of
            continue
        async with worker.connection() as connection, connection.transaction():
            company_id = await make_company(connection, name=row["company"], domain=None)
            await store(connection, company_id, row["url"], parsed, source="sec_edgar")
            await write_company(connection, company_id)
        ids.append(company_id)
    handlers = {
        profiles.REFRESH: partial(refresh_profile, worker, encoder=bundled_encoder()),
        profiles.REFRESH_FOR: partial(refresh_organization_profile, worker),
    }
    await Runner(database=worker, handlers=handlers, slots=1, per_organization=1).run_all()
    yield worker, ids
    await worker.close()


def names_in(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["name"]] if isinstance(value.get("name"), str) else []
        return own + [n for key, each in value.items() if key != "sources" for n in names_in(each)]
    return [n for each in value for n in names_in(each)] if isinstance(value, list) else []


def proofs_in(value: Any) -> set[tuple[Any, ...]]:
    """The different quotes and figures that rows show, at whatever depth."""
    if isinstance(value, list):
        return {proof for each in value for proof in proofs_in(each)}
    if not isinstance(value, dict):
        return set()
    own = {(s["document_id"], s["quote"], s.get("pointer")) for s in value.get("sources") or ()}
    return own.union(*(proofs_in(each) for key, each in value.items() if key != "sources"))


def subjects_in(value: Any) -> list[tuple[Any, ...]]:
    """What each statement is about: the figure or quote that it names first, at whatever depth."""
    if isinstance(value, list):
        return [subject for each in value for subject in subjects_in(each)]
    if not isinstance(value, dict):
        return []
    own = [(s["document_id"], s["quote"], s.get("pointer")) for s in value.get("sources") or ()]
    return own[:1] + [
        subject for key, each in value.items() if key != "sources" for subject in subjects_in(each)
    ]


async def test_proof_and_yield(profiled: Any, client: httpx.AsyncClient) -> None:
    worker, ids = profiled
    checked, failures, filled = 0, [], dict.fromkeys(LEAST_FILLED, 0)
    reported, of_industry, subjects = 0, 0, 0
    names: list[str] = []
    sizes: dict[str, list[int]] = {name: [] for name in LEAST_FILLED}
    async with worker.connection() as connection:
        for company_id in ids:
            verified = await verify(connection, company_id)
            checked += verified.checked
            failures += verified.failures
            proofs: set[tuple[Any, ...]] = set()
            about: set[tuple[Any, ...]] = set()
            for name, text in (await profiles.stored_bodies(connection, company_id)).items():
                body = json.loads(text)
                if name == "industry_insights":
                    of_industry += len(body)
                else:
                    proofs |= proofs_in(body)
                    about.update(subjects_in(body))
                if name in filled:
                    filled[name] += bool(body)
                    sizes[name].append(len(body) if isinstance(body, list) else int(bool(body)))
                names += names_in(body)
            reported += len(proofs)
            subjects += len(about)
    seconds = []
    for place, company_id in enumerate(ids * 5):
        started = perf_counter()
        answer = await client.get(
            f"{BASE_PATH}/companies/{company_id}/profile",
            params={"include": "full", "exclude": "content", "sources": "true"},
        )
        if place >= len(ids):  # the first reading asks for the organization's sections
            seconds.append(perf_counter() - started)
        assert answer.status_code == 200
    p95 = statistics.quantiles(seconds, n=20)[-1]
    print(f"{len(ids)} companies, {checked} statements, {len(failures)} not proven")
    print(f"{reported} different proofs outside of industry insights, {of_industry} rows of these")
    print(f"{subjects} subjects of statements, each counted once a company")
    for name, counts in sizes.items():
        print(f"{name:26} {filled[name]}/{len(ids)} filled, {statistics.mean(counts):.1f} each")
    print(f"whole profile with sources: p95 {p95 * 1000:.1f} ms")
    assert failures == []
    # Right rows count, and each once: what says a figure again, a cost that grew no more than the revenue, or
    # the mirror of another row is noise. What is left has a subject of its own nearly always.
    assert reported > 49 * len(ids)
    assert subjects > 35 * len(ids)
    assert subjects > 0.92 * checked
    assert of_industry == 0  # without a model none is about the company itself, for there is none
    assert [name for name in names if "…" in name] == []
    short = {n: filled[n] / len(ids) for n in filled if filled[n] / len(ids) < LEAST_FILLED[n]}
    assert short == {}
