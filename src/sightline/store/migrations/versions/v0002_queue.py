"""The queue's tables, as the PgQueuer release in the lock file makes them."""

from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment

from sightline.store.migrations.script import run_script

revision = "0002"
down_revision: str | None = "0001"

GRANTS = """
GRANT SELECT, INSERT, UPDATE, DELETE
  ON pgqueuer, pgqueuer_log, pgqueuer_schedules, pgqueuer_statistics
  TO sightline_app, sightline_worker;
GRANT USAGE, SELECT
  ON pgqueuer_id_seq, pgqueuer_log_id_seq, pgqueuer_schedules_id_seq, pgqueuer_statistics_id_seq
  TO sightline_app, sightline_worker;
"""


def upgrade() -> None:
    run_script(QueryBuilderEnvironment().build_install_query())
    run_script(GRANTS)


def downgrade() -> None:
    run_script(QueryBuilderEnvironment().build_uninstall_query())
