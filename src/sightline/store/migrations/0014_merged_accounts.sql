-- Which accounts a merge of companies pointed at the surviving one, so that undoing it points them back.

CREATE TABLE merged_accounts (
  organization_id uuid NOT NULL,
  merge_id uuid NOT NULL REFERENCES company_merges,
  account_id uuid NOT NULL,
  domains text[] NOT NULL,             -- what led to the account before the merge
  PRIMARY KEY (organization_id, merge_id, account_id),
  FOREIGN KEY (organization_id, account_id) REFERENCES accounts ON DELETE CASCADE
);
CREATE INDEX merged_accounts_by_account ON merged_accounts (organization_id, account_id);

SELECT pg_temp.protect_tenant_tables('merged_accounts');
