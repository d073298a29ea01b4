"""Sections written by a model: requested, written, and still waiting."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.store import work
from sightline.store.database import Connection
from sightline.store.profiles import StoredSection, organization_subject

WRITE = "write_profile"
WRITE_FOR = "write_organization_profile"
# Whatever a person waits for goes first.
_PRIORITY = 10


@dataclass(frozen=True, slots=True)
class Writing:
    """A stored section (JSON text with sources) and how its writing stands."""

    section: str
    body: str
    evidence: bytes
    kinds: Sequence[str]
    writing: dict[str, Any]


async def read_writings(
    connection: Connection, company_id: UUID, *, organization_id: OrganizationId | None
) -> dict[str, Writing]:
    """The sections that a model wrote, is to write or failed at; of the catalogue, or of an organization."""
    if organization_id is None:
        rows = await connection.fetch(
            """
            SELECT section, body, evidence, kinds, writing FROM profile_sections
            WHERE company_id = $1 AND writing IS NOT NULL ORDER BY section
            """,
            company_id,
        )
    else:
        rows = await connection.fetch(
            """
            SELECT section, body, evidence, '{}'::text[] AS kinds, writing FROM organization_sections
            WHERE organization_id = $1 AND company_id = $2 AND writing IS NOT NULL ORDER BY section
            """,
            organization_id,
            company_id,
        )
    return {row["section"]: Writing(**dict(row)) for row in rows}


async def keep_answer(
    connection: Connection,
    company_id: UUID,
    written: StoredSection,
    *,
    asked: str,
    organization_id: OrganizationId | None,
) -> bool:
    """Put a section as it was written in the place of the one that it was asked for.

    False when that one has been made again meanwhile: nothing is changed then.
    """
    owner = "" if organization_id is None else "organization_id = $13 AND "
    table = "profile_sections" if organization_id is None else "organization_sections"
    values: list[Any] = [
        company_id,
        written.section,
        asked,
        written.state,
        written.method,
        written.body,
        written.plain,
        written.statements,
        written.window_from,
        written.window_until,
        dict(written.writing or {}),
        written.evidence,
    ]
    done = await connection.execute(
        f"""
        UPDATE {table} SET state = $4, method = $5, body = $6, plain = $7, statements = $8,
          window_from = $9, window_until = $10, writing = $11, generated_at = now()
        WHERE {owner}company_id = $1 AND section = $2 AND writing->>'asked' = $3 AND evidence = $12
        """,
        *values,
        *([] if organization_id is None else [organization_id]),
    )
    return bool(done == "UPDATE 1")


async def put_writing(
    connection: Connection,
    company_id: UUID,
    organization_id: OrganizationId | None,
    *,
    delay: timedelta = timedelta(0),
) -> None:
    """Put the writing of a company's sections on the queue."""
    if organization_id is None:
        await work.put(connection, WRITE, str(company_id), priority=_PRIORITY, delay=delay)
        return
    subject = organization_subject(organization_id, company_id)
    await work.put(
        connection,
        WRITE_FOR,
        subject,
        organization_id=organization_id,
        priority=_PRIORITY,
        delay=delay,
    )


async def unwritten(
    connection: Connection, company_ids: Collection[UUID], *, sections: Collection[str], model: str
) -> list[tuple[UUID, str, int]]:
    """(company, section, statements) of the catalogue's sections that the model has not written."""
    rows = await connection.fetch(
        """
        SELECT company_id, section, statements FROM profile_sections
        WHERE company_id = ANY($1::uuid[]) AND section = ANY($2::text[]) AND method <> $3
        ORDER BY company_id, section
        """,
        list(company_ids),
        list(sections),
        model,
    )
    return [tuple(row) for row in rows]


async def wait_again(connection: Connection, company_ids: Collection[UUID]) -> None:
    """Let sections that a model failed at, or had no budget for, wait for it again."""
    await connection.execute(
        """
        UPDATE profile_sections
        SET writing = (writing - 'tries' - 'reason') || '{"outcome": "waiting"}'::jsonb
        WHERE company_id = ANY($1::uuid[]) AND writing->>'outcome' IN ('failed', 'over_budget')
        """,
        list(company_ids),
    )
