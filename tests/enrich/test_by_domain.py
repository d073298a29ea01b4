"""Companies that are asked for by a domain whose site is away. All companies are invented."""

import json
import shlex
from pathlib import Path

import httpx
import pytest
import typer
from typer.main import get_command

from sightline.cli.enrich import enrich as enrich_command
from sightline.domain.callers import OrganizationId
from sightline.imports.run import import_accounts
from sightline.store.credits import grant
from sightline.store.database import Database
from tests.enrich.conftest import REGISTER, Drain, RecordedWeb
from tests.enrich.test_doubles import enrich


@pytest.fixture(autouse=True)
async def credits(database: Database, organization: OrganizationId) -> None:
    async with database.tenant(organization) as connection:
        await grant(connection, credit="company", amount=20, reason="test")


async def test_the_command_that_is_printed_finds_the_company(
    client: httpx.AsyncClient, drain: Drain, web: RecordedWeb
) -> None:
    web.answer(REGISTER, json.dumps([{"id": "R2", "name": "Cobalt Mill Inc.", "country": "US"}]))
    web.answer("https://register.example/R2.txt", 'legal_name: "Cobalt Mill Inc."\nlei: "R2"',
               media_type="text/plain")  # fmt: skip
    done = await enrich(client, drain, domain="cobalt-mill.example")
    words = shlex.split(done["error"]["message"].partition("On the command line: ")[2])
    assert words[:2] == ["sightline", "enrich"]
    single = typer.Typer(add_completion=False)
    single.command()(enrich_command)
    said = get_command(single).make_context("enrich", words[2:]).params
    (domain,) = said["companies"]
    named = await enrich(
        client, drain, domain=domain, external_id=said["external_id"],
        source_system=said["source_system"],
    )  # fmt: skip
    assert named["status"] == "succeeded"


@pytest.mark.parametrize(
    ("names", "domain", "status"),
    [
        (["Cobalt Mill Inc."], "cobalt-mill.com", "created"),
        (["Cobaltmill Com Inc"], "cobaltmill.com", "created"),
        (["Cobalt Mill Inc."], "cobalt-mill.io", "ambiguous"),
        (["Cobalt Mill Inc.", "Cobalt Mill Ltd"], "cobalt-mill.com", "ambiguous"),
        (["Cobalt Mill Holding Corp"], "cobalt-mill.com", "not_found"),
    ],
)
async def test_a_listed_company_is_found_by_the_domain_of_its_whole_name(
    client: httpx.AsyncClient,
    drain: Drain,
    web: RecordedWeb,
    names: list[str],
    domain: str,
    status: str,
) -> None:
    rows = [
        {"id": f"R{n}", "name": name, "country": "US", "ticker": f"CB{n}"}
        for n, name in enumerate(names)
    ]
    web.answer(REGISTER, json.dumps(rows))
    web.answer("https://register.example/R0.txt", 'legal_name: "Cobalt Mill Inc."\nlei: "R0"',
               media_type="text/plain")  # fmt: skip
    done = await enrich(client, drain, domain=domain)
    assert done["match"]["status"] == status
    if status == "created":
        assert done["status"] == "succeeded"
        assert (done["match"]["score"], done["match"]["features"]) == (
            0.9,
            {"name_like_domain": 0.9},
        )
        assert any("by its name" in note for note in done["steps"][0]["notes"])


async def test_the_domain_of_a_held_account_finds_its_company_when_the_site_is_away(
    client: httpx.AsyncClient,
    drain: Drain,
    web: RecordedWeb,
    database: Database,
    organization: OrganizationId,
    tmp_path: Path,
) -> None:
    web.answer(REGISTER, json.dumps([{"id": "R0", "name": "Cobalt Mill Inc.", "country": "US"}]))
    web.answer("https://register.example/R0.txt", 'legal_name: "Cobalt Mill Inc."\nlei: "R0"',
               media_type="text/plain")  # fmt: skip
    path = tmp_path / "accounts.csv"
    path.write_text("company_name,website\nCobalt Mill Inc.,mills.example\n")
    await import_accounts(database, organization, path)
    done = await enrich(client, drain, domain="mills.example")
    assert done["status"] == "succeeded", done["error"]
