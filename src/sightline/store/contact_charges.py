"""People that an organization has paid for, by digest: each is charged once, even after erasure."""

from collections.abc import Sequence

from sightline.domain.callers import OrganizationId
from sightline.store.database import Connection


async def charged_digests(
    connection: Connection, organization_id: OrganizationId, digests: Sequence[bytes]
) -> frozenset[bytes]:
    """Those of the digests that were charged for before."""
    rows = await connection.fetch(
        "SELECT digest FROM contact_charges WHERE organization_id = $1 AND digest = ANY($2::bytea[])",
        organization_id,
        list(digests),
    )
    return frozenset(row["digest"] for row in rows)


async def note_charges(
    connection: Connection, organization_id: OrganizationId, digests: Sequence[bytes]
) -> None:
    """Record that people were charged for."""
    await connection.execute(
        """
        INSERT INTO contact_charges (organization_id, digest)
        SELECT $1::uuid, unnest($2::bytea[]) ON CONFLICT DO NOTHING
        """,
        organization_id,
        list(digests),
    )
