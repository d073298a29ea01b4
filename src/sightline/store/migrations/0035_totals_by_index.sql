-- Indexes in which the totals of lists are counted without a look at the rows.

-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS alerts_listed
  ON alerts (organization_id, created_at DESC, alert_id DESC) INCLUDE (status, snoozed_until);
CREATE INDEX CONCURRENTLY IF NOT EXISTS operations_listed
  ON operations (organization_id, created_at DESC, operation_id DESC) INCLUDE (status, finished_at) WHERE parent_id IS NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_listed
  ON webhook_deliveries (organization_id, webhook_id, created_at DESC, delivery_id DESC) INCLUDE (status);
DROP INDEX CONCURRENTLY IF EXISTS alerts_recent;
DROP INDEX CONCURRENTLY IF EXISTS operations_recent;
DROP INDEX CONCURRENTLY IF EXISTS webhook_deliveries_recent;
