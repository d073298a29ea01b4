"""Accounts and contacts as files: everything that matches, streamed."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Literal, TypeVar
from uuid import UUID

from pydantic import Field

from sightline.api.account_search import AccountFilters, account_filter
from sightline.api.administering import audit
from sightline.api.contact_schemas import ContactRecord
from sightline.api.contact_search import ContactSearch, contact_query
from sightline.api.endpoint import Call, Endpoint, Schema, StreamReply, of_resource
from sightline.api.exporting import account_table, contact_table
from sightline.api.filtering import resolved_filter
from sightline.api.moments import Moment
from sightline.api.schemas import AccountItem
from sightline.api.validation import read_body
from sightline.domain.errors import (
    FilterIsInvalid,
    ListDoesNotExist,
    RulesAreCircular,
    TerritoryDoesNotExist,
)
from sightline.kit.clock import now, rfc3339
from sightline.kit.tables import MEDIA_TYPES, Format
from sightline.store.account_search import AccountSearcher
from sightline.store.accounts import AccountFilter
from sightline.store.lists import find_list
from sightline.store.territory_pages import territory_head

_LONGEST_SEARCH = 20_000
# Longer than any transaction that writes accounts lasts: what one of them commits after this export
# began has an earlier time of change than the export.
_OVERLAP = timedelta(minutes=2)

Search = TypeVar("Search", bound=Schema)


class FileParameters(Schema):
    format: Format = Field(default="jsonl", description="jsonl, csv, xlsx or parquet.")
    provenance: bool = Field(
        default=False, description="Include source, URL and time of each value."
    )


class ListExportParameters(FileParameters):
    list_id: UUID = Field(description="Id of the list.")


class TerritoryExportParameters(FileParameters):
    territory_id: str = Field(max_length=100, description="Id of the territory.", examples=["dach"])


class ExportParameters(FileParameters):
    search: str | None = Field(
        default=None,
        max_length=_LONGEST_SEARCH,
        description="What to export: the filters of the search body, as JSON.",
    )


class AccountExportParameters(ExportParameters):
    changed_since: Moment | None = Field(
        default=None,
        description="Only records changed since then: the X-Changed-Until of the previous export.",
    )


class ExportedAccounts(AccountFilters):
    """What the search of an export may say."""

    account_ids: list[UUID] | None = Field(
        default=None, min_length=1, max_length=500, description="Only these accounts."
    )


class AccountLine(AccountItem):
    """One line of the export."""

    updated_at: datetime
    provenance: dict[str, dict[str, Any]] | None = None


class TerritoryLine(AccountLine):
    """One line of the export of a territory."""

    score: int = Field(description="0-100; 50 where the territory has no score rules.")
    why: list[dict[str, Any]] = Field(description="The reasons for the score, with points.")
    by_hand: bool = Field(description="Whether the account was included by hand.")


async def export_accounts(call: Call) -> StreamReply:
    asked: AccountExportParameters = call.params
    filters = _read(ExportedAccounts, asked.search)
    if asked.changed_since is not None:
        filters = filters.model_copy(update={"changed_since": asked.changed_since})
    where, warnings = await account_filter(call.tenant, filters)
    if filters.account_ids is not None:
        where = replace(where, account_ids=tuple(filters.account_ids))
    await _record(call, "accounts", filters)
    chunks = account_table(
        call.tenant,
        where,
        searcher=AccountSearcher(call.services.indexes),
        form=asked.format,
        provenance=asked.provenance,
    )
    headers = {"X-Changed-Until": rfc3339(now() - _OVERLAP, exact=True)}
    if warnings:
        headers["X-Warning"] = "; ".join(warnings)
    return _file("accounts", asked.format, chunks, headers)


async def export_list(call: Call) -> StreamReply:
    asked: ListExportParameters = call.params
    if await find_list(call.tenant, asked.list_id) is None:
        raise ListDoesNotExist()
    return await _export_members(call, "list", str(asked.list_id))


async def export_territory(call: Call) -> StreamReply:
    asked: TerritoryExportParameters = call.params
    if await territory_head(call.tenant, asked.territory_id) is None:
        raise TerritoryDoesNotExist()
    return await _export_members(call, "territory", asked.territory_id)


async def _export_members(
    call: Call, kind: Literal["list", "territory"], member_of: str
) -> StreamReply:
    """The accounts of a list (a saved search is run now) or of a territory, as a file."""
    asked: FileParameters = call.params
    tenant = call.tenant
    condition = {"field": kind, "op": "eq", "value": member_of}
    wanted = await resolved_filter(tenant, condition)
    await _record(call, f"{kind}:{member_of}", asked)
    chunks = account_table(
        tenant,
        AccountFilter(wanted=wanted),
        searcher=AccountSearcher(call.services.indexes),
        form=asked.format,
        provenance=asked.provenance,
        territory_id=member_of if kind == "territory" else None,
    )
    # Ids of territories are small letters, digits and hyphens; those of lists are UUIDs.
    return _file(f"{kind}-{member_of}", asked.format, chunks, {})


async def export_contacts(call: Call) -> StreamReply:
    asked: ExportParameters = call.params
    search = _read(ContactSearch, asked.search)
    query, warning = await contact_query(call.tenant, search)
    await _record(call, "contacts", search)
    chunks = contact_table(call.tenant, query, form=asked.format, provenance=asked.provenance)
    return _file("contacts", asked.format, chunks, warning)


def _read(model: type[Search], text: str | None) -> Search:
    """The filters of a search. Raises RequestIsInvalid."""
    read = read_body(model, (text or "{}").encode())
    if not isinstance(read, model):
        raise TypeError(f"read_body answered {type(read).__name__}.")
    return read


def _file(
    name: str, form: Format, chunks: AsyncIterator[bytes], headers: dict[str, str]
) -> StreamReply:
    disposition = f'attachment; filename="{name}-{now():%Y-%m-%d}.{form}"'
    return StreamReply(chunks, MEDIA_TYPES[form], {"Content-Disposition": disposition} | headers)


async def _record(call: Call, what: str, filters: Schema) -> None:
    """Note the export in a transaction of its own: one that breaks off has shown data too."""
    # The filters' names alone: their values may tell who someone is.
    details = {
        "format": call.params.format,
        "filters": sorted(filters.model_fields_set - set(FileParameters.model_fields)),
        "provenance": call.params.provenance,
    }
    async with call.services.database.tenant(call.caller.organization_id) as tenant:
        await audit(replace(call, tenant=tenant), "export", what, details)


_STREAMS = tuple(media.partition(";")[0] for media in MEDIA_TYPES.values())
_ATTACHMENT = {
    "Content-Disposition": "A file name.",
    "X-Warning": "Filter values outside their vocabulary.",
}

ENDPOINTS = of_resource(
    "Exports",
    ("accounts:read", "accounts:read"),
    Endpoint(
        method="GET",
        path="/accounts/export",
        name="export_accounts",
        summary="Export accounts as JSON Lines, CSV, Excel or Parquet",
        description=(
            "Everything that matches, as of one moment, ordered by id. Discard a file whose transfer failed: "
            "it is incomplete. Cells that a spreadsheet would execute begin with an apostrophe."
        ),
        params=AccountExportParameters,
        answer=AccountLine,
        errors=(FilterIsInvalid, ListDoesNotExist, RulesAreCircular),
        headers=_ATTACHMENT
        | {"X-Changed-Until": "Pass it as `changed_since` next time to miss nothing."},
        streams=_STREAMS,
        handler=export_accounts,
    ),
    Endpoint(
        method="GET",
        path="/lists/{list_id}/export",
        name="export_list",
        summary="Export the accounts of a list as JSON Lines, CSV, Excel or Parquet",
        description="Like the export of accounts. A saved search runs at the time of the request.",
        params=ListExportParameters,
        answer=AccountLine,
        errors=(FilterIsInvalid, RulesAreCircular),
        headers={"Content-Disposition": "A file name."},
        streams=_STREAMS,
        handler=export_list,
    ),
    Endpoint(
        method="GET",
        path="/territories/{territory_id}/export",
        name="export_territory",
        summary="Export the accounts of a territory with their scores",
        description="Like the export of accounts, with score, reasons and whether it was included by hand.",
        scopes=("territories:read",),
        params=TerritoryExportParameters,
        answer=TerritoryLine,
        headers={"Content-Disposition": "A file name."},
        streams=_STREAMS,
        handler=export_territory,
    ),
    Endpoint(
        method="GET",
        path="/contacts/export",
        name="export_contacts",
        summary="Export contacts as JSON Lines, CSV, Excel or Parquet",
        description="Like the export of accounts. Suppressed people are left out.",
        scopes=("contacts:read",),
        params=ExportParameters,
        answer=ContactRecord,
        errors=(FilterIsInvalid, ListDoesNotExist, RulesAreCircular),
        headers=_ATTACHMENT,
        snapshot=True,
        streams=_STREAMS,
        handler=export_contacts,
    ),
)
