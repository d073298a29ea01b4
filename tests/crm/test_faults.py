"""Faults: limits, revoked tokens, batches that fail in part, and a worker that is killed at any moment."""

import random
from contextlib import suppress
from dataclasses import replace

import pytest

from sightline.crm import run as runs
from sightline.crm.provider import Tokens
from sightline.kit.secrets import SecretBox
from tests.crm.conftest import World, add_company, add_person


class Killed(BaseException):
    """The worker is gone."""


async def test_an_hour_of_limits_is_waited_out(world: World) -> None:
    add_company(world.portal, 1)
    world.portal.busy, world.portal.retry_after = 4, "900"
    run_id = await world.ask()
    expected = [900] * 4 if world.portal.sends_hints else [10, 20, 40, 80]
    for seconds in expected:
        await world.work()
        run = await world.run(run_id)
        assert run["state"] == "waiting"
        assert "request limit" in run["error"]
        (row,) = await world.fetch(
            "SELECT extract(epoch FROM waiting_until - now()) AS s FROM crm_runs"
        )
        assert seconds - 10 < row["s"] <= seconds
        await world.pass_time()
    await world.work()
    run = await world.run(run_id)
    assert (run["state"], run["error"]) == ("succeeded", None)
    assert len(await world.accounts()) == 1


async def test_without_a_hint_it_waits_ever_longer_and_gives_up_at_last(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "MOST_WAITS", 3)
    world.portal.broken = 1_000
    run_id = await world.ask()
    waited = []
    for _ in range(3):
        await world.work()
        (row,) = await world.fetch(
            "SELECT extract(epoch FROM waiting_until - now()) AS s FROM crm_runs"
        )
        waited.append(round(float(row["s"]), -1))
        await world.pass_time()
    assert waited == [10, 20, 40]
    await world.work()
    run = await world.run(run_id)
    assert (run["state"], run["error"]) == ("failed", f"{world.title} answered 502.")


async def test_an_expired_token_is_renewed_and_kept(world: World) -> None:
    add_company(world.portal, 1)
    await world.connect(world.portal.tokens("stale", world.portal.refresh))
    assert (await world.sync())["state"] == "succeeded"
    (row,) = await world.fetch("SELECT secret FROM integrations")
    assert b"token-good" not in row["secret"]
    kept = Tokens.of(world.secrets.open(row["secret"]))
    assert kept == world.portal.tokens(refresh=world.portal.refresh)
    assert world.portal.renewals == 1
    await world.sync()
    assert world.portal.renewals == 1


@pytest.mark.parametrize("refresh", [None, "refresh-revoked"])
async def test_a_revoked_token_ends_the_run_and_shows(world: World, refresh: str | None) -> None:
    await world.connect(world.portal.tokens("revoked", refresh))
    run = await world.sync()
    assert run["state"] == "failed"
    (row,) = await world.fetch("SELECT sync_status, last_error FROM integrations")
    assert row["sync_status"] == "failed"
    assert row["last_error"] == run["error"]
    await world.connect()
    assert (await world.sync())["state"] == "succeeded"
    (row,) = await world.fetch("SELECT sync_status, last_error FROM integrations")
    assert (row["sync_status"], row["last_error"]) == ("succeeded", None)


async def test_a_token_of_another_key_is_said(world: World) -> None:
    other = replace(world, secrets=SecretBox(b"x" * 32))
    await other.connect()
    assert "another key" in (await world.sync())["error"]


async def test_half_of_a_batch_fails_and_the_other_half_is_written(world: World) -> None:
    records = [add_company(world.portal, n) for n in range(20)]
    await world.choose(writes=True, rules={"full_time_employees": "ours"})
    await world.sync()
    for record in records[:5]:
        world.portal.refuse_values[record] = f"Record {record} is locked."
    world.portal.vanish.update(records[5:10])
    await world.fetch(
        "UPDATE account_records SET own = own || '{\"full_time_employees\": 9000}' RETURNING 1"
    )
    run = await world.sync(everything=True)
    assert run["counts"]["write_accounts"] == {"updated": 10, "failed": 10}
    log = await world.log(run)
    for n, record in enumerate(records):
        written = world.portal.value("accounts", record, "full_time_employees") == "9000"
        row = log["write_accounts", record]
        assert (row["action"] == "updated") is written is (n >= 10)
    assert "is locked" in log["write_accounts", records[0]]["details"]["reason"]
    world.portal.refuse_values.clear()
    world.portal.vanish.clear()
    again = await world.sync()
    assert again["counts"]["write_accounts"] == {"updated": 10, "unchanged": 10}


