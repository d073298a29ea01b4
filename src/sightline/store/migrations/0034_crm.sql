-- CRMs: which record is which account or contact, runs, what each did to each record, and notes.

CREATE TABLE crm_links (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  provider text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('accounts', 'contacts')),
  record_id text COLLATE "C" NOT NULL,     -- the CRM's id
  account_id uuid,
  contact_id uuid,
  agreed jsonb NOT NULL DEFAULT '{}',      -- field -> digests of their value and ours when settled
  removed boolean NOT NULL DEFAULT false,  -- the CRM has it no longer
  PRIMARY KEY (organization_id, provider, kind, record_id),
  CHECK (account_id IS NULL OR contact_id IS NULL),
  FOREIGN KEY (organization_id, account_id)
    REFERENCES accounts (organization_id, account_id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, contact_id)
    REFERENCES contacts (organization_id, contact_id) ON DELETE CASCADE
);
CREATE INDEX crm_links_by_account ON crm_links (organization_id, account_id);
CREATE INDEX crm_links_by_contact ON crm_links (organization_id, contact_id);

CREATE TABLE crm_runs (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  run_id uuid NOT NULL,
  provider text COLLATE "C" NOT NULL,
  dry_run boolean NOT NULL,
  state text NOT NULL CHECK (state IN ('queued', 'running', 'waiting', 'succeeded', 'failed')),
  stage text NOT NULL,
  after text,                              -- how far the stage came
  since timestamptz,                       -- only records changed since then; NULL for all
  horizon timestamptz,                     -- the CRM's own time when the run began
  imports jsonb NOT NULL DEFAULT '{}',     -- kind -> import that undoes what was read
  counts jsonb NOT NULL DEFAULT '{}',
  warnings jsonb NOT NULL DEFAULT '[]',
  waits integer NOT NULL DEFAULT 0,        -- in a row, since anything was done
  waiting_until timestamptz,
  error text,
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  PRIMARY KEY (organization_id, run_id)
);
CREATE UNIQUE INDEX crm_runs_one_at_a_time ON crm_runs (organization_id, provider)
  WHERE state IN ('queued', 'running', 'waiting');
CREATE INDEX crm_runs_by_start ON crm_runs (organization_id, provider, started_at DESC);
CREATE TABLE crm_log (
  organization_id uuid NOT NULL,
  run_id uuid NOT NULL,
  stage text COLLATE "C" NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  local_id uuid,
  action text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}',     -- names of fields and reasons, never values
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, run_id, stage, record_id),
  FOREIGN KEY (organization_id, run_id) REFERENCES crm_runs ON DELETE CASCADE
);

CREATE TABLE crm_notes (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  provider text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,       -- brief:ACCOUNT or signal:ACCOUNT:SIGNAL
  account_id uuid NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  note_id text,                            -- NULL until the CRM's answer is known
  digest text NOT NULL,
  PRIMARY KEY (organization_id, provider, subject),
  FOREIGN KEY (organization_id, account_id)
    REFERENCES accounts (organization_id, account_id) ON DELETE CASCADE
);
CREATE INDEX crm_notes_by_account ON crm_notes (organization_id, account_id);

SELECT pg_temp.protect_tenant_tables('crm_links', 'crm_runs', 'crm_log', 'crm_notes');
