"""Webhooks and their deliveries: each message once, with every attempt logged."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sightline.kit.ids import new_id
from sightline.store import work
from sightline.store.database import Tenant
from sightline.store.pages import Pages, Rows, Slice, Where, read_rows, utc

WORK_KIND = "deliver_webhook"


@dataclass(frozen=True, slots=True)
class Delivery:
    """One message for one webhook. `secrets` are encrypted, the present one first."""

    delivery_id: UUID
    webhook_id: UUID
    url: str
    enabled: bool
    secrets: Sequence[bytes]
    topic: str
    body: str
    status: str
    attempts: Sequence[dict[str, Any]]
    kind: str = "webhook"
    sealed_url: bytes | None = None  # of a channel, instead of `url`
    quiet_from: int | None = None
    quiet_until: int | None = None
    zone: str = "UTC"

    @property
    def quiet(self) -> tuple[int, int] | None:
        """The hours of the day in which nothing is sent."""
        if self.quiet_from is None or self.quiet_until is None:
            return None
        return self.quiet_from, self.quiet_until


async def count_webhooks(tenant: Tenant) -> int:
    """How many webhooks an organization has. Until the transaction ends no other one counts them."""
    await tenant.run("SELECT FROM organizations WHERE organization_id = $1 FOR UPDATE")
    count: int = await tenant.value("SELECT count(*) FROM webhooks WHERE organization_id = $1")
    return count


async def create_webhook(
    tenant: Tenant, *, url: str, description: str, topics: Sequence[str], secret: bytes
) -> UUID:
    """Add a webhook; `secret` is encrypted."""
    webhook_id = new_id()
    await tenant.run(
        """
        INSERT INTO webhooks (organization_id, webhook_id, url, description, topics, secret)
        VALUES ($1, $2, $3, $4, $5, $6)
        """,
        webhook_id,
        url,
        description,
        list(topics),
        secret,
    )
    return webhook_id


async def update_webhook(
    tenant: Tenant,
    webhook_id: UUID,
    *,
    url: str | None,
    description: str | None,
    topics: Sequence[str] | None,
    enabled: bool | None,
) -> bool:
    """Change what is given. False when there is no such webhook."""
    done = await tenant.run(
        """
        UPDATE webhooks SET description = coalesce($4, description), enabled = coalesce($6, enabled),
          url = CASE WHEN kind = 'webhook' THEN coalesce($3, url) ELSE url END,
          topics = CASE WHEN kind = 'webhook' THEN coalesce($5, topics) ELSE topics END,
          updated_at = now(), disabled_reason = CASE WHEN $6 THEN NULL ELSE disabled_reason END
        WHERE organization_id = $1 AND webhook_id = $2
        """,
        webhook_id,
        url,
        description,
        list(topics) if topics is not None else None,
        enabled,
    )
    return done == "UPDATE 1"


async def rotate_secret(
    tenant: Tenant, webhook_id: UUID, *, secret: bytes, overlap: timedelta
) -> bool:
    """Give a webhook a new secret; the old one signs beside it until the overlap is over."""
    done = await tenant.run(
        """
        UPDATE webhooks SET previous_secret = secret, previous_until = now() + $4, secret = $3,
          updated_at = now()
        WHERE organization_id = $1 AND webhook_id = $2
        """,
        webhook_id,
        secret,
        overlap,
    )
    return done == "UPDATE 1"


_OBJECT = f"""
  json_build_object('id', webhook_id, 'url', url, 'description', description, 'topics', topics,
    'enabled', enabled, 'disabled_reason', disabled_reason,
    'last_delivery_at', {utc("last_delivery_at")},
    'last_error', last_error,
    'created_at', {utc("created_at")},
    'updated_at', {utc("updated_at")})
