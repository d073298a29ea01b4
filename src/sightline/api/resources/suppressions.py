"""The suppression list, and erasing people."""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.administering import audit
from sightline.api.endpoint import Call, Endpoint, Reply, Schema, json_reply, of_resource, one
from sightline.api.paging import PageParameters, list_reply, page_of
from sightline.domain.contacts import person_key, read_email, read_phone, read_profile_url
from sightline.domain.errors import (
    ContactDoesNotExist,
    ErasureDoesNotExist,
    RequestIsInvalid,
    SuppressionDoesNotExist,
    fault,
)
from sightline.kit.clock import now
from sightline.store import suppressions
from sightline.store.erasures import erase_person, read_erasure

_MOST = 1000
Kind = Literal["email", "phone", "profile", "person"]


class Person(Schema):
    """Identifiers of a person. A name needs a company."""

    email: str | None = Field(default=None, max_length=254, examples=["mira@harbor.example"])
    phone: str | None = Field(default=None, max_length=60, description="E.164.")
    profile_network_url: str | None = Field(default=None, max_length=2000)
    full_name: str | None = Field(default=None, max_length=200)
    company_name: str | None = Field(default=None, max_length=300)


class NewSuppressions(Schema):
    items: list[Person] = Field(min_length=1, max_length=_MOST)
    reason: str = Field(default="requested", min_length=1, max_length=300)


class Suppression(Schema):
    """An entry of the list. Only a keyed digest is stored; `display` is masked."""

    id: UUID
    kind: Kind
    display: str = Field(examples=["m***@h***.example"])
    reason: str = Field(examples=["requested"])
    source: Literal["user", "erasure"]
    created_at: datetime


class Suppressed(Schema):
    items: list[Suppression] = Field(description="Entries for everything requested.")
    added: int = Field(description="How many of them are new.")
    contacts_hidden: int = Field(description="Contacts that are now hidden.")


class SuppressionList(PageParameters):
    kind: Kind | None = Field(default=None, description="Only entries of this kind.")


class SuppressionPath(Schema):
    suppression_id: UUID = Field(description="Id of the entry.")


class Lifted(Schema):
    deleted: bool
    id: UUID
    contacts_restored: int


class ErasureRequest(Person):
    contact_id: UUID | None = Field(default=None, description="Any other identifier you have.")


class ErasedThing(Schema):
    kind: Kind
    display: str


class Erasure(Schema):
    """The certificate. It does not reveal who the person was."""

    id: UUID
    requested_by: str
    subject: list[ErasedThing] = Field(description="The request, masked.")
    removed: dict[str, int] = Field(description="Rows removed, by place.")
    suppressions: int = Field(description="Digests that keep the person from being added again.")
    completed_at: datetime
    proof: str = Field(description="SHA-256 of the above, in hex.")


async def list_all(call: Call) -> Reply:
    kind = call.params.kind
    page = partial(suppressions.suppressions_page, call.tenant, kind=kind)
    return await list_reply(call, page, "suppressions", kind)


async def add(call: Call) -> Reply:
    asked: NewSuppressions = call.body
    keys = [key for n, item in enumerate(asked.items) for key in keys_of(item, path=f"items.{n}.")]
    made = await suppressions.suppress(call.tenant, keys, reason=asked.reason)
    await audit(call, "suppress", f"suppressions:{made.added}")
    items = await suppressions.read_suppressions(call.tenant, made.suppression_ids)
    body = f'{{"items":{items},"added":{made.added},"contacts_hidden":{made.hidden}}}'
    return Reply(body.encode(), status=201)


async def lift(call: Call) -> Reply:
    suppression_id = call.params.suppression_id
    restored = await suppressions.lift_suppression(call.tenant, suppression_id)
    if restored is None:
        raise SuppressionDoesNotExist()
    await audit(call, "unsuppress", f"suppression:{suppression_id}")
    body = {"deleted": True, "id": str(suppression_id), "contacts_restored": restored}
    return json_reply(body)


