"""Whether what is known of a URL is fresh enough to use without a request."""

from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from sightline.store.documents import Address

# What is not there is not asked for again within this time, if the caller takes older answers at all.
_MISSING_FOR = timedelta(days=1)


def read_by(known: Address, version: int) -> Address | None:
    """What is known, if a parser of this version read the document."""
    return known if known.parser == version and known.document_id else None


def is_fresh(known: Address, fresh_for: timedelta | None) -> bool:
    """Whether the last answer is younger than that; None for a caller that takes no older answer."""
    return fresh_for is not None and datetime.now(UTC) - known.checked_at < fresh_for


def is_known_missing(
    known: Address, fresh_for: timedelta | None, missing_for: timedelta | None
) -> bool:
    """Whether there was nothing so lately that it is not asked again."""
    if missing_for is None and fresh_for is not None:
        missing_for = min(fresh_for, _MISSING_FOR)
    return known.outcome in ("missing", "not_recorded") and is_fresh(known, missing_for)


def unrecorded(url: str) -> str:
    """What it means that a recorded web does not hold an address. The sample archive is the whole web of
    its hosts, so nothing is there; a recording of others leaves much out."""
    return "missing" if (urlsplit(url).hostname or "").endswith(".example") else "not_recorded"
