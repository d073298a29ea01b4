"""Watches: accounts to monitor, and the events that trigger alerts."""

from datetime import UTC, datetime, timedelta
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
from sightline.api.moments import Moment
from sightline.api.paging import PageParameters, listing, page_of
from sightline.api.schemas import Deleted, never_null
from sightline.domain.contact_records import seniorities
from sightline.domain.errors import (
    FilterIsInvalid,
    NameIsTaken,
    RequestIsInvalid,
    RulesAreCircular,
    WatchDoesNotExist,
    fault,
)
from sightline.domain.event_types import FAMILIES, TYPES
from sightline.domain.records import COMPANY_FIELDS
from sightline.store import watches as store
from sightline.store.account_search import AccountSearcher
from sightline.store.accounts import AccountFilter
from sightline.store.watch_previews import preview

MOST_ACCOUNTS = 5_000
PREVIEW_DAYS = 30
_PREVIEWED = 25
# What a watch always has beside its name: a change leaves it out, or gives another value.
KEPT = ("families", "types", "fields", "seniorities", "least_confidence", "paused")


class WatchBody(Schema):
    """Accounts by id or by a filter, and at least one family, type or field."""

    name: str = Field(min_length=1, max_length=200, examples=["Leadership in DACH"])
    account_ids: list[UUID] | None = Field(
        default=None, max_length=MOST_ACCOUNTS, description="Unknown ids are ignored."
    )
    filter: dict[str, Any] | None = Field(default=None, description="A filter over accounts.")
    families: list[str] = Field(default=[], max_length=50, examples=[["leadership_moves"]])
    types: list[str] = Field(default=[], max_length=100)
    fields: list[str] = Field(
        default=[], max_length=50, description="Fields of the company record to watch for changes."
    )
    seniorities: list[str] = Field(
        default=[],
        max_length=20,
        examples=[["c_suite", "vp"]],
        description="Fire on leadership moves and senior openings only at these levels. Empty: at any.",
    )
    least_confidence: float = Field(default=0.5, ge=0, le=1)
    paused: bool = False
    expires_at: Moment | None = None


class WatchChange(Schema):
    model_config = never_null("name", *KEPT)

    name: str | None = Field(default=None, min_length=1, max_length=200)
    account_ids: list[UUID] | None = Field(default=None, max_length=MOST_ACCOUNTS)
    filter: dict[str, Any] | None = None
    families: list[str] | None = Field(default=None, max_length=50)
    types: list[str] | None = Field(default=None, max_length=100)
    fields: list[str] | None = Field(default=None, max_length=50)
    seniorities: list[str] | None = Field(default=None, max_length=20)
    least_confidence: float | None = Field(default=None, ge=0, le=1)
    paused: bool | None = None
    expires_at: Moment | None = None


class Watch(Schema):
    id: UUID
    name: str
    kind: Literal["accounts", "search"]
    filter: dict[str, Any] | None
    account_ids: list[UUID] = Field(description="Empty if the watch follows a filter.")
    account_count: int = Field(
        description="If the watch follows a filter: as of the last update of its members."
    )
    families: list[str]
    types: list[str]
    fields: list[str]
    seniorities: list[str]
    least_confidence: float
    paused: bool
    expires_at: str | None
    status: Literal["active", "paused", "expired"]
    created_at: str
    updated_at: str


class WatchPreview(Schema):
    """What would have triggered the watch in the last 30 days. Nothing is saved."""

    account_count: int
    event_count: int
    items: list[dict[str, Any]]


list_all = listing(store.watches_page, "watches")


async def create(call: Call) -> Reply:
    values = await _checked(call, call.body.model_dump())
    values["created_by"] = call.caller.user_id
    watch_id = await _store(call, None, values)
    return await _answer(call, watch_id, status=201)


async def read(call: Call) -> Reply:
    return await _answer(call, call.params.watch_id)


async def change(call: Call) -> Reply:
    watch_id = call.params.watch_id
    stored = await store.find_watch(call.tenant, watch_id)
    if stored is None:
        raise WatchDoesNotExist()
    given = call.body.model_dump(exclude_unset=True)
    for name in ("name", *KEPT):
        if name in given and given[name] is None:
            raise RequestIsInvalid(f"{name} cannot be taken away.", path=name)
    if stored["kind"] == "search":
        stored["account_ids"] = None
        if "filter" not in given and given.get("account_ids") is not None:
            stored["filter"] = None
    elif given.get("filter") is not None and "account_ids" not in given:
        stored["account_ids"] = None
    values = await _checked(call, {**stored, **given})
    await _store(call, watch_id, values)
    return await _answer(call, watch_id)


