"""What the killed workers read: a recorded web in two editions, and the sources that read it."""

import asyncio
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from sightline.domain.evidence import Body, Parsed, Passage
from sightline.sources.contract import Context, Source, Target
from tests.enrich.conftest import REGISTER, SOURCES, RecordedWeb, manifest

FIRST = (
    "Corvane",
    "Marlow",
    "Tessaly",
    "Ostrava",
    "Quillon",
    "Brackwater",
    "Sundermere",
    "Ilvanto",
)
SECOND = ("Freight", "Optics", "Textiles", "Beverages", "Robotics")
MOST_COMPANIES = len(FIRST) * len(SECOND)
EDITIONS = (datetime(2025, 3, 6, tzinfo=UTC), datetime(2025, 6, 12, tzinfo=UTC))


@dataclass(frozen=True)
class Named:
    """A company of the recorded web."""

    number: int

    @property
    def name(self) -> str:
        return f"{FIRST[self.number % len(FIRST)]} {SECOND[self.number // len(FIRST)]}"

    @property
    def domain(self) -> str:
        return f"c{self.number}.example"

    def pages(self, edition: int) -> dict[str, str]:
        """URL -> text. In the second edition some values change, some go, and news is added."""
        n, name = self.number, self.name
        employees = 100 + n + (50 if edition and n % 3 == 0 else 0)
        city = "New Harbor" if edition and n % 4 == 0 else f"City {n}"
        site = f'company_name: "{name}"\nemployees: {employees}'
        if not (edition and n % 5 == 0):
            site += f'\ndescription: "{name} moves what others leave."'
        pages = {
            f"https://register.example/LEI{n}.txt": f'lei: "LEI{n}"\nhq_city: "{city}"',
            f"https://{self.domain}/": site,
            f"https://{self.domain}/news/1": (
                f"{name} opens a new office in Lisbon\n\nLISBON, March 6, 2025 -- {name} today"
                " announced that it has opened a new office in Lisbon, Portugal."
            ),
        }
        if edition and n % 2 == 0:
            pages[f"https://{self.domain}/news/2"] = (
                f"{name} acquires Beacon Freight Systems\n\nSPRINGFIELD, June 11, 2025 -- {name} today"
                " announced that it has acquired Beacon Freight Systems for $25 million."
            )
        return pages


def write_web(
    folder: Path,
    *,
    companies: int,
    edition: int,
    more: Callable[[Named], dict[str, str]] | None = None,
) -> None:
    """Record the whole web of an edition in a folder, with `more` pages of each company."""
    folder.mkdir()
    all_named = [Named(n) for n in range(companies)]
    register = [{"id": f"LEI{c.number}", "name": c.name, "domain": c.domain} for c in all_named]
    pages = {REGISTER: json.dumps(register)}
    for company in all_named:
        pages |= company.pages(edition) | (more(company) if more else {})
    rows = []
    for url, text in pages.items():
        one = RecordedWeb(folder)  # writing one index a page is quicker than all of it each time
        one.answer(url, text, media_type="text/plain", at=EDITIONS[edition])
        rows += one.rows
    (folder / "index.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def parse_news(body: Body) -> Parsed:
    """A piece of news, dated as its edition."""
    text = body.content.decode()
    return Parsed(
        kind="news",
        text=text,
        title=text.partition("\n")[0],
        published_at=body.fetched_at,
        passages=(Passage(0, len(text), "news"),),
    )


async def collect_news(context: Context, target: Target) -> None:
    for n in (1, 2):
        await context.document(f"https://{target.domain}/news/{n}", parse=parse_news, version=1)


NEWSROOM = Source(
    manifest("newsroom"), collect_news, None, lambda target: target.domain is not None
)


def slowed(source: Source) -> Source:
    """The source with pauses, so that kills hit every place."""

    async def collect(context: Context, target: Target) -> None:
        await asyncio.sleep(random.uniform(0, 0.05))
        await source.collect(context, target)
        await asyncio.sleep(random.uniform(0, 0.05))

    return replace(source, collect=collect)


SLOW_SOURCES = tuple(slowed(source) for source in (*SOURCES, NEWSROOM))
