"""Chat channels for the alerts of a watch: webhooks with a secret URL."""

from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from sightline.kit.ids import new_id
from sightline.store.database import Tenant

ChatKind = Literal["slack", "teams"]
# No webhook of the organization's own asks for it, so that nothing else goes to a channel.
TOPIC = "channel"


async def add_channel(
    tenant: Tenant,
    watch_id: UUID,
    *,
    kind: ChatKind,
    shown_url: str,
    sealed_url: bytes,
    url_digest: bytes,
    quiet: tuple[int, int] | None,
    zone: str,
) -> UUID:
    """Add a channel. `shown_url` is its address without what is secret in it; `quiet` are hours of a day."""
    channel_id = new_id()
    await tenant.run(
        """
        INSERT INTO webhooks (organization_id, webhook_id, url, topics, secret, kind, watch_id,
          sealed_url, url_digest, quiet_from, quiet_until, zone)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        """,
        channel_id,
        shown_url,
        [TOPIC],
        b"",  # nothing is signed
        kind,
        watch_id,
        sealed_url,
        url_digest,
        quiet[0] if quiet else None,
        quiet[1] if quiet else None,
        zone,
    )
    return channel_id


async def channels_for(tenant: Tenant, watch_ids: Sequence[UUID]) -> list[tuple[UUID, ChatKind]]:
    """The channels that are on for any of these watches, one a place in a chat."""
    rows = await tenant.rows(
        """
        SELECT DISTINCT ON (url_digest) webhook_id, kind FROM webhooks
        WHERE organization_id = $1 AND watch_id = ANY($2::uuid[]) AND enabled
        ORDER BY url_digest, webhook_id
        """,
        list(watch_ids),
    )
    return [(row["webhook_id"], row["kind"]) for row in rows]


async def channels_of(tenant: Tenant, watch_id: UUID) -> list[dict[str, Any]]:
    """The channels of a watch, with how their last deliveries went."""
    rows = await tenant.rows(
        """
        SELECT webhook_id AS id, kind, url, enabled, disabled_reason, last_error, last_delivery_at,
          quiet_from, quiet_until, zone,
          (SELECT coalesce(jsonb_agg(to_jsonb(d) ORDER BY d.at DESC), '[]') FROM (
            SELECT created_at AS at, status, jsonb_array_length(attempts) AS tries
            FROM webhook_deliveries WHERE organization_id = $1 AND webhook_id = w.webhook_id
            ORDER BY created_at DESC LIMIT 5) d) AS deliveries
        FROM webhooks w WHERE organization_id = $1 AND watch_id = $2 ORDER BY webhook_id
        """,
        watch_id,
    )
    return [dict(row) for row in rows]
