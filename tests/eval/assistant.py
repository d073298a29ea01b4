"""Asks the questions of a file and measures the answers: recall, citation precision, refusals, latency.

A row has `company`, `question`, `answer` and `evidence` (patterns; an answer of null must be refused), and
`after`, the questions asked before it in the same conversation.
"""

import json
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from sightline.assistant.turn import extract, open_turn
from sightline.domain.callers import Caller, KeyId, OrganizationId, UserId
from sightline.enrich.submit import read_input, submit
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.queue.runner import Runner
from sightline.reading.stated import normalized
from sightline.sample.load import load_sample
from sightline.sample.web import sample_archive
from sightline.search.retrieve import retriever
from sightline.store.credits import grant
from sightline.store.database import Connection, Database, Tenant
from sightline.store.operation_pages import read_operations
from sightline.store.operations import Asker
from sightline.store.organizations import read_costs
from sightline.worker import handlers


@dataclass
class Measured:
    """What was right; `seconds` of processor time for each answer.

    `cited` counts citations, `verbatim` those whose quote stands in its document, or
    whose place in data is that of a stored fact; `apt` answers whose evidence is what was expected."""

    answerable: int = 0
    right: int = 0
    apt: int = 0
    unanswerable: int = 0
    refused: int = 0
    cited: int = 0
    verbatim: int = 0
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return self.right / self.answerable

    @property
    def refusal(self) -> float:
        return self.refused / self.unanswerable

    @property
    def precision(self) -> float:
        return self.verbatim / self.cited if self.cited else 1.0

    def quantile(self, part: float) -> float:
        return sorted(self.seconds)[int(part * (len(self.seconds) - 1))]

    def report(self) -> str:
        return (
            f"{self.answerable} answerable: recall {self.recall:.3f}, right with the expected evidence"
            f" {self.apt / self.answerable:.3f}; {self.unanswerable} unanswerable: refused"
            f" {self.refusal:.3f}; {self.cited} citations: precision {self.precision:.3f};"
            f" CPU p50 {self.quantile(0.5) * 1000:.0f} ms, p95 {self.quantile(0.95) * 1000:.0f} ms\n"
            + "\n".join(self.wrong)
        )


def read_questions(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def make_caller(organization_id: UUID, *scopes: str) -> Caller:
    return Caller(
        OrganizationId(organization_id), KeyId(uuid4()), UserId(uuid4()), scopes or ("*",),
        "enterprise", 1_000, (), False, {}, None,
    )  # fmt: skip


async def measure(
    database: Database,
    organization_id: UUID,
    questions: Iterable[Mapping[str, Any]],
    companies: Mapping[str, UUID],
) -> Measured:
    """Ask everything once, extractively."""
    made = Measured()
    caller = make_caller(organization_id)
    for row in questions:
        started = time.process_time()
        async with database.tenant(organization_id) as connection:
            turn = await open_turn(
                connection, caller, companies[row["company"]], message=row["question"],
                session_id=None,
            )  # fmt: skip
            earlier = [("user", question) for question in row.get("after", ())]
            said = await extract(replace(turn, history=earlier))
            made.seconds.append(time.process_time() - started)
            for citation in said.citations:
                made.cited += 1
                made.verbatim += await holds(connection, citation)
        made.shown.append(f"{row['company']}: {row['question']}\n  [{said.evidence}] {said.answer}")
        if row["answer"] is None:
            made.unanswerable += 1
            made.refused += said.evidence == "none"
            if said.evidence != "none":
                made.wrong.append(f"answered: {row['question']} -> {said.answer[:160]}")
            continue
        made.answerable += 1
        right = said.evidence != "none" and re.search(row["answer"], said.answer) is not None
        proof = " ".join(f"{c['title']} {c['quote']}" for c in said.citations)
        made.right += right
        made.apt += right and re.search(row["evidence"], proof) is not None
        if not right:
            made.wrong.append(f"wrong: {row['question']} -> {said.answer[:160]}")
        elif not re.search(row["evidence"], proof):
            made.wrong.append(f"other evidence: {row['question']} -> {proof[:160]}")
    return made


async def holds(connection: Connection, citation: Mapping[str, Any]) -> bool:
    """Whether a citation proves something, looked up independently of the assistant."""
    document_id = UUID(citation["document_id"])
    if citation["quote"] is not None:
        text = await connection.fetchval(
            "SELECT body_text FROM documents WHERE document_id = $1", document_id
        )
        return normalized(citation["quote"]) in normalized(text)
    found: bool = await connection.fetchval(
        """
        SELECT EXISTS (SELECT FROM facts WHERE document_id = $1 AND withdrawn_at IS NULL AND (
          pointer = $2 OR concat(value->>'tag', ' ', value->>'label') = $2))
          OR EXISTS (SELECT FROM jobs WHERE document_id = $1 AND title = $2)
        """,
        document_id,
        citation["title"],
    )
    return found


async def load_sample_accounts(
    app: Database, workers: Database, organization_id: OrganizationId
) -> dict[str, UUID]:
    """The bundled companies as accounts, as a first start loads and enriches them; their ids by domain."""
    await load_sample(app, organization_id)
    await load(workers, organization_id, sample_archive(), [])
    async with app.tenant(organization_id) as connection:
        rows = await connection.fetch(
            "SELECT website_domain, company_id FROM accounts WHERE organization_id = $1",
            organization_id,
        )
    return {row["website_domain"]: row["company_id"] for row in rows}


async def load(
    database: Database, organization_id: UUID, folder: Path, asked: Iterable[Mapping[str, str]]
) -> dict[str, UUID]:
    """Enrich, index and profile companies of a recorded web; their ids by the name asked for."""
    fetcher = Fetcher(FetcherConfig(web=f"replay:{folder}", sample_dir=folder))
    runner = Runner(
        database=database,
        handlers=handlers(database, fetcher, encoder=retriever().encoder),
        slots=1,
        per_organization=1,
    )
    operations: dict[str, UUID] = {}
    async with database.tenant(organization_id) as connection:
        await grant(
            Tenant(connection, OrganizationId(organization_id)),
            credit="company",
            amount=100,
            reason="eval",
        )
        costs = await read_costs(Tenant(connection, OrganizationId(organization_id)))
        for values in asked:
            made = await submit(
                Tenant(connection, OrganizationId(organization_id)),
                read_input(dict(values)),
                costs=costs,
                asker=Asker(None, None, None),
            )
            operations[next(iter(values.values()))] = made.operation_id
    while await runner.run_all():
        continue
    await fetcher.close()
    async with database.tenant(organization_id) as connection:
        bodies = await read_operations(
            Tenant(connection, OrganizationId(organization_id)), [*operations.values()]
        )
    by_operation = {
        each["public_operation_id"]: each["company_id"] for each in map(json.loads, bodies)
    }
    found = {name: by_operation[str(one)] for name, one in operations.items()}
    return {name: UUID(one) for name, one in found.items() if one}  # without those not found
