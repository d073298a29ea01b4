"""Work: let a model write the sections of a profile that wait for it, all at once and within a budget.

Drafts that wait to be verified or edited are kept, so that they are paid once.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from itertools import chain
from typing import Any, Final
from uuid import UUID

import structlog

from sightline.domain.callers import OrganizationId
from sightline.kit.clock import now
from sightline.llm.asking import ModelDidNotAnswer, ask
from sightline.llm.spending import FREE, BudgetIsSpent, held, until_tomorrow
from sightline.profile.author import (
    FAILED,
    OVER_BUDGET,
    TOO_LITTLE,
    WAITING,
    WRITTEN,
    Author,
    ask_for_organization,
    further_rows,
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
from sightline.profile.material import MOST_TOKENS, Material, lined, numbered, page_of
from sightline.profile.plans import Edits, Entries
from sightline.profile.printing import Address, quotes_of, read_body
from sightline.profile.registry import PLANS
from sightline.profile.writer import (
    Said,
    Written,
    desk_of,
    edit_request,
    edited,
    fitting,
    judged,
    mending,
    put_together,
    read,
    without_repeats,
)
from sightline.reading.proof import verify
from sightline.store import profile_evidence, profiles, work, written_sections
from sightline.store.database import Connection, Database, Tenant
from sightline.store.profiles import StoredSection
from sightline.store.written_sections import Writing

log = structlog.get_logger()

_MOST_TRIES: Final = 3
_LONGER: Final = 4  # than another answer a draft may take
_FIRST_RETRY: Final = timedelta(minutes=5)
_LONGEST_RETRY: Final = timedelta(hours=6)


async def write_profile(database: Database, author: Author, item: work.Work) -> None:
    """Write the sections that wait, of a company or of an organization for one."""
    organization, _, company = item.subject.rpartition("/")
    organization_id = OrganizationId(UUID(organization)) if organization else None
    await _Run(database, author, item, UUID(company), organization_id).run()


@dataclass(frozen=True)
class _Desk:
    """What one profile is written from and judged with; `due` are its sections as they wait."""

    due: Sequence[Writing]
    material: Material
    addresses: Mapping[UUID, Address]
    check: Checker


@dataclass
class _Drafted:
    """What a model has drafted, request by request, and the tokens that all has taken."""

    answers: list[dict[str, Any]]
    tokens: int


@dataclass(frozen=True)
class _Run:
    """One piece of work. No connection is held while the model thinks."""

    database: Database
    author: Author
    item: work.Work
    company_id: UUID
    organization_id: OrganizationId | None

    async def run(self) -> None:
        desk = await self._read()
        kept, delay = await self._write(desk) if desk is not None else ([], None)
        is_written = any(each.method != EXTRACTIVE for each, _ in kept)
        holders: list[OrganizationId] = []
        if is_written and self.organization_id is None:  # their sections are made of these
            holders = await organizations_with(self.database, self.company_id)
        async with self._transaction() as connection:
            await work.hold(connection, self.item)
            for each, asked in kept:
                await written_sections.keep_answer(
                    connection,
                    self.company_id,
                    each,
                    asked=asked,
                    organization_id=self.organization_id,
                )
            for organization_id in holders:
                await ask_for_organization(Tenant(connection, organization_id), self.company_id)
            if delay is not None:
                await written_sections.put_writing(
                    connection, self.company_id, self.organization_id, delay=delay
                )
            await work.finish(connection, self.item)

    async def _read(self) -> _Desk | None:
        """The desk; None where nothing waits or the model is not trusted."""
        async with self._transaction() as connection:
            gathered = await gather(connection, self.company_id, now=now())
            found = await written_sections.read_writings(
                connection, self.company_id, organization_id=self.organization_id
            )
            due = [found[name] for name in PLANS if name in found and _is_due(found[name].writing)]
            if gathered is None or not due or await trusted(connection, self.author) is None:
                return None
            stored_bodies = await profiles.stored_bodies(connection, self.company_id)
            of_company = {name: read_body(text) for name, text in stored_bodies.items()}
            seller = None
            if self.organization_id is not None:
                seller, _ = await read_seller(Tenant(connection, self.organization_id))
            # An organization's own sections are made of the company's.
            further = further_rows(gathered.evidence, of_company if seller is not None else {})
            further += [{"sources": _leads_of(each)} for each in due]
            bodies = {each.section: read_body(each.body) for each in due}
            quotes = chain(quotes_of(further), *map(quotes_of, bodies.values()))
            cited = {quote.document_id for quote in quotes}
            held = await texts_of(connection, gathered.evidence, cited, known={})
            addresses = await profile_evidence.document_addresses(connection, cited)
        known, name = seller.words if seller else "", gathered.evidence.name
        check = checker_of(gathered.evidence, held.get, known=known)
        plain = dict(zip(held, map(lined, held.values()), strict=True))
        passages = await asyncio.to_thread(numbered, bodies, further, plain.get, addresses)
        page = page_of({name: each for name, each in of_company.items() if name not in bodies})
        plans = {name: PLANS[name] for name in bodies}
        material = Material(name, ours(seller), plans, bodies, passages, page)
        return _Desk(due, material, addresses, check)

    async def _write(self, desk: _Desk) -> tuple[list[tuple[StoredSection, str]], timedelta | None]:
        """The sections as they were written within the budget, with the mark of what was asked, and when to
        try again if that could help. What was answered before a failure is kept with the first and not asked
        for again."""
        first = desk.due[0].writing
        allowances = self.author.budget.allowances(self.company_id, self.organization_id)
        drafted = _Drafted(list(first.get("answer") or ()), int(first.get("tokens") or 0))
        paid, tries = drafted.tokens, int(first.get("tries") or 0) + 1
        delay: timedelta | None = None
        made: dict[str, Written] = {}
        outcome, more = FAILED, dict[str, Any](tries=tries - 1)
        try:
            async with held(self.database, allowances, tokens=desk.material.tokens) as spending:
                try:
                    made = await self._written(desk, drafted, is_last=tries == _MOST_TRIES)
                    spending.tokens, more = drafted.tokens - paid, {}
                except ModelDidNotAnswer as error:
                    log.warning("profile_not_written", reason=error.reason)
                    more = {"reason": error.reason, "tries": tries}
                    if error.reason in FREE:
                        spending.tokens = drafted.tokens - paid
                    delay = _delay(tries, error.retry_after) if tries < _MOST_TRIES else None
        except BudgetIsSpent:
            outcome, delay = OVER_BUDGET, until_tomorrow(now())
        more |= {"tokens": drafted.tokens}
        answers = {} if made else {"answer": drafted.answers}
        kept = []
        for each in desk.due:
            one = made.get(each.section)
            if one is None:
                state = {**more, **answers, "leads": each.writing.get("leads", ())}
                answers = {}
            else:
                outcome = TOO_LITTLE if one.body is None else WRITTEN
                state = {**more, "kept": one.kept, "dropped": one.dropped}
            kept.append(self._kept(desk, each, one.body if one else None, outcome, state))
        return kept, delay

    def _kept(
        self,
        desk: _Desk,
        each: Writing,
        body: SectionBody | None,
        outcome: str,
        state: Mapping[str, Any],
    ) -> tuple[StoredSection, str]:
        """A section as it is stored, and the mark of what was asked; None leaves it as it was made."""
        model, asked = self.author.model, each.writing["asked"]
        made = Draft(
            each.section,
            read_body(each.body) if body is None else body,
            each.evidence,
            tuple(each.kinds),
            method=EXTRACTIVE if body is None else model.name,
            writing=state_of(asked, model, outcome, **state),
        )
        return stored(made, desk.addresses), asked

    async def _written(
        self, desk: _Desk, drafted: _Drafted, *, is_last: bool
    ) -> dict[str, Written]:
        """The sections, drafted, verified and edited; what that takes is added to what was `drafted`
        before. Raises ModelDidNotAnswer."""
        material = desk.material
        found = await self._drafted(desk, drafted, 0, material.prompt)
        refused = [each for each in found if each.fault and not (each.is_proven or each.is_final)]
        if refused:
            try:
                found += await self._drafted(desk, drafted, 1, mending(material, refused))
            except ModelDidNotAnswer as error:
                log.warning("profile_not_mended", reason=error.reason)
        found = without_repeats(material, found)
        found = fitting(material, await self._edited(desk, found, drafted, is_last=is_last))
        faults = [
            f"{each.section}: {each.entry.name}: {each.fault}" for each in found if each.fault
        ]
        log.info("profile_written", dropped=faults, mended=len(refused))
        return put_together(material, found, model=self.author.model.name)

    async def _drafted(
        self, desk: _Desk, drafted: _Drafted, number: int, prompt: str
    ) -> list[Said]:
        """The statements of one request, as a verifier judges them; what was answered before is not asked
        for again. Raises ModelDidNotAnswer."""
        model = self.author.model
        if number == len(drafted.answers):
            said = await ask(
                replace(model, seconds=_LONGER * model.seconds),
                Entries,
                instructions=desk.material.instructions,
                prompt=prompt,
                most_tokens=MOST_TOKENS,
            )
            drafted.answers.append(said.output.model_dump(mode="json"))
            drafted.tokens += said.input_tokens + said.output_tokens
        entries = Entries.model_validate(drafted.answers[number]).entries
        prove = partial(read, desk.material, model=model.name, check=desk.check)
        found = await asyncio.to_thread(lambda: [prove(each) for each in entries])
        claims = {one.claim.mark: one.claim for one in found if one.claim and not one.fault}
        verified = await verify(model, list(claims.values()), use=desk.material.use)
        drafted.tokens += verified.tokens
        return judged(desk.material, found, dict(zip(claims, verified.judged, strict=True)))

    async def _edited(
        self,
        desk: _Desk,
        found: Sequence[Said],
        drafted: _Drafted,
        *,
        is_last: bool,
    ) -> Sequence[Said]:
        """The statements with what an editor leaves out: nothing where his answer cannot be read, or where
        he does not answer and this is the last try. Raises ModelDidNotAnswer."""
        shown = desk_of(desk.material, [each for each in found if each.fault is None])
        if not shown.judged:
            return found
        instructions, prompt = edit_request(desk.material, shown)
        try:
            said = await ask(
                self.author.model,
                Edits,
                instructions=instructions,
                prompt=prompt,
                most_tokens=MOST_TOKENS,
            )
        except ModelDidNotAnswer as error:
            if error.reason != "malformed" and not is_last:
                raise
            return found
        drafted.tokens += said.input_tokens + said.output_tokens
        return edited(desk.material, found, said.output, shown)

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[Connection]:
        if self.organization_id is not None:
            async with self.database.tenant(self.organization_id) as connection:
                yield connection
        else:
            async with self.database.connection() as shared, shared.transaction():
                yield shared


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
