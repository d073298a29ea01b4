"""Accounts and contacts as files: whatever a search finds, streamed."""

from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from pydantic import Field

from sightline.api.account_search import AccountFilters, account_filter
from sightline.api.contact_schemas import ContactRecord
from sightline.api.contact_search import ContactSearch, contact_query
from sightline.api.endpoint import Call, Endpoint, Schema, StreamReply
from sightline.api.exporting import account_table, contact_table
from sightline.api.schemas import AccountItem
from sightline.api.validation import read_body
from sightline.domain.errors import FilterIsInvalid, RulesAreCircular
from sightline.kit.clock import now
from sightline.kit.tables import MEDIA_TYPES, Format
from sightline.store.contact_writes import rfc3339
from sightline.store.organizations import record_act

_LONGEST_SEARCH = 20_000
# Longer than any transaction that writes accounts lasts: what one of them commits after this export
# began has an earlier time of change than the export.
_OVERLAP = timedelta(minutes=2)

Search = TypeVar("Search", bound=Schema)


class ExportParameters(Schema):
    format: Format = Field(default="jsonl", description="jsonl, csv or parquet.")
    provenance: bool = Field(
        default=False, description="Also say source, address and time of each value."
    )
    search: str | None = Field(
        default=None,
        max_length=_LONGEST_SEARCH,
        description="What to export: the filters of the search's body, as JSON text.",
    )


class AccountExportParameters(ExportParameters):
    changed_since: datetime | None = Field(
        default=None,
        description="Only what changed since: give the X-Changed-Until of the export before.",
    )


class AccountLine(AccountItem):
    """One line of the export."""

    updated_at: datetime
    provenance: dict[str, dict[str, Any]] | None = None


async def export_accounts(call: Call) -> StreamReply:
    asked: AccountExportParameters = call.params
    filters = _read(AccountFilters, asked.search)
    if asked.changed_since is not None:
        since = asked.changed_since
        since = since if since.tzinfo else since.replace(tzinfo=UTC)
        filters = filters.model_copy(update={"changed_since": since})
    where, warnings = await account_filter(call.connection, call.caller.organization_id, filters)
    await _record(call, "accounts", filters)
    chunks = account_table(
        call.connection,
        call.caller.organization_id,
        where,
        form=asked.format,
        provenance=asked.provenance,
    )
    headers = _headers("accounts", asked.format) | {"X-Changed-Until": rfc3339(now() - _OVERLAP)}
    if warnings:
        headers["X-Warning"] = "; ".join(warnings)
    return StreamReply(chunks, MEDIA_TYPES[asked.format], headers)


async def export_contacts(call: Call) -> StreamReply:
    asked: ExportParameters = call.params
    search = _read(ContactSearch, asked.search)
    query, warning = await contact_query(call.connection, call.caller.organization_id, search)
    await _record(call, "contacts", search)
    chunks = contact_table(
        call.connection,
        call.caller.organization_id,
        query,
        form=asked.format,
        provenance=asked.provenance,
    )
    return StreamReply(
        chunks, MEDIA_TYPES[asked.format], _headers("contacts", asked.format) | warning
    )


def _read(model: type[Search], text: str | None) -> Search:
    """The filters of a search. Raises RequestIsInvalid."""
    read = read_body(model, (text or "{}").encode())
    if not isinstance(read, model):
        raise TypeError(f"read_body answered {type(read).__name__}.")
    return read


def _headers(name: str, form: Format) -> dict[str, str]:
    file_name = f"{name}-{now():%Y-%m-%d}.{form}"
    return {"Content-Disposition": f'attachment; filename="{file_name}"'}


async def _record(call: Call, what: str, filters: Schema) -> None:
    """Note the export in a transaction of its own: one that breaks off has told something too."""
    organization_id = call.caller.organization_id
    async with call.services.database.tenant(organization_id) as connection:
        await record_act(
            connection,
            organization_id,
            action="export",
            subject=what,
            actor=f"key:{call.caller.key_id}",
            # The filters' names alone: their values may tell who somebody is.
            details={
                "format": call.params.format,
                "filters": sorted(filters.model_fields_set),
                "provenance": call.params.provenance,
            },
            request_id=call.request_id,
        )


_STREAMS = tuple(media.partition(";")[0] for media in MEDIA_TYPES.values())
_ATTACHMENT = {
    "Content-Disposition": "A file name.",
    "X-Warning": "Filter values that are outside their vocabulary.",
}

ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/accounts/export",
        name="export_accounts",
        summary="Export accounts as JSON Lines, CSV or Parquet",
        description=(
            "Everything that a search finds, at one moment, in the order of their ids. An export that "
            "is cut off ends without the end of its last chunk: take no file whose transfer failed. "
            "Cells that a spreadsheet would run begin with an apostrophe."
        ),
        tag="Exports",
        scopes=("accounts:read",),
        params=AccountExportParameters,
        answer=AccountLine,
        errors=(FilterIsInvalid, RulesAreCircular),
        headers=_ATTACHMENT
        | {"X-Changed-Until": "Give it as `changed_since` next time, and nothing is missed."},
        snapshot=True,
        streams=_STREAMS,
        handler=export_accounts,
    ),
    Endpoint(
        method="GET",
        path="/contacts/export",
        name="export_contacts",
        summary="Export contacts as JSON Lines, CSV or Parquet",
        description="As the export of accounts. Suppressed people are not in it.",
        tag="Exports",
        scopes=("contacts:read",),
        params=ExportParameters,
        answer=ContactRecord,
        errors=(FilterIsInvalid, RulesAreCircular),
        headers=_ATTACHMENT,
        snapshot=True,
        streams=_STREAMS,
        handler=export_contacts,
    ),
)
