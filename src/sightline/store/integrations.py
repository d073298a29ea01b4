"""An organization's external connections besides webhooks: its mail server and imports."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sightline.store.database import Tenant

SyncStatus = Literal["never", "running", "succeeded", "failed"]


@dataclass(frozen=True, slots=True)
class Integration:
    """One integration; `secret` is encrypted."""

    integration_id: str
    enabled: bool
    settings: Mapping[str, Any]
    secret: bytes | None
    last_sync_at: datetime | None
    sync_status: SyncStatus
    last_error: str | None


async def find_integration(tenant: Tenant, integration_id: str) -> Integration | None:
    """An integration that was set up; None when it was not."""
    row = await tenant.row(
        """
        SELECT integration_id, enabled, settings, secret, last_sync_at, sync_status, last_error
        FROM integrations WHERE organization_id = $1 AND integration_id = $2
        """,
        integration_id,
    )
    return Integration(**dict(row)) if row else None


async def save_integration(
    tenant: Tenant,
    integration_id: str,
    *,
    settings: Mapping[str, Any] | None,
    secret: bytes | None,
    enabled: bool | None,
) -> None:
    """Set up an integration, or change what is given of it."""
    await tenant.run(
        """
        INSERT INTO integrations AS i (organization_id, integration_id, settings, secret, enabled)
        VALUES ($1, $2, coalesce($3, '{}'::jsonb), $4, coalesce($5, true))
        ON CONFLICT (organization_id, integration_id) DO UPDATE
          SET settings = coalesce($3, i.settings), secret = coalesce($4, i.secret),
            enabled = coalesce($5, i.enabled), updated_at = now()
        """,
        integration_id,
        dict(settings) if settings is not None else None,
        secret,
        enabled,
    )


async def forget_secret(tenant: Tenant, integration_id: str) -> None:
    """Forget what an integration is opened by; its settings stay."""
    await tenant.run(
        """
        UPDATE integrations SET secret = NULL, last_error = NULL, updated_at = now()
        WHERE organization_id = $1 AND integration_id = $2
        """,
        integration_id,
    )


async def note_integration(tenant: Tenant, integration_id: str, *, error: str | None) -> None:
    """Record that an integration was used, and how that ended."""
    await tenant.run(
        """
        UPDATE integrations SET last_sync_at = clock_timestamp(), last_error = $3,
          sync_status = CASE WHEN $3::text IS NULL THEN 'succeeded' ELSE 'failed' END
        WHERE organization_id = $1 AND integration_id = $2
        """,
        integration_id,
        error[:500] if error else None,
    )


async def webhook_states(tenant: Tenant) -> list[dict[str, Any]]:
    """Each webhook with how its deliveries go: id, host, enabled, last_sync_at, last_error, counts."""
    rows = await tenant.rows(
        """
        SELECT w.webhook_id, split_part(split_part(w.url, '://', 2), '/', 1) AS host, w.enabled,
          w.last_delivery_at, coalesce(w.disabled_reason, w.last_error) AS last_error,
          (SELECT jsonb_object_agg(status, n) FROM (SELECT status, count(*) AS n
             FROM webhook_deliveries d WHERE d.organization_id = $1
               AND d.webhook_id = w.webhook_id GROUP BY 1) s) AS counts
        FROM webhooks w WHERE w.organization_id = $1 ORDER BY w.created_at, w.webhook_id
        """
    )
    return [dict(row) for row in rows]


async def last_import(tenant: Tenant) -> dict[str, Any] | None:
    """The newest list import: state, times and counts; None when there was none."""
    row = await tenant.row(
        """
        SELECT state, started_at, finished_at, created, updated, bad FROM imports
        WHERE organization_id = $1 ORDER BY started_at DESC LIMIT 1
        """
    )
    return dict(row) if row else None


async def oldest_enriched(
    tenant: Tenant, *, limit: int, besides: Collection[UUID] = ()
) -> list[UUID]:
    """The companies of accounts, other than `besides`, that were enriched the longest ago, or never."""
    rows = await tenant.rows(
        """
        SELECT a.company_id FROM accounts a LEFT JOIN companies p USING (company_id)
        LEFT JOIN companies c ON c.company_id = coalesce(p.merged_into, a.company_id)
        WHERE a.organization_id = $1 AND a.company_id <> ALL($3::uuid[])
        ORDER BY c.enriched_at NULLS FIRST, a.account_id LIMIT $2
        """,
        limit,
        list(besides),
    )
    return [row["company_id"] for row in rows]


async def alerts_to_mail(tenant: Tenant, *, since: datetime, limit: int) -> list[dict[str, Any]]:
    """New alerts since a time with their event's title and company, oldest first."""
    rows = await tenant.rows(
        """
        SELECT x.alert_id, x.created_at, e.title, e.summary, e.source ->> 'url' AS url,
          coalesce(a.company_name, c.company_name) AS company
        FROM alerts x JOIN events e USING (organization_id, event_id)
        LEFT JOIN accounts a ON a.organization_id = x.organization_id
          AND a.company_id = x.company_id
        LEFT JOIN companies c ON c.company_id = x.company_id
        WHERE x.organization_id = $1 AND x.created_at > $2 AND x.status = 'new'
        ORDER BY x.created_at, x.alert_id LIMIT $3
        """,
        since,
        limit,
    )
    return [dict(row) for row in rows]
