"""Work: has a model read a company's industry from its website, if no source names it.

One request a company, off the way of its record. What the model names must be of our vocabulary and its quote
stand on a page; "not said" stands. The same pages are not paid for twice. What fails leaves the field empty.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from importlib.resources import files
from typing import Any, Final
from uuid import UUID

import structlog
from pydantic import BaseModel, Field

from sightline.domain.evidence import Observation
from sightline.domain.industries import industries
from sightline.enrich.finish import write_company
from sightline.kit.clock import now
from sightline.llm.asking import ModelDidNotAnswer, ask
from sightline.llm.models import ModelConfig
from sightline.llm.spending import BudgetIsSpent, held, until_tomorrow
from sightline.reading.model_check import writer
from sightline.reading.proof import harmless, stands
from sightline.reading.stated import normalized
from sightline.store import catalogue, model_readings, work
from sightline.store.database import Connection, Database
from sightline.store.facts import add_fact
from sightline.store.model_spending import Allowance
from sightline.store.site_pages import SitePage, site_pages

log = structlog.get_logger()

WORK_KIND: Final = "read_industry"
METHOD: Final = "model"
PROMPT_VERSION: Final = 1
NOT_SAID: Final = "not said"
ROLES: Final = ("home", "about", "products")
_MOST_PAGES: Final = 5
_MOST_CHARACTERS: Final = 3_000  # of a page
_LONGEST_QUOTE: Final = 600
_MOST_TOKENS: Final = 2_000  # of an answer, what a model thinks included
_CHARACTERS_A_TOKEN: Final = 3.5
# 21 of 30 in decision 0065.
_CONFIDENCE: Final = 0.7
# After what people wait for, like a model's reading of signals.
_PRIORITY: Final = 15
_RETRY: Final = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class IndustryReader:
    """The model, and the limits that a request for a company stands under."""

    model: ModelConfig
    allowances: Callable[[UUID], Sequence[Allowance]]


class Answer(BaseModel):
    # The names are in the schema that the model is shown; `proven` refuses an invented one.
    industry: str = Field(
        json_schema_extra={"enum": [*(each.name for each in industries()), NOT_SAID]}
    )
    quote: str = ""


async def ask_for_industry(connection: Connection, company_id: UUID) -> None:
    """Put the reading on the queue if no source says the industry."""
    company = await catalogue.find_company(connection, company_id)
    if company is not None and not company.record.get("industry"):
        await work.put(connection, WORK_KIND, str(company.company_id), priority=_PRIORITY)


async def read_industry(database: Database, reader: IndustryReader, item: work.Work) -> None:
    """Read it, decide the record again with it, and end the work; what may come right is tried later."""
    company_id = UUID(item.subject)
    company, pages = await _to_read(database, reader, company_id)
    found: tuple[SitePage, Observation] | None = None
    delay: timedelta | None = None
    try:
        if company is not None and pages:
            found = await _read(database, reader, company, pages)
    except BudgetIsSpent:
        delay = until_tomorrow(now())
    except ModelDidNotAnswer as error:
        log.warning("industry_not_read", company=str(company_id), reason=error.reason)
        if error.reason != "malformed":  # it would say the same again
            delay = max(_RETRY, timedelta(seconds=error.retry_after or 0))
    async with database.connection() as connection, connection.transaction():
        await work.hold(connection, item)
        if company is not None and found is not None:
            await _keep(connection, company.company_id, *found)
        if delay is not None:
            await work.put(connection, WORK_KIND, item.subject, priority=_PRIORITY, delay=delay)
        await work.finish(connection, item)


async def _to_read(
    database: Database, reader: IndustryReader, company_id: UUID
) -> tuple[catalogue.Identity | None, Sequence[SitePage]]:
    """The company, and its pages where a model may read its industry from them."""
    async with database.connection() as connection:
        company = await catalogue.find_company(connection, company_id)
        if company is None or company.record.get("industry"):
            return company, ()
        if await writer(connection, reader.model) is None:
            return company, ()
        return company, await site_pages(
            connection, company.company_id, roles=ROLES, limit=_MOST_PAGES
        )


async def _keep(
    connection: Connection, company_id: UUID, page: SitePage, said: Observation
) -> None:
    """Store it with the page it was read on, unless the page changed meanwhile."""
    company_id = await catalogue.hold_company(connection, company_id)
    present = await site_pages(connection, company_id, roles=ROLES, limit=_MOST_PAGES)
    if page.document_id not in {each.document_id for each in present}:
        return
    await add_fact(
        connection,
        company_id,
        page.document_id,
        source=page.source,
        observation=said,
        seen_at=now(),
    )
    await write_company(connection, company_id)


async def _read(
    database: Database,
    reader: IndustryReader,
    company: catalogue.Identity,
    pages: Sequence[SitePage],
) -> tuple[SitePage, Observation] | None:
    """What the model says of these pages, if it is proven. Raises ModelDidNotAnswer, BudgetIsSpent."""
    instructions, prompt = _instructions(company.name), prompt_of(pages)
    parts = [reader.model.name, str(PROMPT_VERSION), instructions, prompt]
    key = hashlib.sha256("\x1f".join(["industry", *parts]).encode()).hexdigest()
    async with database.connection() as connection:
        known = (await model_readings.read(connection, [key])).get(key)
    if known is None:
        known = await _ask(database, reader, company.company_id, instructions, prompt)
        async with database.connection() as connection:
            await model_readings.write(connection, {key: known})
    return next(filter(None, (proven(each, pages) for each in known)), None)


async def _ask(
    database: Database, reader: IndustryReader, company_id: UUID, instructions: str, prompt: str
) -> list[dict[str, Any]]:
    """The answer as it is kept: [] for "not said"."""
    schema = len(json.dumps(Answer.model_json_schema()))
    tokens = int((len(instructions) + len(prompt) + schema) / _CHARACTERS_A_TOKEN) + _MOST_TOKENS
    async with held(database, reader.allowances(company_id), tokens=tokens) as spending:
        answered = await ask(
            reader.model,
            Answer,
            instructions=instructions,
            prompt=prompt,
            most_tokens=_MOST_TOKENS,
        )
        spending.tokens = answered.input_tokens + answered.output_tokens
    said = answered.output
    return [] if said.industry == NOT_SAID else [said.model_dump()]


def proven(
    said: Mapping[str, Any], pages: Sequence[SitePage]
) -> tuple[SitePage, Observation] | None:
    """An industry of ours with the first page that its quote stands on; None for what is not proven."""
    name, quote = str(said.get("industry", "")), normalized(str(said.get("quote", "")))
    if name not in {each.name for each in industries()} or len(quote) > _LONGEST_QUOTE:
        return None
    page = next((each for each in pages if stands(quote, each.text)), None)
    if page is None:
        return None
    return page, Observation("industry", name, METHOD, _CONFIDENCE, quote=quote)


def prompt_of(pages: Sequence[SitePage]) -> str:
    """The pages as lines of JSON, the beginning of each."""
    lines = [
        {"page": each.role, "text": normalized(each.text)[:_MOST_CHARACTERS]} for each in pages
    ]
    shown = "\n".join(harmless(json.dumps(line, ensure_ascii=False)) for line in lines)
    return f"<evidence>\n{shown}\n</evidence>"


@cache
def _template() -> str:
    return files("sightline.enrich").joinpath("prompts/industry.md").read_text(encoding="utf-8")


def _instructions(name: str) -> str:
    return _template().replace("{name}", harmless(name))
