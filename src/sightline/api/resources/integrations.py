"""Integrations: every data source, webhook, mail server, CRM and model provider, with status."""

import json
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.administering import administer
from sightline.api.endpoint import (
    Call,
    DeferredReply,
    Endpoint,
    Keep,
    Reply,
    Schema,
    json_reply,
    of_resource,
)
from sightline.api.integration_items import (
    Category,
    Status,
    crm_item,
    encoder_item,
    item,
    kept_item,
    model_item,
    provider_item,
)
from sightline.api.mail_settings import MailSettings, checked_host
from sightline.crm.registry import PROVIDERS
from sightline.crm.run import ask_for_run
from sightline.domain.errors import IntegrationDoesNotExist, RequestIsInvalid, RoleIsMissing
from sightline.enrich.contact_providers.registry import CONTACT_PROVIDERS
from sightline.monitor.mail import INTEGRATION, Digests, compose
from sightline.sources.health import DAYS, judge
from sightline.sources.manifests import NAMES, manifests
from sightline.store import integrations as store
from sightline.store import operations
from sightline.store.crm_runs import RunIsUnderWay
from sightline.store.database import Tenant
from sightline.store.operations import Asker
from sightline.store.source_states import SourceState, disabled_sources, source_states
from sightline.store.webhooks import update_webhook

MOST_SYNCED = 500
_SYNC_PRIORITY = 15
MAIL_SECONDS = 60.0  # a sign-in and a message, each command at most monitor.mail.TIMEOUT_SECONDS


class IntegrationPath(Schema):
    integration_id: str = Field(
        max_length=100,
        description=(
            "Id as GET /integrations/status lists it: a source, `smtp`, `hubspot`, `salesforce`, or that of"
            " a webhook."
        ),
        examples=["sec_edgar"],
    )


class IntegrationItem(Schema):
    id: str = Field(examples=["sec_edgar"])
    provider: str = Field(examples=["sec_edgar"])
    provider_name: str = Field(examples=["SEC EDGAR"])
    category: Category
    status: Status
    last_sync_at: str | None
    sync_status: Literal["never", "running", "succeeded", "failed"]
    last_error: str | None
    counts: dict[str, int]


class Integrations(Schema):
    integrations: list[IntegrationItem]


class IntegrationChange(Schema):
    enabled: bool


class SyncOptions(Schema):
    """Only for a CRM."""

    dry_run: bool = Field(default=False, description="Only show in the log what would happen.")
    everything: bool = Field(
        default=False, description="All records, not only those that changed since the last run."
    )


class SyncQueued(Schema):
    id: str
    queued: int = Field(
        description="Accounts queued for enrichment, messages sent, or runs started."
    )
    error: str | None = None


async def read_status(call: Call) -> Reply:
    found = [
        *await _sources(call),
        *await _webhooks(call),
        await _mail(call),
        *[await crm_item(call, provider) for provider in PROVIDERS],
        *[await provider_item(call, provider) for provider in CONTACT_PROVIDERS.values()],
        await model_item(call),
        await encoder_item(call),
        await _imports(call),
    ]
    return json_reply({"integrations": found})


async def change(call: Call) -> Reply:
    """Switch a source, a webhook or the mail server on or off for the organization."""
    integration_id, enabled = call.params.integration_id, call.body.enabled
    if integration_id in {INTEGRATION, *PROVIDERS, *CONTACT_PROVIDERS}:
        await administer(call, "update", f"integration:{integration_id}", {"enabled": enabled})
    if integration_id == INTEGRATION and await _smtp(call) is None:
        raise RequestIsInvalid("Set up the mail server first.", path="integration_id")
    if integration_id in {INTEGRATION, *PROVIDERS, *CONTACT_PROVIDERS, *NAMES}:
        await store.save_integration(
            call.tenant, integration_id, settings=None, secret=None, enabled=enabled
        )
    elif not await _switch_webhook(call, integration_id, enabled=enabled):
        raise IntegrationDoesNotExist()
    return await _one(call, integration_id)


