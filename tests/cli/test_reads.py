"""Commands that show what is held: the same on the own database and on a server elsewhere."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sightline.api.endpoint import Services
from sightline.api.endpoints import ENDPOINTS
from sightline.api.gate import Gate
from sightline.api.inside import Operations
from sightline.cli import door, reads
from sightline.cli.commands import app
from sightline.cli.reads import READS
from sightline.domain.callers import everything
from sightline.store.database import Database
from tests.api.accounts_data import add_accounts
from tests.cli.conftest import Outcome
from tests.conftest import Tenant
from tests.serving import served

ORG = ("--org", "first")
NAMES = ("Harbor Analytics", "Harbor Freight", "Marlow AG")


class Elsewhere:
    """Runs commands as a colleague's laptop does: no database, an address and a key."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment

    async def __call__(self, *words: str) -> Outcome:
        runner = CliRunner(
            env={"SIGHTLINE_URL": None, "SIGHTLINE_LOG_LEVEL": "error", **self.environment}
        )
        done = await asyncio.to_thread(runner.invoke, app, list(words))
        return Outcome(done.exit_code, done.stdout, done.stderr)


@pytest.fixture
async def companies(tenant: Tenant, database: Database) -> dict[str, str]:
    """Ids by name."""
    rows = [{"company_name": name, "website_domain": f"{name.split()[0].lower()}-{n}.example"}
            for n, name in enumerate(NAMES)]  # fmt: skip
    made = await add_accounts(database, tenant.organization_id, rows)
    return {name: str(each.company_id) for name, each in zip(NAMES, made, strict=True)}


@pytest.fixture(params=["local", "remote"])
async def sightline(
    request: pytest.FixtureRequest,
    services: Services,
    tenant: Tenant,
    database_url: str,
    tmp_path: Path,
) -> AsyncIterator[Elsewhere]:
    common = {"SIGHTLINE_DATA_DIR": str(tmp_path), "HOME": str(tmp_path)}
    if request.param == "local":
        yield Elsewhere({**common, "SIGHTLINE_DATABASE_URL": database_url})
        return
    async with served(services) as url:
        yield Elsewhere({**common, "SIGHTLINE_URL": url, "SIGHTLINE_API_KEY": tenant.key})


def test_every_route_is_that_of_its_operation() -> None:
    table = {row.name: f"{row.method} {row.path}" for row in ENDPOINTS}
    used = [(row.operation, row.route) for row in READS.values()]
    used += [row.one for row in READS.values() if row.one]
    used += list(door.FINDING.items())
    used += [("read_brief", "GET /companies/{company_id}/brief")]
    used += [("search_evidence", "POST /evidence/search")]
    for name, route in used:
        assert table[name] == route


async def test_accounts_are_listed_shown_and_deleted(
    sightline: Elsewhere, companies: dict[str, str]
) -> None:
    listed = await sightline("accounts", "list", *ORG)
    assert listed.code == 0, listed.err
    for name, company_id in companies.items():
        assert name in listed.out
        assert company_id in listed.out
    found = await sightline(
        "accounts", "list", "--name", "harbor", "--limit", "1", "--json", "--org", "first"
    )
    assert [each["company_name"] for each in found.json] == ["Harbor Analytics"]
    shown = await sightline("accounts", "show", "marlow-2.example", *ORG)
    assert f"company_id: {companies['Marlow AG']}" in shown.out
    by_id = await sightline("accounts", "show", companies["Marlow AG"], "--json", *ORG)
    again = await sightline("accounts", "show", by_id.json["id"], "--json", *ORG)
    assert by_id.json["company_name"] == again.json["company_name"] == "Marlow AG"
    unsure = await sightline("accounts", "delete", "Marlow AG", *ORG)
    unsure.says(2, "--yes")
    deleted = await sightline("accounts", "delete", "Marlow AG", "--yes", *ORG)
    assert deleted.code == 0, deleted.err
    left = await sightline("accounts", "list", "--json", *ORG)
    assert len(left.json) == 2
    (await sightline("accounts", "list", "--filter", "{", *ORG)).says(2, "not JSON", "Example")


