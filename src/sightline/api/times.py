"""Times in requests."""

from datetime import UTC, datetime

from sightline.domain.errors import RequestIsInvalid


def aware(moment: datetime | None, path: str) -> datetime | None:
    """A time in UTC; a date counts from its first moment. Raises RequestIsInvalid without a zone."""
    if moment is None:
        return None
    if moment.tzinfo is None:
        if (moment.hour, moment.minute, moment.second, moment.microsecond) == (0, 0, 0, 0):
            return moment.replace(tzinfo=UTC)
        message = "It must have a time zone, such as Z."
        field = {"path": path, "message": message, "code": "invalid"}
        raise RequestIsInvalid(f"{path}: {message}", fields=[field])
    return moment.astimezone(UTC)
