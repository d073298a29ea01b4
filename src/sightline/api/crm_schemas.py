"""Requests and responses for connecting and syncing CRMs and contact providers."""

from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Schema
from sightline.api.paging import PageParameters
from sightline.crm.fields import MOST_MAPPED

MOST_FILTERS = 4  # of one kind, as the CRMs have it

Kind = Literal["accounts", "contacts"]
CrmName = Field(max_length=100, description="`hubspot` or `salesforce`.", examples=["hubspot"])


class CrmPath(Schema):
    integration_id: str = CrmName


class ConnectablePath(Schema):
    integration_id: str = Field(
        max_length=100,
        description="A CRM (`hubspot`, `salesforce`) or contact provider (`people_data_labs`, `hunter`).",
        examples=["hubspot"],
    )


class RunPath(CrmPath):
    run_id: UUID = Field(description="Id of the run.")


class RunList(PageParameters, CrmPath):
    pass


class LogList(PageParameters, RunPath):
    action: str | None = Field(
        default=None, max_length=40, description="Only records with this outcome."
    )


class Connect(Schema):
    """Credentials. With `client_id` and no `code`, the response has the URL where a person
    authorizes access."""

    secret: str | None = Field(
        default=None,
        min_length=1,
        max_length=4_000,
        description="Token of a private app, secret of your own app, or key. Stored encrypted, never shown.",
        examples=["the token or key"],
    )
    client_id: str | None = Field(
        default=None, max_length=500, description="Client id of your own app, for OAuth."
    )
    redirect_uri: str = Field(
        default="http://localhost", max_length=2_000, description="Redirect URL of the app."
    )
    code: str | None = Field(
        default=None, max_length=4_000, description="The code that came back from the redirect."
    )
    site: str | None = Field(
        default=None, max_length=2_000, description="Where people sign in to Salesforce."
    )
    state: str = Field(
        default="sightline",
        min_length=1,
        max_length=200,
        description="Returned with the code. Send a random value and compare it before you send the code.",
    )


class ConnectionState(Schema):
    id: str
    connected: bool
    authorize_url: str | None = Field(
        description="URL where a person authorizes access; then send the code."
    )
    terms: str | None = Field(description="Terms of use of the contact provider.")


class MappedField(Schema):
    kind: Kind
    property: str = Field(min_length=1, max_length=200, description="CRM property.")
    field: str = Field(max_length=100, description="Sightline field.")
    direction: Literal["in", "out", "both"] = "both"
    rule: Literal["theirs", "ours", "newest", "only_empty"] = Field(
        default="newest", description="Which value to keep when both sides changed it."
    )


class Condition(Schema):
    property: str = Field(min_length=1, max_length=200)
    operator: str = Field(min_length=1, max_length=40, examples=["EQ"])
    value: str | None = Field(default=None, max_length=1_000)


class Conditions(Schema):
    """Which records are read; a record must meet all conditions."""

    accounts: list[Condition] = Field(default_factory=list, max_length=MOST_FILTERS)
    contacts: list[Condition] = Field(default_factory=list, max_length=MOST_FILTERS)


class SyncSettings(Schema):
    mapping: list[MappedField]
    conditions: Conditions
    writes: bool = Field(description="Whether anything is written to the CRM.")
    creates: bool = Field(
        description="Whether accounts that the CRM does not have are created there."
    )
    notes: list[Literal["brief", "signals"]]
    every_hours: int | None = Field(description="How often it is synced; null: only on request.")


class SyncChange(Schema):
    """Omitted fields stay unchanged; `mapping` and `conditions` are replaced as a whole."""

    mapping: list[MappedField] | None = Field(default=None, max_length=MOST_MAPPED)
    conditions: Conditions | None = None
    writes: bool | None = None
    creates: bool | None = None
    notes: list[Literal["brief", "signals"]] | None = Field(default=None, max_length=2)
    every_hours: int | None = Field(default=None, ge=1, le=720)


class PreviewedField(Schema):
    kind: Kind
    property: str
    field: str
    label: str | None = Field(description="Null: the CRM has no such property.")
    theirs: list[str] = Field(description="Values of the first records.")
    read_as: list[str | None]


class CrmProperty(Schema):
    kind: Kind
    name: str
    label: str
    read_only: bool = Field(description="Whether it can only be read.")


class Preview(Schema):
    items: list[PreviewedField]
    properties: list[CrmProperty] = Field(description="Properties of the CRM that can be mapped.")


class SyncRun(Schema):
    id: UUID
    integration_id: str
    dry_run: bool
    state: Literal["queued", "running", "waiting", "succeeded", "failed"]
    stage: str
    complete: bool = Field(description="Whether all records are read, not only those that changed.")
    counts: dict[str, dict[str, int]] = Field(description="Stage -> outcome -> records.")
    warnings: list[str]
    error: str | None
    waiting_until: str | None
    started_at: str
    finished_at: str | None


class SyncEntry(Schema):
    stage: str
    record_id: str = Field(description="Of the CRM.")
    local_id: UUID | None = Field(description="Of our account or contact.")
    action: str = Field(examples=["updated"])
    details: dict[str, Any]
    at: str
