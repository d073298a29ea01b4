"""Territories: rules, accounts added by hand, owner, and scores with reasons."""

import json
import re
from functools import partial
from typing import Any
from uuid import UUID

from sightline.api.endpoint import Call, Endpoint, Reply, deleted, json_reply, of_resource
from sightline.api.filtering import lasting_filter
from sightline.api.paging import PageParameters, listing, page_of, read_list
from sightline.api.pricing import credit_headers, dry_run_reply
from sightline.api.schemas import AccountItem, Deleted
from sightline.api.territory_schemas import (
    KEPT,
    NewTerritory,
    Overlap,
    Recomputed,
    RecomputeParameters,
    Simulation,
    SimulationResult,
    Territory,
    TerritoryChange,
    TerritoryParameters,
    TerritoryPath,
    TerritorySummary,
)
from sightline.domain.credits import price_of
from sightline.domain.errors import (
    FilterIsInvalid,
    NameIsTaken,
    RequestIsInvalid,
    RulesAreCircular,
    TerritoryDoesNotExist,
    fault,
)
from sightline.domain.names import fold
from sightline.store import credits, territories
from sightline.store.account_search import AccountSearcher
from sightline.store.accounts import AccountFilter
from sightline.store.membership_refreshes import is_large, leave_to_worker
from sightline.store.territories import Membership, ScoreRule
from sightline.store.territory_pages import delete_territory, territories_page, territory_head

PRICE = "territory_recompute"
_SAMPLE = 25
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")


list_all = listing(territories_page, "territories")


async def create(call: Call) -> Reply:
    asked: NewTerritory = call.body
    territory_id = _territory_id(asked)
    values = asked.model_dump(mode="json")
    await _save(call, territory_id, values, is_new=True)
    return await _answer(call, territory_id, PageParameters(), status=201)


async def read(call: Call) -> Reply:
    return await _answer(call, call.params.territory_id, call.params)


async def change(call: Call) -> Reply:
    territory_id = call.params.territory_id
    stored = await territories.read_territory(call.tenant, territory_id)
    if stored is None:
        raise TerritoryDoesNotExist()
    given = call.body.model_dump(mode="json", exclude_unset=True)
    for name in KEPT:
        if name in given and given[name] is None:
            raise RequestIsInvalid(f"{name} cannot be taken away.", path=name)
    await _save(call, territory_id, stored | given, is_new=False)
    return await _answer(call, territory_id, PageParameters())


async def delete(call: Call) -> Reply:
    territory_id = call.params.territory_id
    found = await delete_territory(call.tenant, territory_id)
    return deleted(found, TerritoryDoesNotExist, territory_id)


async def simulate(call: Call) -> Reply:
    asked: Simulation = call.body
    membership, scores = await _decided_by(call, asked.model_dump(mode="json"))
    where, searcher = AccountFilter(wanted=membership.rules), AccountSearcher(call.services.indexes)
    async with searcher.selecting(call.tenant, where) as (tenant, chosen):
        found = await territories.simulate(
            tenant,
            membership=membership.of(chosen.account_ids),
            scores=scores,
            compared_with=asked.compared_with,
            limit=_SAMPLE,
        )
    return Reply(json.dumps(found, default=str).encode())


async def recompute(call: Call) -> Reply:
    territory_id = call.params.territory_id
    stored = await territories.read_territory(call.tenant, territory_id)
    if stored is None:
        raise TerritoryDoesNotExist()
    price = price_of(PRICE, call.caller.costs)
    if call.params.dry_run:
        return await dry_run_reply(call, price)
    operation = f"territory:{territory_id}:{call.request_id}"
    if price.amount:
        await credits.reserve(
            call.tenant,
            credit=price.credit,
            amount=price.amount,
            operation=operation,
            reason="Territory recompute",
            key_id=call.caller.used_key,
            request_id=call.request_id,
        )
    membership, scores = await _decided_by(call, stored)
    count = await territories.compute_members(
        call.tenant, territory_id, membership=membership, scores=scores
    )
    if price.amount:
        await credits.settle(call.tenant, credit=price.credit, operation=operation)
    body = {"id": territory_id, "account_count": count}
    return json_reply(body, headers=await credit_headers(call, price))


list_overlaps = listing(territories.overlaps_page, "overlaps")


list_gaps = listing(territories.gaps_page, "gaps")


async def _save(call: Call, territory_id: str, values: dict[str, Any], *, is_new: bool) -> None:
    """Check, store and compute in one transaction, so that members are never of older rules; over very
    many accounts the worker computes them, and `computed_at` is null until then."""
    membership, scores = await _decided_by(call, values)
    owner_id = values.get("owner_id")
    try:
        await territories.store_territory(
            call.tenant,
            territory_id,
            values=values | {"owner_id": UUID(str(owner_id)) if owner_id else None},
            is_new=is_new,
        )
    except territories.TerritoryExists as error:
        raise NameIsTaken(str(error)) from error
    except territories.OwnerDoesNotExist as error:
        raise RequestIsInvalid.at("owner_id", str(error)) from error
    await territories.set_overrides(
        call.tenant, territory_id, include=membership.include, exclude=membership.exclude
    )
    if await is_large(call.tenant):
        await leave_to_worker(call.tenant, territory_id)
        return
    await territories.compute_members(
        call.tenant, territory_id, membership=membership, scores=scores
    )


