"""The time."""

from datetime import UTC, datetime


def now() -> datetime:
    """The present, in UTC."""
    return datetime.now(UTC)
