-- Evidence, facts, operations and the work queue: how a name becomes a proven company record.

-- Bodies by content. One body is kept once, however many addresses and dates gave it.
CREATE TABLE blobs (
  sha256 bytea PRIMARY KEY,            -- of the decoded body
  bytes bigint NOT NULL,               -- decoded
  body bytea,                          -- zstd; NULL when retention let it go
  created_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE blobs ALTER COLUMN body SET STORAGE EXTERNAL;  -- compressed already

-- One version of one address. What was read of it never changes; a new parser makes it again.
CREATE TABLE documents (
  document_id uuid PRIMARY KEY,
  url text NOT NULL,                   -- as asked for
  final_url text NOT NULL,             -- after redirects
  sha256 bytea NOT NULL REFERENCES blobs,
  source text NOT NULL,                -- name of the source that asked
  kind text NOT NULL,                  -- filing, page, feed_item, posting, news, data
  parser smallint NOT NULL,            -- version of the parser that made text and links
  media_type text NOT NULL,
  headers jsonb NOT NULL,
  title text,
  language text,
  published_at timestamptz,
  body_text text NOT NULL,             -- plain text; passages and quotes are spans of it
  links jsonb NOT NULL DEFAULT '[]',   -- [{url, role, text}], those with a role
  notes jsonb NOT NULL DEFAULT '[]',   -- what the parser had to say
  fetched_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX documents_by_version ON documents (url, sha256);
CREATE INDEX documents_by_blob ON documents (sha256);

-- What is known of an address now.
CREATE TABLE addresses (
  url text PRIMARY KEY,
  source text NOT NULL,
  status smallint,                     -- of the last answer; NULL when there was none
  outcome text NOT NULL,               -- ok, not_modified, or the name of what went wrong
  etag text,
  last_modified text,
  document_id uuid REFERENCES documents,
  fetched_at timestamptz,              -- the last time that a body came
  checked_at timestamptz NOT NULL,
  bytes_received bigint NOT NULL DEFAULT 0
);
CREATE INDEX addresses_by_source ON addresses (source, checked_at DESC);

CREATE TABLE passages (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
  start_at integer NOT NULL,           -- characters into body_text
  end_at integer NOT NULL,
  section text,
  heading text,
  PRIMARY KEY (company_id, document_id, start_at)
);
CREATE INDEX passages_by_document ON passages (document_id);

-- Which documents speak about a company, and whether they are the newest of their address.
CREATE TABLE company_documents (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL REFERENCES documents,
  source text NOT NULL,
  kind text NOT NULL,
  superseded_at timestamptz,
  added_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, document_id)
);
CREATE INDEX company_documents_by_document ON company_documents (document_id);

-- Every observed value, the losers too. Survivorship picks the winners.
CREATE TABLE facts (
  company_id uuid NOT NULL,
  fact_id uuid NOT NULL,
  field text NOT NULL,
  member text NOT NULL,                -- sightline.domain.fields.member_key
  value jsonb NOT NULL,
  source text NOT NULL,
  document_id uuid NOT NULL REFERENCES documents,
  quote text,
  pointer text,
  method text NOT NULL,
  confidence real NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  as_of date,
  first_seen_at timestamptz NOT NULL,  -- when a version of its address first said so
  withdrawn_at timestamptz,            -- its document has a newer version that says it no longer
  wins boolean NOT NULL DEFAULT false,
  PRIMARY KEY (company_id, fact_id)
);
CREATE UNIQUE INDEX facts_once
  ON facts (company_id, document_id, field, member, md5(value::text), coalesce(pointer, ''));
CREATE INDEX facts_by_field ON facts (company_id, field) WHERE withdrawn_at IS NULL;
CREATE INDEX facts_by_document ON facts (document_id);

ALTER TABLE companies ADD COLUMN merged_into uuid REFERENCES companies;
ALTER TABLE companies ADD COLUMN enriched_at timestamptz;
ALTER TABLE companies ADD COLUMN record_version bigint NOT NULL DEFAULT 0;
CREATE INDEX companies_merged ON companies (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE company_domains (
  domain text PRIMARY KEY,
  company_id uuid NOT NULL REFERENCES companies
);
CREATE INDEX company_domains_by_company ON company_domains (company_id);

CREATE TABLE company_identifiers (
  scheme text NOT NULL,                -- cik, lei, wikidata_id, ticker
  identifier text NOT NULL,
  company_id uuid NOT NULL REFERENCES companies,
  PRIMARY KEY (scheme, identifier)
);
CREATE INDEX company_identifiers_by_company ON company_identifiers (company_id);

-- What undoes a merge: every row that moved.
CREATE TABLE company_merges (
  merge_id uuid PRIMARY KEY,
  kept uuid NOT NULL REFERENCES companies,
  merged uuid NOT NULL REFERENCES companies,
  moved jsonb NOT NULL,
  merged_at timestamptz NOT NULL DEFAULT now(),
  undone_at timestamptz
);

CREATE TABLE job_boards (
  company_id uuid NOT NULL,
  kind text NOT NULL,
  token text NOT NULL,
  last_complete_at timestamptz,        -- of the last complete pull
  last_pull_at timestamptz,
  PRIMARY KEY (company_id, kind, token)
);
CREATE TABLE jobs (
  company_id uuid NOT NULL,
  job_id uuid NOT NULL,
  board text NOT NULL,                 -- kind/token
  external_id text NOT NULL,
  document_id uuid REFERENCES documents,
  title text NOT NULL,
  normalized_title text,
  department text,
  seniority text,
  employment_type text,
  remote text,
  locations jsonb NOT NULL DEFAULT '[]',
  salary jsonb,
  skills text[] NOT NULL DEFAULT '{}',
  technologies text[] NOT NULL DEFAULT '{}',
  description text NOT NULL DEFAULT '',
  url text NOT NULL,
  source text NOT NULL,
  openings integer,
  posted_at timestamptz,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  closed_at timestamptz,
  fingerprint bytea NOT NULL,          -- of everything served; an unchanged posting is not written
  PRIMARY KEY (company_id, job_id)
);
CREATE UNIQUE INDEX jobs_by_external_id ON jobs (company_id, board, external_id);
CREATE INDEX jobs_recent ON jobs (company_id, (coalesce(posted_at, first_seen_at)) DESC, job_id);
-- Every pull of a board: counts over time, also where postings were not kept.
CREATE TABLE board_pulls (
  company_id uuid NOT NULL,
  board text NOT NULL,
  pulled_at timestamptz NOT NULL,
  complete boolean NOT NULL,
  active integer NOT NULL,
  opened integer NOT NULL,
  closed integer NOT NULL,
  PRIMARY KEY (company_id, board, pulled_at)
);

-- What is to be done, and who is doing it. Ids only: everything about the work is behind row security.
CREATE TABLE work (
  work_id uuid PRIMARY KEY,
  kind text NOT NULL,
  subject text NOT NULL,               -- one row a kind and subject: asking twice is asking once
  share uuid NOT NULL,                 -- the organization whose share of the workers it uses, or zeros
  payload jsonb NOT NULL DEFAULT '{}',
  priority smallint NOT NULL DEFAULT 0,  -- lower goes first
  ready_at timestamptz NOT NULL DEFAULT now(),
  requested bigint NOT NULL DEFAULT 1, -- raised by every request, so that one during a run runs again
  attempts integer NOT NULL DEFAULT 0,
  fence bigint NOT NULL DEFAULT 0,     -- raised by every claim; only the newest claim may commit
  lease_until timestamptz,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX work_once ON work (kind, subject);
CREATE INDEX work_ready ON work (share, priority, ready_at);
CREATE INDEX work_leased ON work (lease_until) WHERE lease_until IS NOT NULL;

-- The politeness of all workers together: whose turn it is at a host.
CREATE TABLE host_turns (
  host text PRIMARY KEY,
  next_at timestamptz NOT NULL DEFAULT '-infinity'
);
CREATE TABLE host_leases (
  lease_id uuid PRIMARY KEY,
  host text NOT NULL REFERENCES host_turns ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX host_leases_by_host ON host_leases (host, expires_at);

CREATE TABLE source_states (
  source text PRIMARY KEY,
  enabled boolean NOT NULL DEFAULT true,
  sync_status text NOT NULL DEFAULT 'never'
    CHECK (sync_status IN ('never', 'running', 'succeeded', 'failed')),
  last_sync_at timestamptz,
  last_error text,
  last_error_at timestamptz
);
-- What a source gave per day, and how often it failed: silence is noticed here.
CREATE TABLE source_days (
  source text NOT NULL,
  day date NOT NULL,
  fetched bigint NOT NULL DEFAULT 0,
  unchanged bigint NOT NULL DEFAULT 0,
  missing bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  facts bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (source, day)
);

CREATE TABLE operations (
  organization_id uuid NOT NULL REFERENCES organizations,
  operation_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('company_enrichment', 'bulk_enrichment')),
  status text NOT NULL
    CHECK (status IN ('queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled')),
  input jsonb NOT NULL,
  parent_id uuid,                      -- the bulk operation that this is an item of
  item integer,                        -- its place there, from 0
  external_id text,
  company_id uuid,
  match jsonb,
  steps jsonb NOT NULL DEFAULT '[]',
  done integer NOT NULL DEFAULT 0,
  total integer NOT NULL DEFAULT 0,
  succeeded integer NOT NULL DEFAULT 0,  -- items of a bulk operation, by how they ended
  failed integer NOT NULL DEFAULT 0,
  cancelled integer NOT NULL DEFAULT 0,
  credit text NOT NULL DEFAULT 'company',
  amount integer NOT NULL DEFAULT 0,
  charge text NOT NULL DEFAULT 'none' CHECK (charge IN ('none', 'reserved', 'settled', 'released')),
  error jsonb,
  cancel_requested boolean NOT NULL DEFAULT false,
  fence bigint NOT NULL DEFAULT 0,
  key_id uuid,
  user_id uuid,
  request_id text,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (organization_id, operation_id)
);
CREATE INDEX operations_recent ON operations (organization_id, created_at DESC, operation_id DESC)
  WHERE parent_id IS NULL;
CREATE UNIQUE INDEX operations_items ON operations (organization_id, parent_id, item)
  WHERE parent_id IS NOT NULL;
CREATE INDEX operations_finished ON operations (organization_id, finished_at);

-- When an organization last paid for a company: within 30 days it is free.
CREATE TABLE company_charges (
  organization_id uuid NOT NULL REFERENCES organizations,
  company_id uuid NOT NULL,
  charged_at timestamptz NOT NULL,
  operation_id uuid NOT NULL,
  PRIMARY KEY (organization_id, company_id)
);

-- How often an organization wants an account refreshed, and when it was.
CREATE TABLE account_refreshes (
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  tier text NOT NULL CHECK (tier IN ('daily', 'weekly', 'monthly', 'never')),
  next_at timestamptz,
  PRIMARY KEY (organization_id, account_id),
  FOREIGN KEY (organization_id, account_id) REFERENCES accounts ON DELETE CASCADE
);
CREATE INDEX account_refreshes_due ON account_refreshes (organization_id, next_at);

SELECT pg_temp.protect_tenant_tables('operations', 'company_charges', 'account_refreshes');

SELECT pg_temp.publish_catalogue_tables(
  'blobs', 'documents', 'addresses', 'passages', 'company_documents', 'facts', 'company_domains',
  'company_identifiers', 'company_merges', 'job_boards', 'jobs', 'board_pulls', 'host_turns',
  'host_leases', 'source_states', 'source_days'
);

GRANT SELECT, INSERT, UPDATE, DELETE ON work TO sightline_app, sightline_worker;
GRANT INSERT, UPDATE ON source_states TO sightline_app;
