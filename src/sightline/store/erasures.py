"""Erases a person: deletes all their data and keeps them from being added again.

What stays is a certificate without any of the person's data, and keyed digests on the suppression
list, so that the next import or discovery does not hold them again.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sightline.domain.contact_records import identifying_keys
from sightline.domain.contacts import mask
from sightline.kit.clock import rfc3339
from sightline.kit.ids import new_id
from sightline.store.contact_book import open_book
from sightline.store.contact_writes import (
    ContactState,
    delete_contacts,
    find_by_keys,
    load_contacts,
)
from sightline.store.database import Tenant
from sightline.store.suppressions import KINDS, add_suppressions

# Shorter names stand in too many other words.
_LEAST_NAME = 6
_REDACTED = b'{"redacted":"This answer held data of a person who was erased."}'


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure did. `certificate` is the JSON text that the API answers."""

    erasure_id: UUID
    contacts: int
    certificate: str


async def erase_person(
    tenant: Tenant,
    *,
    contact_ids: Sequence[UUID],
    keys: Sequence[str],
    requested_by: str,
    now: datetime,
) -> Erased | None:
    """Remove the person with these ids or known by these keys everywhere.

    None when neither is known: ids alone that belong to no contact. A person known by keys alone is
    suppressed even when nothing is held about them yet.
    """
    book = await open_book(tenant)
    loaded = await load_contacts(tenant, contact_ids)
    found = {state.contact_id: state for state in loaded}
    if not found and not keys:
        return None
    known_by = set(keys) | {k for s in found.values() for k in identifying_keys(s.values)}
    for state in await find_by_keys(tenant, known_by):
        found.setdefault(state.contact_id, state)
    states = list(found.values())
    # A telephone may be a whole office's: it is suppressed only when it was asked for.
    known_by |= {key for state in states for key in identifying_keys(state.values)}
    marks = _marks(states, known_by)
    removed = {
        "contacts": len(states),
        "stored_answers": await _redact_answers(tenant, marks),
        **await _redact_texts(tenant, marks),
    }
    await delete_contacts(tenant, states)
    suppressions = await add_suppressions(
        tenant, sorted(known_by), book=book, reason="erasure request", source="erasure"
    )
    subject = [
        {"kind": KINDS[key[:2]], "display": mask(key[2:].replace("|", " "))}
        for key in sorted(set(keys) or known_by)
    ]
    erasure_id = new_id()
    proof = _proof(
        str(erasure_id), requested_by, subject, removed, suppressions, rfc3339(now, exact=True)
    )
    await tenant.run(
        """
        INSERT INTO erasures (organization_id, erasure_id, requested_by, subject, removed,
          suppressions, completed_at, proof)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """,
        erasure_id,
        requested_by,
        subject,
        removed,
        suppressions,
        now,
        proof,
    )
    certificate = await read_erasure(tenant, erasure_id)
    return Erased(erasure_id, len(states), certificate or "")


def _proof(*said: Any) -> bytes:
    """The digest of what a certificate says."""
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).digest()


async def read_erasure(tenant: Tenant, erasure_id: UUID) -> str | None:
    """The certificate of an erasure as JSON text."""
    text: str | None = await tenant.value(
        """
        SELECT json_build_object('id', erasure_id, 'requested_by', requested_by, 'subject', subject,
          'removed', removed, 'suppressions', suppressions, 'completed_at',
          to_char(completed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
          'proof', encode(proof, 'hex'))::text
        FROM erasures WHERE organization_id = $1 AND erasure_id = $2
        """,
        erasure_id,
    )
    return text


def _marks(states: Sequence[ContactState], keys: set[str]) -> list[str]:
    """The texts that show the person: ids, addresses, numbers, pages and full names."""
    marks = {str(state.contact_id) for state in states}
    marks |= {key[2:] for key in keys if not key.startswith("n:")}
    for state in states:
        marks |= set(state.values.get("phones", ()))
        name = str(state.values.get("full_name") or "")
        if len(name) >= _LEAST_NAME:
            marks |= {name, json.dumps(name)[1:-1]}
    return sorted(marks)


async def _redact_answers(tenant: Tenant, marks: Sequence[str]) -> int:
    """Blank answers kept for Idempotency-Keys that show the person. The key stays used, so that no
    repeated request brings the person back."""
    status: str = await tenant.run(
        """
        UPDATE idempotency_keys SET body = $3, headers = '{}'
        WHERE organization_id = $1
          AND EXISTS (SELECT FROM unnest($2::bytea[]) AS m (mark) WHERE position(m.mark IN body) > 0)
        """,
        [mark.encode() for mark in marks],
        _REDACTED,
    )
    return int(status.split()[-1])


async def _redact_texts(tenant: Tenant, marks: Sequence[str]) -> dict[str, int]:
    """Take the person out of what users and models wrote: drafts go, messages and titles are blanked."""
    shows = "EXISTS (SELECT FROM unnest($2::text[]) AS m (mark) WHERE strpos(lower({}), lower(m.mark)) > 0)"
    removed = {}
    for what, statement, text in (
        ("drafts", "DELETE FROM content", "title || body || sources::text"),
        (
            "messages",
            "UPDATE agent_messages SET content = '[removed]', details = '{}'",
            "content || details::text",
        ),
        ("session_titles", "UPDATE agent_sessions SET title = '[removed]'", "title"),
    ):
        status: str = await tenant.run(
            f"{statement} WHERE organization_id = $1 AND {shows.format(text)}", marks
        )
        removed[what] = int(status.split()[-1])
    # What imports said of others who were called so: an undo then leaves these as they are.
    kept = shows.format("before::text || said::text")
    await tenant.run(
        f"DELETE FROM contact_import_changes WHERE organization_id = $1 AND {kept}", marks
    )
    return removed
