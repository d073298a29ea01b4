"""Two rows of the catalogue that are one company: merged, and parted again.

Every row that moves is remembered, so that undoing moves exactly those back. What both companies
have (the same document, the same board) stays where it is. What is made of the rows is not moved:
the search index and the profile are made anew on the queue, and documents are read for signals again.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sightline.kit.ids import new_id
from sightline.store.database import Connection

# table -> columns that tell its rows apart within a company, as text, and which of them may collide.
_MOVED: dict[str, tuple[str, str]] = {
    "facts": (
        "fact_id::text",
        "o.document_id = m.document_id AND o.field = m.field AND o.member = m.member"
        " AND o.value = m.value AND coalesce(o.pointer, '') = coalesce(m.pointer, '')",
    ),
    "passages": (
        "document_id::text || ' ' || start_at",
        "o.document_id = m.document_id AND o.start_at = m.start_at",
    ),
    "company_documents": ("document_id::text", "o.document_id = m.document_id"),
    "jobs": ("job_id::text", "o.board = m.board AND o.external_id = m.external_id"),
    "job_boards": ("kind || '/' || token", "o.kind = m.kind AND o.token = m.token"),
    "board_pulls": (
        "board || ' ' || pulled_at::text",
        "o.board = m.board AND o.pulled_at = m.pulled_at",
    ),
    "company_domains": ("domain", "false"),
    "company_identifiers": ("scheme || ' ' || identifier", "o.scheme = m.scheme"),
    # With their tellings, by the foreign key.
    "signals": ("signal_id::text", "o.story_key = m.story_key"),
    "company_changes": ("record_version::text", "o.record_version = m.record_version"),
}
_MADE = ("passage_entries", "passage_segments", "profile_sections")


@dataclass(frozen=True, slots=True)
class Merge:
    """A merge that can be undone."""

    merge_id: UUID
    kept: UUID
    merged: UUID


class CompaniesCannotBeMerged(ValueError):
    """They are one already, or one of them does not exist."""


async def merge_companies(connection: Connection, *, kept: UUID, merged: UUID) -> Merge:
    """Move everything of `merged` to `kept`; the old id answers with `merged_into` from then on.

    Raises CompaniesCannotBeMerged. Runs in the caller's transaction; records are the caller's to
    decide anew.
    """
    rows = await connection.fetch(
        "SELECT company_id, merged_into FROM companies WHERE company_id = ANY($1::uuid[])"
        " ORDER BY company_id FOR UPDATE",
        [kept, merged],
    )
    if kept == merged or len(rows) != 2:
        raise CompaniesCannotBeMerged("Give two different companies of the catalogue.")
    if any(row["merged_into"] is not None for row in rows):
        raise CompaniesCannotBeMerged("One of them is merged into another company already.")
    moved = {table: await _move(connection, table, to=kept, source=merged) for table in _MOVED}
    for table in _MADE:
        await connection.execute(f"DELETE FROM {table} WHERE company_id = $1", merged)
    # The next version of the record must be none that a moved change has.
    await connection.execute(
        """
        UPDATE companies c SET record_version = greatest(c.record_version, o.record_version)
        FROM companies o WHERE c.company_id = $1 AND o.company_id = $2
        """,
        kept,
        merged,
    )
    domain = await connection.fetchval(
        "UPDATE companies c SET website_domain = NULL FROM companies o"
        " WHERE c.company_id = $1 AND o.company_id = $1 RETURNING o.website_domain",
        merged,
    )
    await connection.execute(
        "UPDATE companies SET merged_into = $2 WHERE company_id = $1 OR merged_into = $1",
        merged,
        kept,
    )
    merge_id = new_id()
    await connection.execute(
        "INSERT INTO company_merges (merge_id, kept, merged, moved) VALUES ($1, $2, $3, $4)",
        merge_id,
        kept,
        merged,
        {"rows": moved, "website_domain": domain},
    )
    return Merge(merge_id, kept, merged)


async def undo_merge(connection: Connection, merge_id: UUID) -> Merge:
    """Move back what a merge moved. Raises CompaniesCannotBeMerged when it is undone already."""
    row = await connection.fetchrow(
        """
        UPDATE company_merges SET undone_at = now() WHERE merge_id = $1 AND undone_at IS NULL
        RETURNING kept, merged, moved
        """,
        merge_id,
    )
    if row is None:
        raise CompaniesCannotBeMerged("There is no such merge, or it is undone already.")
    for table, keys in row["moved"]["rows"].items():
        key, _ = _MOVED[table]
        await connection.execute(
            f"UPDATE {table} SET company_id = $1 WHERE company_id = $2 AND {key} = ANY($3::text[])",
            row["merged"],
            row["kept"],
            keys,
        )
    for company_id in (row["kept"], row["merged"]):
        await _forget_others_signals(connection, company_id)
    await connection.execute(
        """
        UPDATE companies SET merged_into = NULL, website_domain =
          CASE WHEN EXISTS (SELECT FROM companies o WHERE o.website_domain = $2) THEN NULL ELSE $2 END
        WHERE company_id = $1
        """,
        row["merged"],
        row["moved"]["website_domain"],
    )
    return Merge(merge_id, row["kept"], row["merged"])


async def _forget_others_signals(connection: Connection, company_id: UUID) -> None:
    """Drop what documents told that are not the company's any more, and have all its own read anew."""
    others = (
        "document_id IS NOT NULL AND NOT EXISTS (SELECT FROM company_documents c"
        " WHERE c.company_id = $1 AND c.document_id = t.document_id)"
    )
    for table in ("signal_tellings", "signals"):
        await connection.execute(
            f"DELETE FROM {table} t WHERE company_id = $1 AND {others}", company_id
        )
    await connection.execute("DELETE FROM signal_readings WHERE company_id = $1", company_id)


async def _move(connection: Connection, table: str, *, to: UUID, source: UUID) -> list[Any]:
    """Move the rows of a table that do not collide; answers their keys."""
    key, collides = _MOVED[table]
    rows = await connection.fetch(
        f"""
        UPDATE {table} m SET company_id = $1 WHERE m.company_id = $2
          AND NOT EXISTS (SELECT FROM {table} o WHERE o.company_id = $1 AND {collides})
        RETURNING {key} AS key
        """,
        to,
        source,
    )
    return [row["key"] for row in rows]
