-- Contacts with their search structure, suppressions and erasures.

-- One row an organization: where the next contact goes, and what its digests of people are keyed by.
CREATE TABLE contact_books (
  organization_id uuid PRIMARY KEY REFERENCES organizations,
  next_slot integer NOT NULL DEFAULT 0,
  hash_key bytea NOT NULL
);

CREATE TABLE contacts (
  organization_id uuid NOT NULL REFERENCES organizations,
  contact_id uuid NOT NULL,
  slot integer NOT NULL,             -- its place in contact_bits; grows, never used twice
  company_id uuid,                   -- of a company that the organization or the catalogue knows
  company_key text COLLATE "C",      -- name_key of the employer
  hidden boolean NOT NULL DEFAULT false,   -- on the suppression list
  document text NOT NULL,            -- the Contact object as served
  sources jsonb NOT NULL,            -- [{source, import_id, observed_at, ..., fields}]
  tokens text[] NOT NULL,            -- what its bits stand under
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, contact_id)
);
CREATE UNIQUE INDEX contacts_by_slot ON contacts (organization_id, slot);
-- Without the hidden ones, so that a search reads slots from the index alone.
CREATE INDEX contacts_by_company ON contacts (organization_id, company_id, slot)
  WHERE company_id IS NOT NULL AND NOT hidden;
CREATE INDEX contacts_by_company_key ON contacts (organization_id, company_key)
  WHERE company_id IS NULL AND company_key IS NOT NULL;
CREATE INDEX contacts_by_update ON contacts (organization_id, updated_at, slot) WHERE NOT hidden;
CREATE INDEX contacts_hidden ON contacts (organization_id, contact_id) WHERE hidden;

-- What a person is known by: 'e:' e-mail, 'f:' phone, 'p:' profile page, 'n:' name at a company.
CREATE TABLE contact_keys (
  organization_id uuid NOT NULL,
  key text COLLATE "C" NOT NULL,
  contact_id uuid NOT NULL,
  PRIMARY KEY (organization_id, key, contact_id),
  FOREIGN KEY (organization_id, contact_id) REFERENCES contacts ON DELETE CASCADE
);
CREATE INDEX contact_keys_by_contact ON contact_keys (organization_id, contact_id);

-- An inverted index of bitmaps. Bit i of a block is the contact in slot block * 2048 + i. Full-text,
-- array and JSON operators are not leakproof and so use no index under row-level security; equality
-- of tokens is, and whole searches with exact totals are a few hundred rows of 256 bytes.
CREATE TABLE contact_bits (
  organization_id uuid NOT NULL REFERENCES organizations,
  token text COLLATE "C" NOT NULL,
  block integer NOT NULL,
  bits bit(2048) NOT NULL,
  PRIMARY KEY (organization_id, token, block)
) WITH (fillfactor = 80);

-- People who must not be held. Digests are HMAC-SHA-256 under the book's key: a list of the erased
-- that does not tell who they were.
CREATE TABLE suppressions (
  organization_id uuid NOT NULL REFERENCES organizations,
  suppression_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('email', 'phone', 'profile', 'person')),
  digest bytea NOT NULL,
  display text NOT NULL,             -- masked
  reason text NOT NULL,
  source text NOT NULL CHECK (source IN ('user', 'erasure')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, suppression_id)
);
CREATE UNIQUE INDEX suppressions_once ON suppressions (organization_id, digest);

CREATE TABLE erasures (
  organization_id uuid NOT NULL REFERENCES organizations,
  erasure_id uuid NOT NULL,
  requested_by text NOT NULL,
  subject jsonb NOT NULL,            -- what was asked for, masked
  removed jsonb NOT NULL,            -- place -> how many rows
  suppressions integer NOT NULL,
  completed_at timestamptz NOT NULL,
  proof bytea NOT NULL,              -- SHA-256 over the above
  PRIMARY KEY (organization_id, erasure_id)
);

-- People that discovery was paid for, by digest: no one is charged for twice.
CREATE TABLE contact_charges (
  organization_id uuid NOT NULL REFERENCES organizations,
  digest bytea NOT NULL,
  charged_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, digest)
);

SELECT pg_temp.protect_tenant_tables(
  'contact_books', 'contacts', 'contact_keys', 'contact_bits', 'suppressions', 'erasures',
  'contact_charges'
);
