"""A CRM and providers of contacts over the API: connected, chosen, looked at, synced and read."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.api.server import create_server
from sightline.crm.connection import find_connection
from sightline.crm.provider import Tokens
from sightline.crm.run import Syncing
from sightline.kit.ids import new_id
from sightline.store import crm_runs as store
from sightline.store.database import Database, open_database
from sightline.store.keys import create_key
from sightline.store.organizations import create_user
from sightline.store.work import claim
from tests.api.accounts_data import add_catalogue_company
from tests.conftest import Tenant
from tests.crm.org import Org
from tests.crm.portal import Portal
from tests.enrich.test_contact_providers import HUNTER, Answers, takes_mail

V1 = "/public-api/v1"
HUBSPOT = f"{V1}/integrations/hubspot"


class StaysOpen(Portal):
    """One that is asked again after it was closed, as another connection would."""

    async def close(self) -> None:
        pass


@pytest.fixture
def portal() -> Portal:
    return StaysOpen()


@pytest.fixture
async def own(services: Services, tenant: Tenant, portal: Portal) -> Any:
    """A client of the API, whose outside is the portal."""
    app = create_server(replace(services, open_web=lambda: portal))
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    headers = {"x-api-key": tenant.key}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://sightline.test", headers=headers
    ) as client:
        yield client


async def work(database_url: str, services: Services, portal: Portal, run_id: UUID) -> None:
    """Do the run as a worker does."""
    worker = await open_database(database_url, role="sightline_worker", size=3)
    try:
        syncing = Syncing(worker, services.secrets, portal)
        while item := await claim(
            worker, [store.WORK_KIND], lease=timedelta(minutes=5), per_organization=5
        ):
            await syncing.sync(item)
            if item.subject == str(run_id):
                return
    finally:
        await worker.close()


async def test_a_token_connects_and_is_never_shown(
    own: httpx.AsyncClient, database: Database, tenant: Tenant, services: Services
) -> None:
    wrong = await own.post(f"{HUBSPOT}/connection", json={"secret": "stolen"})
    assert wrong.status_code == 400
    assert "token" in wrong.json()["error"]["message"]
    assert (await own.post(f"{HUBSPOT}/connection", json={})).status_code == 400
    made = await own.post(f"{HUBSPOT}/connection", json={"secret": "token-good"})
    assert made.json() == {
        "id": "hubspot", "connected": True, "authorize_url": None, "terms": None,
    }  # fmt: skip
    status = await own.get(f"{V1}/integrations/status")
    assert "token-good" not in status.text
    async with database.tenant(tenant.organization_id) as connection:
        kept, _ = await find_connection(connection, "hubspot")
        acts = await connection.fetch("SELECT subject, details FROM audit_log")
    assert kept is not None
    assert kept.secret is not None
    assert Tokens.of(services.secrets.open(kept.secret)).access == "token-good"
    assert "token-good" not in str(acts)
    assert ("integration:hubspot", {"connected": True}) in [tuple(act) for act in acts]
    gone = await own.delete(f"{HUBSPOT}/connection")
    assert gone.json()["connected"] is False
    assert (await own.post(f"{HUBSPOT}/sync")).status_code == 400


async def test_an_app_of_one_s_own_is_agreed_to_first(own: httpx.AsyncClient) -> None:
    app = {
        "client_id": "app-id",
        "redirect_uri": "https://us.example/back",
        "state": "guess-me-not",
    }
    asked = (await own.post(f"{HUBSPOT}/connection", json=app)).json()
    assert asked["connected"] is False
    address = httpx.URL(asked["authorize_url"])
    assert address.params["client_id"] == "app-id"
    assert address.params["redirect_uri"] == "https://us.example/back"
    assert address.params["state"] == "guess-me-not"
    sent = app | {"secret": "app-secret", "code": "code-good"}
    assert (await own.post(f"{HUBSPOT}/connection", json=sent)).json()["connected"] is True


async def test_a_site_of_salesforce_is_named(services: Services, tenant: Tenant) -> None:
    app = create_server(replace(services, open_web=Org))
    transport = httpx.ASGITransport(app=app)
    headers = {"x-api-key": tenant.key}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://sightline.test", headers=headers
    ) as client:
        path = f"{V1}/integrations/salesforce/connection"
        sent = {"client_id": "app-id", "site": "https://test.salesforce.com"}
        answer = (await client.post(path, json=sent)).json()
        assert answer["authorize_url"].startswith("https://test.salesforce.com/")
        bare = await client.post(path, json={"secret": "a token"})
        assert "through your own app" in bare.json()["error"]["message"]


async def test_what_is_synced_is_chosen_in_parts(own: httpx.AsyncClient) -> None:
    before = (await own.get(f"{HUBSPOT}/settings")).json()
    assert (before["writes"], before["every_hours"]) == (False, None)
    assert {row["field"] for row in before["mapping"]} > {"company_name", "website"}
    one = {"kind": "accounts", "property": "name", "field": "company_name", "rule": "ours"}
    changed = await own.patch(
        f"{HUBSPOT}/settings",
        json={
            "mapping": [one],
            "conditions": {"accounts": [{"property": "stage", "operator": "EQ", "value": "won"}]},
            "writes": True,
            "creates": True,
            "notes": ["brief"],
            "every_hours": 6,
        },
    )
    found = changed.json()
    assert found["mapping"] == [one | {"direction": "both"}]
    assert found["conditions"]["accounts"][0]["value"] == "won"
    assert (found["writes"], found["creates"], found["notes"]) == (True, True, ["brief"])
    rest = (await own.patch(f"{HUBSPOT}/settings", json={"every_hours": None})).json()
    assert rest == found | {"every_hours": None}
    wrong = await own.patch(f"{HUBSPOT}/settings", json={"mapping": [one | {"field": "shoe_size"}]})
    assert wrong.status_code == 400
    assert "shoe_size" in wrong.json()["error"]["message"]
    assert (await own.get(f"{HUBSPOT}/settings")).json() == rest
    unknown = await own.get(f"{V1}/integrations/wikidata/settings")
    assert unknown.json()["error"]["code"] == "integration_not_found"


async def test_one_looks_first_then_syncs_and_reads_the_log(
    own: httpx.AsyncClient, portal: Portal, database_url: str, services: Services
) -> None:
    refused = await own.post(f"{HUBSPOT}/preview")
    assert "not connected" in refused.json()["error"]["message"]
    await own.post(f"{HUBSPOT}/connection", json={"secret": "token-good"})
    portal.put("accounts", company_name="Harbor Works", website="harbor-works.example")
    shown = (await own.post(f"{HUBSPOT}/preview")).json()
    assert ["Harbor Works"] in [row["theirs"] for row in shown["items"]]
    modified = {"kind": "accounts", "name": "hs_lastmodifieddate", "label": "Hs_Lastmodifieddate"}
    assert modified | {"read_only": True} in shown["properties"]
    runs = []
    for options in ({"dry_run": True}, {"everything": True}):
        queued = await own.post(f"{HUBSPOT}/sync", json=options)
        assert (queued.status_code, queued.json()["queued"]) == (202, 1)
        newest = (await own.get(f"{HUBSPOT}/runs")).json()["items"][0]
        await work(database_url, services, portal, UUID(newest["id"]))
        runs.append((await own.get(f"{HUBSPOT}/runs/{newest['id']}")).json())
    dry, real = runs
    assert (dry["dry_run"], dry["state"], real["state"]) == (True, "succeeded", "succeeded")
    assert dry["counts"]["read_accounts"] == real["counts"]["read_accounts"] == {"created": 1}
    listed = (await own.get(f"{HUBSPOT}/runs")).json()
    assert [run["id"] for run in listed["items"]] == [real["id"], dry["id"]]
    path = f"{HUBSPOT}/runs/{real['id']}/log"
    (entry,) = (await own.get(path, params={"action": "created"})).json()["items"]
    assert (entry["stage"], entry["action"]) == ("read_accounts", "created")
    assert (await own.get(path, params={"action": "failed"})).json()["items"] == []
    found = (await own.post(f"{V1}/accounts", json={"company_name": "harbor works"})).json()
    assert found["pagination"]["total"] == 1
    other = await own.get(f"{V1}/integrations/salesforce/runs/{real['id']}")
    assert other.json()["error"]["code"] == "run_not_found"


async def test_a_busy_crm_is_said_to_be_so(own: httpx.AsyncClient, portal: Portal) -> None:
    portal.busy = 100
    answer = await own.post(f"{HUBSPOT}/connection", json={"secret": "token-good"})
    assert answer.status_code == 503
    assert answer.json()["error"]["details"]["retryable"] is True


async def test_only_a_crm_takes_options(own: httpx.AsyncClient) -> None:
    answer = await own.post(f"{V1}/integrations/sec_edgar/sync", json={"dry_run": True})
    assert answer.status_code == 400


async def test_members_and_narrow_keys_connect_nothing(
    own: httpx.AsyncClient, database: Database, tenant: Tenant
) -> None:
    organization_id = tenant.organization_id
    async with database.tenant(organization_id) as connection:
        member = await create_user(connection, email="member@first.example", role="member")
        keys = [
            await create_key(
                connection, user_id=user, name="k", scopes=[scope]
            )
            for user, scope in ((member, "*"), (tenant.user_id, "integrations:read"))
        ]  # fmt: skip
    asked: list[tuple[str, str, Any]] = [
        ("POST", "/connection", {"secret": "token-good"}),
        ("POST", "/connection", {"client_id": "app-id"}),
        ("DELETE", "/connection", None),
        ("PATCH", "/settings", {"writes": True}),
        ("POST", "/preview", None),
    ]
    for key in keys:
        for method, path, body in asked:
            answer = await own.request(
                method, HUBSPOT + path, json=body, headers={"x-api-key": key.key}
            )
            assert answer.status_code == 403, (path, answer.text)


@pytest.fixture
def hunter(services: Services, tenant: Tenant) -> Callable[[Answers], httpx.AsyncClient]:
    """Clients whose outside answers as Hunter."""

    def open_with(web: Answers) -> httpx.AsyncClient:
        app = create_server(replace(services, open_web=lambda: web, takes_mail=takes_mail))
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        headers = {"x-api-key": tenant.key}
        return httpx.AsyncClient(
            transport=transport, base_url="http://sightline.test", headers=headers
        )

    return open_with


async def test_people_are_found_by_one_s_own_key(
    hunter: Callable[[Answers], httpx.AsyncClient], owner: Database
) -> None:
    record = {"company_name": f"Tide Labs {new_id()}", "website_domain": "tide-labs.example"}
    path = f"{V1}/companies/{await add_catalogue_company(owner, record)}/contacts/find"
    web = Answers(HUNTER)
    async with hunter(web) as client:
        early = await client.post(path, json={"provider": "hunter"})
        assert "needs your API key" in early.json()["error"]["message"]
        kept = await client.post(f"{V1}/integrations/hunter/connection", json={"secret": "our-key"})
        assert kept.json()["terms"].startswith("https://hunter.io/")
        priced = (
            await client.post(path, json={"provider": "hunter", "max": 25, "dry_run": True})
        ).json()
        assert (priced["credits"], priced["found"], web.asked) == (3, 0, [])
        sent = {"idempotency-key": str(uuid4())}
        answers = [
            (await client.post(path, json={"provider": "hunter"}, headers=sent)).json()
            for _ in range(2)
        ]
        assert answers[0] == answers[1]
        assert (answers[0]["created"], answers[0]["credits"]) == (3, 1)
        assert len(web.asked) == 1  # a repeated request costs nothing at the provider
        sync = await client.post(f"{V1}/integrations/hunter/sync")
        assert sync.status_code == 400
    async with hunter(Answers({}, 402)) as client:
        refused = await client.post(path, json={"provider": "hunter"})
        assert "Your credits with the provider are used up" in refused.json()["error"]["message"]
        status = (await client.get(f"{V1}/integrations/status")).json()["integrations"]
        assert next(each for each in status if each["id"] == "hunter")["status"] == "error"
