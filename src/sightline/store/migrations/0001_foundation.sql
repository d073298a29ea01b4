-- Catalogue, organizations, keys, credits, accounts and imports, with row-level security.
--
-- Three roles: the owner runs this; `sightline_app` and `sightline_worker` only use it. Neither owns
-- a table or bypasses row-level security.

CREATE TABLE companies (
  company_id uuid PRIMARY KEY,
  company_name text NOT NULL,
  website_domain text,
  name_key text NOT NULL,
  stock_ticker text,
  country_code text,
  hq_city text,
  record jsonb NOT NULL,          -- the winning public value of each field, by field name
  document text NOT NULL,         -- the Company object as served
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX companies_by_domain ON companies (website_domain) WHERE website_domain IS NOT NULL;
CREATE INDEX companies_by_name ON companies (name_key, country_code);
CREATE INDEX companies_by_ticker ON companies (stock_ticker) WHERE stock_ticker IS NOT NULL;

-- Which organization and key a presented key belongs to. It holds no tenant data; everything about
-- the key itself is in api_keys, under row-level security.
CREATE TABLE key_index (
  digest bytea PRIMARY KEY,       -- SHA-256 of the whole key
  organization_id uuid NOT NULL,
  key_id uuid NOT NULL
);

CREATE TABLE organizations (
  organization_id uuid PRIMARY KEY,
  slug text NOT NULL UNIQUE,
  name text NOT NULL,
  plan text NOT NULL DEFAULT 'team' CHECK (plan IN ('free', 'team', 'enterprise')),
  costs jsonb NOT NULL DEFAULT '{}',   -- operation -> credits, over the defaults
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE users (
  organization_id uuid NOT NULL REFERENCES organizations,
  user_id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  password_hash text,                  -- argon2id
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, user_id)
);
CREATE UNIQUE INDEX users_by_email ON users (organization_id, lower(email));

CREATE TABLE api_keys (
  organization_id uuid NOT NULL REFERENCES organizations,
  key_id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,                -- first 14 characters
  digest bytea NOT NULL,
  scopes text[] NOT NULL,
  allowed_networks text[] NOT NULL DEFAULT '{}',
  rate_limit integer CHECK (rate_limit > 0),   -- requests a minute, over the plan's
  flat_errors boolean NOT NULL DEFAULT false,
  rotated_from uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  PRIMARY KEY (organization_id, key_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);

CREATE TABLE credit_balances (
  organization_id uuid NOT NULL REFERENCES organizations,
  credit text NOT NULL CHECK (credit IN ('company', 'content', 'territory', 'contact')),
  balance bigint NOT NULL CHECK (balance >= 0),
  PRIMARY KEY (organization_id, credit)
);

CREATE TABLE credit_ledger (
  organization_id uuid NOT NULL REFERENCES organizations,
  entry_id uuid NOT NULL,
  credit text NOT NULL CHECK (credit IN ('company', 'content', 'territory', 'contact')),
  kind text NOT NULL CHECK (kind IN ('grant', 'reserve', 'settle', 'release')),
  amount bigint NOT NULL,              -- what it does to the balance; a settlement moves nothing
  balance_after bigint NOT NULL CHECK (balance_after >= 0),
  reason text NOT NULL,
  operation text NOT NULL,             -- the operation (or caller's reference) charged
  key_id uuid,
  request_id text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, entry_id)
);
CREATE UNIQUE INDEX credit_ledger_once
  ON credit_ledger (organization_id, operation, credit, kind);
CREATE INDEX credit_ledger_recent ON credit_ledger (organization_id, created_at DESC, entry_id DESC);

CREATE TABLE credit_reservations (
  organization_id uuid NOT NULL REFERENCES organizations,
  operation text NOT NULL,
  credit text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  state text NOT NULL CHECK (state IN ('reserved', 'settled', 'released')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, operation, credit)
);

CREATE TABLE idempotency_keys (
  organization_id uuid NOT NULL REFERENCES organizations,
  key_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  fingerprint bytea NOT NULL,          -- SHA-256 of method, path and body
  status smallint NOT NULL,
  headers jsonb NOT NULL,
  body bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, key_id, idempotency_key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (organization_id, created_at);

CREATE TABLE audit_log (
  organization_id uuid NOT NULL REFERENCES organizations,
  audit_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  actor text NOT NULL,                 -- 'key:<id>', 'user:<id>' or 'cli'
  action text NOT NULL,
  subject text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}',
  request_id text,
  PRIMARY KEY (organization_id, audit_id)
);

CREATE TABLE imports (
  organization_id uuid NOT NULL REFERENCES organizations,
  import_id uuid NOT NULL,
  kind text NOT NULL,
  file_name text NOT NULL,
  file_sha256 bytea NOT NULL,
  options jsonb NOT NULL DEFAULT '{}',
  state text NOT NULL CHECK (state IN ('running', 'finished')),
  rows_done bigint NOT NULL DEFAULT 0,
  created bigint NOT NULL DEFAULT 0,
  updated bigint NOT NULL DEFAULT 0,
  unchanged bigint NOT NULL DEFAULT 0,
  bad bigint NOT NULL DEFAULT 0,
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  PRIMARY KEY (organization_id, import_id)
);
CREATE INDEX imports_unfinished ON imports (organization_id, file_sha256) WHERE state = 'running';

-- Narrow on purpose: filters, sorting and name search scan this one.
CREATE TABLE accounts (
  organization_id uuid NOT NULL REFERENCES organizations,
  account_id uuid NOT NULL,
  company_id uuid NOT NULL,
  company_name text NOT NULL,
  sort_key text COLLATE "C" NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  website_domain text COLLATE "C",
  industry text COLLATE "C",
  sector text COLLATE "C",
  employee_size_category text COLLATE "C",
  revenue_category text COLLATE "C",
  country_code text COLLATE "C",
  public_company boolean,
  full_time_employees bigint,
  revenue_usd numeric,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, account_id)
);
CREATE UNIQUE INDEX accounts_by_company ON accounts (organization_id, company_id);
CREATE INDEX accounts_by_name ON accounts (organization_id, sort_key, account_id);
CREATE INDEX accounts_by_update ON accounts (organization_id, updated_at DESC, account_id DESC);
CREATE INDEX accounts_by_name_key ON accounts (organization_id, name_key);
CREATE INDEX accounts_by_industry ON accounts (organization_id, industry);

-- The values the organization set, and the answers made from them and the catalogue.
CREATE TABLE account_records (
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  own jsonb NOT NULL DEFAULT '{}',          -- field -> value
  own_sources jsonb NOT NULL DEFAULT '{}',  -- field -> {source: user|import, import_id, observed_at}
  document text NOT NULL,   -- sightline.domain.records.company_document of own over catalogue values
  item_head text NOT NULL,  -- sightline.domain.records.item_head of the same
  PRIMARY KEY (organization_id, account_id),
  FOREIGN KEY (organization_id, account_id) REFERENCES accounts ON DELETE CASCADE
);

CREATE TABLE account_domains (
  organization_id uuid NOT NULL,
  domain text COLLATE "C" NOT NULL,
  account_id uuid NOT NULL,
  PRIMARY KEY (organization_id, domain),
  FOREIGN KEY (organization_id, account_id) REFERENCES accounts ON DELETE CASCADE
);
CREATE INDEX account_domains_by_account ON account_domains (organization_id, account_id);

CREATE TABLE account_references (
  organization_id uuid NOT NULL,
  source_system text NOT NULL,
  external_id text NOT NULL,
  account_id uuid NOT NULL,
  PRIMARY KEY (organization_id, source_system, external_id),
  FOREIGN KEY (organization_id, account_id) REFERENCES accounts ON DELETE CASCADE
);
CREATE INDEX account_references_by_account ON account_references (organization_id, account_id);

-- One row an organization: how many accounts it has, and a number that every write raises. A count
-- taken at one version is exact for as long as the version stands.
CREATE TABLE account_versions (
  organization_id uuid PRIMARY KEY REFERENCES organizations,
  version bigint NOT NULL,
  accounts bigint NOT NULL CHECK (accounts >= 0)
);

CREATE FUNCTION raise_account_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO account_versions AS v (organization_id, version, accounts)
    SELECT organization_id, 1, count(*) FROM changed GROUP BY 1 ORDER BY 1
    ON CONFLICT (organization_id) DO UPDATE
      SET version = v.version + 1, accounts = v.accounts + excluded.accounts;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE account_versions v SET version = version + 1, accounts = accounts - c.gone
    FROM (SELECT organization_id, count(*) AS gone FROM changed GROUP BY 1) c
    WHERE v.organization_id = c.organization_id;
  ELSE
    UPDATE account_versions v SET version = version + 1
    WHERE organization_id IN (SELECT DISTINCT organization_id FROM changed);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_inserted AFTER INSERT ON accounts
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_account_version();
CREATE TRIGGER accounts_updated AFTER UPDATE ON accounts
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_account_version();
CREATE TRIGGER accounts_deleted AFTER DELETE ON accounts
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_account_version();

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY[
    'organizations', 'users', 'api_keys', 'credit_balances', 'credit_ledger',
    'credit_reservations', 'idempotency_keys', 'audit_log', 'imports', 'accounts',
    'account_records', 'account_domains', 'account_references', 'account_versions'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format(
      $policy$CREATE POLICY tenant ON %I
        USING (organization_id = nullif(current_setting('app.organization', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization', true), '')::uuid)
      $policy$, t);
    EXECUTE format(
      'GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO sightline_app, sightline_worker', t);
  END LOOP;
END $$;

-- Organizations are listed and made by the owner alone; the worker walks through them.
CREATE POLICY administration ON organizations TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE POLICY directory ON organizations FOR SELECT TO sightline_worker USING (true);
REVOKE INSERT, DELETE ON organizations FROM sightline_app, sightline_worker;
REVOKE UPDATE, DELETE ON credit_ledger, audit_log FROM sightline_app, sightline_worker;
REVOKE DELETE ON credit_balances, credit_reservations, users, imports
  FROM sightline_app, sightline_worker;

GRANT USAGE ON SCHEMA public TO sightline_app, sightline_worker;
GRANT SELECT ON companies, key_index TO sightline_app;
GRANT INSERT, DELETE ON key_index TO sightline_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON companies TO sightline_worker;
GRANT SELECT ON alembic_version TO sightline_app, sightline_worker;
