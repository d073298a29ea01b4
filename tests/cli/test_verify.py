"""`verify` proves stored statements again, and fails when one of them is not proven."""

import asyncio
from functools import partial

import pytest

from sightline.profile.refresh import refresh_profile
from sightline.queue.runner import Runner
from sightline.store import profiles
from sightline.store.database import open_database
from tests.cli.conftest import Shell
from tests.profile.company import store_company


@pytest.fixture
def company(sightline: Shell) -> str:
    """The id of a company with a profile."""

    async def make() -> str:
        database = await open_database(sightline.url, role="sightline_worker")
        try:
            async with database.connection() as connection:
                company_id = await store_company(connection)
            handlers = {profiles.REFRESH: partial(refresh_profile, database)}
            await Runner(
                database=database, handlers=handlers, slots=1, per_organization=1
            ).run_all()
        finally:
            await database.close()
        return str(company_id)

    return asyncio.run(make())


def test_everything_is_proven(sightline: Shell, company: str) -> None:
    found = sightline("verify", "--all", "--json").json
    assert found["rate"] == 1
    assert found["checked"] >= 24
    for named in (company, "larkspur.example", "Larkspur Freight"):
        assert sightline("verify", named, "--json").json["companies"] == 1
    shown = sightline("verify", company)
    assert "are proven (100.00%)" in shown.err


def test_a_changed_document_is_noticed(sightline: Shell, company: str) -> None:
    async def change() -> None:
        database = await open_database(sightline.url, role="sightline_worker")
        async with database.connection() as connection:
            await connection.execute(
                "UPDATE documents SET body_text = replace(body_text, 'grocers', 'butchers')"
            )
        await database.close()

    asyncio.run(change())
    found = sightline("verify", company)
    assert found.code == 1
    assert "not in its document" in found.err


def test_a_company_or_all(sightline: Shell) -> None:
    sightline("verify").says(2, "--all")
    sightline("verify", "Unknown").says(1, "Unknown")
