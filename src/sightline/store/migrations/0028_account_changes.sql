-- Which accounts changed, and in which transaction: what an index in memory has not seen yet.

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

SELECT pg_temp.protect_tenant_tables('account_changes');

CREATE TRIGGER accounts_insert_noted AFTER INSERT ON accounts
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_account_changes();
CREATE TRIGGER accounts_update_noted AFTER UPDATE ON accounts
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_account_changes();
CREATE TRIGGER accounts_delete_noted AFTER DELETE ON accounts
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_account_changes();
CREATE TRIGGER account_list_members_insert_noted AFTER INSERT ON account_list_members
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_account_changes();
CREATE TRIGGER account_list_members_delete_noted AFTER DELETE ON account_list_members
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_account_changes();
CREATE TRIGGER territory_members_insert_noted AFTER INSERT ON territory_members
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_account_changes();
CREATE TRIGGER territory_members_delete_noted AFTER DELETE ON territory_members
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_account_changes();
