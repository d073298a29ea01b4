"""Secrets at rest: encrypted with a key that is not in the database."""

import base64
import os
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken

KEY_BYTES = 32


class SecretIsUnreadable(ValueError):
    """It was encrypted with another key."""


class SecretBox:
    """Encrypts and decrypts with one 32-byte key (AES-128-CBC with HMAC-SHA256, as Fernet does)."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"The key must have {KEY_BYTES} bytes.")
        self._fernet = Fernet(base64.urlsafe_b64encode(key))

    def seal(self, secret: str) -> bytes:
        """The secret, encrypted."""
        return self._fernet.encrypt(secret.encode())

    def open(self, sealed: bytes) -> str:
        """The secret. Raises SecretIsUnreadable."""
        try:
            return self._fernet.decrypt(sealed).decode()
        except InvalidToken as error:
            raise SecretIsUnreadable("The secret was encrypted with another key.") from error


def read_key(text: str) -> bytes:
    """A key from its base64 text. Raises ValueError."""
    key = base64.b64decode(text, validate=True)
    if len(key) != KEY_BYTES:
        raise ValueError(f"The key must be {KEY_BYTES} bytes in base64.")
    return key


def key_file(path: Path) -> bytes:
    """The key in a file, made on first use and readable by its owner only."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        partial = path.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(base64.b64encode(os.urandom(KEY_BYTES)).decode())
        try:
            os.link(partial, path)  # the first of several processes wins
        except FileExistsError:
            pass
        finally:
            partial.unlink()
    return read_key(path.read_text().strip())
