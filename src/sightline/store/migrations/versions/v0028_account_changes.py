"""Which accounts changed, and in which transaction: what an index in memory has not seen yet."""

from sightline.store.migrations.script import protect_tenant_tables, run_script

revision = "0028"
down_revision: str | None = "0027"

TABLES = """
-- One row a statement. A reader knows the snapshot that it saw last; what is new are the transactions that
-- were not visible in it. No counter is raised, so writers do not wait for each other.
CREATE TABLE account_changes (
  organization_id uuid NOT NULL REFERENCES organizations,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  change_id uuid NOT NULL DEFAULT gen_random_uuid(),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  account_ids uuid[] NOT NULL DEFAULT '{}',
  lists uuid[] NOT NULL DEFAULT '{}',        -- whose members changed
  territories text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (organization_id, transaction, change_id)
);
CREATE INDEX account_changes_by_age ON account_changes (organization_id, at);

CREATE FUNCTION note_account_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'accounts' THEN
    INSERT INTO account_changes (organization_id, account_ids)
    SELECT organization_id, array_agg(account_id) FROM changed GROUP BY 1;
  ELSIF TG_TABLE_NAME = 'account_list_members' THEN
    INSERT INTO account_changes (organization_id, lists)
    SELECT organization_id, array_agg(DISTINCT list_id) FROM changed GROUP BY 1;
  ELSE
    INSERT INTO account_changes (organization_id, territories)
    SELECT organization_id, array_agg(DISTINCT territory_id) FROM changed GROUP BY 1;
  END IF;
  RETURN NULL;
END $$;
"""


def upgrade() -> None:
    run_script(TABLES)
    protect_tenant_tables("account_changes")
    for table, events in (
        ("accounts", ("INSERT", "UPDATE", "DELETE")),
        ("account_list_members", ("INSERT", "DELETE")),
        ("territory_members", ("INSERT", "DELETE")),
    ):
        for event in events:
            image = "OLD" if event == "DELETE" else "NEW"
            run_script(
                f"CREATE TRIGGER {table}_{event.lower()}_noted AFTER {event} ON {table}"
                f" REFERENCING {image} TABLE AS changed"
                " FOR EACH STATEMENT EXECUTE FUNCTION note_account_changes()"
            )
