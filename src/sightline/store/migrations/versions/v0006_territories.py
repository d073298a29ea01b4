"""Saved lists and territories."""

revision = "0006"
down_revision: str | None = "0005"


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
