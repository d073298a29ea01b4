"""Nothing any more: the tables of the library that kept the clock once were made here.

A database from that time still has them (pgqueuer, pgqueuer_log, pgqueuer_schedules, pgqueuer_statistics):
nodes of the release before read them during an upgrade. They may be dropped afterwards.
"""

revision = "0002"
down_revision: str | None = "0001"


def upgrade() -> None:
    """Makes nothing."""


def downgrade() -> None:
    """Takes nothing back."""
