"""The described API against the served one: generated requests over real HTTP, all checks on."""

import asyncio
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from sightline.api.endpoints import BASE_PATH
from sightline.api.openapi import openapi_bytes
from sightline.app import LazyServer
from sightline.settings import Settings
from sightline.store.credits import grant
from sightline.store.database import open_database
from tests.api.accounts_data import FULL_RECORD, add_accounts
from tests.conftest import Tenant, add_tenant
from tests.waiting import LONGEST_SECONDS, eventually

# The id that the examples of the description name, so that they are answered with a record.
EXAMPLE_COMPANY = UUID("0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11")
EXAMPLES = 40  # for each operation


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
    app = LazyServer(
        Settings(
            database_url=api_database_url,
            data_dir=folder,
            pool_wait_seconds=60,
            statement_timeout_seconds=600,
        )
    )
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            host="127.0.0.1",
            port=0,
            log_level="error",
            access_log=False,
            timeout_keep_alive=int(LONGEST_SECONDS),
        )
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert eventually(lambda: server.started or not thread.is_alive())
    assert server.started, "the server did not start"
    port = server.servers[0].sockets[0].getsockname()[1]
    yield Served(f"http://127.0.0.1:{port}", tenant)
    server.should_exit = True
    thread.join()


async def _fill(url: str) -> Tenant:
    owner = await open_database(url, role="owner", size=1)
    database = await open_database(url, size=1)
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
            for credit in ("company", "contact", "content", "territory"):
                await grant(connection, credit=credit, amount=10_000, reason="tests")
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
            "negative_data_rejection": {"expected-statuses": ["4xx"]},
        },
    }
)
DOCUMENT = json.loads(openapi_bytes("0.0.0-test"))
schema = schemathesis.openapi.from_dict(DOCUMENT, config=CONFIG)


# The server's own answer to what is no HTTP for it, as an address of 64 KB.
NO_HTTP = b"Invalid HTTP request received."
NAME = "name_taken"
FILTER = "invalid_filter"
PERSON = {
    "body", "full_name", "country", "profile_network_url", "image_url", "emails", "phones", "company",
    "company_id", "experience", "education",
}  # fmt: skip
WATCH = {NAME, FILTER, "filter", "types", "families", "fields", "seniorities", "expires_at"}
# What a schema cannot state, by operation: the code of a refusal, or the field that it names where its
# code is the general one. Everything else that fits the schema must be accepted. The reasons: a name
# is taken once; a filter, a template, an address, a network or a search in a parameter has a grammar
# of its own; what a field names must exist; one of several fields, not both, is needed; a name has a letter
# or digit of some script, for which patterns of JSON Schema have no common sign.
BEYOND_SCHEMA: dict[str, set[str]] = {
    "POST /accounts": {FILTER},
    "GET /accounts/export": {"invalid_json", "unknown_parameter", FILTER, "search", "filter"},
    "GET /contacts/export": {"invalid_json", "unknown_parameter", FILTER, "search"},
    "GET /contacts": {"limit"},
    "POST /contacts/search": {"limit", "live", FILTER},
    "GET /usage": {"until"},
    "GET /companies/{company_id}/profile": {"include", "exclude"},
    "PATCH /alerts/{alert_id}": {"status", "assignee"},
    "POST /contacts": {*PERSON, "person_suppressed"},
    "PATCH /contacts/{contact_id}": PERSON,
    "POST /contacts/import": {"body", "country", "mapping", "rows"},
    "POST /contacts/erasures": {"body", "email", "phone", "profile_network_url", "full_name"},
    "POST /suppressions": {"items"},
    "POST /content/settings": {NAME},
    "PATCH /content/settings/{setting_id}": {NAME},
    "POST /content/templates": {NAME, "body"},
    "PATCH /content/templates/{template_id}": {NAME, "body"},
    "POST /companies/{company_id}/content": {
        "insufficient_evidence", "ref_content_template_id", "content_setting_id",
    },
    "POST /companies/{company_id}/assistant/chat": {"conversation_id"},
    "POST /users": {NAME},
    "POST /keys": {"allowed_networks", "user_id", "expires_at"},
    "POST /agent/sessions": {"company_id"},
    "POST /accounts/delete": {"account_ids", "filter", FILTER},
    "PATCH /accounts/{account_id}": {"website", "industry", "company_name", "country"},
    "POST /companies": {"invalid_domain", "body", "domain", "company_name"},
    "POST /companies/bulk": {"invalid_domain", "items"},
    "POST /custom-questions": {NAME},
    "POST /evidence/search": {FILTER},
    "POST /lists": {NAME, FILTER},
    "PATCH /lists/{list_id}": {NAME, FILTER, "filter"},
    "POST /territories": {NAME, FILTER, "id", "owner_id"},
    "PATCH /territories/{territory_id}": {FILTER, "owner_id"},
    "POST /territories/simulate": {FILTER, "owner_id"},
    "POST /watches": WATCH,
    "PATCH /watches/{watch_id}": WATCH,
    "POST /watches/dry-run": WATCH,
    "POST /webhooks": {"forbidden_address"},
    "PATCH /webhooks/{webhook_id}": {"forbidden_address"},
    "POST /integrations/smtp/settings": {"host"},
    "PATCH /integrations/{integration_id}": {"integration_id"},
    "POST /integrations/{integration_id}/sync": {"integration_id", "body"},
    "POST /integrations/{integration_id}/preview": {"integration_id"},
    "POST /integrations/{integration_id}/connection": {"integration_id", "secret", "body"},
    "POST /companies/{company_id}/contacts/find": {"provider"},
}  # fmt: skip
# Another service is asked at once, and none can be reached here.
ASKS_OTHERS = {"POST /integrations/{integration_id}/connection"}
# Of every list: a cursor that was never issued, and two ways of paging at once.
PAGING = {"invalid_cursor", "conflicting_pagination"}