async def test_disconnecting_ends_what_is_under_way(world: World) -> None:
    from sightline.store.crm_runs import forget

    add_company(world.portal, 1)
    run_id = await world.ask()
    async with world.database.tenant(world.organization_id) as connection:
        await forget(connection, world.provider)
    await world.work()
    assert (await world.run(run_id))["error"] == "It was disconnected."
    assert await world.accounts() == []


async def kill_and_go_on(world: World, rng: random.Random, *, often: float, most: int) -> int:
    """Run until the queue is empty, killed at any request, before or after it was done, `most` times."""
    deaths = 0

    def die(path: str) -> None:
        nonlocal deaths
        if deaths < most and rng.random() < often:
            deaths += 1
            raise Killed

    def fail(path: str) -> None:
        die(path)
        if deaths < most and rng.random() < often:
            world.portal.busy, world.portal.retry_after = 1, "1"

    world.portal.before, world.portal.after = fail, die
    while True:
        with suppress(Killed):
            await world.work()
        (row,) = await world.fetch(
            "SELECT count(*) FILTER (WHERE finished_at IS NULL) AS n FROM crm_runs"
        )
        if not row["n"]:
            world.portal.before = world.portal.after = lambda path: None
            return deaths
        await world.pass_time()


@pytest.mark.parametrize("seed", [1, 2])
async def test_kills_and_limits_lose_and_double_nothing(world: World, seed: int) -> None:
    rng = random.Random(seed)
    assert await check_both_ways(world, rng, companies=350, people=250) >= 5


async def check_both_ways(world: World, rng: random.Random, *, companies: int, people: int) -> int:
    """Read and write so many records under kills and limits; answers how often the worker died."""
    records = [add_company(world.portal, n) for n in range(companies)]
    persons = [add_person(world.portal, n, records[n]) for n in range(people)]
    run_id = await world.ask()
    deaths = await kill_and_go_on(world, rng, often=0.12, most=20)
    run = await world.run(run_id)
    assert run["state"] == "succeeded"
    assert run["counts"]["read_accounts"] == {"created": companies}
    assert run["counts"]["read_contacts"] == {"created": people}
    assert len(await world.log(run)) == companies + people
    domains = {each["website_domain"] for each in await world.accounts()}
    assert len(await world.accounts()) == len(domains) == companies
    emails = {each["emails"][0] for each in await world.contacts()}
    assert len(await world.contacts()) == len(emails) == people
    assert all(each["company_id"] for each in await world.contacts())

    # Now back: half of the companies are bigger than the CRM knows, and it lacks some of ours.
    await world.choose(writes=True, creates=True, rules={"full_time_employees": "ours"})
    await world.fetch(
        """
        UPDATE account_records SET own = own || '{"full_time_employees": 70000}'
        WHERE (document::jsonb ->> 'full_time_employees')::int % 2 = 0 RETURNING 1
        """
    )
    links = await world.fetch(
        """
        DELETE FROM crm_links WHERE record_id IN (
          SELECT record_id FROM crm_links WHERE kind = 'accounts' ORDER BY record_id LIMIT $1)
        RETURNING record_id
        """,
        companies // 7,
    )
    for row in links:
        del world.portal.objects["accounts"][row["record_id"]]
    run_id = await world.ask(everything=False)
    deaths += await kill_and_go_on(world, rng, often=0.12, most=20)
    run = await world.run(run_id)
    assert run["state"] == "succeeded"
    kept = world.portal.column("accounts", "website")
    assert len(kept) == len(set(kept)) == companies
    sizes = world.portal.column("accounts", "full_time_employees")
    for site, size in zip(kept, sizes, strict=True):
        n = int(site.removeprefix("harbor").removesuffix(".example"))
        assert size == ("70000" if (100 + n) % 2 == 0 else str(100 + n))
    assert len(world.portal.objects["contacts"]) == len(persons)
    assert len(await world.accounts()) == companies
    return deaths
