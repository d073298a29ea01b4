"""Agent sessions, content, integrations and their secrets."""

revision = "0008"
down_revision: str | None = "0007"


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
