"""Indexes in which the totals of lists are counted without a look at the rows."""

from sightline.store.migrations.script import run_concurrently

revision = "0035"
down_revision: str | None = "0034"

_INDEXES = (
    "alerts_listed ON alerts (organization_id, created_at DESC, alert_id DESC)"
    " INCLUDE (status, snoozed_until)",
    "operations_listed ON operations (organization_id, created_at DESC, operation_id DESC)"
    " INCLUDE (status, finished_at) WHERE parent_id IS NULL",
    "webhook_deliveries_listed ON webhook_deliveries"
    " (organization_id, webhook_id, created_at DESC, delivery_id DESC) INCLUDE (status)",
)


def upgrade() -> None:
    for index in _INDEXES:
        run_concurrently(f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {index}")
    for replaced in ("alerts_recent", "operations_recent", "webhook_deliveries_recent"):
        run_concurrently(f"DROP INDEX CONCURRENTLY IF EXISTS {replaced}")
