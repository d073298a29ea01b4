"""Profile sections, questions of organizations and seller context."""

revision = "0009"
down_revision: str | None = "0008"


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
