"""Tests of the API share one database a process; each has organizations of its own in it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import asyncpg
import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.api.server import create_server
from sightline.kit.postgres import EmbeddedPostgres
from sightline.store.account_search import AccountSearcher
from sightline.store.database import Database
from tests.api.accounts_data import RECORDS, add_accounts
from tests.conftest import MakeTenant, Tenant, add_tenant, sibling

Connect = Callable[..., httpx.AsyncClient]


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


@pytest.fixture
async def connect(services: Services) -> AsyncIterator[Connect]:
    """Clients of the application with other services, or from another address."""
    clients: list[httpx.AsyncClient] = []

    def make(address: str = "127.0.0.1", **changed: Any) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(
            app=create_server(replace(services, **changed)),
            client=(address, 50_000),
            raise_app_exceptions=False,
        )
        clients.append(httpx.AsyncClient(transport=transport, base_url="http://sightline.test"))
        return clients[-1]

    yield make
    for client in clients:
        await client.aclose()


@contextmanager
def account_search_fails() -> Iterator[None]:
    """It fails as no one foresaw."""
    with patch.object(AccountSearcher, "find", side_effect=RuntimeError("a secret of the inside")):
        yield


@pytest.fixture
async def filled(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> httpx.AsyncClient:
    """A client of an organization with the accounts of RECORDS."""
    await add_accounts(database, tenant.organization_id, RECORDS)
    return client
