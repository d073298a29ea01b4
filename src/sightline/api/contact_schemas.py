"""The Contact of the reference, in responses and in requests."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Schema

_MOST = 50
Line = Annotated[str | None, Field(max_length=300)]


class ContactCompany(Schema):
    name: str = Field(default="", examples=["Harbor Analytics"])
    profile_network_id: str = Field(default="", examples=["harbor-analytics"])


class ContactJob(Schema):
    """A job, past or present."""

    job_id: UUID
    company_id: UUID = UUID(int=0)
    company: str = ""
    company_profile_network_id: str = ""
    title: str = ""
    location: str | None
    start_date: datetime = datetime.min
    end_date: datetime | None
    is_current: bool
    description: str | None
    created_at: datetime


class ContactSchool(Schema):
    degree: str = ""
    field_of_study: str | None
    school: str = ""
    start_year: int = 0
    end_year: int = 0


class Contact(Schema):
    """One person. Nullable fields are always present; others only when known."""

    id: UUID = Field(examples=["0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a21"])
    full_name: str = Field(default="", examples=["Mira Tanaka"])
    first_name: str = Field(default="", examples=["Mira"])
    last_name: str = Field(default="", examples=["Tanaka"])
    current_job_title: str = Field(default="", examples=["Vice President, Sales"])
    location: str = Field(default="", examples=["Portland, Oregon"])
    summary: str = ""
    headline: str = ""
    profile_network_url: str = Field(default="", json_schema_extra={"format": "uri"})
    image_url: str = Field(default="", json_schema_extra={"format": "uri"})
    country: str | None = Field(examples=["United States"])
    country_code: str | None = Field(description="ISO 3166-1 alpha-2.", examples=["US"])
    emails: list[str] = Field(examples=[["mira.tanaka@harbor-analytics.example"]])
    phones: list[str] = Field(description="E.164.", examples=[["+14155550134"]])
    skills: list[str]
    company: ContactCompany = ContactCompany()
    experience: list[ContactJob]
    education: list[ContactSchool]
    company_id: UUID | None = Field(
        description="Id of the employer, if it is a company you can read."
    )
    seniority: str | None = Field(description="Seniority, derived from the title.", examples=["vp"])
    department: str | None = Field(examples=["sales"])
    role_emails: list[str] = Field(
        description="Role addresses among `emails`, such as info@ or sales@."
    )
    created_at: datetime
    updated_at: datetime | None


class ContactRecord(Contact):
    """A contact; with `provenance=true`, the source of each field."""

    provenance: dict[str, dict[str, Any]] | None = Field(
        default=None,
        description="Field -> source, observed_at, import_id, url, document_id, quote.",
    )


class CompanyInput(Schema):
    name: str | None = Field(default=None, max_length=300, examples=["Harbor Analytics"])
    domain: Line = Field(default=None, description="Domain or website; links the contact to it.")
    profile_network_id: Line = None


class JobInput(Schema):
    company: Line = None
    company_id: UUID | None = None
    company_profile_network_id: Line = None
    title: Line = None
    location: Line = None
    start_date: str | None = Field(default=None, max_length=40, description="Date or month.")
    end_date: str | None = Field(default=None, max_length=40)
    is_current: bool | None = None
    description: str | None = Field(default=None, max_length=4000)


class SchoolInput(Schema):
    degree: Line = None
    field_of_study: Line = None
    school: Line = None
    start_year: int | None = Field(default=None, ge=1900, le=2100)
    end_year: int | None = Field(default=None, ge=1900, le=2100)


class ContactInput(Schema):
    """What is known about a person: at least a name, an email address or a profile page."""

    full_name: str | None = Field(default=None, max_length=200, examples=["Mira Tanaka"])
    first_name: str | None = Field(default=None, max_length=200)
    last_name: str | None = Field(default=None, max_length=200)
    current_job_title: Line = Field(default=None, examples=["Vice President, Sales"])
    location: Line = None
    summary: str | None = Field(default=None, max_length=4000)
    headline: Line = None
    profile_network_url: str | None = Field(default=None, max_length=2000)
    image_url: str | None = Field(default=None, max_length=2000)
    country: str | None = Field(default=None, max_length=100, description="Code or name.")
    emails: list[str] | None = Field(
        default=None, max_length=_MOST, examples=[["mira.tanaka@harbor-analytics.example"]]
    )
    phones: list[str] | None = Field(
        default=None, max_length=_MOST, description="E.164, or the national format of `country`."
    )
    skills: list[str] | None = Field(default=None, max_length=_MOST)
    company: CompanyInput | None = None
    company_id: UUID | None = Field(default=None, description="Id of the employer, if known.")
    experience: list[JobInput] | None = Field(default=None, max_length=_MOST)
    education: list[SchoolInput] | None = Field(default=None, max_length=_MOST)
