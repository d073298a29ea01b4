-- When a signal was reported, beside the day it happened.
--
-- The release before writes no `reported_at`; its signals are sorted as they were until they are read again.

ALTER TABLE signals ADD COLUMN IF NOT EXISTS reported_at timestamptz;

-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS signals_by_day
  ON signals (company_id, (coalesce(occurred_at, reported_at, detected_at)) DESC);
DROP INDEX CONCURRENTLY IF EXISTS signals_by_time;
