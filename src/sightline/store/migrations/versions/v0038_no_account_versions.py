"""A write to accounts no longer counts under the one row of its organization, for which writers took turns.

The release before neither reads nor writes the table itself (decision 0004).
"""

from sightline.store.migrations.script import protect_tenant_tables, run_script
from sightline.store.migrations.versions.v0001_foundation import ACCOUNT_VERSIONS

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


def downgrade() -> None:
    """With the counts of the accounts that are there."""
    run_script(ACCOUNT_VERSIONS)
    run_script(
        """
        DO $$
        DECLARE
          one uuid;
        BEGIN
          FOR one IN SELECT organization_id FROM organizations LOOP
            PERFORM set_config('app.organization', one::text, true);
            INSERT INTO account_versions (organization_id, version, accounts)
            SELECT one, 1, count(*) FROM accounts WHERE organization_id = one;
          END LOOP;
        END $$;
        """
    )
    protect_tenant_tables("account_versions")
