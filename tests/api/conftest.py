"""Tests of the API share one database a process; each has organizations of its own in it."""

import asyncio
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from sightline.kit.postgres import EmbeddedPostgres
from sightline.store.database import Database
from tests.conftest import MakeTenant, Tenant, add_tenant, sibling


@pytest.fixture(scope="session")
def api_database_url(server: EmbeddedPostgres, template: str) -> str:
    """The address of the shared database, migrated."""
    name = f"api_{uuid4().hex}"

    async def create() -> None:
        connection = await asyncpg.connect(server.url)
        await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        await connection.close()

    asyncio.run(create())
    return sibling(server.url, name)


@pytest.fixture
def database_url(api_database_url: str) -> str:
    return api_database_url


@pytest.fixture
def make_tenant(owner: Database, database: Database) -> MakeTenant:
    async def make(slug: str, **options: Any) -> Tenant:
        return await add_tenant(owner, database, f"{slug}-{uuid4().hex[:8]}", **options)

    return make
