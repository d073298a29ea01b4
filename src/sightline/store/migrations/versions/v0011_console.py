"""Signing in to the console."""

revision = "0011"
down_revision: str | None = "0010"


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