async def delete(call: Call) -> Reply:
    watch_id = call.params.watch_id
    return deleted(await store.delete_watch(call.tenant, watch_id), WatchDoesNotExist, watch_id)


async def dry_run(call: Call) -> Reply:
    values = await _checked(call, call.body.model_dump())
    wanted = None
    if values["filter"] is not None:
        wanted = await lasting_filter(call, values["filter"])
    account_ids = values["account_ids"] or []
    watched = AccountFilter(account_ids=tuple(account_ids))
    if wanted is not None:
        watched = AccountFilter(wanted=wanted)
    searcher = AccountSearcher(call.services.indexes)
    _, count = await searcher.ids(call.tenant, watched, limit=0)
    found = await preview(
        call.tenant,
        wanted=wanted,
        account_ids=account_ids,
        families=values["families"],
        types=values["types"],
        fields=values["fields"],
        seniorities=values["seniorities"],
        least_confidence=values["least_confidence"],
        since=datetime.now(UTC) - timedelta(days=PREVIEW_DAYS),
        limit=_PREVIEWED,
    )
    return json_reply({"account_count": count, **found})


async def _store(call: Call, watch_id: UUID | None, values: dict[str, Any]) -> UUID:
    made = await store.store_watch(call.tenant, watch_id, values=values)
    if values["account_ids"] is not None:
        await store.set_accounts(call.tenant, made, values["account_ids"])
    return made


async def _checked(call: Call, values: dict[str, Any]) -> dict[str, Any]:
    """A watch's values, ready to be stored. Raises RequestIsInvalid and kinds of it."""
    faults = [
        fault(f"{name}.{n}", f"There is no {one} {each!r}; known: {', '.join(known)}.")
        for name, one, known in (
            ("families", "family", FAMILIES),
            ("types", "type", TYPES),
            ("fields", "field", COMPANY_FIELDS),
            ("seniorities", "seniority", seniorities()),
        )
        for n, each in enumerate(values[name])
        if each not in known
    ]
    if (values["filter"] is None) == (values["account_ids"] is None):
        faults.append(fault("filter", "Give either account_ids or a filter."))
    elif not (values["families"] or values["types"] or values["fields"]):
        message = "Choose at least one family, type or field; otherwise everything would match."
        faults.append(fault("types", message))
    if faults:
        message = "; ".join(f"{each['path']}: {each['message']}" for each in faults[:3])
        raise RequestIsInvalid(message, fields=faults)
    if values["filter"] is not None:
        await lasting_filter(call, values["filter"])
    kind = "search" if values["filter"] is not None else "accounts"
    return values | {"kind": kind}


async def _answer(call: Call, watch_id: UUID, *, status: int = 200) -> Reply:
    body = await store.watch_object(call.tenant, watch_id)
    return one(body, WatchDoesNotExist, status=status)


_ERRORS = (FilterIsInvalid, RulesAreCircular, NameIsTaken)

ENDPOINTS = of_resource(
    "Monitoring",
    ("monitoring:read", "monitoring:write"),
    Endpoint(
        method="GET",
        path="/watches",
        name="list_watches",
        summary="Your watches, by name",
        params=PageParameters,
        answer=page_of(Watch),
        handler=list_all,
    ),
    Endpoint(
        method="POST",
        path="/watches",
        name="create_watch",
        summary="Create a watch",
        description=("Only events detected from now on trigger alerts."),
        body=WatchBody,
        answer=Watch,
        status=201,
        errors=_ERRORS,
        handler=create,
    ),
    Endpoint(
        method="POST",
        path="/watches/dry-run",
        name="preview_watch",
        summary="Preview the alerts of a watch over the last 30 days",
        scopes=("monitoring:read",),
        body=WatchBody,
        answer=WatchPreview,
        reads=True,
        errors=(FilterIsInvalid, RulesAreCircular),
        handler=dry_run,
    ),
    Endpoint(
        method="GET",
        path="/watches/{watch_id}",
        name="read_watch",
        summary="Read one watch",
        answer=Watch,
        handler=read,
    ),
    Endpoint(
        method="PATCH",
        path="/watches/{watch_id}",
        name="update_watch",
        summary="Change, pause or resume a watch",
        body=WatchChange,
        answer=Watch,
        errors=(FilterIsInvalid, RulesAreCircular, NameIsTaken),
        handler=change,
    ),
    Endpoint(
        method="DELETE",
        path="/watches/{watch_id}",
        name="delete_watch",
        summary="Delete a watch; its alerts stay",
        answer=Deleted,
        handler=delete,
    ),
)
