"""What an organization's contacts share: a lock, the next slot, and the digests of people."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from sightline.store.database import Tenant


@dataclass(frozen=True, slots=True)
class Book:
    """`hash_key` never leaves the database; without it a digest says nothing about anybody."""

    next_slot: int
    hash_key: bytes

    def digest(self, key: str) -> bytes:
        """HMAC-SHA-256 of what a person is known by."""
        return hmac.new(self.hash_key, key.encode(), hashlib.sha256).digest()


async def open_book(tenant: Tenant, *, many: bool = False) -> Book:
    """Wait until no other writer of the organization's contacts is in a transaction.

    `many` has every statement of this transaction look rows up by index, as bulk writes need.
    """
    if many:
        # The statistics do not know a new organization, so PostgreSQL expects a handful of rows and
        # reads all of them to find those of a chunk.
        await tenant.execute(
            """
            DISCARD PLANS;
            SET LOCAL plan_cache_mode = force_generic_plan;
            SET LOCAL enable_seqscan = off;
            SET LOCAL enable_hashjoin = off;
            SET LOCAL enable_mergejoin = off;
            """
        )
    await tenant.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended('contact writes ' || $1::text, 0))",
        str(tenant.organization_id),
    )
    row = await tenant.row(
        """
        INSERT INTO contact_books AS b (organization_id, hash_key) VALUES ($1, $2)
        ON CONFLICT (organization_id) DO UPDATE SET next_slot = b.next_slot
        RETURNING next_slot, hash_key
        """,
        secrets.token_bytes(32),
    )
    if row is None:
        raise RuntimeError("An insert that returns its row answered none.")
    return Book(row["next_slot"], row["hash_key"])


async def read_book(tenant: Tenant) -> Book | None:
    """The book as it is, None when the organization never had a contact or suppression."""
    row = await tenant.row(
        "SELECT next_slot, hash_key FROM contact_books WHERE organization_id = $1"
    )
    return Book(row["next_slot"], row["hash_key"]) if row else None


async def take_slots(tenant: Tenant, count: int) -> None:
    """Record that the next `count` slots are in use."""
    await tenant.run(
        "UPDATE contact_books SET next_slot = next_slot + $2 WHERE organization_id = $1", count
    )


async def suppressed_keys(tenant: Tenant, keys: Iterable[str], *, book: Book) -> frozenset[str]:
    """Those of the keys ('e:', 'f:', 'p:', 'n:') that are on the suppression list."""
    by_digest = {book.digest(key): key for key in keys}
    if not by_digest:
        return frozenset()
    rows = await tenant.rows(
        "SELECT digest FROM suppressions WHERE organization_id = $1 AND digest = ANY($2::bytea[])",
        list(by_digest),
    )
    return frozenset(by_digest[row["digest"]] for row in rows)
