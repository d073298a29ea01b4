"""The contract is tested on the database that the tests of the API share."""

import pytest

from sightline.store.credits import grant
from sightline.store.database import Database, open_database
from tests.api.accounts_data import FULL_RECORD, Added, add_accounts
from tests.api.conftest import (
    api_database_url as api_database_url,
)
from tests.api.conftest import (
    database_url as database_url,
)
from tests.api.conftest import (
    make_tenant as make_tenant,
)
from tests.conftest import Tenant
from tests.store.evidence_data import add_document, add_happening
from tests.store.postings_data import add_postings


@pytest.fixture
async def added(tenant: Tenant, database: Database, database_url: str) -> list[Added]:
    """One account with every value, one with none but its name, and some credits. Something happened
    to both companies."""
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="company", amount=5, reason="test")
    accounts = await add_accounts(
        database, tenant.organization_id, [FULL_RECORD, {"company_name": "Bare"}]
    )
    workers = await open_database(database_url, role="sightline_worker", size=2)
    for account in accounts:
        await add_happening(workers, account.company_id)
        await add_postings(workers, account.company_id)
        await add_document(
            workers,
            account.company_id,
            ["The harbor has three new cranes."],
            url="https://news.harbor.example/2",
        )
    await workers.close()
    return accounts
