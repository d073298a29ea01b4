"""Webhooks (Standard Webhooks): your endpoints that receive events and alerts."""

import json
from datetime import timedelta
from functools import partial
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Call, Endpoint, Reply, Schema, deleted, json_reply
from sightline.api.paging import PageParameters, list_reply, listing, page_of
from sightline.api.schemas import Deleted
from sightline.domain.errors import (
    DeliveryDoesNotExist,
    RequestIsInvalid,
    WebhookAddressIsForbidden,
    WebhookDoesNotExist,
    fault,
)
from sightline.kit.clock import now, rfc3339
from sightline.kit.fetch.addresses import parse_url
from sightline.kit.fetch.errors import FetchFailed
from sightline.monitor.webhooks import message, new_secret
from sightline.store import webhooks as store

Topic = Literal["event", "alert"]


class DeliveryList(PageParameters):
    status: Literal["pending", "delivered", "failed"] | None = Field(
        default=None, description="Only deliveries of this status."
    )


class NewWebhook(Schema):
    url: str = Field(min_length=8, max_length=2000, examples=["https://hooks.northwind.example/in"])
    description: str = Field(default="", max_length=500)
    topics: list[Topic] = Field(default=[], description="Empty for both events and alerts.")


class WebhookChange(Schema):
    url: str | None = Field(default=None, min_length=8, max_length=2000)
    description: str | None = Field(default=None, max_length=500)
    topics: list[Topic] | None = None
    enabled: bool | None = None


class SecretRotation(Schema):
    overlap_seconds: int = Field(
        default=86_400, ge=0, le=2_592_000, description="How long both secrets stay valid."
    )


class Webhook(Schema):
    id: UUID
    url: str
    description: str
    topics: list[str]
    enabled: bool
    disabled_reason: str | None
    last_delivery_at: str | None
    last_error: str | None
    created_at: str
    updated_at: str


class MadeWebhook(Webhook):
    secret: str | None = Field(
        description="Signs deliveries; shown only once, null in a replayed response."
    )


class Delivery(Schema):
    id: UUID
    topic: str
    status: Literal["pending", "delivered", "failed"]
    attempts: list[dict[str, Any]] = Field(description="at, status, error and seconds of each.")
    body: dict[str, Any]
    next_at: str | None
    created_at: str


class Queued(Schema):
    delivery_id: UUID
    status: Literal["pending"]


list_all = listing(store.webhooks_page, "webhooks")


async def create(call: Call) -> Reply:
    asked: NewWebhook = call.body
    _check_url(call, asked.url)
    await _check_count(call)
    secret = new_secret()
    webhook_id = await store.create_webhook(
        call.tenant,
        url=asked.url,
        description=asked.description,
        topics=asked.topics,
        secret=call.services.secrets.seal(secret),
    )
    return await _with_secret(call, webhook_id, secret, status=201)


async def read(call: Call) -> Reply:
    return Reply((await _object(call, call.params.webhook_id)).encode())


async def change(call: Call) -> Reply:
    asked: WebhookChange = call.body
    if asked.url is not None:
        _check_url(call, asked.url)
    found = await store.update_webhook(
        call.tenant,
        call.params.webhook_id,
        url=asked.url,
        description=asked.description,
        topics=asked.topics,
        enabled=asked.enabled,
    )
    if not found:
        raise WebhookDoesNotExist()
    return await read(call)


async def delete(call: Call) -> Reply:
    webhook_id = call.params.webhook_id
    found = await store.delete_webhook(call.tenant, webhook_id)
    return deleted(found, WebhookDoesNotExist, webhook_id)


async def rotate(call: Call) -> Reply:
    secret = new_secret()
    found = await store.rotate_secret(
        call.tenant,
        call.params.webhook_id,
        secret=call.services.secrets.seal(secret),
        overlap=timedelta(seconds=call.body.overlap_seconds),
    )
    if not found:
        raise WebhookDoesNotExist()
    return await _with_secret(call, call.params.webhook_id, secret)


async def test(call: Call) -> Reply:
    webhook_id = call.params.webhook_id
    await _object(call, webhook_id)
    at = rfc3339(now())
    body = message(
        "webhook.test", at, {"webhook_id": str(webhook_id), "request_id": call.request_id}
    )
    [delivery_id] = await store.queue_deliveries(
        call.tenant, topic="test", messages=[(f"test:{call.request_id}", body)], only=webhook_id
    )
    return _queued(delivery_id)


