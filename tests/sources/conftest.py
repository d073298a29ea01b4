from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sightline.store.database import open_database
from tests.sources.collecting import Collecting, make_collecting


@pytest.fixture
async def tarn(database_url: str, tmp_path: Path) -> AsyncIterator[Collecting]:
    """Tarn Instruments, whose site is at tarn.example."""
    database = await open_database(database_url, role="sightline_worker", size=4)
    folder = tmp_path / "web"
    folder.mkdir()
    yield await make_collecting(database, folder, domain="tarn.example")
    await database.close()
