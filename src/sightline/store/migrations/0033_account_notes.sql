-- What people note on an account: notes, the next step, and who owns it. Entries are added; the latest of a
-- kind holds, so an account has its own history.

CREATE TABLE account_notes (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  note_id uuid NOT NULL,
  account_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('note', 'next_step', 'owner')),
  text text NOT NULL DEFAULT '' CHECK (length(text) <= 10000),
  due_on date,          -- of a next step
  owner_id uuid,        -- of an owner; null takes the owner away
  author_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, note_id),
  FOREIGN KEY (organization_id, account_id) REFERENCES accounts ON DELETE CASCADE,
  FOREIGN KEY (organization_id, owner_id) REFERENCES users,
  FOREIGN KEY (organization_id, author_id) REFERENCES users
);
CREATE INDEX account_notes_latest
  ON account_notes (organization_id, account_id, created_at DESC, note_id DESC);

SELECT pg_temp.protect_tenant_tables('account_notes');
