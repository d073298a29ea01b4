"""An index in which a search finds the length of each passage of a company without a look at the rows."""

from sightline.store.migrations.script import run_concurrently

revision = "0037"
down_revision: str | None = "0036"


def upgrade() -> None:
    run_concurrently(
        "CREATE INDEX CONCURRENTLY IF NOT EXISTS indexed_passages_lengths"
        " ON indexed_passages (company_id, number) INCLUDE (words, kind, family, published_at)"
    )
