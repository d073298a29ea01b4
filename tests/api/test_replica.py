"""Reads from a replica show all that was written before; without one that can, the primary answers."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import asyncpg
import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.kit.postgres import EmbeddedPostgres
from sightline.store import replica as replica_module
from sightline.store.database import Database, open_database
from sightline.store.replica import Replica
from tests.api.conftest import Connect
from tests.conftest import Tenant
from tests.tools.standby import Standby, standby
from tests.waiting import LONGEST_SECONDS

READ = "/public-api/v1/seller-context"


@pytest.fixture
def following(server: EmbeddedPostgres, tenant: Tenant) -> Iterator[Standby]:
    """After the tenant was made: the copy has it."""
    del tenant
    with standby(server) as made:
        yield made


@pytest.fixture
async def replica(
    following: Standby, database: Database, api_database_url: str
) -> AsyncIterator[Replica]:
    opened = await open_database(following.url_of(api_database_url), connects=False)
    yield Replica(database, opened)
    await opened.close()


@pytest.fixture
async def node(
    connect: Connect, replica: Replica, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> httpx.AsyncClient:
    """However busy the machine is, a read waits until the replica is there."""
    monkeypatch.setattr(replica_module, "WAIT_SECONDS", LONGEST_SECONDS)
    client = connect(replica=replica)
    client.headers["x-api-key"] = tenant.key
    return client


async def answers_of(node: httpx.AsyncClient, name: str) -> None:
    changed = await node.patch(READ, json={"company_name": name})
    assert changed.is_success, changed.text
    read = await asyncio.gather(*(node.get(READ) for _ in range(5)))
    assert [each.json()["company_name"] for each in read] == [name] * 5


async def test_a_read_shows_what_was_written_before(
    node: httpx.AsyncClient, replica: Replica
) -> None:
    asked: list[str] = []
    real = replica.database.reads

    def counted(*given: object, **more: object) -> object:
        asked.append("replica")
        return real(*given, **more)  # type: ignore[arg-type]

    object.__setattr__(replica.database, "reads", counted)
    for n in range(10):
        await answers_of(node, f"Tidemark {n}")
    assert len(asked) == 50, "the replica answered every one"


async def test_a_replica_that_is_late_or_gone_is_passed_over(
    node: httpx.AsyncClient,
    replica: Replica,
    following: Standby,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replica_module, "WAIT_SECONDS", 0.02)
    monkeypatch.setattr(replica_module, "PAUSE_SECONDS", 0.0)
    superuser = await asyncpg.connect(following.url_of(following._primary.superuser_url))
    await superuser.execute("SELECT pg_wal_replay_pause()")
    await answers_of(node, "Late")
    assert not await replica.is_current()
    await superuser.close()
    following.kill()
    await answers_of(node, "Gone")


async def test_while_the_primary_is_away_the_replica_answers(
    node: httpx.AsyncClient, connect: Connect, services: Services, replica: Replica, tenant: Tenant
) -> None:
    await answers_of(node, "Before")
    away = await open_database("postgresql://nobody@127.0.0.1:1/none", connects=False)
    own = connect(database=away, replica=Replica(away, replica.database))
    own.headers["x-api-key"] = tenant.key
    assert (await own.get(READ)).json()["company_name"] == "Before"
    assert (await own.patch(READ, json={"company_name": "After"})).status_code == 503
    await away.close()


async def test_a_primary_that_is_back_is_asked_at_once(
    node: httpx.AsyncClient,
    replica: Replica,
    following: Standby,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replica_module, "WAIT_SECONDS", 0.02)
    away = await open_database("postgresql://nobody@127.0.0.1:1/none", connects=False)
    back, replica.primary = replica.primary, away
    assert await replica.is_current(), "while it is away nothing is written"
    superuser = await asyncpg.connect(following.url_of(following._primary.superuser_url))
    await superuser.execute("SELECT pg_wal_replay_pause()")
    replica.primary = back
    assert (await node.patch(READ, json={"company_name": "Written by another"})).is_success
    assert not await replica.is_current()
    await superuser.close()
    await away.close()


async def test_a_role_that_a_pooler_dropped_is_refused(
    api_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = asyncpg.create_pool

    def without_role(url: str, *, server_settings: dict[str, str], **more: object) -> object:
        return real(url, server_settings={"jit": "off"}, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(asyncpg, "create_pool", without_role)
    with pytest.raises(Exception, match="another role than sightline_app"):
        await open_database(api_database_url)
