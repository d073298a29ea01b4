"""When sessions of the console were used last, so that unused ones end."""

from sightline.store.migrations.script import run_script

revision = "0022"
down_revision: str | None = "0021"


def upgrade() -> None:
    run_script("ALTER TABLE console_sessions ADD used_at timestamptz NOT NULL DEFAULT now()")
