"""Integrations: what is listed, switched, set up and used; passwords stay sealed."""

import asyncio
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.crm.registry import PROVIDERS
from sightline.kit.ids import new_id
from sightline.monitor.mail import Digests, MailFailed
from sightline.reading.encoder import EncoderConfig, open_encoder
from sightline.sources.registry import SOURCES
from sightline.store.database import Database, open_database
from sightline.store.events import NewEvent, publish_events
from sightline.store.keys import create_key
from sightline.store.organizations import create_user
from sightline.store.source_states import disabled_sources, switch
from tests.api.accounts_data import add_accounts
from tests.api.conftest import Connect
from tests.conftest import MakeTenant, Tenant

V1 = "/public-api/v1"
MAIL = {
    "host": "smtp.first.example",
    "username": "alerts",
    "password": "open sesame",
    "sender": "alerts@first.example",
    "recipients": ["bo@first.example"],
}


async def listed(client: httpx.AsyncClient) -> dict[str, dict[str, Any]]:
    answer = await client.get(f"{V1}/integrations/status")
    assert answer.status_code == 200, answer.text
    return {each["id"]: each for each in answer.json()["integrations"]}


async def test_everything_is_listed_before_anything_is_set_up(client: httpx.AsyncClient) -> None:
    found = await listed(client)
    assert {source.name for source in SOURCES} <= set(found)
    assert {found[s.name]["category"] for s in SOURCES} == {"data_source"}
    assert found["sec_edgar"]["status"] == "connected"
    assert (found["smtp"]["status"], found["smtp"]["sync_status"]) == ("not_configured", "never")
    assert (found["model"]["category"], found["model"]["status"]) == ("llm", "not_configured")
    assert found["encoder"]["status"] == "not_configured"
    assert found["list_import"]["category"] == "import"


async def test_the_encoder_says_whether_it_works(
    connect: Connect, tenant: Tenant, tmp_path: Path
) -> None:
    shown = {}
    for name in ("bundled", f"onnx:{tmp_path}"):
        client = connect(encoder=open_encoder(EncoderConfig(name)))
        client.headers["x-api-key"] = tenant.key
        shown[name] = (await listed(client))["encoder"]
    assert [each["status"] for each in shown.values()] == ["connected", "error"]
    assert shown["bundled"]["last_error"] is None
    assert shown["bundled"]["provider_name"] == "Encoder, built in"
    assert "no model.onnx" in shown[f"onnx:{tmp_path}"]["last_error"]


async def test_a_source_is_switched_off_and_on(client: httpx.AsyncClient) -> None:
    url = f"{V1}/integrations/wikidata"
    assert (await client.patch(url, json={"enabled": False})).json()["status"] == "disabled"
    assert (await listed(client))["wikidata"]["status"] == "disabled"
    assert (await client.patch(url, json={"enabled": True})).json()["status"] == "connected"
    assert (await listed(client))["wikidata"]["status"] == "connected"
    missing = await client.patch(f"{V1}/integrations/nothing", json={"enabled": True})
    assert missing.json()["error"]["code"] == "integration_not_found"


async def test_a_source_is_switched_for_one_s_own_organization_alone(
    client: httpx.AsyncClient, database: Database, tenant: Tenant, make_tenant: MakeTenant
) -> None:
    other = await make_tenant("other")
    answer = await client.patch(f"{V1}/integrations/wikidata", json={"enabled": False})
    assert answer.json()["status"] == "disabled"
    theirs = {"x-api-key": other.key}
    status = await client.get(f"{V1}/integrations/status", headers=theirs)
    assert {each["id"]: each["status"] for each in status.json()["integrations"]}[
        "wikidata"
    ] == "connected"
    for organization_id, disabled in (
        (tenant.organization_id, {"wikidata"}),
        (other.organization_id, set()),
    ):
        async with database.tenant(organization_id) as connection:
            assert await disabled_sources(connection, organization_id) == disabled
    async with database.tenant(other.organization_id) as connection:  # nor does naming it help
        assert await disabled_sources(connection, tenant.organization_id) == set()


