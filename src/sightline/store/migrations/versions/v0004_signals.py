"""Signals, and the search index over passages."""

revision = "0004"
down_revision: str | None = "0003"


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
