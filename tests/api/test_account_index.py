"""Account search behind the real gate, answered by an index in memory."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.api.resources import exports, territories
from sightline.store.account_index.indexes import AccountIndexes
from sightline.store.account_index.loading import read_page
from sightline.store.account_search import AccountSearcher
from sightline.store.accounts import AccountFilter
from sightline.store.database import Database
from tests.api.accounts_data import ACCOUNTS, RECORDS, add_accounts, names, search
from tests.api.conftest import Connect
from tests.api.contacts_data import CONTACTS
from tests.conftest import MakeTenant, Tenant


async def test_an_index_is_of_one_organization(
    make_tenant: MakeTenant, connect: Connect, database: Database
) -> None:
    indexes = AccountIndexes(database, 1 << 30, least_accounts=1)
    tenants = [await make_tenant("first"), await make_tenant("second")]
    for tenant in tenants:
        name = f"Of {tenant.organization_id}"
        await add_accounts(database, tenant.organization_id, [{"company_name": name}] * 3)
        indexes.ready(tenant.organization_id)
        index = await indexes.built(tenant.organization_id)
        assert index is not None
        assert len(index.base) == 3
    for tenant in tenants:
        client = connect(indexes=indexes)
        client.headers["x-api-key"] = tenant.key
        answer = await search(client, company_name="of", facets=["industry"])
        assert names(answer) == [f"Of {tenant.organization_id}"] * 3
        assert answer["pagination"]["total"] == 3
        assert answer["facets"]["industry"] == [{"value": None, "count": 3}]
    # Even the keys of another's accounts answer nothing under the policies.
    first, second = (tenant.organization_id for tenant in tenants)
    of_first = await indexes.built(first)
    assert of_first is not None
    stolen = [UUID(bytes=of_first.base.id_of(n)) for n in range(3)]
    async with database.reads(second) as reads:
        page = await read_page(reads, of_first.stamp, stolen, sorted_by="a.sort_key")
    assert (page.items, page.length, page.last) == ("[]", 0, None)
    await indexes.close()


async def test_exports_and_simulations_by_the_index_are_those_by_sql(
    tenant: Tenant, connect: Connect, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = await add_accounts(database, tenant.organization_id, RECORDS)
    indexes = AccountIndexes(database, 1 << 30, least_accounts=1)
    indexes.ready(tenant.organization_id)
    assert await indexes.built(tenant.organization_id) is not None
    selected: list[int | None] = []

    class Seen(AccountSearcher):
        @asynccontextmanager
        async def selecting(self, *asked: Any) -> AsyncIterator[tuple[Any, AccountFilter]]:
            async with super().selecting(*asked) as (connection, chosen):
                ids = chosen.account_ids
                selected.append(None if ids is None else len(ids))
                yield connection, chosen

    monkeypatch.setattr(exports, "AccountSearcher", Seen)
    monkeypatch.setattr(territories, "AccountSearcher", Seen)
    few = {"field": "hq_city", "op": "eq", "value": "Portland"}
    simulation = {
        "rules": few,
        "include": [str(added[1].account_id)],
        "exclude": [str(added[2].account_id)],
        "score_rules": [{"filter": few, "points": 20, "why": "in Portland"}],
    }
    answers = []
    for client in (connect(indexes=indexes), connect()):
        client.headers["x-api-key"] = tenant.key
        file = await client.get(
            f"{ACCOUNTS}/export", params={"search": json.dumps({"filter": few})}
        )
        preview = await client.post(f"{BASE_PATH}/territories/simulate", json=simulation)
        assert preview.json()["account_count"] == 2
        assert [line["company_name"] for line in map(json.loads, file.text.splitlines())] == [
            "Harbor Analytics"
        ]
        answers.append((file.text, preview.json()))
    assert answers[0] == answers[1]
    assert selected == [1, 1, None, None]
    await indexes.close()


async def test_contacts_of_accounts_by_the_index_are_those_by_sql(
    tenant: Tenant, connect: Connect, database: Database
) -> None:
    added = await add_accounts(database, tenant.organization_id, RECORDS)
    indexes = AccountIndexes(database, 1 << 30, least_accounts=1)
    indexes.ready(tenant.organization_id)
    index = await indexes.built(tenant.organization_id)
    assert index is not None
    began = index.stamp
    answers: list[list[Any]] = []
    for client in (connect(), connect(indexes=indexes)):
        client.headers["x-api-key"] = tenant.key
        if not answers:
            for n, account in enumerate(added[:3]):
                person = {"full_name": f"Ada {n}", "company_id": str(account.company_id)}
                assert (await client.post(CONTACTS, json=person)).status_code == 201
        few = {"field": "hq_city", "op": "eq", "value": "Portland"}
        for wanted in (few, {"not": few}):
            first = await client.post(
                f"{CONTACTS}/search", json={"account_filter": wanted, "per_page": 1}
            )
            cursor = first.json()["pagination"]["next_cursor"]
            again = {"account_filter": wanted, "per_page": 1, "cursor": cursor}
            rest = await client.post(f"{CONTACTS}/search", json=again) if cursor else first
            answers.append([(each.json()["data"], each.status_code) for each in (first, rest)])
    assert answers[:2] == answers[2:]
    assert [contact["full_name"] for contact in answers[0][0][0]] == ["Ada 0"]
    assert index.stamp != began  # it was asked
    await indexes.close()


def _compared(field: str, op: str, value: Any) -> dict[str, Any]:
    return {"field": field, "op": op, "value": value}


@pytest.mark.parametrize(
    "wanted",
    [
        _compared("hq_city", "eq", "Łódź"),
        _compared("hq_city", "eq", "łÓDź"),
        _compared("hq_city", "in", ["Kraków", "łódź"]),
        _compared("hq_city", "contains", "ódź"),
        _compared("hq_city", "starts_with", "łó"),
        {"not": _compared("hq_city", "ne", "ŁÓDŹ")},
        _compared("company_name", "eq", "ÖDEV İZMİR"),
        _compared("company_name", "starts_with", "ödev i"),
        _compared("ceo", "eq", "ὈΔΥΣΣΕΎΣ ſmith"),
        _compared("ceo", "contains", "σ SMITH"),
        _compared("tags", "contains", "ÉCOLE"),
        _compared("tags", "in", ["none", "École"]),
        {"not": _compared("tags", "not_in", ["école"])},
    ],
)
async def test_text_is_compared_case_aside_in_any_alphabet(
    tenant: Tenant, connect: Connect, database: Database, wanted: dict[str, Any]
) -> None:
    record = {
        "company_name": "Ödev İzmir",
        "hq_city": "Łódź",
        "ceo": "Ὀδυσσεύς Smith",
        "tags": ["École", 'a"Ł\\'],
    }
    await add_accounts(database, tenant.organization_id, [record, *RECORDS])
    indexes = AccountIndexes(database, 1 << 30, least_accounts=1)
    indexes.ready(tenant.organization_id)
    assert await indexes.built(tenant.organization_id) is not None
    for client in (connect(), connect(indexes=indexes)):
        client.headers["x-api-key"] = tenant.key
        assert names(await search(client, filter=wanted)) == ["Ödev İzmir"]
    await indexes.close()
