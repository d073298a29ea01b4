"""One organization's load never starves another's: turns, pool, rates and exports."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any, cast
from uuid import uuid4

import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.api.endpoints import BASE_PATH
from sightline.api.resources import accounts
from sightline.api.turns import Turns, turns_over, with_retry
from sightline.domain.errors import ServiceIsUnavailable
from sightline.store.database import Connection, DatabaseIsBusy
from tests.api.accounts_data import add_accounts
from tests.conftest import PATIENCE_SECONDS, MakeTenant

ACCOUNTS = f"{BASE_PATH}/accounts"
FLOOD = 40
ASKED = 15


async def _ask(client: httpx.AsyncClient, key: str, *, times: int = ASKED) -> None:
    for _ in range(times):
        response = await client.post(ACCOUNTS, headers={"x-api-key": key}, json={"per_page": 5})
        assert response.status_code == 200, response.text


async def test_a_flood_of_slow_requests_leaves_room_for_others(
    anonymous: httpx.AsyncClient,
    make_tenant: MakeTenant,
    services: Services,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Others are answered while the flood has all the turns that it can have, and holds them."""
    loud, quiet = await make_tenant("loud"), await make_tenant("quiet")
    for tenant in (loud, quiet):
        await add_accounts(
            services.database,
            tenant.organization_id,
            [{"company_name": f"N {n}"} for n in range(5)],
        )
    most = turns_over(services.database.pool.get_max_size(), wait_seconds=1).each
    find, finish, holding = (
        accounts.AccountSearcher.find,
        asyncio.Event(),
        asyncio.Barrier(most + 1),
    )

    async def slowly(searcher: Any, reads: Any, query: Any) -> Any:
        if reads.organization_id == loud.organization_id and not finish.is_set():
            await holding.wait()
            await finish.wait()
        return await find(searcher, reads, query)

    monkeypatch.setattr(accounts.AccountSearcher, "find", slowly)
    flooding = [asyncio.create_task(_ask(anonymous, loud.key, times=1)) for _ in range(FLOOD)]
    try:
        async with asyncio.timeout(PATIENCE_SECONDS / 2):
            await holding.wait()
            await _ask(anonymous, quiet.key)
        assert not any(task.done() for task in flooding)
    finally:
        finish.set()
        await holding.abort()
        ended = await asyncio.gather(*flooding, return_exceptions=True)
    assert ended == [None] * FLOOD


async def test_a_key_over_its_rate_costs_others_nothing(
    anonymous: httpx.AsyncClient, make_tenant: MakeTenant
) -> None:
    hasty, calm = await make_tenant("hasty", rate_limit=3), await make_tenant("calm", rate_limit=3)
    sent = [
        (await anonymous.post(ACCOUNTS, headers={"x-api-key": hasty.key})).status_code
        for _ in range(6)
    ]
    assert sent == [200, 200, 200, 429, 429, 429]
    answer = await anonymous.post(ACCOUNTS, headers={"x-api-key": calm.key})
    assert (answer.status_code, answer.headers["x-ratelimit-remaining"]) == (200, "2")


async def test_an_export_that_nobody_reads_leaves_room_for_others(
    anonymous: httpx.AsyncClient, make_tenant: MakeTenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, finish = asyncio.Event(), asyncio.Event()

    async def stuck(*_: Any, **__: Any) -> Any:
        yield b"{}\n"
        started.set()
        await finish.wait()

    monkeypatch.setattr("sightline.api.resources.exports.contact_table", stuck)
    loud, quiet = await make_tenant("loud"), await make_tenant("quiet")
    path = f"{BASE_PATH}/contacts/export"
    held = asyncio.create_task(anonymous.get(path, headers={"x-api-key": loud.key}))
    await started.wait()
    refused = await asyncio.gather(
        *(anonymous.get(path, headers={"x-api-key": loud.key}) for _ in range(10))
    )
    assert {answer.status_code for answer in refused} == {503}
    await _ask(anonymous, quiet.key)
    other = await anonymous.get(f"{BASE_PATH}/accounts/export", headers={"x-api-key": quiet.key})
    assert other.status_code == 200
    finish.set()
    assert (await held).status_code == 200


# Turns by themselves


def test_turns_leave_connections_to_nobody_s_requests() -> None:
    for connections in (2, 3, 8, 10, 50):
        turns = turns_over(connections, wait_seconds=1)
        assert 1 <= turns.slots < connections
        assert 1 <= turns.each <= turns.slots
    assert (turns_over(10, wait_seconds=1).slots, turns_over(10, wait_seconds=1).each) == (8, 6)


async def test_the_one_with_the_fewest_is_next() -> None:
    turns = Turns(slots=2, each=2, wait_seconds=PATIENCE_SECONDS)
    loud, quiet = uuid4(), uuid4()
    order: list[str] = []

    async def run(name: str, organization: Any) -> None:
        async with turns.of(organization):
            order.append(name)
            await asyncio.sleep(0.01)

    tasks = [asyncio.create_task(run("loud", loud)) for _ in range(6)]
    await asyncio.sleep(0)
    tasks.append(asyncio.create_task(run("quiet", quiet)))
    await asyncio.gather(*tasks)
    assert order.index("quiet") <= 3, order
    assert order.count("loud") == 6


async def test_nobody_waits_for_ever_and_nothing_is_lost() -> None:
    turns = Turns(slots=1, each=1, wait_seconds=0.02)
    one, other = uuid4(), uuid4()
    async with turns.of(one):
        with pytest.raises(ServiceIsUnavailable):
            await turns.of(other).__aenter__()
        given_up = asyncio.create_task(turns.of(other).__aenter__())
        await asyncio.sleep(0)
        given_up.cancel()
    await asyncio.gather(given_up, return_exceptions=True)
    async with turns.of(other):
        pass
    async with turns.of(one):
        pass


async def test_a_turn_that_comes_as_its_time_is_over_is_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both may happen before who waits is woken."""

    @asynccontextmanager
    async def too_late(seconds: float) -> AsyncIterator[None]:
        yield
        raise TimeoutError

    turns = Turns(slots=1, each=1, wait_seconds=PATIENCE_SECONDS)
    one, other = uuid4(), uuid4()
    with monkeypatch.context() as patched:
        patched.setattr(asyncio, "timeout", too_late)
        async with turns.of(one):
            late = asyncio.create_task(turns.of(other).__aenter__())
            await asyncio.sleep(0)
        with pytest.raises(ServiceIsUnavailable):
            await late
    async with turns.of(one):
        pass


async def test_whoever_is_patient_with_a_server_that_is_away_pauses_between_tries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sightline.api.turns.PATIENCE_SECONDS", PATIENCE_SECONDS)
    tries: list[float] = []

    @asynccontextmanager
    async def transaction() -> AsyncIterator[Connection]:
        tries.append(time.monotonic())
        if len(tries) < 4:
            raise DatabaseIsBusy  # at once, without a turn of the loop
        yield cast("Connection", object())

    async with with_retry(transaction):
        pass
    assert len(tries) == 4
    assert min(later - earlier for earlier, later in pairwise(tries)) > 0.05