async def test_what_the_operator_switched_off_stays_off(
    client: httpx.AsyncClient, owner: Database, database: Database, tenant: Tenant
) -> None:
    url = f"{V1}/integrations/gleif"
    try:
        async with owner.connection() as connection:
            await switch(connection, "gleif", enabled=False)
        assert (await client.patch(url, json={"enabled": True})).json()["status"] == "disabled"
    finally:
        async with owner.connection() as connection:
            await switch(connection, "gleif", enabled=True)
    assert (await listed(client))["gleif"]["status"] == "connected"


async def test_sync_enriches_accounts_anew_for_nothing(
    client: httpx.AsyncClient, database: Database, tenant: Tenant
) -> None:
    await add_accounts(database, tenant.organization_id, [{"company_name": "Harbor"}])
    answer = await client.post(f"{V1}/integrations/sec_edgar/sync")
    assert (answer.status_code, answer.json()["queued"]) == (202, 1)
    [operation] = (await client.get(f"{V1}/operations")).json()["items"]
    assert operation["cost"] == {"credit": "company", "amount": 0, "state": "none"}


async def test_syncs_join_those_before_them(
    client: httpx.AsyncClient, database: Database, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [{"company_name": f"Harbor {n}"} for n in range(5)]
    await add_accounts(database, tenant.organization_id, records)
    monkeypatch.setattr("sightline.api.resources.integrations.MOST_SYNCED", 3)
    sources = ("sec_edgar", "gleif", "sec_edgar")
    answers = [await client.post(f"{V1}/integrations/{name}/sync") for name in sources]
    assert [answer.json()["queued"] for answer in answers] == [3, 0, 0]
    monkeypatch.undo()
    both = await asyncio.gather(
        *(client.post(f"{V1}/integrations/{name}/sync") for name in ("gleif", "wikidata"))
    )
    assert sorted(answer.json()["queued"] for answer in both) == [0, 2]
    items = (await client.get(f"{V1}/operations")).json()["items"]
    assert len({each["input"]["id"] for each in items}) == len(items) == 5


async def test_webhooks_have_a_limit(tenant: Tenant, connect: Connect) -> None:
    client = connect(most_webhooks=2)
    client.headers["x-api-key"] = tenant.key
    urls = [f"https://hooks.first.example/{n}" for n in range(6)]
    made = await asyncio.gather(*(client.post(f"{V1}/webhooks", json={"url": url}) for url in urls))
    assert sorted(answer.status_code for answer in made) == [201, 201, 400, 400, 400, 400]
    refused = next(answer for answer in made if answer.status_code == 400)
    assert "The limit is 2 webhooks" in refused.json()["error"]["message"]


async def test_the_mail_server_is_for_owners_and_admins(
    client: httpx.AsyncClient, database: Database, tenant: Tenant
) -> None:
    async with database.tenant(tenant.organization_id) as connection:
        user_id = await create_user(connection, email="bo@first.example", role="member")
        made = await create_key(connection, user_id=user_id, name="bo", scopes=["*"])
    await client.post(f"{V1}/integrations/smtp/settings", json=MAIL)
    own = {"x-api-key": made.key}
    refused = await client.post(f"{V1}/integrations/smtp/settings", json=MAIL, headers=own)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "missing_role")
    switched = await client.patch(f"{V1}/integrations/smtp", json={"enabled": False}, headers=own)
    assert switched.status_code == 403


async def test_the_password_is_sealed_and_never_shown(
    client: httpx.AsyncClient, database: Database, tenant: Tenant, services: Services
) -> None:
    made = await client.post(
        f"{V1}/integrations/smtp/settings", json=MAIL, headers={"idempotency-key": "m"}
    )
    assert made.status_code == 200, made.text
    assert made.json()["status"] == "connected"
    assert "sesame" not in made.text + (await client.get(f"{V1}/integrations/status")).text
    async with database.tenant(tenant.organization_id) as connection:
        secret = await connection.fetchval("SELECT secret FROM integrations")
        rest = await connection.fetchval("SELECT settings::text FROM integrations")
    assert b"sesame" not in secret
    assert "sesame" not in rest
    assert services.secrets.open(secret) == "open sesame"


