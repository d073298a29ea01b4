"""When a signal was reported, beside the day it happened.

The release before writes no `reported_at`; its signals are sorted as they were until they are read again.
"""

from sightline.store.migrations.script import run_concurrently, run_script

revision = "0041"
down_revision: str | None = "0040"


def upgrade() -> None:
    run_script("ALTER TABLE signals ADD COLUMN IF NOT EXISTS reported_at timestamptz")
    run_concurrently(
        "CREATE INDEX CONCURRENTLY IF NOT EXISTS signals_by_day ON signals"
        " (company_id, (coalesce(occurred_at, reported_at, detected_at)) DESC)"
    )
    run_concurrently("DROP INDEX CONCURRENTLY IF EXISTS signals_by_time")
