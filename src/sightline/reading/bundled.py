"""Bundled files, checked by SHA-256 before use."""

import hashlib
from importlib import resources
from typing import Final

_SUMS: Final = "SHA256SUMS"


class BundledFileIsBroken(RuntimeError):
    """A file of the installation is missing or is not the one that was shipped."""


def bundled_hash(name: str) -> str:
    """The SHA-256 that a file of `reading/data` must have, in hex. Raises BundledFileIsBroken."""
    for line in _read(_SUMS).decode("utf-8", "replace").splitlines():
        digest, _, named = line.partition("  ")
        if named == name:
            return digest
    raise BundledFileIsBroken(f"{_SUMS} of the installation has no line for {name}.")


def read_bundled(name: str) -> bytes:
    """The content of a file of `reading/data`; hashing costs some 1 ms per MB.

    Raises BundledFileIsBroken.
    """
    content, expected = _read(name), bundled_hash(name)
    if hashlib.sha256(content).hexdigest() != expected:
        raise BundledFileIsBroken(f"{name} of the installation is not the file that was shipped.")
    return content


def _read(name: str) -> bytes:
    try:
        return (resources.files(__package__) / "data" / name).read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BundledFileIsBroken(
            f"{name} of the installation cannot be read: {reason}."
        ) from error