async def erase(call: Call) -> Reply:
    asked: ErasureRequest = call.body
    keys = keys_of(asked) if asked.model_fields_set - {"contact_id"} else []
    if not keys and asked.contact_id is None:
        raise RequestIsInvalid(
            "Identify the person: contact_id, email, phone, profile page, or name and company."
        )
    erased = await erase_person(
        call.tenant,
        contact_ids=[asked.contact_id] if asked.contact_id else [],
        keys=keys,
        requested_by=call.caller.actor,
        now=now(),
    )
    if erased is None:
        raise ContactDoesNotExist()
    await audit(call, "erase", f"erasure:{erased.erasure_id}")
    location = f"/public-api/v1/contacts/erasures/{erased.erasure_id}"
    return Reply(erased.certificate.encode(), status=201, headers={"Location": location})


async def read_certificate(call: Call) -> Reply:
    return one(await read_erasure(call.tenant, call.params.erasure_id), ErasureDoesNotExist)


def keys_of(person: Person, *, path: str = "") -> list[str]:
    """What the store knows the person by. Raises RequestIsInvalid that names what is wrong."""
    keys: list[str] = []
    faults: list[dict[str, str]] = []
    for name, given, kind, read, message in _knowing(person):
        if given is None:
            continue
        if key := read(given):
            keys.append(kind + key)
        else:
            faults.append(fault(path + name, message, "invalid_value"))
    if not keys and not faults:
        message = "Provide an email, a phone, a profile page, or a name and a company."
        faults.append(fault(path.rstrip(".") or "body", message, "missing_field"))
    if faults:
        raise RequestIsInvalid(faults[0]["message"], fields=faults)
    return keys


def _knowing(person: Person) -> Iterable[tuple[str, Any, str, Callable[[Any], str | None], str]]:
    """Each way to name a person: field, what is given, kind of key, how it is read, what is wrong if not."""
    names = (person.full_name, person.company_name)
    whole = None if names == (None, None) else tuple(name or "" for name in names)
    return (
        ("email", person.email, "e:", _address, "Must be an email address."),
        ("phone", person.phone, "f:", read_phone, "Must be a phone number with country code."),
        ("profile_network_url", person.profile_network_url, "p:", read_profile_url,
         "Must be a person's profile page."),
        ("full_name", whole, "n:", lambda given: person_key(*given),
         "Provide a full name and a company name."),
    )  # fmt: skip


def _address(text: str) -> str | None:
    found = read_email(text)
    return found.address if found else None


ENDPOINTS = of_resource(
    "Suppressions",
    ("contacts:read", "contacts:write"),
    Endpoint(
        method="GET",
        path="/suppressions",
        name="list_suppressions",
        summary="Suppressed people, newest first",
        params=SuppressionList,
        answer=page_of(Suppression),
        handler=list_all,
    ),
    Endpoint(
        method="POST",
        path="/suppressions",
        name="add_suppressions",
        summary="Add people to the suppression list",
        description=(
            "Matching contacts are hidden, and no import, discovery, search or export shows "
            "them. Entries are keyed digests; the original values are not stored."
        ),
        body=NewSuppressions,
        answer=Suppressed,
        status=201,
        handler=add,
    ),
    Endpoint(
        method="DELETE",
        path="/suppressions/{suppression_id}",
        name="lift_suppression",
        summary="Remove an entry; its contacts become visible again",
        params=SuppressionPath,
        answer=Lifted,
        handler=lift,
    ),
    Endpoint(
        method="POST",
        path="/contacts/erasures",
        name="erase_person",
        summary="Erase a person permanently, everywhere",
        description=(
            "Removes their contacts and the answers that show them, and suppresses them by "
            "digest. An id alone that does not exist is 404; a person who is not stored is "
            "suppressed all the same."
        ),
        body=ErasureRequest,
        answer=Erasure,
        status=201,
        errors=(ContactDoesNotExist,),
        headers={"Location": "URL of the certificate."},
        handler=erase,
    ),
    Endpoint(
        method="GET",
        path="/contacts/erasures/{erasure_id}",
        name="read_erasure",
        summary="The certificate of an erasure",
        answer=Erasure,
        handler=read_certificate,
    ),
)
