"""Events, watches, alerts and webhooks."""

revision = "0007"
down_revision: str | None = "0006"


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