@schema.parametrize()
@settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
def test_the_api_is_as_described(case: schemathesis.Case[Any], served: Served) -> None:
    response = case.call(
        base_url=f"{served.url}{BASE_PATH}",
        headers={"x-api-key": served.tenant.key},
        timeout=LONGEST_SECONDS,
    )
    if response.content == NO_HTTP:
        return
    excluded: list[schemathesis.CheckFunction] = []
    if is_beyond_schema(case, response):
        excluded.append(positive_data_acceptance)
    if is_mended(case):
        excluded.append(negative_data_rejection)
    if response.status_code == 503 and case.operation.label in ASKS_OTHERS:
        excluded += (not_a_server_error, positive_data_acceptance)
    case.validate_response(response, excluded_checks=excluded)


def test_every_exemption_names_an_operation() -> None:
    described = {
        f"{method.upper()} {path}"
        for path, methods in DOCUMENT["paths"].items()
        for method in methods
    }
    assert set(BEYOND_SCHEMA) <= described


def is_mended(case: schemathesis.Case[Any]) -> bool:
    """Whether what is wrong with a request may be the key, which it is sent with all the same."""
    header = case.meta.components.get(ParameterLocation.HEADER) if case.meta else None
    return header is not None and header.mode.is_negative


def is_beyond_schema(case: schemathesis.Case[Any], response: schemathesis.Response) -> bool:
    """Whether each reason of a refusal is one that the operation's schema cannot state."""
    if response.status_code != 400:
        return False
    answer = response.json()
    error = answer if isinstance(answer["error"], str) else answer["error"]
    code = error.get("code") or error["error"]
    allowed = BEYOND_SCHEMA.get(case.operation.label, set())
    if code != "invalid_request":
        return code in PAGING | allowed
    return all(
        _is_whole(case.body, fault) or fault["path"].partition(".")[0] in allowed
        for fault in error["details"]["fields"]
    )


def _is_whole(body: Any, fault: dict[str, str]) -> bool:
    """Whether a fault is a whole number written as 1.0, which JSON Schema takes for an integer."""
    if fault["code"] != "not_an_integer" or not isinstance(body, dict | list):
        return False
    if not isinstance(body, dict | list):
        return False  # the fault is in a parameter
    value = body
    for part in fault["path"].split("."):
        value = value[int(part) if isinstance(value, list) else part]
    return isinstance(value, float) and value.is_integer()
