"""The company that the path of a request names, and lists of what is known about it."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from sightline.api.endpoint import Call
from sightline.api.paging import read_list
from sightline.domain.errors import CompanyDoesNotExist
from sightline.store.companies import present_company


async def asked_company(call: Call) -> UUID:
    """What the company id of a request stands for now. Raises CompanyDoesNotExist."""
    found = await present_company(call.tenant, call.params.company_id)
    if found is None:
        raise CompanyDoesNotExist()
    return found


async def list_of_company(
    call: Call, read: Callable[..., Any], *, bound_to: tuple[Any, ...]
) -> tuple[str, dict[str, Any]]:
    """As `read_list`, of a page that itself finds what the id stands for, in one round trip: only an empty
    list has to ask whether there is such a company. Raises CompanyDoesNotExist."""
    asked = call.params
    page = partial(read, call.tenant, asked.company_id)
    items, described = await read_list(
        call.caller, asked, page, bound_to=(asked.company_id, *bound_to)
    )
    if not described["total"]:
        await asked_company(call)
    return items, described
