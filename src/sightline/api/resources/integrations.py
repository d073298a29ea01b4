"""Integrations: every data source, webhook, mail server and model provider, and how each is."""

import json
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Call, Endpoint, Reply, Schema
from sightline.domain.errors import IntegrationDoesNotExist, RequestIsInvalid
from sightline.monitor.mail import INTEGRATION, Digests, compose
from sightline.sources.health import DAYS, judge
from sightline.sources.manifests import NAMES, manifests
from sightline.store import integrations as store
from sightline.store import operations
from sightline.store.operations import Asker
from sightline.store.source_states import disabled_sources, source_states
from sightline.store.webhooks import update_webhook

Category = Literal["crm", "data_source", "notification", "llm", "import"]
Status = Literal["connected", "not_configured", "error", "disabled"]
MOST_SYNCED = 500
_SYNC_PRIORITY = 15


class IntegrationPath(Schema):
    integration_id: str = Field(max_length=100, examples=["sec_edgar"])


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


# What `set_mail` checks, as the schema says it.
ADDRESS = Field(
    json_schema_extra={"pattern": r"^[^@\s\x1c-\x1f\x85,;<>]+@[^@\s\x1c-\x1f\x85,;<>]+$"}
)


class MailSettings(Schema):
    """The mail server that digests of alerts go out over."""

    host: str = Field(min_length=1, max_length=253, examples=["smtp.northwind.example"])
    port: int = Field(default=587, ge=1, le=65535)
    security: Literal["starttls", "tls", "none"] = "starttls"
    username: str = Field(default="", max_length=200)
    password: str | None = Field(
        default=None, max_length=500, description="Kept encrypted, and never shown."
    )
    sender: Annotated[str, ADDRESS] = Field(
        min_length=3, max_length=254, examples=["alerts@northwind.example"]
    )
    recipients: list[Annotated[str, ADDRESS]] = Field(
        min_length=1, max_length=50, examples=[["sales@northwind.example"]]
    )


class SyncQueued(Schema):
    id: str
    queued: int = Field(description="Accounts that are enriched anew, or messages sent.")
    error: str | None = None


async def read_status(call: Call) -> Reply:
    found = [
        *await _sources(call),
        *await _webhooks(call),
        await _mail(call),
        _model(call),
        await _imports(call),
    ]
    return Reply(json.dumps({"integrations": found}, ensure_ascii=False).encode())


async def change(call: Call) -> Reply:
    """Switch a source, a webhook or the mail server on or off for the organization."""
    integration_id, enabled = call.params.integration_id, call.body.enabled
    if integration_id == INTEGRATION and await _smtp(call) is None:
        raise RequestIsInvalid("Set up the mail server first.", path="integration_id")
    if integration_id == INTEGRATION or integration_id in NAMES:
        await store.save_integration(
            call.connection,
            call.caller.organization_id,
            integration_id,
            settings=None,
            secret=None,
            enabled=enabled,
        )
    elif not await _switch_webhook(call, integration_id, enabled=enabled):
        raise IntegrationDoesNotExist()
    return await _one(call, integration_id)


async def sync(call: Call) -> Reply:
    """Use an integration now: enrich accounts anew, or send a test message."""
    integration_id = call.params.integration_id
    if integration_id == INTEGRATION:
        smtp = await _smtp(call)
        if smtp is None:
            raise RequestIsInvalid("Set up the mail server first.", path="integration_id")
        error = await Digests(call.services.secrets).deliver(smtp, compose(smtp.settings, []))
        await store.note_integration(
            call.connection, call.caller.organization_id, INTEGRATION, error=error
        )
        return _queued(integration_id, 0 if error else 1, error)
    if integration_id not in NAMES:
        raise IntegrationDoesNotExist()
    due = await store.oldest_enriched(
        call.connection, call.caller.organization_id, limit=MOST_SYNCED
    )
    if due:
        await operations.add_operations(
            call.connection,
            call.caller.organization_id,
            [{"id": str(each), "refresh": True} for each in due],
            amounts=[0] * len(due),
            asker=Asker(call.caller.key_id, call.caller.user_id, call.request_id),
            priority=_SYNC_PRIORITY,
        )
    return _queued(integration_id, len(due), None)


async def set_mail(call: Call) -> Reply:
    asked: MailSettings = call.body
    for n, address in enumerate([asked.sender, *asked.recipients]):
        if address.count("@") != 1 or any(c.isspace() or c in ",;<>" for c in address):
            path = "sender" if n == 0 else f"recipients.{n - 1}"
            field = {"path": path, "message": "It is not an e-mail address.", "code": "invalid"}
            raise RequestIsInvalid(f"{path}: It is not an e-mail address.", fields=[field])
    values = asked.model_dump(exclude={"password"})
    sealed = call.services.secrets.seal(asked.password) if asked.password else None
    await store.save_integration(
        call.connection,
        call.caller.organization_id,
        INTEGRATION,
        settings=values,
        secret=sealed,
        enabled=True,
    )
    return await _one(call, INTEGRATION)


