"""The suppression list: people who must not be stored, by digest, and the contacts that it hides."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from sightline.domain.contact_records import all_keys
from sightline.domain.contacts import mask
from sightline.kit.ids import new_id
from sightline.store.contact_book import Book, open_book, suppressed_keys
from sightline.store.contact_writes import (
    ContactState,
    find_by_keys,
    hide_contacts,
    load_contacts,
)
from sightline.store.database import Tenant
from sightline.store.pages import Pages, Rows, Slice, Where, read_rows, utc

Kind = Literal["email", "phone", "profile", "person"]
PREFIXES: dict[Kind, str] = {"email": "e:", "phone": "f:", "profile": "p:", "person": "n:"}
KINDS: dict[str, Kind] = {prefix: kind for kind, prefix in PREFIXES.items()}

_OBJECT = f"""
  json_build_object('id', suppression_id, 'kind', kind, 'display', display, 'reason', reason,
    'source', source, 'created_at', {utc("created_at")})
"""


@dataclass(frozen=True, slots=True)
class Suppressed:
    """What adding to the list did."""

    suppression_ids: list[UUID]  # of all that were asked for, those on the list already included
    added: int
    hidden: int  # contacts that are not found any more


async def suppress(
    tenant: Tenant, keys: Sequence[str], *, reason: str, source: Literal["user", "erasure"] = "user"
) -> Suppressed:
    """Put what people are known by ('e:', 'f:', 'p:', 'n:') on the list, and hide who it is about."""
    book = await open_book(tenant)
    before = await suppressed_keys(tenant, keys, book=book)
    await add_suppressions(tenant, keys, book=book, reason=reason, source=source)
    rows = await tenant.rows(
        """
        SELECT suppression_id FROM suppressions
        JOIN unnest($2::bytea[]) WITH ORDINALITY AS w (digest, n) USING (digest)
        WHERE organization_id = $1 ORDER BY n
        """,
        [book.digest(key) for key in dict.fromkeys(keys)],
    )
    found = await find_by_keys(tenant, keys)
    visible = [state for state in found if not state.hidden]
    if visible:
        await hide_contacts(tenant, visible, hidden=True)
    return Suppressed(
        [row["suppression_id"] for row in rows], len(set(keys)) - len(before), len(visible)
    )


async def add_suppressions(
    tenant: Tenant,
    keys: Iterable[str],
    *,
    book: Book,
    reason: str,
    source: Literal["user", "erasure"],
) -> int:
    """Put keys on the list; returns how many were not on it."""
    rows = [
        (new_id(), KINDS[key[:2]], book.digest(key), mask(_shown(key)), reason, source)
        for key in dict.fromkeys(keys)
    ]
    added = await tenant.rows(
        """
        INSERT INTO suppressions (organization_id, suppression_id, kind, digest, display, reason, source)
        SELECT $1::uuid, * FROM unnest($2::uuid[], $3::text[], $4::bytea[], $5::text[], $6::text[],
          $7::text[])
        ON CONFLICT (organization_id, digest) DO NOTHING RETURNING 1
        """,
        *(map(list, zip(*rows, strict=True)) if rows else [[]] * 6),
    )
    return len(added)


def _shown(key: str) -> str:
    return key[2:].replace("|", " ")


async def hidden_keys(tenant: Tenant, company_id: UUID) -> list[tuple[UUID, str]]:
    """Hidden contacts of a company, and what each is known by (e:, p:). Those erased are not known."""
    rows = await tenant.rows(
        """
        SELECT contact_id, k.key FROM contacts c JOIN contact_keys k USING (organization_id, contact_id)
        WHERE c.organization_id = $1 AND c.hidden AND c.company_id = $2 AND left(k.key, 2) IN ('e:', 'p:')
        ORDER BY k.key
        """,
        company_id,
    )
    return [(row["contact_id"], row["key"]) for row in rows]


async def lift_suppression(tenant: Tenant, suppression_id: UUID) -> int | None:
    """Take one off the list; returns how many contacts are found again, None when there is no such
    one. What an erasure put there stays for good and counts as missing."""
    book = await open_book(tenant)
    gone = await tenant.value(
        """
        DELETE FROM suppressions WHERE organization_id = $1 AND suppression_id = $2 AND source = 'user'
        RETURNING 1
        """,
        suppression_id,
    )
    if gone is None:
        return None
    rows = await tenant.rows(
        "SELECT contact_id FROM contacts WHERE organization_id = $1 AND hidden"
    )
    states = await load_contacts(tenant, [row["contact_id"] for row in rows])
    keys = {key for state in states for key in all_keys(state.values)}
    still = await suppressed_keys(tenant, keys, book=book)
    free: list[ContactState] = [
        state for state in states if not still.intersection(all_keys(state.values))
    ]
    if free:
        await hide_contacts(tenant, free, hidden=False)
    return len(free)


async def read_suppressions(tenant: Tenant, suppression_ids: Sequence[UUID]) -> str:
    """Entries of the list as the text of a JSON array."""
    text: str = await tenant.value(
        f"""
        SELECT coalesce(json_agg({_OBJECT} ORDER BY suppression_id), '[]')::text FROM suppressions
        WHERE organization_id = $1 AND suppression_id = ANY($2::uuid[])
        """,
        list(suppression_ids),
    )
    return text


async def suppressions_page(tenant: Tenant, *, kind: Kind | None, part: Slice) -> Pages:
    """The list, newest first, as the text of a JSON array; the total; where the page ends."""
    where = Where("organization_id = $1", [tenant.organization_id])
    where.add("kind = {}", kind)
    # Ids rise with time.
    rows = Rows(
        "suppressions", _OBJECT, "suppression_id", "suppression_id", "uuid", descending=True
    )
    return await read_rows(tenant, rows, where, part=part)
