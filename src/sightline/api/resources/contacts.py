"""Contacts: search, read, create, change, delete."""

import json
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

from pydantic import Field

from sightline.api.administering import audit
from sightline.api.asked_company import asked_company
from sightline.api.contact_schemas import Contact, ContactInput, ContactRecord
from sightline.api.contact_search import (
    ContactList,
    ContactSearch,
    PagedContactSearch,
    contact_query,
    contacts_envelope,
    page_asked,
    search_of,
)
from sightline.api.endpoint import Call, Endpoint, Reply, Schema, json_reply, of_resource
from sightline.api.paging import PageParameters, Pagination, read_list
from sightline.domain.contact_input import ReadContact, read_contact
from sightline.domain.errors import (
    CompanyDoesNotExist,
    ContactDoesNotExist,
    ContactIsAmbiguous,
    FilterIsInvalid,
    ListDoesNotExist,
    PersonIsSuppressed,
    RequestIsInvalid,
    fault,
)
from sightline.domain.filters import EVERYTHING
from sightline.kit.clock import now, rfc3339
from sightline.store import contacts
from sightline.store.account_search import AccountSearcher
from sightline.store.accounts import AccountFilter
from sightline.store.companies import present_company
from sightline.store.contact_edits import delete_contact, edit_contact
from sightline.store.contact_writes import put_contacts
from sightline.store.database import Tenant
from sightline.store.erasures import erase_person


class LiveParameters(Schema):
    live: bool = Field(default=False, description="Not supported here; true is refused.")


class ContactParameters(Schema):
    provenance: bool = Field(default=False, description="Include the provenance of each field.")


class DeleteParameters(Schema):
    erase: bool = Field(
        default=False,
        description="Also suppress the person permanently and issue a certificate.",
    )


class CompanyContactList(PageParameters):
    company_id: UUID = Field(description="Id of the company.")


class LimitPagination(Schema):
    page: int = Field(examples=[1])
    limit: int = Field(description="Contacts per page.", examples=[25])
    total: int = Field(description="Total contacts, exact.", examples=[61])
    next_cursor: str | None = Field(
        default=None,
        description="Pass it as `cursor` for the next page, unaffected by new contacts.",
        examples=["eyJwIjogMjV9"],
    )


class ContactPage(Schema):
    data: list[Contact]
    pagination: LimitPagination


class CompanyContacts(Schema):
    contacts: list[Contact]
    pagination: Pagination


class ContactDeleted(Schema):
    deleted: bool
    id: UUID
    erasure_id: UUID | None = Field(
        default=None, description="Id of the certificate, after `erase`."
    )


async def search(call: Call) -> Reply:
    if call.params.live:
        raise RequestIsInvalid(
            "Contact search covers stored contacts only; live=true is not supported.",
            fields=[fault("live", "Not supported.")],
        )
    return await _listed(call, call.body, page_asked(call.body))


async def list_all(call: Call) -> Reply:
    return await _listed(call, search_of(call.params), page_asked(call.params))


async def _listed(call: Call, asked: ContactSearch, page: PageParameters) -> Reply:
    query, headers = await contact_query(call.tenant, asked)
    # The two lists are alike, but a cursor is of one operation.
    bound_to = ("contacts", type(call.params).__name__, query)
    where = AccountFilter(wanted=query.accounts)
    selecting: AbstractAsyncContextManager[tuple[Tenant, AccountFilter]] = nullcontext(
        (call.tenant, where)
    )
    if query.accounts != EVERYTHING:
        searcher = AccountSearcher(call.services.indexes)
        selecting = searcher.selecting(call.tenant, where)
    async with selecting as (tenant, chosen):
        found = replace(query, account_ids=chosen.account_ids)
        read = partial(contacts.find_contacts, tenant, query=found)
        items, described = await read_list(call.caller, page, read, bound_to=bound_to)
    return Reply(contacts_envelope(items, described), headers=headers)


async def of_company(call: Call) -> Reply:
    company_id = await asked_company(call)
    read = partial(contacts.company_contacts, call.tenant, company_id=company_id)
    items, described = await read_list(
        call.caller, call.params, read, bound_to=("company contacts", company_id)
    )
    return Reply(f'{{"contacts":{items},"pagination":{json.dumps(described)}}}'.encode())


async def read(call: Call) -> Reply:
    return await _answer(call, call.params.contact_id, provenance=call.params.provenance)


async def create(call: Call) -> Reply:
    said = _checked(call.body.model_dump(exclude_none=True), call.body)
    if not said.says_who:
        raise RequestIsInvalid("Provide a name, an email address or a profile page.")
    await _check_company(call, call.body.company_id)
    (outcome,) = await put_contacts(call.tenant, [said], source=_by_user(call), now=now())
    if outcome.state is None:
        raise PersonIsSuppressed()
    if outcome.clash is not None:
        raise ContactIsAmbiguous(outcome.clash)
    status = 201 if outcome.status == "created" else 200
    return await _answer(call, outcome.state.contact_id, status=status)


