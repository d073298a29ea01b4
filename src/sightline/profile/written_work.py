"""Work: let a model write the sections that wait for it, each once and within a budget.

An answer is kept as it comes, so that whatever ends the work early costs at most one request twice.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import structlog
from pydantic import ValidationError

from sightline.domain.callers import OrganizationId
from sightline.kit.clock import now
from sightline.llm.asking import ModelDidNotAnswer, ask
from sightline.profile.build import Draft, stored
from sightline.profile.contract import EXTRACTIVE, SectionBody
from sightline.profile.gather import gather, read_seller
from sightline.profile.printing import read_body
from sightline.profile.refresh import ask_for_organization, organizations_with
from sightline.profile.seller import Seller
from sightline.profile.written import MOST_TOKENS, Question, claims
from sightline.profile.written_drafts import (
    FAILED,
    OVER_BUDGET,
    WAITING,
    WRITTEN,
    Author,
    Desk,
    as_written,
    desk_of,
    leads_of,
    state_of,
    trusted,
)
from sightline.reading.proof import verify
from sightline.store import model_spending, profiles, work, written_sections
from sightline.store.database import Connection, Database
from sightline.store.written_sections import Writing

log = structlog.get_logger()

_MOST_TRIES: Final = 3
_FIRST_RETRY: Final = timedelta(minutes=5)
_LONGEST_RETRY: Final = timedelta(hours=6)
# A provider that fails so has counted nothing.
_FREE: Final = ("rate_limited", "unavailable")


async def write_profile(database: Database, author: Author, item: work.Work) -> None:
    """Write the sections of a company that wait."""
    await _Run(database, author, item, UUID(item.subject), None).run()


async def write_organization_profile(database: Database, author: Author, item: work.Work) -> None:
    """Write an organization's sections of a company that wait."""
    organization, _, company = item.subject.partition("/")
    run = _Run(database, author, item, UUID(company), OrganizationId(UUID(organization)))
    await run.run()


