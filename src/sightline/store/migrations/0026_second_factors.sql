-- Second factors of passwords, and what a list of sessions tells them apart by.

CREATE TABLE second_factors (
  organization_id uuid NOT NULL REFERENCES organizations,
  user_id uuid NOT NULL,
  sealed_secret bytea NOT NULL,
  confirmed_at timestamptz,                -- null: the user has not shown a code yet
  last_step bigint NOT NULL DEFAULT 0,     -- no code of this step or one before it counts again
  wrong_codes integer NOT NULL DEFAULT 0,  -- in a row
  closed_until timestamptz,                -- after too many wrong codes
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);
CREATE TABLE recovery_codes (
  organization_id uuid NOT NULL REFERENCES organizations,
  user_id uuid NOT NULL,
  code_hash bytea NOT NULL,                -- SHA-256
  PRIMARY KEY (organization_id, user_id, code_hash),
  FOREIGN KEY (organization_id, user_id) REFERENCES second_factors ON DELETE CASCADE
);
ALTER TABLE organizations ADD second_factor_required boolean NOT NULL DEFAULT false;
ALTER TABLE console_sessions ADD opened_with text NOT NULL DEFAULT '';
ALTER TABLE console_sessions ADD agent text NOT NULL DEFAULT '';

SELECT pg_temp.protect_tenant_tables('second_factors', 'recovery_codes');