async def change(call: Call) -> Reply:
    given = call.body.model_dump(exclude_unset=True)
    cleared = [name for name, value in given.items() if value in (None, [])]
    said = _checked({k: v for k, v in given.items() if k not in cleared}, call.body)
    await _check_company(call, call.body.company_id)
    edited = await edit_contact(
        call.tenant,
        call.params.contact_id,
        said=said,
        cleared=["country_code" if name == "country" else name for name in cleared],
        source=_by_user(call),
        now=now(),
    )
    match edited:
        case "missing":
            raise ContactDoesNotExist()
        case "suppressed":
            raise PersonIsSuppressed()
        case "ambiguous":
            raise ContactIsAmbiguous("Another contact has this email address or profile page.")
        case "nameless":
            raise RequestIsInvalid(
                "A contact must keep a name, an email address or a profile page."
            )
    return await _answer(call, call.params.contact_id)


async def delete(call: Call) -> Reply:
    contact_id, erase = call.params.contact_id, call.params.erase
    if await contacts.read_contact(call.tenant, contact_id) is None:
        raise ContactDoesNotExist()
    body: dict[str, Any] = {"deleted": True, "id": str(contact_id)}
    subject = f"contact:{contact_id}"
    if erase:
        erased = await erase_person(
            call.tenant,
            contact_ids=[contact_id],
            keys=(),
            requested_by=call.caller.actor,
            now=now(),
        )
        if erased is None:
            raise ContactDoesNotExist()
        body["erasure_id"] = str(erased.erasure_id)
        subject = f"erasure:{erased.erasure_id}"
    else:
        await delete_contact(call.tenant, contact_id)
    await audit(call, "erase" if erase else "delete", subject)
    return json_reply(body)


def _checked(given: dict[str, Any], body: ContactInput) -> ReadContact:
    """The values of a request. Raises RequestIsInvalid that names each one that is wrong."""
    said = read_contact(given)
    if said.faults:
        fields = [fault(each.field, f"{each.message}", "invalid_value") for each in said.faults]
        raise RequestIsInvalid(
            "; ".join(f"{each.field}: {each.message}" for each in said.faults[:3]), fields=fields
        )
    if body.company_id is not None:
        said.values["company_id"] = str(body.company_id)
    return said


async def _check_company(call: Call, company_id: UUID | None) -> None:
    if company_id is None:
        return
    if await present_company(call.tenant, company_id) is None:
        raise CompanyDoesNotExist()


def _by_user(call: Call) -> dict[str, Any]:
    return {
        "source": "user",
        "user_id": str(call.caller.user_id),
        "observed_at": rfc3339(now(), exact=True),
    }


async def _answer(
    call: Call, contact_id: UUID, *, status: int = 200, provenance: bool = False
) -> Reply:
    found = await contacts.read_contact(call.tenant, contact_id)
    if found is None:
        raise ContactDoesNotExist()
    document = found.document
    if provenance:
        shown = json.dumps(found.sources, ensure_ascii=False)
        document = f'{document[:-1]}, "provenance": {shown}}}'
    return Reply(document.encode(), status=status)


ENDPOINTS = of_resource(
    "Contacts",
    ("contacts:read", "contacts:write"),
    Endpoint(
        method="POST",
        path="/contacts/search",
        name="search_contacts",
        summary="Search your contacts",
        description=(
            "Newest first; totals are exact. A value outside its vocabulary returns no rows, "
            "and the X-Warning header has the closest values."
        ),
        scopes=("contacts:read",),
        params=LiveParameters,
        body=PagedContactSearch,
        body_optional=True,
        answer=ContactPage,
        errors=(FilterIsInvalid, ListDoesNotExist),
        headers={"X-Warning": "Filter values outside their vocabulary."},
        reads=True,
        handler=search,
    ),
    Endpoint(
        method="GET",
        path="/contacts",
        name="list_contacts",
        summary="Your contacts, newest first",
        params=ContactList,
        answer=ContactPage,
        handler=list_all,
    ),
    Endpoint(
        method="POST",
        path="/contacts",
        name="create_contact",
        summary="Create a contact, or update the existing one",
        description=(
            "A person is matched by email address, profile page, or name and company; an "
            "existing contact is updated and returned with 200. A role address matches no one."
        ),
        body=ContactInput,
        answer=Contact,
        status=201,
        also={200: "The contact existed and was updated."},
        errors=(CompanyDoesNotExist, PersonIsSuppressed, ContactIsAmbiguous),
        handler=create,
    ),
    Endpoint(
        method="GET",
        path="/contacts/{contact_id}",
        name="read_contact",
        summary="Read one contact",
        params=ContactParameters,
        answer=ContactRecord,
        handler=read,
    ),
    Endpoint(
        method="PATCH",
        path="/contacts/{contact_id}",
        name="change_contact",
        summary="Set values of a contact",
        description="Null removes a value; lists are replaced as a whole. No import overwrites it.",
        body=ContactInput,
        answer=Contact,
        errors=(CompanyDoesNotExist, PersonIsSuppressed, ContactIsAmbiguous),
        handler=change,
    ),
    Endpoint(
        method="DELETE",
        path="/contacts/{contact_id}",
        name="delete_contact",
        summary="Delete a contact, or erase the person",
        params=DeleteParameters,
        answer=ContactDeleted,
        handler=delete,
    ),
    Endpoint(
        method="GET",
        path="/companies/{company_id}/contacts",
        name="list_company_contacts",
        summary="Your contacts at a company, newest first",
        params=CompanyContactList,
        answer=CompanyContacts,
        handler=of_company,
    ),
)
