"""Merges two rows of the catalogue that are the same company, and undoes merges.

Every row that moves is remembered, so that undoing moves exactly those back, also when what they went
to was merged in its turn. What both companies have (the same document, the same board) stays where it
is. What is made of the rows is not moved: the search index and the profile are made again on the queue,
and documents are read for signals again. What organizations keep is moved by `store.account_merges`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sightline.kit.ids import new_id
from sightline.store.catalogue import begin_making
from sightline.store.companies import ids_of
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
    # With their mentions, by the foreign key.
    "signals": ("signal_id::text", "o.story_key = m.story_key"),
    "company_changes": ("record_version::text", "o.record_version = m.record_version"),
}
_MADE = ("indexed_passages", "passage_indexes", "profile_sections")


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
    decide again.
    """
    await begin_making(connection)
    rows = await connection.fetch(
        "SELECT company_id, merged_into, website_domain FROM companies"
        " WHERE company_id = ANY($1::uuid[]) ORDER BY company_id FOR UPDATE",
        [kept, merged],
    )
    if kept == merged or len(rows) != 2:
        raise CompaniesCannotBeMerged("Give two different companies of the catalogue.")
    if any(row["merged_into"] is not None for row in rows):
        raise CompaniesCannotBeMerged("One of them is merged into another company already.")
    domains = {row["company_id"]: row["website_domain"] for row in rows}
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
    aliases = await connection.fetch(
        "UPDATE companies SET merged_into = $2 WHERE merged_into = $1 RETURNING company_id",
        merged,
        kept,
    )
    await connection.execute(
        "UPDATE companies SET merged_into = $2, website_domain = NULL WHERE company_id = $1",
        merged,
        kept,
    )
    await _give_domain(connection, kept, domains[merged])
    merge_id = new_id()
    await connection.execute(
        "INSERT INTO company_merges (merge_id, kept, merged, moved) VALUES ($1, $2, $3, $4)",
        merge_id,
        kept,
        merged,
        {
            "rows": moved,
            "website_domain": domains[merged],
            "kept_website_domain": domains[kept],
            "aliases": [str(row["company_id"]) for row in aliases],
        },
    )
    return Merge(merge_id, kept, merged)


async def moved_rows(connection: Connection, merge_id: UUID) -> dict[str, set[str]]:
    """Keys of the rows that a merge moved, by table: of signals their ids, of changes their versions."""
    moved = await connection.fetchval(
        "SELECT moved -> 'rows' FROM company_merges WHERE merge_id = $1", merge_id
    )
    return {table: set(keys) for table, keys in moved.items()}


async def was_undone(connection: Connection, one: UUID, other: UUID) -> bool:
    """Whether a merge of two companies, under whichever of their ids, was undone."""
    found: bool = await connection.fetchval(
        f"""
        SELECT EXISTS (SELECT FROM company_merges WHERE undone_at IS NOT NULL
          AND (kept = ANY({ids_of("ARRAY[$1::uuid]")}) AND merged = ANY({ids_of("ARRAY[$2::uuid]")})
            OR kept = ANY({ids_of("ARRAY[$2::uuid]")}) AND merged = ANY({ids_of("ARRAY[$1::uuid]")})))
        """,
        one,
        other,
    )
    return found


async def shared_boards(
    connection: Connection, one: UUID, other: UUID, *, domain: str | None
) -> list[tuple[str, bool]]:
    """Tokens of the job boards that two companies have in common, and whether a posting of each leads to
    the domain or names it. Pages of a company's own site are no board."""
    # A host's dots and hyphens are all that a domain has beside letters and digits.
    host = (domain or "").replace(".", "[.]")
    rows = await connection.fetch(
        """
        SELECT b.token, $3 <> '' AND EXISTS (
          SELECT FROM jobs j WHERE j.company_id IN ($1, $2) AND j.board = b.kind || '/' || b.token
            AND (j.url ~* ('^https?://([a-z0-9-]+[.])*' || $3 || '(/|$)')
              OR j.description ~* ('(^|[^a-z0-9-])' || $3 || '($|[^a-z0-9.-]|[.]($|[^a-z0-9]))')))
          AS leads
        FROM job_boards b JOIN job_boards o USING (kind, token)
        WHERE b.company_id = $1 AND o.company_id = $2 AND kind <> 'job_pages' ORDER BY b.token
        """,
        one,
        other,
        host,
    )
    return [(row["token"], row["leads"]) for row in rows]


