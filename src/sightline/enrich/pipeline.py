"""One enrichment operation from its input to a proven record: identify, ask every source, decide.

Everything is written under the fence of the claim on the work. What a killed worker had stored stays
(evidence is evidence, and storing it again changes nothing); what decides - the record, the account,
the charge, the end of the operation - is one transaction.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import structlog

from sightline.domain.callers import OrganizationId
from sightline.enrich import identify
from sightline.enrich.finish import finish_operation, settle_company
from sightline.enrich.industry import ask_for_industry
from sightline.enrich.target import IDENTIFIERS, target_of
from sightline.enrich.unite import unite
from sightline.kit.clock import rfc3339
from sightline.kit.fetch.client import Fetcher
from sightline.kit.tracing import span
from sightline.sources.context import EvidenceContext
from sightline.sources.contract import RecordIsUnusable, Source, SourceIsAway, Target
from sightline.sources.fenced import fenced
from sightline.sources.parsing import PARSERS, Parsers
from sightline.store import catalogue, operations
from sightline.store.database import Database
from sightline.store.operations import Operation
from sightline.store.source_states import disabled_sources
from sightline.store.work import Work, finish, hold

log = structlog.get_logger()

# Steps that take less are noted with the next: no one polls as often.
_NOTE_SECONDS = 0.1
# Whether a source gave anything, and whether anything could not be read -> how its step ended.
_OUTCOMES = {
    (True, False): "succeeded",
    (True, True): "partial",
    (False, False): "nothing_found",
    (False, True): "failed",
}


@dataclass
class Step:
    """A step of an operation, as its polls see it."""

    name: str
    source: str | None
    status: str = "pending"  # pending, running, succeeded, nothing_found, skipped, failed
    started_at: datetime | None = None
    finished_at: datetime | None = None
    found: Mapping[str, int] = field(default_factory=dict)
    error: str | None = None
    notes: tuple[str, ...] = ()
    cpu_seconds: float | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "source": self.source,
            "status": self.status,
            "started_at": _time(self.started_at),
            "finished_at": _time(self.finished_at),
            "found": dict(self.found),
            "error": self.error,
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Enrichment:
    """Runs enrichment operations with the sources of the registry. `asks_model`: one reads the industry
    afterwards, as work of its own, where no source says it."""

    database: Database
    fetcher: Fetcher
    sources: Sequence[Source]
    parsers: Parsers = PARSERS
    asks_model: bool = False

    async def run(self, work: Work) -> None:
        """The handler of a claimed operation."""
        organization_id = OrganizationId(work.organization_id)
        operation_id = UUID(work.subject)
        async with self.database.tenant(organization_id) as connection:
            await hold(connection, work)
            operation = await operations.load(connection, operation_id)
            if operation is None or operation.status in operations.FINISHED:
                await finish(connection, work)
                return
            if not operation.cancel_requested:
                await operations.start(
                    connection, operation_id, fence=work.fence, total=len(self.sources) + 2
                )
        run = _Run(self, work, organization_id, operation)
        if operation.cancel_requested:
            await run.end("cancelled")
            return
        with span("enrichment", request_id=operation.request_id, operation_id=operation_id):
            await run.go()


class _Run:
    """One operation under way."""

    def __init__(
        self,
        enrichment: Enrichment,
        work: Work,
        organization_id: OrganizationId,
        operation: Operation,
    ) -> None:
        self._enrichment = enrichment
        self._database = enrichment.database
        self._work = work
        self._organization_id = organization_id
        self._operation = operation
        self._steps = [Step("identify", None)]
        self._steps += [Step("collect", source.name) for source in enrichment.sources]
        self._steps.append(Step("decide", None))
        self._company_id: UUID | None = None
        self._noted_at = 0.0

    async def go(self) -> None:
        async with self._database.tenant(self._organization_id) as connection:
            disabled = await disabled_sources(connection, self._organization_id)
        sources = [source for source in self._enrichment.sources if source.name not in disabled]
        found = await self._identify(sources)
        self._company_id = found.company_id
        if await self._note_progress(found.as_json()):
            await self.end("cancelled")
            return
        if found.company_id is None:
            code = "company_ambiguous" if found.status == "ambiguous" else "company_not_found"
            await self.end("failed", error={"code": code, "message": found.reason})
            return
        async with self._database.connection() as connection:
            target = await target_of(connection, found.company_id)
        for step, source in zip(self._steps[1:-1], self._enrichment.sources, strict=True):
            if source.name in disabled:
                step.status, step.notes = "skipped", ("The source is turned off.",)
                continue
            _begin(step)
            if await self._is_cancelled():
                step.started_at = None
                await self.end("cancelled")
                return
            if await self._collect(step, source, target):
                async with self._database.connection() as connection:
                    target = await target_of(connection, found.company_id)
        if await self._is_cancelled():
            await self.end("cancelled")
            return
        await self._decide(target)

    async def end(self, status: operations.OperationStatus, *, error: Any = None) -> None:
        """End without a record: whatever is held is released, and steps not tried say so."""
        for step in self._steps:
            if step.status in ("pending", "running"):
                step.status = "skipped"
                step.notes = (*step.notes, "Not tried: the operation had ended.")
        async with self._database.tenant(self._organization_id) as connection:
            await hold(connection, self._work)
            await operations.note_progress(
                connection,
                self._operation.operation_id,
                steps=[step.as_json() for step in self._steps],
                done=len(self._steps),
                company_id=self._company_id,
                match=None,
            )
            await finish_operation(
                connection, self._operation, status=status, company_id=None, error=error
            )
            await finish(connection, self._work)

    async def _identify(self, sources: Sequence[Source]) -> identify.Found:
        step = self._steps[0]
        _begin(step)
        found = await identify.identify(
            self._database,
            self._organization_id,
            self._operation.input,
            sources=sources,
            context=lambda source: EvidenceContext(
                source.manifest,
                self._enrichment.fetcher,
                self._database,
                self._work,
                None,
                parsers=self._enrichment.parsers,
            ),
            work=self._work,
        )
        step.notes = found.notes
        _finish(step, "succeeded" if found.company_id else "nothing_found")
        return found

    async def _collect(self, step: Step, source: Source, target: Target) -> bool:
        """Run one source; returns whether anything new is known of the company now."""
        context = EvidenceContext(
            source.manifest,
            self._enrichment.fetcher,
            self._database,
            self._work,
            target,
            parsers=self._enrichment.parsers,
        )
        try:
            target = await identify.link(context, source, target)
            if not source.applies(target):
                _finish(step, "skipped")
                step.notes = ("No identifier or URL of the company leads there.",)
                return context.learned
            with span("source", source=source.name, company_id=target.company_id):
                await source.collect(context, target)
            got = sum(context.counts[each] for each in ("values", "postings", "unchanged", "fresh"))
            unread = context.counts["quarantined"] or context.counts["unreachable"]
            _finish(step, _OUTCOMES[bool(got), bool(unread)])
            if not got and (why := context.unreached()):
                step.error = why if unread else None
                context.note(why)
        except SourceIsAway as error:
            step.error = str(error)
            got = context.counts["values"] + context.counts["postings"]
            _finish(step, _OUTCOMES[bool(got), True])
        except RecordIsUnusable as error:
            step.error = str(error)
            failed = context.counts["failed"] or context.counts["quarantined"]
            _finish(step, _OUTCOMES[False, bool(failed)])
        finally:
            step.found = {k: v for k, v in sorted(context.counts.items()) if v}
            step.notes = (*step.notes, *context.notes)[:20]
            await context.flush(error=step.error)
        return context.learned

    async def _unite(self, target: Target) -> tuple[str, ...]:
        """Make the company one with whichever other bears the same entry or has the same website, by
        what the sources said; returns what to tell of it."""
        identifiers = {k: v for k, v in target.identifiers.items() if k in IDENTIFIERS}
        sites = target.facts.get("website_domain", ())[:1]
        async with fenced(self._database, self._work) as connection:
            union = await unite(
                connection, target.company_id, domains=sites, identifiers=identifiers
            )
        self._company_id = union.company_id
        return tuple(union.notes)

    async def _decide(self, target: Target) -> None:
        step = self._steps[-1]
        _begin(step)
        status = self._outcome()
        step.notes = await self._unite(target)
        async with self._database.tenant(self._organization_id) as connection:
            await hold(connection, self._work)
            company_id = await catalogue.hold_company(connection, target.company_id)
            found = await settle_company(connection, company_id)
            if found is None:
                step.notes += ("Nothing has changed since the last enrichment.",)
            elif self._enrichment.asks_model:
                await ask_for_industry(connection, company_id)
            step.found = found or {}
            _finish(step, "succeeded")
            # Until this moment, those who asked for it were answered that it will be.
            if await operations.note_progress(
                connection,
                self._operation.operation_id,
                steps=[each.as_json() for each in self._steps],
                done=len(self._steps),
                company_id=company_id,
                match=None,
            ):
                status = "cancelled"
            nothing = {"code": "nothing_found", "message": "No source has more about the company."}
            await finish_operation(
                connection,
                self._operation,
                status=status,
                company_id=company_id if status in ("succeeded", "partial") else None,
                error=nothing if status == "failed" else None,
                decided=found is not None,
            )
            await finish(connection, self._work)

    def _outcome(self) -> operations.OperationStatus:
        got = any(s.status in ("succeeded", "partial") for s in self._steps[1:-1])
        failed = any(s.status in ("failed", "partial") for s in self._steps[1:-1])
        if got:
            return "partial" if failed else "succeeded"
        return "failed"

    async def _is_cancelled(self) -> bool:
        """Whether someone asked for that; looked up, and progress noted, when the last time is past."""
        if time.monotonic() - self._noted_at < _NOTE_SECONDS:
            return False
        return await self._note_progress()

    async def _note_progress(self, match: Mapping[str, Any] | None = None) -> bool:
        """Record how far it is; True when someone asked for it to be cancelled."""
        self._noted_at = time.monotonic()
        async with self._database.tenant(self._organization_id) as connection:
            await hold(connection, self._work)
            return await operations.note_progress(
                connection,
                self._operation.operation_id,
                steps=[step.as_json() for step in self._steps],
                done=sum(step.finished_at is not None for step in self._steps),
                company_id=self._company_id,
                match=match,
            )


def _begin(step: Step) -> None:
    step.status, step.started_at = "running", datetime.now(UTC)
    step.cpu_seconds = time.process_time()


def _finish(step: Step, status: str) -> None:
    step.status, step.finished_at = status, datetime.now(UTC)
    if step.cpu_seconds is not None:
        step.cpu_seconds = time.process_time() - step.cpu_seconds
        log.debug("step", name=step.name, source=step.source, status=status, cpu=step.cpu_seconds)


def _time(moment: datetime | None) -> str | None:
    return rfc3339(moment) if moment else None
