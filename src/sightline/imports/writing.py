"""Writes an import: the accounts or contacts of a chunk of rows, inside a tenant transaction."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Literal, Protocol
from uuid import UUID

from sightline.imports.account_row import AccountRow
from sightline.imports.contacts_row import ContactRow
from sightline.imports.matching import AccountIndex, wanted_by
from sightline.imports.merging import ImportStamp, merge_row
from sightline.imports.rows import RowProblem
from sightline.imports.undo import Held, changes_of
from sightline.store.account_writes import (
    AccountState,
    account_statements,
    begin_bulk_write,
    find_accounts_by,
)
from sightline.store.catalogue import find_catalogue_companies
from sightline.store.columns import run_ahead
from sightline.store.contact_writes import Outcome, put_contacts
from sightline.store.database import Tenant
from sightline.store.import_changes import change_statements
from sightline.store.imports import begin_dry_run, stage_dry_run


@dataclass(frozen=True)
class Tally:
    """What became of the usable rows of a chunk."""

    created: int
    updated: int
    unchanged: int
    suppressed: int = 0
    problems: list[RowProblem] = field(default_factory=list)


Status = Literal["created", "updated", "unchanged"]


class Writer(Protocol):
    """Writes one kind of row."""

    async def begin(self, tenant: Tenant) -> None:
        """Before the first chunk of a transaction."""

    async def put(self, tenant: Tenant, rows: Sequence[Any], stamp: ImportStamp) -> Tally:
        """Match, merge and write."""


@dataclass(frozen=True)
class AccountWriter:
    """Rows of companies. A dry run works on temporary copies; the accounts are only read.

    `choose` may leave parts of a row out, once it is known which account it is about; `outcomes` are
    what became of the rows of the last chunk, in their order.
    """

    dry_run: bool
    choose: Callable[[AccountRow, AccountState], AccountRow] | None = None
    outcomes: list[tuple[Status, AccountState]] = field(default_factory=list)

    async def begin(self, tenant: Tenant) -> None:
        await begin_bulk_write(tenant)
        if self.dry_run:
            await begin_dry_run(tenant)

    async def put(self, tenant: Tenant, rows: Sequence[AccountRow], stamp: ImportStamp) -> Tally:
        companies = await find_catalogue_companies(
            tenant,
            domains={row.domain for row in rows if row.domain},
            tickers={row.ticker for row in rows if row.ticker},
            name_keys={row.name_key for row in rows if row.named},
        )
        wanted = wanted_by(rows, companies)
        if self.dry_run:
            await stage_dry_run(tenant, wanted)
        states = await find_accounts_by(tenant, wanted)
        index = AccountIndex(states, companies)
        held = {state.account_id: Held.of(state) for state in states}
        created = updated = 0
        touched: dict[UUID, AccountState] = {}
        self.outcomes.clear()
        for said in rows:
            state = index.account_of(said)
            row = self.choose(said, state) if self.choose else said
            is_first = state.is_new and not state.own
            was_changed, state.is_changed = state.is_changed, False
            merge_row(
                state,
                row,
                stamp,
                domains=index.free_domains(row, state),
                references=index.free_references(row, state),
            )
            index.learn(state)
            created += is_first
            updated += state.is_changed and not is_first
            status: Status = "updated" if state.is_changed else "unchanged"
            self.outcomes.append(("created" if is_first else status, state))
            state.is_changed |= was_changed
            touched[state.account_id] = state
        written = list(touched.values())
        changes = changes_of(written, held, import_id=UUID(stamp.import_id))
        accounts = account_statements(tenant.organization_id, written)
        await run_ahead(tenant, chain(accounts, change_statements(tenant.organization_id, changes)))
        return Tally(created, updated, len(rows) - created - updated)


class ContactWriter:
    """Rows of people."""

    async def begin(self, tenant: Tenant) -> None:
        pass

    async def put(self, tenant: Tenant, rows: Sequence[ContactRow], stamp: ImportStamp) -> Tally:
        outcomes = await put_contacts(
            tenant,
            [row.said for row in rows],
            source=stamp.source,
            now=datetime.now(UTC),
            many=True,
            import_id=UUID(stamp.import_id),
        )
        problems = [
            problem
            for row, outcome in zip(rows, outcomes, strict=True)
            for problem in problems_of(row.line, outcome)
        ]
        of = Counter(outcome.status for outcome in outcomes)
        return Tally(of["created"], of["updated"], of["unchanged"], of["suppressed"], problems)


def problems_of(line: int, outcome: Outcome) -> list[RowProblem]:
    """What the report says about a row of a person that was put in."""
    if outcome.status == "suppressed":
        return [RowProblem(line, "", "The person is on the suppression list.", "")]
    found = [
        RowProblem(
            line,
            name,
            "An earlier row of the file has a different value.",
            str(value),
            "value dropped",
        )
        for name, value in outcome.contradictions
        if name not in ("first_name", "last_name")
    ]
    if outcome.clash:
        found.append(RowProblem(line, "", outcome.clash, "", "value dropped"))
    return found
