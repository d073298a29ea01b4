"""When a company's record was last decided, and by which rules: what is unchanged is not weighed again."""

from sightline.store.migrations.script import run_script

revision = "0013"
down_revision: str | None = "0012"

DECISIONS = """
ALTER TABLE companies
  ADD COLUMN decided_at timestamptz,  -- null once evidence came that the record does not weigh yet
  ADD COLUMN decided_by text;         -- enrich.rules.rules_version
"""


def upgrade() -> None:
    run_script(DECISIONS)
