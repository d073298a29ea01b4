"""Identifiers that sort by the time they were made."""

import hashlib
import os
import time
from uuid import UUID


def new_id() -> UUID:
    """A version 7 UUID (RFC 9562): 48 bits of Unix milliseconds, then 74 random bits."""
    return _version_7((time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10), "big"))


def id_within(parent: UUID, key: str) -> UUID:
    """A version 7 UUID that is the same whenever it is made: the time of the parent's, bits of a hash of
    parent and key."""
    digest = hashlib.sha256(parent.bytes + key.encode()).digest()
    return _version_7(parent.int >> 80 << 80 | int.from_bytes(digest[:10], "big"))


def _version_7(value: int) -> UUID:
    value &= ~(0xF << 76) & ~(0x3 << 62)
    return UUID(int=value | 0x7 << 76 | 0x2 << 62)
