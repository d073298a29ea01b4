"""What a watch's members were decided by: a snapshot, so that only later changes are looked at."""

from sightline.store.migrations.script import run_script

revision = "0036"
down_revision: str | None = "0035"


def upgrade() -> None:
    run_script("ALTER TABLE watches ADD COLUMN seen text")
