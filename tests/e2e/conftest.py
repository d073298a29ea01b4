from collections.abc import AsyncIterator

import httpx
import pytest

from sightline.domain.callers import OrganizationId
from sightline.store.credits import grant
from sightline.store.database import Database, open_database
from tests.e2e.enriching import Enricher


@pytest.fixture
async def enricher(
    client: httpx.AsyncClient, database: Database, organization: OrganizationId, database_url: str
) -> AsyncIterator[Enricher]:
    """An organization with credits, and a worker of this process."""
    async with database.tenant(organization) as connection:
        await grant(connection, credit="company", amount=50, reason="test")
    opened = await open_database(database_url, role="sightline_worker", size=6)
    yield Enricher(client, opened)
    await opened.close()
