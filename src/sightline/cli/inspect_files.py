"""What the `inspect` commands share: a local file as an answer of the web."""

from datetime import UTC, datetime
from pathlib import Path

from sightline.cli.exits import CommandFailed
from sightline.domain.evidence import Body

MAX_BYTES = 256 * 1024 * 1024


def body_of(file: Path, url: str | None) -> Body:
    """The file as if it had just been fetched from an address. Raises CommandFailed.

    Its time of change counts as the time of the fetch: "posted 3 days ago" is read from there.
    """
    try:
        status = file.stat()
        with file.open("rb") as opened:
            content = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise CommandFailed(f"{file} cannot be read: {error.strerror or error}") from error
    if len(content) > MAX_BYTES:
        raise CommandFailed(f"{file} is larger than {MAX_BYTES // 1024 // 1024} MB.")
    when = datetime.fromtimestamp(status.st_mtime, UTC)
    return Body(url or "", content, "", None, {}, when)
