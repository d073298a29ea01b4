"""Contacts, suppressions and erasures."""

revision = "0005"
down_revision: str | None = "0004"


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
