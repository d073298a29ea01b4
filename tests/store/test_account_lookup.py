"""Accounts are looked up by index, however many there are, and their writers do not take turns."""

import json
from typing import Any

from sightline.domain.callers import OrganizationId
from sightline.store import account_writes
from sightline.store.account_writes import Wanted, begin_bulk_write, lookup_parameters
from sightline.store.database import Database
from tests.api.accounts_data import add_accounts

_RENAME = "UPDATE accounts SET company_name = 'Pier' WHERE name_key = $1"


async def test_no_account_is_read_but_those_that_are_looked_for(
    organization: OrganizationId, database: Database
) -> None:
    await add_accounts(
        database,
        organization,
        [{"company_name": f"Harbor {n}", "website_domain": f"h{n}.example"} for n in range(3_000)],
    )
    wanted = Wanted(
        domains=["h7.example", *(f"other-{n}.example" for n in range(100))],
        references=[("crm", str(n)) for n in range(100)],
        name_keys=["harbor 9", *(f"other {n}" for n in range(100))],
    )
    async with database.tenant(organization) as connection:
        await connection.execute(
            "INSERT INTO account_domains (organization_id, account_id, domain)"
            " SELECT organization_id, account_id, website_domain FROM accounts"
        )
        await begin_bulk_write(connection)
        plan = await connection.fetchval(
            f"EXPLAIN (ANALYZE, FORMAT JSON) {account_writes._STATES}",
            organization,
            *lookup_parameters(wanted),
        )
    (whole,) = json.loads(plan) if isinstance(plan, str) else plan
    assert whole["Plan"]["Actual Rows"] == 2
    assert not [node for node in _nodes(whole["Plan"]) if _dropped(node)]


async def test_a_writer_waits_for_no_other_of_its_organization(
    organization: OrganizationId, database: Database
) -> None:
    rows = [{"company_name": f"Harbor {n}", "website_domain": f"h{n}.example"} for n in range(2)]
    await add_accounts(database, organization, rows)
    async with database.tenant(organization) as one, database.tenant(organization) as other:
        await one.execute(_RENAME, "harbor 0")
        await other.execute("SET LOCAL lock_timeout = '1s'")
        await other.execute(_RENAME, "harbor 1")


def _nodes(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node, *(each for below in node.get("Plans", ()) for each in _nodes(below))]


def _dropped(node: dict[str, Any]) -> int:
    """Rows that were read and not taken."""
    return sum(int(value) for name, value in node.items() if name.startswith("Rows Removed"))
