"""Hints for a likely mistake: an account id in place of a company id, or the reverse."""

from collections.abc import Mapping
from uuid import UUID

from sightline.domain.errors import AccountDoesNotExist, CompanyDoesNotExist, Refusal
from sightline.store.accounts import ids_of_account
from sightline.store.companies import present_company
from sightline.store.database import Tenant


async def hinted(tenant: Tenant, refusal: Refusal, path: Mapping[str, str]) -> Refusal:
    """The refusal, with what the id in the path is instead if it is something of the caller's or
    public. Of another organization's id nothing is said."""
    if isinstance(refusal, CompanyDoesNotExist) and "company_id" in path:
        given = UUID(path["company_id"])
        ids = await ids_of_account(tenant, given)
        if ids is not None and ids.account_id == given:
            return CompanyDoesNotExist(
                f"There is no such company: this is the id of an account. Its company is"
                f" {ids.company_id}.",
                company_id=str(ids.company_id),
            )
    if isinstance(refusal, AccountDoesNotExist) and "account_id" in path:
        given = UUID(path["account_id"])
        ids = await ids_of_account(tenant, given)
        if ids is not None:
            return AccountDoesNotExist(
                "There is no such account: this is the id of a company. Your account of it is"
                f" {ids.account_id}.",
                account_id=str(ids.account_id),
            )
        if await present_company(tenant, given) is not None:
            return AccountDoesNotExist(
                "There is no such account: this is the id of a company that is none of your accounts."
            )
    return refusal
