"""Work: let a model write the sections that wait for it, each once and within a budget.

An answer that waits to be verified is kept, so that it is paid once.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import Any, Final
from uuid import UUID

import structlog
from pydantic import ValidationError

from sightline.domain.callers import OrganizationId
from sightline.kit.clock import now
from sightline.llm.asking import ModelDidNotAnswer, ask
from sightline.llm.spending import FREE, until_tomorrow
from sightline.profile.author import (
    FAILED,
    OVER_BUDGET,
    TOO_LITTLE,
    WAITING,
    WRITTEN,
    Author,
    ask_for_organization,
    organizations_with,
    ours,
    state_of,
    texts_of,
    trusted,
)
from sightline.profile.build import Draft, stored
from sightline.profile.checker import Checker, checker_of
from sightline.profile.contract import EXTRACTIVE, SectionBody
from sightline.profile.evidence import Quote
from sightline.profile.gather import gather, read_seller
from sightline.profile.printing import Address, quotes_of, read_body
from sightline.profile.registry import PLANS
from sightline.profile.seller import Seller
from sightline.profile.sentences import spaced
from sightline.profile.writer import MOST_TOKENS, Question, put_together, question, read_answer
from sightline.reading.proof import verify
from sightline.store import model_spending, profile_evidence, profiles, work, written_sections
from sightline.store.database import Connection, Database
from sightline.store.written_sections import Writing

log = structlog.get_logger()

_MOST_TRIES: Final = 3
_FIRST_RETRY: Final = timedelta(minutes=5)
_LONGEST_RETRY: Final = timedelta(hours=6)


async def write_profile(database: Database, author: Author, item: work.Work) -> None:
    """Write the sections that wait, of a company or of an organization for one."""
    organization, _, company = item.subject.rpartition("/")
    organization_id = OrganizationId(UUID(organization)) if organization else None
    await _Run(database, author, item, UUID(company), organization_id).run()


@dataclass(frozen=True)
class _Desk:
    """What questions about one company are put and judged with."""

    company: str
    built: Mapping[str, SectionBody]
    ours: str
    texts: Mapping[UUID, str]
    addresses: Mapping[UUID, Address]
    check: Checker

    def question(self, each: Writing, told: Sequence[str]) -> Question | None:
        plain = {key: spaced(text) for key, text in self.texts.items()}
        return question(
            PLANS[each.section],
            read_body(each.body),
            built=self.built,
            leads=_leads_of(each),
            company=self.company,
            ours=self.ours,
            text_of=plain.get,
            addresses=self.addresses,
            told=told,
        )


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
        told: list[str] = []
        for each in due if desk is not None else ():
            assert desk is not None
            asked = await asyncio.to_thread(desk.question, each, told)
            body: SectionBody | None = None
            if asked is None:
                state = state_of(each.writing["asked"], self.author.model, TOO_LITTLE)
            else:
                state, body, delay = await self._ask(desk, each, asked)
                delays += [delay] if delay is not None else []
                if isinstance(body, list):  # an overview may be told at length elsewhere
                    told += [str(row["description"]) for row in body if row.get("description")]
            await self._keep(desk, each, body, state)
            if state["outcome"] == OVER_BUDGET:
                break
        async with self._transaction() as connection:
            if delays:
                await written_sections.put_writing(
                    connection, self.company_id, self.organization_id, delay=min(delays)
                )
            await work.finish(connection, self.item)

    async def _read(self) -> tuple[_Desk | None, list[Writing]]:
        """The desk and the sections to be written."""
        async with self._transaction() as connection:
            gathered = await gather(connection, self.company_id, now=now())
            found = await written_sections.read_writings(
                connection, self.company_id, organization_id=self.organization_id
            )
            due = [each for each in found.values() if _is_due(each.writing)]
            if gathered is None or not due or await trusted(connection, self.author) is None:
                return None, []
            evidence = gathered.evidence
            seller, built = await self._of_organization(connection)
            bodies = [*(read_body(each.body) for each in due), *built.values()]
            cited = {quote.document_id for body in bodies for quote in quotes_of(body)}
            cited |= {lead.document_id for each in due for lead in _leads_of(each)}
            held = await texts_of(connection, evidence, cited, known={})
            addresses = await profile_evidence.document_addresses(connection, cited)
            check = checker_of(evidence, held.get, known=seller.words if seller else "")
        return _Desk(evidence.name, built, ours(seller), held, addresses, check), due

    async def _of_organization(
        self, connection: Connection
    ) -> tuple[Seller | None, dict[str, SectionBody]]:
        """What an organization sells, and the company's sections that its own are made of."""
        if self.organization_id is None:
            return None, {}
        seller, _ = await read_seller(connection, self.organization_id)
        texts = await profiles.stored_bodies(connection, self.company_id)
        return seller, {name: read_body(text) for name, text in texts.items()}

    async def _ask(
        self, desk: _Desk, each: Writing, asked: Question
    ) -> tuple[dict[str, Any], SectionBody | None, timedelta | None]:
        """The state after asking within the budget, the section as it was written, and when to try again
        if that could help. An answer that only waits to be verified is not asked for again."""
        model, before = self.author.model, each.writing
        allowances = self.author.budget.allowances(self.company_id, self.organization_id)
        day = now().astimezone(UTC).date()
        held: dict[str, Any] = {
            name: before[name] for name in ("answer", "tokens", "leads") if name in before
        }
        async with self.database.connection() as connection:
            has_budget = await model_spending.reserve(
                connection, allowances, day=day, tokens=asked.tokens
            )
        if not has_budget:
            return (
                state_of(before["asked"], model, OVER_BUDGET, **held),
                None,
                until_tomorrow(now()),
            )
        paid, taken = int(before.get("tokens", 0)), asked.tokens
        delay: timedelta | None = None
        body: SectionBody | None = None
        try:
            if "answer" not in held:
                answered = await ask(
                    model,
                    asked.plan.output,
                    instructions=asked.instructions,
                    prompt=asked.prompt,
                    most_tokens=MOST_TOKENS,
                )
                held["answer"] = answered.output.model_dump(mode="json")
                held["tokens"] = answered.input_tokens + answered.output_tokens
            body, counts = await self._verified(desk, each, asked, held)
            outcome, more = WRITTEN if body is not None else TOO_LITTLE, counts
            taken = held["tokens"] - paid
            held.pop("answer")
        except ModelDidNotAnswer as error:
            log.warning("profile_not_written", section=each.section, reason=error.reason)
            tries = int(before.get("tries", 0)) + 1
            outcome, more = FAILED, {"reason": error.reason, "tries": tries}
            taken = held.get("tokens", 0) - paid if error.reason in FREE else taken
            if tries < _MOST_TRIES:
                delay = _delay(tries, error.retry_after)
        async with self.database.connection() as connection:
            await model_spending.settle(
                connection, allowances, day=day, held=asked.tokens, taken=taken
            )
        return state_of(before["asked"], model, outcome, **held, **more), body, delay

    async def _verified(
        self, desk: _Desk, each: Writing, asked: Question, held: dict[str, Any]
    ) -> tuple[SectionBody | None, dict[str, Any]]:
        """What is left of an answer, and the counts of its statements. Raises ModelDidNotAnswer."""
        model = self.author.model
        try:
            said = await asyncio.to_thread(
                read_answer, asked, held["answer"], model=model.name, check=desk.check
            )
        except ValidationError as error:
            raise ModelDidNotAnswer("malformed", "An answer of another type.") from error
        claims = {one.claim.mark: one.claim for one in said if one.claim and not one.fault}
        verified = await verify(model, list(claims.values()))
        held["tokens"] += verified.tokens
        judged = zip(claims, verified.judged, strict=True)
        supported = {mark for mark, each in judged if each.verdict == "supported"}
        made = await asyncio.to_thread(
            put_together, asked, said, model=model.name, supported=supported
        )
        counts = {"kept": made.kept, "dropped": len(made.dropped)}
        if made.dropped:
            first = made.dropped[0]
            log.info("written_statements_dropped", section=each.section, first=first, **counts)
        return made.body, counts

    async def _keep(
        self, desk: _Desk, each: Writing, body: SectionBody | None, state: dict[str, Any]
    ) -> None:
        """Put the section in its place; organizations' sections are made of a company's."""
        made = Draft(
            each.section,
            read_body(each.body) if body is None else body,
            each.evidence,
            tuple(each.kinds),
            method=EXTRACTIVE if body is None else self.author.model.name,
            writing=state,
        )
        holders = []
        if self.organization_id is None and body is not None:
            holders = await organizations_with(self.database, self.company_id)
        async with self._transaction() as connection:
            await work.hold(connection, self.item)
            kept = await written_sections.keep_answer(
                connection,
                self.company_id,
                stored(made, desk.addresses),
                asked=each.writing["asked"],
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


def _leads_of(each: Writing) -> list[Quote]:
    """What a model is shown besides the statements, as it is kept with the state of the writing."""
    return [Quote(UUID(document), text) for document, text in each.writing.get("leads", ())]


def _is_due(writing: Mapping[str, Any]) -> bool:
    outcome = writing["outcome"]
    if outcome == FAILED:
        return int(writing.get("tries", 0)) < _MOST_TRIES
    return outcome in (WAITING, OVER_BUDGET)


def _delay(tries: int, retry_after: float | None) -> timedelta:
    """Growing, and no shorter than the provider asks for."""
    wanted = timedelta(seconds=retry_after or 0)
    growing: timedelta = _FIRST_RETRY * (1 << (tries - 1))
    return min(max(growing, wanted), _LONGEST_RETRY)