async def _sources(call: Call) -> list[dict[str, Any]]:
    states = await source_states(call.connection, NAMES, days=DAYS)
    disabled = await disabled_sources(call.connection, call.caller.organization_id)
    found = []
    for manifest, state in zip(manifests(), states, strict=True):
        health = judge(state, manifest)
        found.append(
            _item(
                manifest.name,
                manifest.title,
                "data_source",
                status="disabled" if manifest.name in disabled else health.status,
                last_sync_at=state.last_sync_at,
                sync_status=state.sync_status,
                last_error=health.reason or None,
                counts={
                    "companies": state.companies,
                    "fetched": state.fetched,
                    "unchanged": state.unchanged,
                    "missing": state.missing,
                    "failed": state.failed,
                    "facts": state.facts,
                },
            )
        )
    return found


async def _webhooks(call: Call) -> list[dict[str, Any]]:
    rows = await store.webhook_states(call.connection, call.caller.organization_id)
    return [
        _item(
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
    smtp = await _smtp(call)
    status: Status = "not_configured"
    if smtp is not None:
        status = "error" if smtp.last_error else "connected"
        if not smtp.enabled:
            status = "disabled"
    return _item(
        INTEGRATION,
        "E-mail",
        "notification",
        status=status,
        last_sync_at=smtp.last_sync_at if smtp else None,
        sync_status=smtp.sync_status if smtp else "never",
        last_error=smtp.last_error if smtp else None,
        counts={},
    )


def _model(call: Call) -> dict[str, Any]:
    model = call.services.model_name
    return _item(
        "model",
        model or "Language model",
        "llm",
        provider=(model or "none").partition(":")[0],
        status="connected" if model else "not_configured",
        last_sync_at=None,
        sync_status="never",
        last_error=None,
        counts={},
    )


async def _imports(call: Call) -> dict[str, Any]:
    row = await store.last_import(call.connection, call.caller.organization_id)
    sync_status = "never"
    if row is not None:
        sync_status = "running" if row["state"] == "running" else "succeeded"
    return _item(
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
    return await store.find_integration(call.connection, call.caller.organization_id, INTEGRATION)


async def _switch_webhook(call: Call, integration_id: str, *, enabled: bool) -> bool:
    try:
        webhook_id = UUID(integration_id)
    except ValueError:
        return False
    return await update_webhook(
        call.connection,
        call.caller.organization_id,
        webhook_id,
        url=None,
        description=None,
        topics=None,
        enabled=enabled,
    )


async def _one(call: Call, integration_id: str) -> Reply:
    listed = json.loads((await read_status(call)).body)["integrations"]
    found = next((each for each in listed if each["id"] == integration_id), None)
    if found is None:
        raise IntegrationDoesNotExist()
    return Reply(json.dumps(found, ensure_ascii=False).encode())


def _item(
    integration_id: str, provider_name: str, category: Category, *, provider: str | None = None,
    status: Status, last_sync_at: datetime | None, sync_status: str, last_error: str | None,
    counts: dict[str, int],
) -> dict[str, Any]:  # fmt: skip
    return {
        "id": integration_id,
        "provider": provider or integration_id,
        "provider_name": provider_name,
        "category": category,
        "status": status,
        "last_sync_at": last_sync_at.isoformat().replace("+00:00", "Z") if last_sync_at else None,
        "sync_status": sync_status,
        "last_error": last_error,
        "counts": counts,
    }


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
    return Reply(json.dumps(body).encode(), status=202)


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/integrations/status",
        name="read_integrations_status",
        summary="Every data source, webhook, mail server and model provider, and how each is",
        tag="Integrations",
        scopes=("integrations:read",),
        answer=Integrations,
        handler=read_status,
    ),
    Endpoint(
        method="POST",
        path="/integrations/smtp/settings",
        name="set_mail_server",
        summary="Set up the mail server that digests of alerts go out over",
        tag="Integrations",
        scopes=("integrations:write",),
        body=MailSettings,
        body_required=True,
        answer=IntegrationItem,
        handler=set_mail,
    ),
    Endpoint(
        method="PATCH",
        path="/integrations/{integration_id}",
        name="update_integration",
        summary="Switch an integration on or off",
        description=(
            "For your organization alone. A data source that it switched off is not asked for what it "
            "submits, refreshes and syncs; what is held already stays. A source that the operator of the "
            "installation switched off stays `disabled`, whatever your own switch says."
        ),
        tag="Integrations",
        scopes=("integrations:write",),
        params=IntegrationPath,
        body=IntegrationChange,
        body_required=True,
        answer=IntegrationItem,
        errors=(IntegrationDoesNotExist,),
        handler=change,
    ),
    Endpoint(
        method="POST",
        path="/integrations/{integration_id}/sync",
        name="sync_integration",
        summary="Use an integration now",
        description=(
            "A data source: the accounts enriched longest ago, up to 500, are enriched anew, free of "
            "charge. The mail server: a test message is sent."
        ),
        tag="Integrations",
        scopes=("integrations:write",),
        params=IntegrationPath,
        answer=SyncQueued,
        status=202,
        errors=(IntegrationDoesNotExist,),
        handler=sync,
    ),
)