async def test_a_company_goes_by_id_domain_or_name(
    sightline: Elsewhere, companies: dict[str, str]
) -> None:
    for word in (companies["Marlow AG"], "marlow-2.example", "marlow ag", "Marl"):
        shown = await sightline("company", "show", word, "--json", *ORG)
        assert shown.json["company_name"] == "Marlow AG"
    several = await sightline("company", "show", "harbor", *ORG)
    several.says(1, "Several", companies["Harbor Freight"])
    (await sightline("jobs", "unknown", *ORG)).says(1, "None of your accounts")


@pytest.mark.parametrize(
    "command", ["signals", "lists", "territories", "watches", "alerts", "operations"]
)
async def test_what_is_empty_says_so(
    sightline: Elsewhere, companies: dict[str, str], command: str
) -> None:
    listed = await sightline(command, *ORG)
    assert (listed.code, listed.out) == (0, "None.\n"), listed.err
    assert (await sightline(command, "--json", *ORG)).json == []


async def test_one_company_is_read_in_every_way(
    sightline: Elsewhere, companies: dict[str, str]
) -> None:
    for command in (("brief",), ("profile", "show"), ("jobs",)):
        reported = await sightline(*command, "Marlow AG", "--json", *ORG)
        assert reported.json is not None
        words = await sightline(*command, "Marlow AG", *ORG)
        assert words.code == 0, words.err
    assert "# Marlow AG" in (await sightline("brief", "Marlow AG", *ORG)).out


async def test_a_list_is_shown_by_id_and_searched_by_name(
    sightline: Elsewhere,
    companies: dict[str, str],
    tenant: Tenant,
    services: Services,
) -> None:

    run = Operations(Gate(services)).run
    caller = everything(tenant.organization_id, tenant.user_id)
    made = await run("create_list", caller, body={"name": "Ports"})
    listed = await sightline("lists", *ORG)
    assert made["id"] in listed.out
    assert "Ports" in listed.out
    shown = await sightline("lists", made["id"], *ORG)
    assert "name: Ports" in shown.out
    empty = await sightline("search", "costs", "--list", "ports", "--json", *ORG)
    assert empty.json == []
    (await sightline("search", "costs", "--list", "none", *ORG)).says(1, "no list")
    missing = await sightline("lists", "first", *ORG)
    missing.says(1)
    assert "Input should be" not in missing.err


async def test_a_server_that_is_not_there_or_wants_another_key(
    services: Services, tmp_path: Path, tenant: Tenant
) -> None:
    common = {"SIGHTLINE_DATA_DIR": str(tmp_path), "HOME": str(tmp_path)}
    async with served(services) as url:
        other = tenant.key[:-1] + ("1" if tenant.key.endswith("0") else "0")
        wrong = Elsewhere({**common, "SIGHTLINE_URL": url, "SIGHTLINE_API_KEY": other})
        (await wrong("lists")).says(1, "key")
        keyless = Elsewhere({**common, "SIGHTLINE_URL": url})
        (await keyless("lists")).says(3, "SIGHTLINE_API_KEY")
    gone = Elsewhere({**common, "SIGHTLINE_URL": url, "SIGHTLINE_API_KEY": tenant.key})
    (await gone("lists")).says(4, "is not responding")


def test_a_value_is_found_at_its_place() -> None:
    item: dict[str, Any] = {
        "a": {"b": 1},
        "c": [{"d": "x"}],
        "e_at": "2026-03-02T09:15:00Z",
        "n": None,
    }
    assert [reads._value(item, place) for place in ("a.b", "c.0.d", "c.1.d", "e_at", "n.x", "z")] == [
        1, "x", None, "2026-03-02", None, None,
    ]  # fmt: skip
