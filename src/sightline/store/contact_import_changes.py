"""What imports wrote to contacts, kept so that an import can be undone. Deleted with the contact."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sightline.domain.contact_merging import Source
from sightline.domain.contact_records import Values
from sightline.store.database import Tenant

Sources = dict[str, Source]

_COLUMNS = "import_id, contact_id, is_created, before, said"


@dataclass
class ContactChange:
    """What one import did with one contact: whether it made it, how it found it, and what it said, as
    [{"values", "source"}]."""

    import_id: UUID
    contact_id: UUID
    is_created: bool
    before: Values
    before_sources: Sources
    said: list[dict[str, Any]]


async def keep_contact_changes(tenant: Tenant, changes: Sequence[ContactChange]) -> None:
    """Add to what is kept. The same import coming again adds what it had not said before."""
    await tenant.run(
        """
        INSERT INTO contact_import_changes AS c
          (organization_id, import_id, contact_id, is_created, before, said)
        SELECT $1, w.import_id, w.contact_id, w.is_created, w.before::jsonb, w.said::jsonb
        FROM unnest($2::uuid[], $3::uuid[], $4::boolean[], $5::text[], $6::text[])
          AS w (import_id, contact_id, is_created, before, said)
        ON CONFLICT (organization_id, import_id, contact_id) DO UPDATE SET said = CASE
          WHEN jsonb_path_query_array(c.said, '$[*].values')
            @> jsonb_path_query_array(excluded.said, '$[*].values')
          THEN c.said ELSE c.said || excluded.said END
        """,
        *_arrays(changes),
    )


async def hand_on_beginnings(tenant: Tenant, changes: Sequence[ContactChange]) -> None:
    """Write again how imports found contacts, and whether they made them."""
    await tenant.run(
        """
        UPDATE contact_import_changes c SET is_created = w.is_created, before = w.before::jsonb
        FROM unnest($2::uuid[], $3::uuid[], $4::boolean[], $5::text[], $6::text[])
          AS w (import_id, contact_id, is_created, before, said)
        WHERE c.organization_id = $1 AND c.import_id = w.import_id AND c.contact_id = w.contact_id
        """,
        *_arrays(changes),
    )


async def next_contacts(tenant: Tenant, import_id: UUID, *, limit: int) -> list[UUID]:
    """The next contacts that are left to undo of an import."""
    rows = await tenant.rows(
        """
        SELECT contact_id FROM contact_import_changes
        WHERE organization_id = $1 AND import_id = $2 ORDER BY contact_id LIMIT $3
        """,
        import_id,
        limit,
    )
    return [row["contact_id"] for row in rows]


async def changes_of_contacts(
    tenant: Tenant, contact_ids: Sequence[UUID]
) -> dict[UUID, list[ContactChange]]:
    """What all imports did with these contacts, the oldest import first."""
    rows = await tenant.rows(
        f"""
        SELECT {_COLUMNS} FROM contact_import_changes
        WHERE organization_id = $1 AND contact_id = ANY($2::uuid[]) ORDER BY import_id
        """,
        list(contact_ids),
    )
    found: dict[UUID, list[ContactChange]] = {}
    for row in rows:
        before = row["before"]
        change = ContactChange(
            row["import_id"],
            row["contact_id"],
            row["is_created"],
            before["values"],
            before["sources"],
            row["said"],
        )
        found.setdefault(change.contact_id, []).append(change)
    return found


async def forget_contact_changes(
    tenant: Tenant, import_id: UUID, contact_ids: Sequence[UUID]
) -> None:
    """Drop what is kept of contacts that have been undone."""
    await tenant.run(
        "DELETE FROM contact_import_changes WHERE organization_id = $1 AND import_id = $2"
        " AND contact_id = ANY($3::uuid[])",
        import_id,
        list(contact_ids),
    )


def _arrays(changes: Sequence[ContactChange]) -> list[list[Any]]:
    return [
        [each.import_id for each in changes],
        [each.contact_id for each in changes],
        [each.is_created for each in changes],
        [_json({"values": each.before, "sources": each.before_sources}) for each in changes],
        [_json(each.said) for each in changes],
    ]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
