"""A write to accounts no longer counts under the one row of its organization, for which writers took turns.

The release before neither reads nor writes the table itself (decision 0004).
"""

from sightline.store.migrations.script import run_script

revision = "0038"
down_revision: str | None = "0037"


def upgrade() -> None:
    run_script(
        """
        DROP TRIGGER accounts_inserted ON accounts;
        DROP TRIGGER accounts_updated ON accounts;
        DROP TRIGGER accounts_deleted ON accounts;
        DROP FUNCTION raise_account_version;
        DROP TABLE account_versions;
        """
    )
