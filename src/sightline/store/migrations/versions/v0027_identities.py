"""Users as identity providers know them."""

from sightline.store.migrations.script import protect_tenant_tables, run_script

revision = "0027"
down_revision: str | None = "0026"


def upgrade() -> None:
    run_script(
        """
        CREATE TABLE user_identities (
          organization_id uuid NOT NULL REFERENCES organizations,
          issuer text NOT NULL,
          subject text NOT NULL,
          user_id uuid NOT NULL,
          PRIMARY KEY (organization_id, issuer, subject),
          UNIQUE (organization_id, issuer, user_id),
          FOREIGN KEY (organization_id, user_id) REFERENCES users
        );
        """
    )
    protect_tenant_tables("user_identities")
