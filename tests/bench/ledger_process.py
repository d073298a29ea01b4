"""A process that works on credit ledgers until it is killed, and records the responses."""

import asyncio
import itertools
import os
import random
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.domain.credits import CREDITS, Credit
from sightline.domain.errors import CreditsAreExhausted
from sightline.store.credits import grant, release, reserve, reserve_each, settle
from sightline.store.database import Database, DatabaseIsBusy, Tenant, open_database

CONNECTIONS = 4
# Operations of an organization that are worked on at a time: few, so that processes meet in them.
WINDOW = 24
CALLS_EACH = 8  # calls of an organization after which the window moves on by one
ABANDONED_AFTER = timedelta(seconds=2)


@dataclass(frozen=True)
class Share:
    """What one process works on: organizations by weight."""

    organizations: tuple[UUID, ...]
    weights: tuple[int, ...]
    seed: str
    part: str  # of the run: operations of different parts do not meet
    done: int  # calls of this part before this process began
    connections: int  # of all processes together


@dataclass(frozen=True)
class Step:
    """One call of the ledger: what, on which credit, for which operations."""

    what: str
    credit: Credit
    references: tuple[str, ...]
    amount: int


def amount_of(reference: str) -> int:
    """What an operation reserves, no matter who asks: 1 to 3."""
    return 1 + sum(reference.encode()) % 3


def next_step(chance: random.Random, part: str, *, first: int) -> Step:
    """A call about one of the operations from number `first` on."""
    credit = chance.choice(CREDITS[:2])
    reference = f"{part}{first + chance.randrange(WINDOW)}"
    roll = chance.random()
    if roll < 0.015:
        return Step("grant", credit, (f"g{reference}",), chance.randint(10, 50))
    if roll < 0.05:
        # New operations, as a bulk submission has them: no one else knows their names.
        names = tuple(f"{part}b{chance.getrandbits(64):x}.{n}" for n in range(chance.randint(2, 6)))
        return Step("reserve_each", credit, names, 1)
    if roll < 0.07:
        return Step("expire", credit, (), 0)
    what = chance.choices(("reserve", "settle", "release", "charge"), (50, 20, 15, 15))[0]
    return Step(what, credit, (reference,), amount_of(reference))


async def carry_out(tenant: Tenant, step: Step) -> list[str]:
    """Do a step inside the caller's transaction; answers the operations that it was about."""
    credit = step.credit
    match step.what:
        case "grant":
            await grant(
                tenant,
                credit=credit,
                amount=step.amount,
                reason="test",
                operation=step.references[0],
            )
        case "reserve_each":
            await reserve_each(
                tenant, step.references, credit=credit, amount=step.amount, reason="test"
            )
        case "reserve" | "charge":
            await reserve(
                tenant,
                credit=credit,
                amount=step.amount,
                operation=step.references[0],
                reason="test",
            )
            if step.what == "charge":
                await settle(tenant, credit=credit, operation=step.references[0])
        case "settle":
            await settle(tenant, credit=credit, operation=step.references[0])
        case "release":
            await release(tenant, credit=credit, operation=step.references[0])
        case _:  # what was reserved long ago by someone who died is given back
            rows = await tenant.rows(
                """
                SELECT operation FROM credit_reservations WHERE organization_id = $1 AND credit = $2
                  AND state = 'reserved' AND created_at < now() - $3::interval LIMIT 3
                """,
                credit,
                ABANDONED_AFTER,
            )
            for row in rows:
                await release(tenant, credit=credit, operation=row["operation"])
            return [row["operation"] for row in rows]
    return list(step.references)


async def _work(database: Database, share: Share, journal: int, seed: str) -> None:
    chance, total = random.Random(seed), sum(share.weights)
    for calls in itertools.count():
        at = chance.choices(range(len(share.organizations)), weights=share.weights)[0]
        organization_id = OrganizationId(share.organizations[at])
        so_far = (share.done + calls * share.connections) * share.weights[at] / total
        step = next_step(chance, share.part, first=int(so_far / CALLS_EACH))
        outcome, about = "done", list(step.references)
        note = partial(_note, journal, seed, step, organization_id)
        note("will", about)
        try:
            async with database.tenant(organization_id) as connection:
                about = await carry_out(connection, step)
        except CreditsAreExhausted:
            outcome = "refused"
        except DatabaseIsBusy:
            outcome = "busy"
        except Exception as error:  # written down, and an anomaly
            outcome = f"failed:{type(error).__name__}"
        note(outcome, about)


def _note(
    journal: int,
    who: str,
    step: Step,
    organization_id: OrganizationId,
    outcome: str,
    about: list[str],
) -> None:
    parts = (outcome, who, step.what, str(organization_id), step.credit, ",".join(about))
    os.write(journal, ("\t".join(parts) + "\n").encode())


async def _run(url: str, share: Share, journal: int) -> None:
    database = await open_database(url, size=CONNECTIONS, wait_seconds=30)
    await asyncio.gather(
        *(_work(database, share, journal, f"{share.seed}.{n}") for n in range(CONNECTIONS))
    )


def main(url: str, share: Share, journal: Path) -> None:
    """Work until killed."""
    file = os.open(journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    asyncio.run(_run(url, share, file))