async def undo_merge(connection: Connection, merge_id: UUID) -> tuple[Merge, list[UUID]]:
    """Move back what a merge moved; returns it with the companies that held its rows: the one it went
    to, and what that was merged into since, the present one last.

    Raises CompaniesCannotBeMerged when it is undone already.
    """
    await begin_making(connection)
    row = await connection.fetchrow(
        """
        UPDATE company_merges SET undone_at = now() WHERE merge_id = $1 AND undone_at IS NULL
        RETURNING kept, merged, moved
        """,
        merge_id,
    )
    if row is None:
        raise CompaniesCannotBeMerged("There is no such merge, or it is undone already.")
    made, moved = Merge(merge_id, row["kept"], row["merged"]), row["moved"]
    holders = await _holders(connection, made.kept)
    await connection.execute(
        "SELECT FROM companies WHERE company_id = ANY($1::uuid[]) ORDER BY company_id FOR UPDATE",
        [*holders, made.merged],
    )
    for table, keys in moved["rows"].items():
        await _move_back(connection, table, keys, holders=holders, to=made.merged)
    for company_id in (*holders, made.merged):
        await _forget_others_signals(connection, company_id)
    await connection.execute(
        "UPDATE companies SET merged_into = NULL WHERE company_id = $1", made.merged
    )
    # An alias that was parted, or merged again, since is no longer one of this company.
    await connection.execute(
        """
        UPDATE companies c SET merged_into = $1
        WHERE company_id = ANY($2::uuid[]) AND merged_into = $3 AND NOT EXISTS (
          SELECT FROM company_merges m
          WHERE m.merged = c.company_id AND m.undone_at IS NULL AND m.merge_id > $4)
        """,
        made.merged,
        [UUID(each) for each in moved.get("aliases", ())],
        holders[-1],
        merge_id,
    )
    await connection.execute(
        "UPDATE companies SET website_domain = NULL"
        " WHERE company_id = ANY($1::uuid[]) AND website_domain = $2",
        holders,
        moved["website_domain"],
    )
    await _give_domain(connection, made.merged, moved["website_domain"])
    if holders == [made.kept]:
        await _give_domain(connection, made.kept, moved.get("kept_website_domain"))
    return made, holders


async def _holders(connection: Connection, company_id: UUID) -> list[UUID]:
    """A company and what it was merged into, one after the other, by the merges that stand."""
    rows = await connection.fetch(
        """
        WITH RECURSIVE chain (company_id, n) AS (
          SELECT $1::uuid, 0
          UNION ALL
          SELECT m.kept, n + 1 FROM chain c
          JOIN company_merges m ON m.merged = c.company_id AND m.undone_at IS NULL)
        SELECT company_id FROM chain ORDER BY n
        """,
        company_id,
    )
    return [row["company_id"] for row in rows]


async def _give_domain(connection: Connection, company_id: UUID, domain: str | None) -> None:
    """Give a company that has none its website back, unless another company has it now."""
    await connection.execute(
        """
        UPDATE companies SET website_domain = $2 WHERE company_id = $1 AND website_domain IS NULL
          AND NOT EXISTS (SELECT FROM companies o WHERE o.website_domain = $2)
        """,
        company_id,
        domain,
    )


async def _forget_others_signals(connection: Connection, company_id: UUID) -> None:
    """Drop what was read from documents no longer the company's, and have all its own read again."""
    others = (
        "document_id IS NOT NULL AND NOT EXISTS (SELECT FROM company_documents c"
        " WHERE c.company_id = $1 AND c.document_id = t.document_id)"
    )
    for table in ("signal_mentions", "signals"):
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


async def _move_back(
    connection: Connection, table: str, keys: Sequence[str], *, holders: Sequence[UUID], to: UUID
) -> None:
    """Move rows back by their keys. A row that found its like at a later merge stayed where it was, so
    the company that it went to first is asked first."""
    key, collides = _MOVED[table]
    left = list(keys)
    for holder in holders:
        if not left:
            return
        rows = await connection.fetch(
            f"""
            UPDATE {table} m SET company_id = $1 WHERE m.company_id = $2 AND {key} = ANY($3::text[])
              AND NOT EXISTS (SELECT FROM {table} o WHERE o.company_id = $1 AND {collides})
            RETURNING {key} AS key
            """,
            to,
            holder,
            left,
        )
        gone = {row["key"] for row in rows}
        left = [each for each in left if each not in gone]
