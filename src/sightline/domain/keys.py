"""The format of an API key: `slk_live_`, 30 random base62 characters, 6 characters of checksum."""

import hashlib
import secrets
import zlib

PREFIX = "slk_live_"
RANDOM_LENGTH = 30  # 178 bits
CHECKSUM_LENGTH = 6
SHOWN_LENGTH = 14
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
LENGTH = len(PREFIX) + RANDOM_LENGTH + CHECKSUM_LENGTH


def new_key() -> str:
    """A fresh key; it is shown once and never stored."""
    body = PREFIX + "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_LENGTH))
    return body + _checksum(body)


def is_well_formed(key: str) -> bool:
    """Whether the checksum holds: a mistyped or made-up key is refused without a look-up."""
    body, checksum = key[:-CHECKSUM_LENGTH], key[-CHECKSUM_LENGTH:]
    return (
        len(key) == LENGTH
        and key.isascii()
        and key.startswith(PREFIX)
        and checksum == _checksum(body)
    )


def digest(key: str) -> bytes:
    """SHA-256; a key has too many random bits to need a slow hash."""
    return hashlib.sha256(key.encode()).digest()


def _checksum(text: str) -> str:
    number = zlib.crc32(text.encode())
    digits = ""
    for _ in range(CHECKSUM_LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        digits = ALPHABET[digit] + digits
    return digits
