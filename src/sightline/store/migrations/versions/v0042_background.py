"""Which events of the timeline were history when they were reported.

The release before writes no `background`; of its events none is known.
"""

from sightline.store.migrations.script import run_script

revision = "0042"
down_revision: str | None = "0041"


def upgrade() -> None:
    run_script("ALTER TABLE events ADD background boolean NOT NULL DEFAULT false")
