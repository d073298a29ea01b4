"""The described API against the served one: generated requests over real HTTP, all checks on."""

import asyncio
import json
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from sightline.api.endpoints import BASE_PATH
from sightline.api.openapi import openapi_bytes
from sightline.app import LazyServer
from sightline.settings import Settings
from sightline.store.credits import grant
from sightline.store.database import open_database
from tests.api.accounts_data import FULL_RECORD, add_accounts
from tests.conftest import Tenant, add_tenant

# The id that the examples of the description name, so that they are answered with a record.
EXAMPLE_COMPANY = UUID("0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11")
START_SECONDS = 20
# For each operation; with more than a hundred of them they are seconds for a machine that is idle.
EXAMPLES = int(os.environ.get("SIGHTLINE_SCHEMA_EXAMPLES", "15"))


@dataclass(frozen=True)
class Served:
    """A running server and a key for it."""

    url: str
    tenant: Tenant


@pytest.fixture(scope="session")
def served(api_database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The application under uvicorn in a thread, with an organization that has data."""
    tenant = asyncio.run(_fill(api_database_url))
    folder: Path = tmp_path_factory.mktemp("served")
    app = LazyServer(Settings(database_url=api_database_url, data_dir=folder))
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", access_log=False)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + START_SECONDS
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        assert time.monotonic() < deadline, "the server did not start in time"
        thread.join(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield Served(f"http://127.0.0.1:{port}", tenant)
    server.should_exit = True
    thread.join()


async def _fill(url: str) -> Tenant:
    owner = await open_database(url, role="owner", size=1, wait_seconds=10)
    database = await open_database(url, size=1, wait_seconds=10)
    try:
        tenant = await add_tenant(
            owner, database, f"described-{uuid4().hex[:8]}", rate_limit=1_000_000
        )
        await add_accounts(
            database, tenant.organization_id, [FULL_RECORD], company_id=EXAMPLE_COMPANY
        )
        rows = [{"company_name": f"Company {n}", "industry": "Software"} for n in range(60)]
        await add_accounts(database, tenant.organization_id, rows)
        async with database.tenant(tenant.organization_id) as connection:
            for n in range(30):
                await grant(
                    connection, tenant.organization_id, credit="company", amount=1, reason=f"{n}"
                )
    finally:
        await database.close()
        await owner.close()
    return tenant


CONFIG = schemathesis.Config.from_dict(
    {
        "generation": {
            "max-examples": EXAMPLES,
            "deterministic": True,
            # A NUL is refused everywhere; test_bad_input has them.
            "allow-x00": False,
        },
        "checks": {
            # An Idempotency-Key drawn twice is a reuse.
            "positive_data_acceptance": {"expected-statuses": ["2xx", 404, 409, 422]},
        },
    }
)
schema = schemathesis.openapi.from_dict(json.loads(openapi_bytes("0.0.0-test")), config=CONFIG)


# Operations with rules that a schema cannot state: names that are taken, filters and templates with a
# grammar, ids of things that must exist, fields of which one is needed. Their own tests have them.
RULED = frozenset(
    {
        "GET /accounts/export", "GET /contacts/export", "GET /contacts", "GET /usage",
        "GET /companies/{company_id}/profile", "PATCH /alerts/{alert_id}",
        "PATCH /contacts/{contact_id}", "PATCH /content/settings/{setting_id}",
        "PATCH /content/templates/{template_id}", "PATCH /organization", "POST /agent/sessions",
        "POST /companies", "POST /companies/bulk", "POST /companies/{company_id}/assistant/chat",
        "POST /companies/{company_id}/content", "POST /contacts", "POST /contacts/import",
        "POST /contacts/search", "POST /content/settings", "POST /content/templates",
        "POST /custom-questions", "POST /integrations/smtp/settings", "POST /keys", "POST /lists",
        "POST /suppressions", "POST /territories", "POST /territories/simulate", "POST /users",
        "POST /watches", "POST /watches/dry-run", "PATCH /watches/{watch_id}", "POST /webhooks",
        "PATCH /webhooks/{webhook_id}", "POST /accounts", "POST /contacts/erasures",
        "PATCH /lists/{list_id}", "PATCH /territories/{territory_id}", "PATCH /seller-context",
        "PATCH /integrations/{integration_id}", "POST /integrations/{integration_id}/sync",
    }
)  # fmt: skip


@schema.parametrize()
@settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
def test_the_api_is_as_described(case: schemathesis.Case[Any], served: Served) -> None:
    response = case.call(
        base_url=f"{served.url}{BASE_PATH}", headers={"x-api-key": served.tenant.key}
    )
    excluded: list[schemathesis.CheckFunction] | None = None
    ruled = case.operation.label in RULED and response.status_code == 400
    if ruled or beyond_schema(case.body, response):
        excluded = [positive_data_acceptance]
    case.validate_response(response, excluded_checks=excluded)


def beyond_schema(body: object, response: schemathesis.Response) -> bool:
    """Whether a refusal has a reason that a schema cannot state: a cursor that was never issued, two
    ways of paging at once, or a whole number written as 1.0, which JSON Schema takes for an integer."""
    if response.status_code != 400:
        return False
    error = response.json()
    code = error["error"] if isinstance(error["error"], str) else error["error"]["code"]
    whole = isinstance(body, dict) and any(
        isinstance(value, float) and value.is_integer() for value in body.values()
    )
    return code in ("invalid_cursor", "conflicting_pagination", "invalid_json") or whole
