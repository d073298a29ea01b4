"""Writes what is trained into the package, with its line of `SHA256SUMS`."""

import hashlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "src/sightline/reading/data"


def write_artefact(name: str, content: bytes) -> None:
    """A file of `reading/data`."""
    (FOLDER / name).write_bytes(content)
    sums = FOLDER / "SHA256SUMS"
    named = dict(reversed(line.split("  ")) for line in sums.read_text().splitlines())
    named[name] = hashlib.sha256(content).hexdigest()
    sums.write_text("".join(f"{named[name]}  {name}\n" for name in sorted(named)))
    print(f"{name}: {len(content):,} bytes")