async def sync(call: Call) -> Reply | DeferredReply:
    """Run an integration now: enrich accounts again, sync a CRM, or send a test message."""
    integration_id = call.params.integration_id
    if integration_id in PROVIDERS:
        return await _sync_crm(call, integration_id)
    if call.body.dry_run or call.body.everything:
        raise RequestIsInvalid("Only a CRM takes these options.", path="body")
    if integration_id == INTEGRATION:
        return await _test_mail(call)
    if integration_id in CONTACT_PROVIDERS:
        raise RequestIsInvalid(
            "It can only be queried for one company at a time.", path="integration_id"
        )
    if integration_id not in NAMES:
        raise IntegrationDoesNotExist()
    # It joins those before it: free work is bounded, however often it is asked for.
    under_way = await operations.companies_in_refresh(call.tenant)
    due = await store.oldest_enriched(
        call.tenant, limit=max(0, MOST_SYNCED - len(under_way)), besides=under_way
    )
    if due:
        await operations.add_operations(
            call.tenant,
            [{"id": str(each), "refresh": True} for each in due],
            amounts=[0] * len(due),
            asker=Asker(call.caller.used_key, call.caller.user_id, call.request_id),
            priority=_SYNC_PRIORITY,
        )
    return _queued(integration_id, len(due), None)


async def _sync_crm(call: Call, provider: str) -> Reply:
    kept = await store.find_integration(call.tenant, provider)
    if kept is None or kept.secret is None:
        raise RequestIsInvalid("Connect it first.", path="integration_id")
    try:
        await ask_for_run(
            call.tenant, provider, dry_run=call.body.dry_run, everything=call.body.everything
        )
    except RunIsUnderWay:
        return _queued(provider, 0, "A run is already in progress.")
    return _queued(provider, 1, None)


async def _test_mail(call: Call) -> DeferredReply:
    """Send a test message, without a database connection while the mail server is waited for."""
    smtp = await _smtp(call)
    if smtp is None:
        raise RequestIsInvalid("Set up the mail server first.", path="integration_id")

    async def make() -> Keep:
        digests = Digests(call.services.secrets, call.services.mail)
        error = await digests.deliver(smtp, compose(smtp.settings, []))

        async def keep(call: Call) -> Reply:
            await store.note_integration(call.tenant, INTEGRATION, error=error)
            return _queued(INTEGRATION, 0 if error else 1, error)

        return keep

    async def compensate(connection: Tenant) -> None:
        await store.note_integration(connection, INTEGRATION, error="The request timed out.")

    return DeferredReply(make, compensate, MAIL_SECONDS)


async def set_mail(call: Call) -> Reply:
    asked: MailSettings = call.body
    await administer(call, "update", f"integration:{INTEGRATION}", {"host": asked.host})
    host = checked_host(asked, call.services.allowed_networks)
    values = asked.model_dump(exclude={"password"}) | {"host": host}
    sealed = call.services.secrets.seal(asked.password) if asked.password else None
    await store.save_integration(
        call.tenant, INTEGRATION, settings=values, secret=sealed, enabled=True
    )
    return await _one(call, INTEGRATION)


def _last_failure(state: SourceState) -> str | None:
    return state.last_error if state.sync_status == "failed" else None


async def _sources(call: Call) -> list[dict[str, Any]]:
    states = await source_states(call.tenant, NAMES, days=DAYS)
    disabled = await disabled_sources(call.tenant, call.caller.organization_id)
    found = []
    for manifest, state in zip(manifests(), states, strict=True):
        health = judge(state, manifest)
        found.append(
            item(
                manifest.name,
                manifest.title,
                "data_source",
                status="disabled" if manifest.name in disabled else health.status,
                last_sync_at=state.last_sync_at,
                sync_status=state.sync_status,
                last_error=health.reason or _last_failure(state),
                counts={
                    "companies": state.companies,
                    "fetched": state.fetched,
                    "unchanged": state.unchanged,
                    "missing": state.missing,
                    "failed": state.failed,
                    "unreachable": state.unreachable,
                    "not_recorded": state.not_recorded,
                    "facts": state.facts,
                    "quarantined": state.quarantined,
                },
            )
        )
    return found


