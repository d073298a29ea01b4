"""Empty: it created the tables of a scheduling library that is no longer used.

A database from that time still has them (pgqueuer, pgqueuer_log, pgqueuer_schedules, pgqueuer_statistics):
nodes of the release before read them during an upgrade. They may be dropped afterwards.
"""

revision = "0002"
down_revision: str | None = "0001"


def upgrade() -> None:
    """Makes nothing."""
