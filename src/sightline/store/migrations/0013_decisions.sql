-- When a company's record was last decided, and by which rules: what is unchanged is not weighed again.

ALTER TABLE companies
  ADD COLUMN decided_at timestamptz,  -- null once evidence came that the record does not weigh yet
  ADD COLUMN decided_by text;         -- enrich.rules.rules_version;
