"""A job posting as a board gives it, before it becomes a row of the job table."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

EmploymentType = Literal["full_time", "part_time", "contract", "temporary", "internship", "other"]
RemotePolicy = Literal["remote", "hybrid", "on_site"]


@dataclass(frozen=True, slots=True)
class PostingLocation:
    """One place of work. `raw` is the board's own words; the parts are None when they do not say."""

    raw: str
    city: str | None = None
    region: str | None = None
    country_code: str | None = None  # ISO 3166-1 alpha-2


@dataclass(frozen=True, slots=True)
class Salary:
    """Pay as the posting states it, in whole units of `currency` (ISO 4217) per `period`."""

    minimum: float | None
    maximum: float | None
    currency: str | None
    period: Literal["year", "month", "week", "day", "hour"] | None


@dataclass(frozen=True, slots=True)
class ParsedPosting:
    """One posting. `description` is plain text, "" when the board's list leaves it out."""

    external_id: str  # stable within the board
    title: str
    url: str
    locations: tuple[PostingLocation, ...] = ()
    department: str | None = None  # the employer's own word
    employment_type: EmploymentType | None = None
    remote: RemotePolicy | None = None
    salary: Salary | None = None
    description: str = ""
    language: str | None = None
    posted_at: datetime | None = None
    updated_at: datetime | None = None
    openings: int | None = None
    requisition_id: str | None = None
