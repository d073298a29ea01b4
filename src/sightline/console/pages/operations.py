"""Operations: progress of enrichments and deletions, and a form to add an account."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from sightline.console.page import FormIsInvalid, Moved, NothingHere, Shown, Visit, listed
from sightline.domain.credits import price_of
from sightline.domain.errors import Refusal
from sightline.enrich.submit import PRICE
from sightline.store.database import Tenant
from sightline.store.operation_pages import names_of, operations_page, read_operation

STATUSES: Final = ("queued", "running", "succeeded", "partial", "failed", "cancelled")
FIELDS: Final = ("company_name", "domain", "external_id", "source_system")
_UNFINISHED: Final = ("queued", "running")
_RETRIED: Final = ("partial", "failed")


async def show(visit: Visit) -> Shown:
    status = visit.choice("status", STATUSES)
    async with visit.reading() as connection:
        read = partial(
            operations_page, connection, parent_id=None, statuses=[status] if status else None
        )
        items, pager = await listed(visit, read)
        names = await _names(connection, items)
    return Shown(
        "operations.html",
        {
            "names": names,
            "operations": items,
            "pager": pager,
            "status": status,
            "statuses": STATUSES,
            "is_live": any(each["status"] in _UNFINISHED for each in items),
        },
    )


async def new(visit: Visit) -> Shown:
    """A form for one company, with what it costs."""
    given = {name: visit.asked(name) for name in FIELDS}
    return await _form(visit, given=given, error=None)


async def submit_company(visit: Visit) -> Shown | Moved:
    """Queue an enrichment exactly as the API does, for the signed-in user."""
    given = {name: visit.form.get(name, "").strip()[:300] for name in FIELDS}
    text = visit.form.get("company", "").strip()[:300]
    if text:
        given["domain" if "." in text and " " not in text else "company_name"] = text
    body = {name: value for name, value in given.items() if value}
    if not {"company_name", "domain"} & set(body):
        return await _form(visit, given=given, error="Enter a name or a domain, such as acme.com.")
    try:
        made = await visit.run("submit_company", body=body)
    except Refusal as refusal:
        message = refusal.message.partition(": ")[2] or refusal.message
        return await _form(visit, given=given, error=message)
    return Moved(f"/console/operations/{made['public_operation_id']}")


async def change(visit: Visit) -> Moved:
    """Cancel an operation, or submit the failed items of one again."""
    operation_id = str(visit.path_id("operation_id"))
    path = {"public_operation_id": operation_id}
    match visit.form.get("action"):
        case "cancel":
            await visit.run("cancel_operation", path=path)
        case "retry":
            again = await visit.run("retry_operation", path=path)
            operation_id = again["public_operation_id"]
        case _:
            raise FormIsInvalid
    return Moved(f"/console/operations/{operation_id}")


async def _form(visit: Visit, *, given: Mapping[str, str], error: str | None) -> Shown:
    credits = (await visit.run("read_credits"))["credit_remaining"]
    price = price_of(PRICE, visit.session.costs)
    return Shown(
        "new_account.html",
        {
            "given": given,
            "error": error,
            "price": price.amount,
            "remaining": credits[f"{price.credit}_credits"],
        },
    )


async def detail(visit: Visit) -> Shown:
    operation_id = visit.path_id("operation_id")
    async with visit.reading() as connection:
        found = await read_operation(connection, operation_id)
        if found is None or found[1]:
            raise NothingHere
        operation = json.loads(found[0])
        read = partial(operations_page, connection, parent_id=operation_id, statuses=None)
        items, pager = await listed(visit, read)
        names = await _names(connection, [operation, *items])
    return Shown(
        "operation.html",
        {
            "names": names,
            "operation": operation,
            "is_live": operation["status"] in _UNFINISHED,
            "failed": operation["kind"] == "bulk_enrichment" and operation["status"] in _RETRIED,
            "items": items,
            "pager": pager,
        },
    )


async def _names(connection: Tenant, operations: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The names of what is asked for by id alone."""
    ids = {each["input"]["id"] for each in operations if each["input"].get("id")}
    return await names_of(connection, ids) if ids else {}