@dataclass(frozen=True)
class _Run:
    """One piece of work. No connection is held while the model thinks."""

    database: Database
    author: Author
    item: work.Work
    company_id: UUID
    organization_id: OrganizationId | None

    async def run(self) -> None:
        desk, due = await self._read()
        delays: list[timedelta] = []
        for each in due if desk is not None else ():
            assert desk is not None
            body = read_body(each.body)
            asked = await asyncio.to_thread(
                desk.question, each.section, body, self.author.model, leads=leads_of(each.writing)
            )
            if asked is None or asked.key != each.writing["asked"]:
                continue  # it is made again, and asked for then
            state, delay = await self._ask(desk, asked, before=each.writing)
            state |= {"leads": each.writing.get("leads", [])}
            await self._keep(desk, each, asked, body, state)
            if delay is not None:
                delays.append(delay)
            if state["outcome"] == OVER_BUDGET:
                break
        async with self._transaction() as connection:
            if delays:
                await written_sections.put_writing(
                    connection, self.company_id, self.organization_id, delay=min(delays)
                )
            await work.finish(connection, self.item)

    async def _read(self) -> tuple[Desk | None, list[Writing]]:
        """The desk and the sections to be written."""
        async with self._transaction() as connection:
            gathered = await gather(connection, self.company_id, now=now())
            found = await written_sections.read_writings(
                connection, self.company_id, organization_id=self.organization_id
            )
            due = [each for each in found.values() if _is_due(each.writing)]
            author = await trusted(connection, self.author)
            if gathered is None or author is None or not due:
                return None, []
            seller: Seller | None = None
            built: dict[str, SectionBody] = {}
            if self.organization_id is not None:
                seller, _ = await read_seller(connection, self.organization_id)
                texts = await profiles.stored_bodies(connection, self.company_id)
                built = {name: read_body(text) for name, text in texts.items()}
            bodies = [read_body(each.body) for each in due]
            leads = [lead for each in due for lead in leads_of(each.writing)]
            desk = await desk_of(
                connection,
                gathered.evidence,
                bodies,
                texts={},
                built=built,
                seller=seller,
                leads=leads,
            )
        return desk, due

    async def _ask(
        self, desk: Desk, asked: Question, *, before: Mapping[str, Any]
    ) -> tuple[dict[str, Any], timedelta | None]:
        """The state after asking within the budget, and when to try again if that could help.

        An answer that only waits to be verified, as `before` says, is not asked for again.
        """
        model = self.author.model
        tries = int(before.get("tries", 0)) + 1
        allowances = self.author.budget.allowances(self.company_id, self.organization_id)
        day = now().astimezone(UTC).date()
        async with self.database.connection() as connection:
            held = await model_spending.reserve(
                connection, allowances, day=day, tokens=asked.tokens
            )
        if not held:
            kept = {name: before[name] for name in ("answer", "tokens") if name in before}
            return state_of(asked, model, OVER_BUDGET, **kept), _until_tomorrow(now())
        delay: timedelta | None = None
        outcome = WRITTEN
        said = _Said(before.get("answer"), int(before.get("tokens", 0)))
        paid = said.tokens
        more: dict[str, Any] = {}
        try:
            if said.answer is None:
                await self._write(asked, said)
            await self._verify(desk, asked, said)
            taken = said.tokens - paid
        except ModelDidNotAnswer as error:
            log.warning("profile_not_written", section=asked.section, reason=error.reason)
            outcome, more = FAILED, {"reason": error.reason, "tries": tries}
            taken = said.tokens - paid if error.reason in _FREE else asked.tokens
            if tries < _MOST_TRIES:
                delay = _delay(tries, error.retry_after)
        async with self.database.connection() as connection:
            await model_spending.settle(
                connection, allowances, day=day, held=asked.tokens, taken=taken
            )
        return state_of(asked, model, outcome, **said.state(), **more), delay

    async def _write(self, asked: Question, said: "_Said") -> None:
        """Have the model write. Raises ModelDidNotAnswer."""
        answered = await ask(
            self.author.model,
            asked.plan.output,
            instructions=asked.instructions,
            prompt=asked.prompt,
            most_tokens=MOST_TOKENS,
        )
        said.answer = answered.output.model_dump(mode="json")
        said.tokens += answered.input_tokens + answered.output_tokens

    async def _verify(self, desk: Desk, asked: Question, said: "_Said") -> None:
        """Have what it wrote verified. Raises ModelDidNotAnswer."""
        model = self.author.model
        try:
            found = await asyncio.to_thread(
                claims, asked, said.answer or {}, model=model.name, check=desk.check
            )
        except ValidationError as error:
            raise ModelDidNotAnswer("malformed", "An answer of another type.") from error
        verified = await verify(model, found)
        said.tokens += verified.tokens
        said.supported = [
            claim.mark
            for claim, judged in zip(found, verified.judged, strict=True)
            if judged.verdict == "supported"
        ]

    async def _keep(
        self, desk: Desk, each: Writing, asked: Question, body: SectionBody, state: dict[str, Any]
    ) -> None:
        """Put the section in its place; organizations' sections are made of a company's."""
        draft = Draft(each.section, body, each.evidence, tuple(each.kinds))
        made = await asyncio.to_thread(as_written, draft, asked, state, check=desk.check)
        holders = []
        if self.organization_id is None and made.method != EXTRACTIVE:
            holders = await organizations_with(self.database, self.company_id)
        async with self._transaction() as connection:
            await work.hold(connection, self.item)
            kept = await written_sections.keep_answer(
                connection,
                self.company_id,
                stored(made, desk.addresses),
                asked=asked.key,
                organization_id=self.organization_id,
            )
            for organization_id in holders if kept else ():
                await ask_for_organization(connection, organization_id, self.company_id)

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[Connection]:
        if self.organization_id is not None:
            async with self.database.tenant(self.organization_id) as connection:
                yield connection
        else:
            async with self.database.connection() as connection, connection.transaction():
                yield connection


@dataclass
class _Said:
    """What a model wrote, the marks of the claims that a verifier supports, and the tokens of both."""

    answer: dict[str, Any] | None
    tokens: int
    supported: list[str] | None = None

    def state(self) -> dict[str, Any]:
        """What is kept of it."""
        if self.answer is None:
            return {}
        verified = {} if self.supported is None else {"supported": self.supported}
        return {"answer": self.answer, "tokens": self.tokens, **verified}


def _is_due(writing: dict[str, Any]) -> bool:
    outcome = writing["outcome"]
    if outcome == FAILED:
        return int(writing.get("tries", 0)) < _MOST_TRIES
    return outcome in (WAITING, OVER_BUDGET)


def _delay(tries: int, retry_after: float | None) -> timedelta:
    """Growing, and no shorter than the provider asks for."""
    wanted = timedelta(seconds=retry_after or 0)
    growing: timedelta = _FIRST_RETRY * (1 << (tries - 1))
    return min(max(growing, wanted), _LONGEST_RETRY)


def _until_tomorrow(moment: datetime) -> timedelta:
    """Until a minute past the next midnight of UTC, when budgets begin again."""
    start = moment.astimezone(UTC).replace(hour=0, minute=1, second=0, microsecond=0)
    return start + timedelta(days=1) - moment