"""
_WEBHOOKS = Rows("webhooks", _OBJECT, "webhook_id", "created_at", "timestamptz", descending=True)
webhook_object = _WEBHOOKS.one
delete_webhook = _WEBHOOKS.delete
webhooks_page = _WEBHOOKS.page


async def queue_deliveries(
    tenant: Tenant, *, topic: str, messages: Sequence[tuple[str, str]], only: UUID | None = None
) -> list[UUID]:
    """Queue messages [(subject, body)] for every enabled webhook of the topic, or only for one.

    A subject is delivered to a webhook once. Answers the deliveries that are new.
    """
    rows = await tenant.rows(
        """
        INSERT INTO webhook_deliveries
          (organization_id, delivery_id, webhook_id, topic, subject, body, next_at)
        SELECT $1, gen_random_uuid(), w.webhook_id, $2, m.subject, m.body, now()
        FROM webhooks w CROSS JOIN unnest($3::text[], $4::text[]) AS m (subject, body)
        WHERE w.organization_id = $1 AND ($5::uuid IS NULL AND w.enabled OR w.webhook_id = $5)
          AND ($5::uuid IS NOT NULL OR cardinality(w.topics) = 0 OR $2 = ANY(w.topics))
        ON CONFLICT DO NOTHING RETURNING delivery_id
        """,
        topic,
        [subject for subject, _ in messages],
        [body for _, body in messages],
        only,
    )
    ids: list[UUID] = [row["delivery_id"] for row in rows]
    if ids:
        await work.put_many(
            tenant,
            WORK_KIND,
            [(str(each), {}) for each in ids],
            organization_id=tenant.organization_id,
        )
    return ids


async def read_delivery(tenant: Tenant, delivery_id: UUID) -> Delivery | None:
    """A delivery with what it takes to send it; None when it, or its webhook, is gone."""
    row = await tenant.row(
        """
        SELECT d.delivery_id, d.webhook_id, w.url, w.enabled,
          array_remove(ARRAY[w.secret, CASE WHEN w.previous_until > now() THEN w.previous_secret END],
            NULL) AS secrets, d.topic, d.body, d.status, d.attempts,
          w.kind, w.sealed_url, w.quiet_from, w.quiet_until, w.zone
        FROM webhook_deliveries d JOIN webhooks w USING (organization_id, webhook_id)
        WHERE d.organization_id = $1 AND d.delivery_id = $2
        """,
        delivery_id,
    )
    return Delivery(**dict(row)) if row else None


async def note_attempt(
    tenant: Tenant,
    delivery: Delivery,
    *,
    attempt: dict[str, Any],
    status: str,
    next_at: datetime | None,
    disable: str | None,
) -> None:
    """Record an attempt; `disable` switches the webhook off and says why."""
    await tenant.run(
        """
        UPDATE webhook_deliveries SET attempts = attempts || $3::jsonb, status = $4, next_at = $5
        WHERE organization_id = $1 AND delivery_id = $2
        """,
        delivery.delivery_id,
        attempt,
        status,
        next_at,
    )
    await tenant.run(
        """
        UPDATE webhooks SET last_delivery_at = now(), last_error = $3,
          enabled = enabled AND $4::text IS NULL,
          disabled_reason = coalesce($4, disabled_reason)
        WHERE organization_id = $1 AND webhook_id = $2
        """,
        delivery.webhook_id,
        attempt.get("error"),
        disable,
    )


async def redeliver(tenant: Tenant, delivery_id: UUID) -> bool:
    """Put a delivery on the queue again; it keeps its id. False when there is no such one."""
    done = await tenant.run(
        """
        UPDATE webhook_deliveries SET status = 'pending', next_at = now()
        WHERE organization_id = $1 AND delivery_id = $2
        """,
        delivery_id,
    )
    if done != "UPDATE 1":
        return False
    await work.put(tenant, WORK_KIND, str(delivery_id), organization_id=tenant.organization_id)
    return True


async def deliveries_page(
    tenant: Tenant, webhook_id: UUID, *, status: str | None, part: Slice
) -> Pages:
    """The delivery log of a webhook, newest first."""
    item = f"""
      json_build_object('id', delivery_id, 'topic', topic, 'status', status, 'attempts', attempts,
        'body', body::json, 'next_at', {utc("next_at")},
        'created_at', {utc("created_at")})
    """
    where = Where("organization_id = $1 AND webhook_id = $2", [tenant.organization_id, webhook_id])
    where.add("status = {}", status)
    return await read_rows(
        tenant,
        Rows(
            "webhook_deliveries", item, "delivery_id", "created_at", "timestamptz", descending=True
        ),
        where,
        part=part,
    )