async def _webhooks(call: Call) -> list[dict[str, Any]]:
    rows = await store.webhook_states(call.tenant)
    return [
        item(
            str(row["webhook_id"]),
            f"Webhook to {row['host']}",
            "notification",
            provider="webhook",
            status=_webhook_status(row),
            last_sync_at=row["last_delivery_at"],
            sync_status=_sync_status(row["last_delivery_at"], row["last_error"]),
            last_error=row["last_error"],
            counts=row["counts"] or {},
        )
        for row in rows
    ]


async def _mail(call: Call) -> dict[str, Any]:
    return kept_item(INTEGRATION, "Email", "notification", await _smtp(call), {})


async def _imports(call: Call) -> dict[str, Any]:
    row = await store.last_import(call.tenant)
    sync_status = "never"
    if row is not None:
        sync_status = "running" if row["state"] in ("running", "undoing") else "succeeded"
    return item(
        "list_import",
        "List import",
        "import",
        status="connected" if row else "not_configured",
        last_sync_at=(row["finished_at"] or row["started_at"]) if row else None,
        sync_status=sync_status,
        last_error=None,
        counts={k: row[k] for k in ("created", "updated", "bad")} if row else {},
    )


async def _smtp(call: Call) -> store.Integration | None:
    return await store.find_integration(call.tenant, INTEGRATION)


async def _switch_webhook(call: Call, integration_id: str, *, enabled: bool) -> bool:
    try:
        webhook_id = UUID(integration_id)
    except ValueError:
        return False
    return await update_webhook(
        call.tenant, webhook_id, url=None, description=None, topics=None, enabled=enabled
    )


async def _one(call: Call, integration_id: str) -> Reply:
    listed = json.loads((await read_status(call)).body)["integrations"]
    found = next((each for each in listed if each["id"] == integration_id), None)
    if found is None:
        raise IntegrationDoesNotExist()
    return json_reply(found)


def _webhook_status(row: dict[str, Any]) -> Status:
    if not row["enabled"]:
        return "disabled"
    return "error" if row["last_error"] else "connected"


def _sync_status(last: datetime | None, error: str | None) -> str:
    if last is None:
        return "never"
    return "failed" if error else "succeeded"


def _queued(integration_id: str, queued: int, error: str | None) -> Reply:
    body = {"id": integration_id, "queued": queued, "error": error}
    return json_reply(body, status=202)


ENDPOINTS = of_resource(
    "Integrations",
    ("integrations:read", "integrations:write"),
    Endpoint(
        method="GET",
        path="/integrations/status",
        name="read_integrations_status",
        summary="Every data source, webhook, mail server, CRM and model provider, with status",
        answer=Integrations,
        handler=read_status,
    ),
    Endpoint(
        method="POST",
        path="/integrations/smtp/settings",
        name="set_mail_server",
        summary="Set up the mail server for alert digests",
        description=(
            "For owners and admins. The server must be on the internet, or in a private network "
            "that the operator of the installation allows (`SIGHTLINE_ALLOWED_NETWORKS`)."
        ),
        body=MailSettings,
        answer=IntegrationItem,
        errors=(RoleIsMissing,),
        handler=set_mail,
    ),
    Endpoint(
        method="PATCH",
        path="/integrations/{integration_id}",
        name="update_integration",
        summary="Switch an integration on or off",
        description=(
            "For your organization only. A data source that you switch off is not used for your "
            "enrichments, refreshes and syncs; stored data stays. A source that the operator "
            "of the installation switched off stays `disabled`, whatever your own setting."
        ),
        params=IntegrationPath,
        body=IntegrationChange,
        answer=IntegrationItem,
        errors=(RoleIsMissing,),
        handler=change,
    ),
    Endpoint(
        method="POST",
        path="/integrations/{integration_id}/sync",
        name="sync_integration",
        summary="Run an integration now",
        description=(
            "A data source: up to 500 accounts, those enriched longest ago first, are enriched again, free "
            "of charge; those already queued or running are not queued twice, and count toward the 500. A "
            "CRM: a sync of what changed starts, if none is in progress. The mail server: a test message is "
            "sent."
        ),
        params=IntegrationPath,
        body=SyncOptions,
        body_optional=True,
        answer=SyncQueued,
        status=202,
        handler=sync,
    ),
)
