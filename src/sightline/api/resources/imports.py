"""Imports of lists: their results, and undoing a whole import."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Call, Endpoint, Reply, Schema, of_resource, one
from sightline.api.paging import PageParameters, listing, page_of
from sightline.domain.errors import ImportCannotBeUndone, ImportDoesNotExist, ScopeIsMissing
from sightline.domain.scopes import is_granted
from sightline.store import imports, work
from sightline.store.imports import ImportIsMissing, ImportIsNotUndoable


class Undone(Schema):
    """Result of undoing an import, in accounts or contacts."""

    deleted: int = Field(description="Records it created that were removed.")
    reverted: int = Field(description="Records whose previous values were restored.")
    stayed_edited: int = Field(
        description="Records it created that stay because a person edited them."
    )
    stayed_placed: int = Field(
        description="Accounts it created that stay because a person added them to a list, territory or watch."
    )
    stayed_imported: int = Field(
        description="Records it created that stay with values from other imports or discovery only."
    )
    values_stayed: int = Field(description="Values that stay because they were changed later.")


class Import(Schema):
    """An import of a list. Counts are rows of the file."""

    id: UUID
    kind: Literal["accounts", "contacts"]
    file_name: str = Field(examples=["customers.csv"])
    state: Literal["running", "finished", "undoing", "undone"]
    rows: int = Field(description="Rows done so far.", examples=[120])
    rows_total: int | None = Field(
        description="Rows of the file; null for imports of earlier releases.", examples=[120]
    )
    percent: int | None = Field(description="Percentage done, 0-100.", examples=[100])
    seconds_left: int | None = Field(
        description="Estimated from the speed so far. Null unless it is running and has processed some rows."
    )
    created: int = Field(examples=[100])
    updated: int = Field(examples=[15])
    unchanged: int = Field(examples=[3])
    bad: int = Field(examples=[2])
    can_be_undone: bool = Field(description="False for imports by releases without undo.")
    undone: Undone | None = Field(description="Null unless it is being or was undone.")
    started_at: datetime
    finished_at: datetime | None
    undone_at: datetime | None


list_all = listing(imports.imports_page, "imports")


async def read(call: Call) -> Reply:
    return await _answer(call)


async def undo(call: Call) -> Reply:
    organization_id, import_id = call.caller.organization_id, call.params.import_id
    try:
        found = await imports.begin_undo(call.tenant, import_id)
    except ImportIsMissing as error:
        raise ImportDoesNotExist() from error
    except ImportIsNotUndoable as error:
        raise ImportCannotBeUndone(str(error)) from error
    if found.kind == "contacts" and not is_granted("contacts:write", call.caller.scopes):
        raise ScopeIsMissing(
            "The key lacks the scope contacts:write.", required_scope="contacts:write"
        )
    if not found.finished:
        await work.put(
            call.tenant,
            imports.UNDO,
            str(import_id),
            organization_id=organization_id,
            payload={"actor": call.caller.actor},
        )
    return await _answer(call, status=202)


async def _answer(call: Call, *, status: int = 200) -> Reply:
    body = await imports.read_import(call.tenant, call.params.import_id)
    return one(body, ImportDoesNotExist, status=status)


ENDPOINTS = of_resource(
    "Imports",
    ("accounts:read", "accounts:write"),
    Endpoint(
        method="GET",
        path="/imports",
        name="list_imports",
        summary="Imports of lists, newest first",
        params=PageParameters,
        answer=page_of(Import),
        handler=list_all,
    ),
    Endpoint(
        method="GET",
        path="/imports/{import_id}",
        name="read_import",
        summary="Read one import",
        answer=Import,
        handler=read,
    ),
    Endpoint(
        method="POST",
        path="/imports/{import_id}/undo",
        name="undo_import",
        summary="Undo a whole import",
        description=(
            "Removes the accounts or contacts that it created and restores the values that it replaced. "
            "Later changes stay and are counted in `undone`: poll GET /imports/{import_id} until `state` is "
            "`undone`. Records that another import also wrote stay with that import. Undoing twice has no "
            "further effect. Imports of contacts need `contacts:write` as well."
        ),
        answer=Import,
        status=202,
        errors=(ImportCannotBeUndone,),
        handler=undo,
    ),
)