async def test_new_alerts_are_mailed_once(
    client: httpx.AsyncClient,
    database: Database,
    database_url: str,
    tenant: Tenant,
    services: Services,
) -> None:
    await client.post(f"{V1}/integrations/smtp/settings", json=MAIL)
    [added] = await add_accounts(database, tenant.organization_id, [{"company_name": "Harbor"}])
    async with database.tenant(tenant.organization_id) as connection:
        event = NewEvent("s", "hires", "leadership_moves", "Harbor hires a CFO", added.company_id)
        reported = await publish_events(connection, [event])
        await connection.execute(
            "INSERT INTO alerts (organization_id, alert_id, event_id, company_id)"
            " VALUES ($1, $2, $3, $4)",
            tenant.organization_id,
            new_id(),
            reported["s"],
            added.company_id,
        )
    sent: list[EmailMessage] = []

    def take(settings: Any, password: str | None, message: EmailMessage) -> None:
        if settings["host"] == MAIL["host"]:  # other organizations of the database have mail too
            assert password == "open sesame"
            sent.append(message)

    worker = await open_database(database_url, role="sightline_worker", size=2)
    digests = Digests(services.secrets, take)
    await digests.run(worker)
    await digests.run(worker)
    await worker.close()
    [message] = sent
    assert message["Subject"] == "Sightline: 1 new alert"
    for kind in ("plain", "html"):
        part = message.get_body((kind,))
        assert part is not None
        assert "Harbor hires a CFO" in part.get_content()
    assert (await listed(client))["smtp"]["sync_status"] == "succeeded"


async def test_a_refusing_server_shows_as_an_error(tenant: Tenant, connect: Connect) -> None:
    def refuse(settings: Any, password: str | None, message: EmailMessage) -> None:
        raise MailFailed("The mail server smtp.first.example refused the sender.")

    client = connect(mail=refuse)
    client.headers["x-api-key"] = tenant.key
    await client.post(f"{V1}/integrations/smtp/settings", json=MAIL)
    answer = await client.post(f"{V1}/integrations/smtp/sync")
    assert answer.status_code == 202
    assert "refused" in answer.json()["error"]
    found = (await listed(client))["smtp"]
    assert (found["status"], found["sync_status"]) == ("error", "failed")


@pytest.mark.parametrize(
    "change",
    [
        {"sender": "nobody"},
        {"recipients": ["a@b.example\r\nBcc: c@d.example"]},
        {"recipients": []},
        {"port": 0},
        {"port": 8751},
        *(
            {"host": host}
            for host in (
                "\u0093",
                "..",
                "a" * 64 + ".example",
                "localhost",
                "127.0.0.1",
                "10.1.2.3",
                "::1",
                "::ffff:127.0.0.1",
                "169.254.169.254",
                "0x7f.1",
                "mail",
                "a b.example",
            )
        ),
    ],
    ids=repr,
)
async def test_bad_mail_settings_are_refused(
    client: httpx.AsyncClient, change: dict[str, Any]
) -> None:
    answer = await client.post(f"{V1}/integrations/smtp/settings", json=MAIL | change)
    assert answer.status_code == 400


@pytest.mark.parametrize("crm", PROVIDERS)
async def test_a_crm_is_listed_synced_and_switched(
    crm: str, client: httpx.AsyncClient, database: Database, tenant: Tenant, services: Services
) -> None:
    from sightline.crm.connection import save_tokens
    from sightline.crm.provider import Tokens

    before = (await listed(client))[crm]
    assert (before["category"], before["status"]) == ("crm", "not_configured")
    assert (before["provider_name"], before["sync_status"]) == (PROVIDERS[crm].title, "never")
    refused = await client.post(f"{V1}/integrations/{crm}/sync")
    assert refused.status_code == 400
    async with database.tenant(tenant.organization_id) as connection:
        await save_tokens(
            connection, crm, Tokens("pat-secret"),
            secrets=services.secrets
        )  # fmt: skip
    assert (await listed(client))[crm]["status"] == "connected"
    answers = [(await client.post(f"{V1}/integrations/{crm}/sync")).json() for _ in range(2)]
    assert [each["queued"] for each in answers] == [1, 0]
    found = (await listed(client))[crm]
    assert found["sync_status"] == "running"
    assert "pat-secret" not in str(found)
    off = await client.patch(f"{V1}/integrations/{crm}", json={"enabled": False})
    assert off.json()["status"] == "disabled"
