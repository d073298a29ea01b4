"""People that an organization has paid for, by digest: each is charged once, even after erasure."""

from collections.abc import Sequence

from sightline.store.database import Tenant


async def charged_digests(tenant: Tenant, digests: Sequence[bytes]) -> frozenset[bytes]:
    """Those of the digests that were charged for before."""
    rows = await tenant.rows(
        "SELECT digest FROM contact_charges WHERE organization_id = $1 AND digest = ANY($2::bytea[])",
        list(digests),
    )
    return frozenset(row["digest"] for row in rows)


async def note_charges(tenant: Tenant, digests: Sequence[bytes]) -> None:
    """Record that people were charged for."""
    await tenant.run(
        """
        INSERT INTO contact_charges (organization_id, digest)
        SELECT $1::uuid, unnest($2::bytea[]) ON CONFLICT DO NOTHING
        """,
        list(digests),
    )
