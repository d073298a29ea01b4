"""The bitmaps for contact search: written with every contact, whole blocks at a time."""

from collections import defaultdict
from collections.abc import Iterable

import asyncpg

from sightline.store.database import Tenant

BLOCK_BITS = 2048
NO_BITS = "repeat('0', 2048)::bit(2048)"

Change = tuple[int, Iterable[str], Iterable[str]]  # slot, tokens gained, tokens lost


async def change_bits(tenant: Tenant, changes: Iterable[Change]) -> None:
    """Set and clear bits. The caller holds the organization's contact lock."""
    gained: defaultdict[tuple[str, int], bytearray] = defaultdict(_empty)
    lost: defaultdict[tuple[str, int], bytearray] = defaultdict(_empty)
    for slot, more, fewer in changes:
        block, bit = divmod(slot, BLOCK_BITS)
        for tokens, target in ((more, gained), (fewer, lost)):
            for token in tokens:
                target[token, block][bit >> 3] |= 0x80 >> (bit & 7)
    if lost:
        await tenant.run(
            """
            UPDATE contact_bits b SET bits = b.bits & ~w.bits::bit(2048)
            FROM unnest($2::text[], $3::int[], $4::varbit[]) AS w (token, block, bits)
            WHERE b.organization_id = $1 AND b.token = w.token AND b.block = w.block
            """,
            *_columns(lost),
        )
        tokens, blocks, _ = _columns(lost)
        await tenant.run(
            f"""
            DELETE FROM contact_bits b USING unnest($2::text[], $3::int[]) AS w (token, block)
            WHERE b.organization_id = $1 AND b.token = w.token AND b.block = w.block
              AND b.bits = {NO_BITS}
            """,
            tokens,
            blocks,
        )
    if gained:
        await tenant.run(
            """
            INSERT INTO contact_bits AS b (organization_id, token, block, bits)
            SELECT $1::uuid, token, block, bits::bit(2048)
            FROM unnest($2::text[], $3::int[], $4::varbit[]) AS w (token, block, bits)
            ON CONFLICT (organization_id, token, block) DO UPDATE SET bits = b.bits | excluded.bits
            """,
            *_columns(gained),
        )


def _empty() -> bytearray:
    return bytearray(BLOCK_BITS // 8)


def _columns(
    maps: dict[tuple[str, int], bytearray],
) -> tuple[list[str], list[int], list[asyncpg.BitString]]:
    # In one order everywhere: two writers of one block would otherwise wait for each other.
    ordered = sorted(maps)
    return (
        [token for token, _ in ordered],
        [block for _, block in ordered],
        [asyncpg.BitString.frombytes(bytes(maps[key]), bitlength=BLOCK_BITS) for key in ordered],
    )