async def _decided_by(call: Call, values: dict[str, Any]) -> tuple[Membership, list[ScoreRule]]:
    rules = await lasting_filter(call, values["rules"], path="rules")
    scores = [
        ScoreRule(
            await lasting_filter(call, rule["filter"], path=f"score_rules.{n}.filter"),
            rule["points"],
            rule["why"],
        )
        for n, rule in enumerate(values["score_rules"])
    ]
    include, exclude = (
        [UUID(str(each)) for each in values[name] or ()] for name in ("include", "exclude")
    )
    return Membership(rules, include, exclude), scores


async def _answer(
    call: Call, territory_id: str, asked: PageParameters, *, status: int = 200
) -> Reply:
    head = await territory_head(call.tenant, territory_id)
    if head is None:
        raise TerritoryDoesNotExist()
    page = partial(territories.members_page, call.tenant, territory_id)
    listed, described = await read_list(
        call.caller, asked, page, bound_to=("territory", territory_id)
    )
    members = json.loads(listed)
    territory = json.loads(head) | {
        "companies": {"items": [m["item"] for m in members], "pagination": described},
        "scores": [
            {
                "company_id": m["item"]["company_id"],
                "score": m["score"],
                "why": m["why"]
                + ([{"why": "included by hand", "points": 0}] if m["by_hand"] else []),
            }
            for m in members
        ],
    }
    return json_reply(territory, status=status)


def _territory_id(asked: NewTerritory) -> str:
    if asked.id is not None:
        if not _ID.fullmatch(asked.id):
            raise RequestIsInvalid(
                "id: Use 1 to 80 lowercase letters, digits and hyphens.",
                fields=[fault("id", "Use lowercase letters, digits and hyphens.", "invalid")],
            )
        return asked.id
    made = re.sub(r"[^a-z0-9]+", "-", fold(asked.name)).strip("-")[:80]
    if not made:
        raise RequestIsInvalid(
            "id: The name has no Latin letters or digits to derive an id from; provide one.",
            fields=[fault("id", "Provide an id.", "missing_field")],
        )
    return made


_ERRORS = (TerritoryDoesNotExist, FilterIsInvalid, RulesAreCircular, NameIsTaken)

ENDPOINTS = of_resource(
    "Territories",
    ("territories:read", "territories:write"),
    Endpoint(
        method="GET",
        path="/territories",
        name="list_territories",
        summary="Your territories, by name",
        params=PageParameters,
        answer=page_of(TerritorySummary, "TerritoryPage"),
        snapshot=True,
        handler=list_all,
    ),
    Endpoint(
        method="POST",
        path="/territories",
        name="create_territory",
        summary="Create a territory and compute its members",
        body=NewTerritory,
        answer=Territory,
        status=201,
        errors=_ERRORS[1:],
        handler=create,
    ),
    Endpoint(
        method="POST",
        path="/territories/simulate",
        name="simulate_territory",
        summary="Preview a territory without saving it",
        scopes=("territories:read",),
        body=Simulation,
        answer=SimulationResult,
        errors=(FilterIsInvalid, RulesAreCircular),
        reads=True,
        handler=simulate,
    ),
    Endpoint(
        method="GET",
        path="/territories/overlaps",
        name="list_territory_overlaps",
        summary="Pairs of territories that share accounts",
        params=PageParameters,
        answer=page_of(Overlap),
        snapshot=True,
        handler=list_overlaps,
    ),
    Endpoint(
        method="GET",
        path="/territories/gaps",
        name="list_territory_gaps",
        summary="Accounts in no territory",
        params=PageParameters,
        answer=page_of(AccountItem, "GapPage"),
        snapshot=True,
        handler=list_gaps,
    ),
    Endpoint(
        method="GET",
        path="/territories/{territory_id}",
        name="read_territory",
        summary="Read one territory with a page of its companies",
        params=TerritoryParameters,
        answer=Territory,
        snapshot=True,
        handler=read,
    ),
    Endpoint(
        method="PATCH",
        path="/territories/{territory_id}",
        name="update_territory",
        summary="Change a territory; its members are computed again",
        params=TerritoryPath,
        body=TerritoryChange,
        answer=Territory,
        errors=(FilterIsInvalid, RulesAreCircular, NameIsTaken),
        handler=change,
    ),
    Endpoint(
        method="DELETE",
        path="/territories/{territory_id}",
        name="delete_territory",
        summary="Delete a territory; its accounts stay",
        params=TerritoryPath,
        answer=Deleted,
        handler=delete,
    ),
    Endpoint(
        method="POST",
        path="/territories/{territory_id}/recompute",
        name="recompute_territory",
        summary="Compute a territory's members and scores now",
        description="Members update automatically within minutes; this does it immediately.",
        params=RecomputeParameters,
        answer=Recomputed,
        price=PRICE,
        handler=recompute,
    ),
)
