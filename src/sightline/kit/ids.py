"""Identifiers that sort by the time they were made."""

import os
import time
from uuid import UUID


def new_id() -> UUID:
    """A version 7 UUID (RFC 9562): 48 bits of Unix milliseconds, then 74 random bits."""
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10), "big")
    value &= ~(0xF << 76) & ~(0x3 << 62)
    return UUID(int=value | 0x7 << 76 | 0x2 << 62)
