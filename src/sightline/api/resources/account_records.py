"""Single accounts: read, change, delete; and bulk deletion."""

from typing import Any
from uuid import UUID

from pydantic import Field

from sightline.api.account_changes import AccountChange, values_to_set
from sightline.api.administering import audit
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
from sightline.api.schemas import AccountItem, Deleted
from sightline.domain.errors import (
    AccountDoesNotExist,
    FilterIsInvalid,
    MoreThanConfirmed,
    RequestIsInvalid,
    RulesAreCircular,
)
from sightline.kit.clock import now, rfc3339
from sightline.store import account_deletions
from sightline.store.account_writes import AccountNeedsAName, set_user_values
from sightline.store.accounts import AccountFilter, account_names, read_account
from sightline.store.operations import Asker

MOST_IDS = 10_000
# More are deleted by a worker: this many take well under a second.
MOST_AT_ONCE = 500
_SAMPLE = 10


class DeletionParameters(Schema):
    dry_run: bool = Field(
        default=False, description="Return what would be deleted without deleting it."
    )


class AccountDeletion(Schema):
    """The accounts to delete: by ids or by a filter."""

    account_ids: list[UUID] | None = Field(
        default=None,
        max_length=MOST_IDS,
        description="Account ids; unknown ids are ignored.",
    )
    filter: dict[str, Any] | None = Field(
        default=None,
        description="A filter; {} matches every account.",
        examples=[{"field": "tags", "op": "contains", "value": "old list"}],
    )
    confirm: int | None = Field(
        default=None,
        ge=0,
        description=(
            "With a filter: the `count` from a dry run. If more match by now, nothing is deleted."
        ),
        examples=[81],
    )


class NamedAccount(Schema):
    id: UUID
    company_name: str = Field(examples=["Harbor Analytics"])


class AccountsDeleted(Schema):
    count: int = Field(description="How many accounts match.", examples=[81])
    deleted: int = Field(description="How many this request deleted.", examples=[81])
    sample: list[NamedAccount] = Field(description="The first names, sorted.")
    public_operation_id: UUID | None = Field(
        description="The operation that deletes them, if there are too many for one request."
    )
    status_url: str | None = Field(description="URL to poll its progress.")


async def read(call: Call) -> Reply:
    return await _answer(call, call.params.account_id)


async def change(call: Call) -> Reply:
    values = values_to_set(call.body)
    account_id = call.params.account_id
    try:
        known = await set_user_values(
            call.tenant, account_id, values=values, observed_at=rfc3339(now(), exact=True)
        )
    except AccountNeedsAName as error:
        raise RequestIsInvalid(str(error), path="company_name") from error
    if not known:
        raise AccountDoesNotExist()
    return await _answer(call, account_id)


async def delete(call: Call) -> Reply:
    account_id = call.params.account_id
    names = await account_names(call.tenant, [account_id], limit=1)
    found = await account_deletions.delete_accounts(call.tenant, [account_id])
    reply = deleted(found, AccountDoesNotExist, account_id)
    await audit(call, "delete", f"account:{account_id}", {"company_name": names[0]["company_name"]})
    return reply


async def delete_many(call: Call) -> Reply:
    asked: AccountDeletion = call.body
    found = await _wanted(call, asked)
    answer: dict[str, Any] = {
        "count": len(found),
        "deleted": 0,
        "sample": await account_names(call.tenant, found, limit=_SAMPLE),
        "public_operation_id": None,
        "status_url": None,
    }
    if call.params.dry_run:
        return json_reply(answer)
    if asked.filter is not None:
        _check_confirmed(asked.confirm, len(found))
    details = {"count": len(found)} | ({"filter": asked.filter} if asked.filter is not None else {})
    if len(found) <= MOST_AT_ONCE:
        answer["deleted"] = await account_deletions.delete_accounts(call.tenant, found)
        await audit(call, "delete", "accounts", details)
        return json_reply(answer)
    operation_id = await account_deletions.queue_deletion(
        call.tenant,
        found,
        asked=details,
        asker=Asker(call.caller.used_key, call.caller.user_id, call.request_id),
    )
    await audit(call, "delete", "accounts", details | {"operation": str(operation_id)})
    answer["public_operation_id"] = str(operation_id)
    answer["status_url"] = f"/public-api/v1/operations/{operation_id}"
    return json_reply(answer, status=202, headers={"Location": answer["status_url"]})


async def _wanted(call: Call, asked: AccountDeletion) -> list[UUID]:
    """The accounts meant, in the order of their ids."""
    if (asked.filter is None) == (asked.account_ids is None):
        raise RequestIsInvalid("Give either account_ids or filter.", path="filter")
    if asked.account_ids is not None:
        return await account_deletions.existing_accounts(call.tenant, asked.account_ids)
    # A value outside its vocabulary is refused: below a "not" it would match everything.
    where = AccountFilter(wanted=await lasting_filter(call, asked.filter or {}))
    return await account_deletions.matching_accounts(call.tenant, where)


def _check_confirmed(confirmed: int | None, count: int) -> None:
    if confirmed is None:
        raise RequestIsInvalid(
            f"The filter matches {count:,} accounts. To delete them, send confirm: {count}.",
            path="confirm",
        )
    if count > confirmed:
        raise MoreThanConfirmed(
            f"The filter matches {count:,} accounts, and you confirmed {confirmed:,};"
            " nothing was deleted."
        )


async def _answer(call: Call, account_id: UUID) -> Reply:
    return one(await read_account(call.tenant, account_id), AccountDoesNotExist)


ENDPOINTS = of_resource(
    "Accounts",
    ("accounts:read", "accounts:write"),
    Endpoint(
        method="POST",
        path="/accounts/delete",
        name="delete_accounts",
        summary="Delete many accounts, by ids or by a filter",
        description=(
            "Send `dry_run=true` first: it returns `count` and the first names. A filter needs that"
            f" count as `confirm`. Up to {MOST_AT_ONCE} accounts are deleted at once; more by an "
            "operation, which deletes the accounts that matched at the time of the request. "
            "Repeating the request deletes nothing more. DELETE /accounts/{account_id} says what stays."
        ),
        params=DeletionParameters,
        body=AccountDeletion,
        answer=AccountsDeleted,
        also={202: "Deletion is in progress; poll `status_url`."},
        errors=(FilterIsInvalid, RulesAreCircular, MoreThanConfirmed),
        max_body_bytes=2_000_000,
        handler=delete_many,
    ),
    Endpoint(
        method="GET",
        path="/accounts/{account_id}",
        name="read_account",
        summary="Read one account",
        answer=AccountItem,
        handler=read,
    ),
    Endpoint(
        method="PATCH",
        path="/accounts/{account_id}",
        name="update_account",
        summary="Set values of an account",
        description=(
            "They take precedence over public and imported values, and no import or enrichment "
            "overwrites them. Null removes your value."
        ),
        body=AccountChange,
        answer=AccountItem,
        handler=change,
    ),
    Endpoint(
        method="DELETE",
        path="/accounts/{account_id}",
        name="delete_account",
        summary="Delete an account",
        description=(
            "Deletes your own values, references and domains, removes the account from its lists, "
            "territories and watches, and cancels an enrichment in progress. The ledger, the audit log, "
            "public facts with their evidence, events, alerts, contacts, content and conversations stay. If "
            "only your organization knew the company, its events and alerts are deleted too, and its "
            "contacts stay without a company."
        ),
        answer=Deleted,
        handler=delete,
    ),
)
