-- Saved lists and territories.

CREATE TABLE account_lists (
  organization_id uuid NOT NULL REFERENCES organizations,
  list_id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  kind text NOT NULL CHECK (kind IN ('accounts', 'search')),
  filter jsonb,                        -- of a saved search
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, list_id),
  CHECK ((kind = 'search') = (filter IS NOT NULL))
);
CREATE UNIQUE INDEX account_lists_by_name ON account_lists (organization_id, lower(name));
CREATE TABLE account_list_members (
  organization_id uuid NOT NULL,
  list_id uuid NOT NULL,
  account_id uuid NOT NULL,
  added_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, list_id, account_id),
  FOREIGN KEY (organization_id, list_id) REFERENCES account_lists ON DELETE CASCADE,
  FOREIGN KEY (organization_id, account_id) REFERENCES accounts ON DELETE CASCADE
);
CREATE INDEX account_list_members_by_account ON account_list_members (organization_id, account_id);

CREATE TABLE territories (
  organization_id uuid NOT NULL REFERENCES organizations,
  territory_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  owner_id uuid,
  rules jsonb NOT NULL,                -- a filter
  score_rules jsonb NOT NULL DEFAULT '[]',  -- [{filter, points, why}]
  account_count integer NOT NULL DEFAULT 0,
  computed_at timestamptz,
  computed_version bigint,             -- of the organization's accounts
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, territory_id),
  FOREIGN KEY (organization_id, owner_id) REFERENCES users
);
CREATE TABLE territory_overrides (
  organization_id uuid NOT NULL,
  territory_id text COLLATE "C" NOT NULL,
  account_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('include', 'exclude')),
  PRIMARY KEY (organization_id, territory_id, account_id),
  FOREIGN KEY (organization_id, territory_id) REFERENCES territories ON DELETE CASCADE,
  FOREIGN KEY (organization_id, account_id) REFERENCES accounts ON DELETE CASCADE
);
CREATE INDEX territory_overrides_by_account ON territory_overrides (organization_id, account_id);
CREATE TABLE territory_members (
  organization_id uuid NOT NULL,
  territory_id text COLLATE "C" NOT NULL,
  account_id uuid NOT NULL,
  company_id uuid NOT NULL,
  by_hand boolean NOT NULL,
  score smallint NOT NULL CHECK (score BETWEEN 0 AND 100),
  why jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (organization_id, territory_id, account_id),
  FOREIGN KEY (organization_id, territory_id) REFERENCES territories ON DELETE CASCADE,
  FOREIGN KEY (organization_id, account_id) REFERENCES accounts ON DELETE CASCADE
);
CREATE INDEX territory_members_by_account ON territory_members (organization_id, account_id);
CREATE INDEX territory_members_by_score
  ON territory_members (organization_id, territory_id, score DESC, account_id);

SELECT pg_temp.protect_tenant_tables(
  'account_lists', 'account_list_members', 'territories', 'territory_overrides',
  'territory_members'
);
