"""What a territory's members were decided by: a snapshot, so that only later changes are looked at."""

from sightline.store.migrations.script import run_script

revision = "0032"
down_revision: str | None = "0031"


def upgrade() -> None:
    # `computed_version` stays for nodes of the release before.
    run_script("ALTER TABLE territories ADD COLUMN seen text")