async def list_deliveries(call: Call) -> Reply:
    webhook_id, status = call.params.webhook_id, call.params.status
    await _object(call, webhook_id)
    page = partial(store.deliveries_page, call.tenant, webhook_id, status=status)
    return await list_reply(call, page, "deliveries", webhook_id, status)


async def redeliver(call: Call) -> Reply:
    await _object(call, call.params.webhook_id)
    delivery_id = call.params.delivery_id
    if not await store.redeliver(call.tenant, delivery_id):
        raise DeliveryDoesNotExist()
    return _queued(delivery_id)


async def _check_count(call: Call) -> None:
    """Raise RequestIsInvalid where the organization has as many webhooks as it may."""
    most = call.services.most_webhooks
    if await store.count_webhooks(call.tenant) >= most:
        message = f"The limit is {most} webhooks; delete one first."
        raise RequestIsInvalid(message, fields=[fault("body", message, "too_many")])


def _check_url(call: Call, url: str) -> None:
    """Refuse at once what can never be delivered to; names are judged when they are resolved."""
    try:
        parse_url(url, allow=call.services.allowed_networks)
    except FetchFailed as error:
        code = WebhookAddressIsForbidden.code
        raise WebhookAddressIsForbidden.at("url", error.sentence, code) from error
    if not url.lower().startswith("https://"):
        raise RequestIsInvalid.at("url", "Must be an https URL.", "invalid")


async def _object(call: Call, webhook_id: UUID) -> str:
    body = await store.webhook_object(call.tenant, webhook_id)
    if body is None:
        raise WebhookDoesNotExist()
    return body


async def _with_secret(call: Call, webhook_id: UUID, secret: str, *, status: int = 200) -> Reply:
    body = json.loads(await _object(call, webhook_id))
    return Reply(
        json.dumps(body | {"secret": secret}).encode(),
        status=status,
        kept=json.dumps(body | {"secret": None}).encode(),
    )


def _queued(delivery_id: UUID) -> Reply:
    return json_reply({"delivery_id": str(delivery_id), "status": "pending"}, status=202)


def _endpoint(method: Any, path: str, name: str, summary: str, **more: Any) -> Endpoint:
    read_only = method == "GET"
    return Endpoint(
        method=method,
        path=f"/webhooks{path}",
        name=name,
        summary=summary,
        tag="Webhooks",
        scopes=("monitoring:read",) if read_only else ("monitoring:write",),
        **more,
    )


ENDPOINTS = (
    _endpoint(
        "GET", "", "list_webhooks", "Your webhooks, newest first",
        params=PageParameters, answer=page_of(Webhook), snapshot=True,
        handler=list_all,
    ),
    _endpoint(
        "POST", "", "create_webhook", "Add a webhook; its secret is shown only once",
        body=NewWebhook, answer=MadeWebhook, status=201,
        errors=(WebhookAddressIsForbidden,), handler=create,
    ),
    _endpoint(
        "GET", "/{webhook_id}", "read_webhook", "Read one webhook",
        answer=Webhook, handler=read,
    ),
    _endpoint(
        "PATCH", "/{webhook_id}", "update_webhook", "Change, enable or disable a webhook",
        body=WebhookChange, answer=Webhook,
        errors=(WebhookAddressIsForbidden,), handler=change,
    ),
    _endpoint(
        "DELETE", "/{webhook_id}", "delete_webhook", "Delete a webhook and its delivery log",
        answer=Deleted, handler=delete,
    ),
    _endpoint(
        "POST", "/{webhook_id}/rotate", "rotate_webhook_secret",
        "Rotate the secret of a webhook; both sign until the overlap ends",
        body=SecretRotation, body_optional=True, answer=MadeWebhook,
        handler=rotate,
    ),
    _endpoint(
        "POST", "/{webhook_id}/test", "test_webhook", "Send a test message to a webhook",
        answer=Queued, status=202, handler=test,
    ),
    _endpoint(
        "GET", "/{webhook_id}/deliveries", "list_webhook_deliveries",
        "The delivery log of a webhook, newest first",
        params=DeliveryList, answer=page_of(Delivery), snapshot=True,
        handler=list_deliveries,
    ),
    _endpoint(
        "POST", "/{webhook_id}/deliveries/{delivery_id}/redeliver", "redeliver_webhook",
        "Resend a delivery under the same id",
        answer=Queued, status=202,
        handler=redeliver,
    ),
)  # fmt: skip
