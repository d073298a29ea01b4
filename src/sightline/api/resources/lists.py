"""Saved lists of accounts, chosen by hand or by a search."""

from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import (
    Call,
    Endpoint,
    Reply,
    Schema,
    deleted,
    json_reply,
    of_resource,
    one,
)
from sightline.api.filtering import lasting_filter
from sightline.api.paging import PageParameters, listing, page_of
from sightline.api.schemas import Deleted
from sightline.domain.errors import (
    FilterIsInvalid,
    ListDoesNotExist,
    NameIsTaken,
    RequestIsInvalid,
    RulesAreCircular,
)
from sightline.store import lists

MOST_MEMBERS = 10_000


class NewList(Schema):
    name: str = Field(min_length=1, max_length=200, examples=["Expansion 2026"])
    description: str = Field(default="", max_length=2000)
    filter: dict[str, Any] | None = Field(
        default=None,
        description="Makes it a saved search; without one, accounts are added by hand.",
    )


class ListChange(Schema):
    name: str | None = Field(default=None, min_length=1, max_length=200)
    description: str | None = Field(default=None, max_length=2000)
    filter: dict[str, Any] | None = Field(default=None, description="Saved searches only.")


class MemberChange(Schema):
    add: list[UUID] = Field(
        default=[],
        max_length=MOST_MEMBERS,
        description="Account ids; unknown ids are ignored.",
    )
    remove: list[UUID] = Field(default=[], max_length=MOST_MEMBERS, description="Account ids.")


class AccountList(Schema):
    id: UUID
    name: str = Field(examples=["Expansion 2026"])
    description: str
    kind: Literal["accounts", "search"]
    filter: dict[str, Any] | None
    account_count: int | None = Field(description="Null for a saved search, which runs each time.")
    created_at: str
    updated_at: str


class MembersChanged(Schema):
    added: int
    removed: int


list_all = listing(lists.lists_page, "lists")


async def create(call: Call) -> Reply:
    asked: NewList = call.body
    if asked.filter is not None:
        await lasting_filter(call, asked.filter)
    list_id = await lists.create_list(
        call.tenant,
        name=asked.name,
        description=asked.description,
        filter=asked.filter,
        created_by=call.caller.user_id,
    )
    return await _answer(call, list_id, status=201)


async def read(call: Call) -> Reply:
    return await _answer(call, call.params.list_id)


async def change(call: Call) -> Reply:
    asked: ListChange = call.body
    list_id = call.params.list_id
    found = await lists.find_list(call.tenant, list_id)
    if found is None:
        raise ListDoesNotExist()
    if asked.filter is not None:
        if found.kind != "search":
            raise RequestIsInvalid("Only a saved search has a filter.", path="filter")
        await lasting_filter(call, asked.filter, inside=[str(list_id)])
    await lists.update_list(
        call.tenant, list_id, name=asked.name, description=asked.description, filter=asked.filter
    )
    return await _answer(call, list_id)


async def delete(call: Call) -> Reply:
    list_id = call.params.list_id
    return deleted(await lists.delete_list(call.tenant, list_id), ListDoesNotExist, list_id)


async def change_members(call: Call) -> Reply:
    asked: MemberChange = call.body
    list_id = call.params.list_id
    found = await lists.find_list(call.tenant, list_id)
    if found is None:
        raise ListDoesNotExist()
    if found.kind == "search":
        raise RequestIsInvalid(
            "The filter of a saved search determines its accounts.", path="list_id"
        )
    added, removed = await lists.change_members(
        call.tenant, list_id, add=asked.add, remove=asked.remove
    )
    return json_reply({"added": added, "removed": removed})


async def _answer(call: Call, list_id: UUID, *, status: int = 200) -> Reply:
    body = await lists.read_list_object(call.tenant, list_id)
    return one(body, ListDoesNotExist, status=status)


ENDPOINTS = of_resource(
    "Lists",
    ("accounts:read", "accounts:write"),
    Endpoint(
        method="GET",
        path="/lists",
        name="list_lists",
        summary="Your saved lists, by name",
        description='To read the accounts of a list, use POST /accounts with the filter field "list".',
        params=PageParameters,
        answer=page_of(AccountList),
        handler=list_all,
    ),
    Endpoint(
        method="POST",
        path="/lists",
        name="create_list",
        summary="Create a list",
        body=NewList,
        answer=AccountList,
        status=201,
        errors=(FilterIsInvalid, RulesAreCircular, NameIsTaken),
        handler=create,
    ),
    Endpoint(
        method="GET",
        path="/lists/{list_id}",
        name="read_list",
        summary="Read one list",
        answer=AccountList,
        handler=read,
    ),
    Endpoint(
        method="PATCH",
        path="/lists/{list_id}",
        name="update_list",
        summary="Change a list's name, description or filter",
        body=ListChange,
        answer=AccountList,
        errors=(FilterIsInvalid, RulesAreCircular, NameIsTaken),
        handler=change,
    ),
    Endpoint(
        method="DELETE",
        path="/lists/{list_id}",
        name="delete_list",
        summary="Delete a list; its accounts stay",
        answer=Deleted,
        handler=delete,
    ),
    Endpoint(
        method="POST",
        path="/lists/{list_id}/accounts",
        name="change_list_accounts",
        summary="Add accounts to a list, and remove others",
        body=MemberChange,
        answer=MembersChanged,
        handler=change_members,
    ),
)
