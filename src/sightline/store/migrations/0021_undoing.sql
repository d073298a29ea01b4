-- What an import changed, so that it can be undone; deletions of accounts on the queue; what sources and
-- boards could not reach.

ALTER TABLE operations DROP CONSTRAINT operations_kind_check;
ALTER TABLE operations ADD CONSTRAINT operations_kind_check
  CHECK (kind IN ('company_enrichment', 'bulk_enrichment', 'account_deletion'));
-- What is left of an account_deletion: the accounts as they were confirmed.
CREATE TABLE operation_accounts (
  organization_id uuid NOT NULL,
  operation_id uuid NOT NULL,
  account_id uuid NOT NULL,
  PRIMARY KEY (organization_id, operation_id, account_id),
  FOREIGN KEY (organization_id, operation_id) REFERENCES operations ON DELETE CASCADE,
  FOREIGN KEY (organization_id, account_id) REFERENCES accounts ON DELETE CASCADE
);
CREATE INDEX operation_accounts_by_account ON operation_accounts (organization_id, account_id);

ALTER TABLE imports DROP CONSTRAINT imports_state_check;
ALTER TABLE imports ADD CONSTRAINT imports_state_check
  CHECK (state IN ('running', 'finished', 'undoing', 'undone'));
ALTER TABLE imports
  ADD keeps_changes boolean NOT NULL DEFAULT false,  -- false: made before imports could be undone
  ADD undone jsonb NOT NULL DEFAULT '{}',            -- counts by what became of the accounts
  ADD undone_at timestamptz;
-- What an import did to an account. A row goes when it is undone.
CREATE TABLE import_changes (
  organization_id uuid NOT NULL,
  import_id uuid NOT NULL,
  account_id uuid NOT NULL,
  is_created boolean NOT NULL,
  before jsonb NOT NULL,               -- field -> [value, source] that the import replaced
  domains text[] NOT NULL,             -- that it added
  reference_pairs jsonb NOT NULL,      -- [[source system, external id]] that it added
  PRIMARY KEY (organization_id, import_id, account_id),
  FOREIGN KEY (organization_id, import_id) REFERENCES imports,
  FOREIGN KEY (organization_id, account_id) REFERENCES accounts ON DELETE CASCADE
);
CREATE INDEX import_changes_by_account ON import_changes (organization_id, account_id);

ALTER TABLE source_days
  ADD unreachable bigint NOT NULL DEFAULT 0,   -- requests to hosts that this machine cannot find
  ADD not_recorded bigint NOT NULL DEFAULT 0;  -- addresses that a replayed web does not hold
-- The last time that the boards of a company could not be asked.
CREATE TABLE board_failures (
  company_id uuid PRIMARY KEY,
  failed_at timestamptz NOT NULL,
  error text NOT NULL
);

SELECT pg_temp.protect_tenant_tables('operation_accounts', 'import_changes');

SELECT pg_temp.publish_catalogue_tables('board_failures');
