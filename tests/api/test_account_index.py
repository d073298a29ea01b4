"""Account search behind the real gate, answered by an index in memory."""

from uuid import UUID

from sightline.store.account_index.indexes import AccountIndexes
from sightline.store.account_index.loading import read_page
from sightline.store.database import Database
from tests.api.accounts_data import add_accounts, names, search
from tests.api.conftest import Connect
from tests.conftest import MakeTenant


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
        page = await read_page(reads, second, of_first.stamp, stolen, sorted_by="a.sort_key")
    assert (page.items, page.length, page.last) == ("[]", 0, None)
    await indexes.close()
