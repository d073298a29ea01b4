"""How many rows the file of an import has, and since when its present run writes them."""

from sightline.store.migrations.script import run_script

revision = "0024"
down_revision: str | None = "0023"


def upgrade() -> None:
    run_script(
        """
        ALTER TABLE imports ADD COLUMN rows_total integer;
        ALTER TABLE imports ADD COLUMN resumed_at timestamptz;
        ALTER TABLE imports ADD COLUMN resumed_after integer NOT NULL DEFAULT 0;
        """
    )
