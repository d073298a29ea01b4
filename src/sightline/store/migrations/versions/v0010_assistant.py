"""Conversations with the assistant."""

revision = "0010"
down_revision: str | None = "0009"


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
