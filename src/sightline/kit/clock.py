"""The time."""

from datetime import UTC, datetime


def now() -> datetime:
    """The present, in UTC."""
    return datetime.now(UTC)


def rfc3339(moment: datetime, *, exact: bool = False) -> str:
    """A time in UTC as text with Z; `exact`: microseconds even where they are 0, so that texts sort."""
    text = moment.isoformat(timespec="microseconds" if exact else "auto")
    return text.replace("+00:00", "Z")
