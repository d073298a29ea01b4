"""Times in parameters and bodies: an ISO 8601 date or time; without a zone it is UTC."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

_ISO = re.compile(
    r"\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?)?"
)


def _iso_only(value: Any) -> Any:
    """Pydantic would also read a number, as seconds or milliseconds, whichever fits; and no date
    in a body."""
    if not isinstance(value, str):
        return value
    try:
        if _ISO.fullmatch(value):
            return datetime.fromisoformat(value.upper())
    except ValueError:
        pass
    raise ValueError("use an ISO 8601 date or time")


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError as error:
        raise ValueError("use a year from 1 to 9999") from error


Moment = Annotated[datetime, BeforeValidator(_iso_only), AfterValidator(_in_utc)]
