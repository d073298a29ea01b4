"""A worker's connections, and companies with evidence, for tests of the signal run."""

from collections.abc import AsyncIterator

import pytest

from sightline.store.database import Database, open_database


@pytest.fixture
async def worker(database_url: str) -> AsyncIterator[Database]:
    """The worker's connections."""
    opened = await open_database(database_url, role="sightline_worker", size=4)
    yield opened
    await opened.close()
