"""Operations: what is being enriched, how far it is, and a form to submit a company."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from sightline.console.page import Moved, NothingHere, Shown, Visit, listed
from sightline.domain.errors import Refusal
from sightline.enrich.submit import read_input, submit
from sightline.store.database import Connection
from sightline.store.operation_pages import names_of, operations_page, read_operation
from sightline.store.operations import Asker
from sightline.store.organizations import read_costs

STATUSES: Final = ("queued", "running", "succeeded", "partial", "failed", "cancelled")
_UNFINISHED: Final = ("queued", "running")


async def show(visit: Visit) -> Shown:
    return await _list(visit, error=None, given={})


async def submit_company(visit: Visit) -> Shown | Moved:
    """Queue an enrichment exactly as the API does, for the signed-in user."""
    text = visit.form.get("company", "").strip()[:300]
    asked = {"domain": text} if "." in text and " " not in text else {"company_name": text}
    organization_id = visit.session.organization_id
    try:
        values = read_input(asked)
        async with visit.writing() as connection:
            costs = await read_costs(connection, organization_id)
            asker = Asker(key_id=None, user_id=visit.session.user_id, request_id=None)
            made = await submit(connection, organization_id, values, costs=costs, asker=asker)
    except Refusal as error:
        message = "Give a name or a domain, such as acme.com." if not text else error.message
        return await _list(
            visit, error=message.partition(": ")[2] or message, given={"company": text}
        )
    return Moved(f"/console/operations/{made.operation_id}", notice="submitted")


async def detail(visit: Visit) -> Shown:
    organization_id = visit.session.organization_id
    operation_id = visit.path_id("operation_id")
    async with visit.reading() as connection:
        found = await read_operation(connection, organization_id, operation_id)
        if found is None or found[1]:
            raise NothingHere
        operation = json.loads(found[0])
        read = partial(
            operations_page, connection, organization_id, parent_id=operation_id, statuses=None
        )
        items, pager = await listed(visit, read)
        names = await _names(visit, connection, [operation, *items])
    return Shown(
        "operation.html",
        {
            "names": names,
            "operation": operation,
            "is_live": operation["status"] in _UNFINISHED,
            "items": items,
            "pager": pager,
        },
    )


async def _names(
    visit: Visit, connection: Connection, operations: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """The names of what is asked for by id alone."""
    ids = {each["input"]["id"] for each in operations if each["input"].get("id")}
    return await names_of(connection, visit.session.organization_id, ids) if ids else {}


async def _list(visit: Visit, *, error: str | None, given: dict[str, str]) -> Shown:
    status = visit.choice("status", STATUSES)
    async with visit.reading() as connection:
        read = partial(
            operations_page,
            connection,
            visit.session.organization_id,
            parent_id=None,
            statuses=[status] if status else None,
        )
        items, pager = await listed(visit, read)
        names = await _names(visit, connection, items)
    return Shown(
        "operations.html",
        {
            "names": names,
            "operations": items,
            "pager": pager,
            "status": status,
            "statuses": STATUSES,
            "is_live": any(each["status"] in _UNFINISHED for each in items),
            "error": error,
            "given": given,
        },
        status=422 if error else 200,
    )
