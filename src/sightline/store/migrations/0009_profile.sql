-- Profile sections, questions of organizations and seller context.

-- A section of a company's profile, as it is served: with its sources, and without them.
CREATE TABLE profile_sections (
  company_id uuid NOT NULL,
  section text NOT NULL,
  state text NOT NULL CHECK (state IN ('ready', 'insufficient_evidence')),
  method text NOT NULL,                -- extractive, or the model's name
  body text NOT NULL,                  -- JSON; every statement with its sources
  plain text NOT NULL,                 -- the same without sources
  statements integer NOT NULL,
  kinds text[] NOT NULL,               -- document kinds that it reads
  evidence bytea NOT NULL,             -- SHA-256 of what it was made of; the same is not made again
  window_from timestamptz,             -- days of the oldest and newest document it quotes
  window_until timestamptz,
  generated_at timestamptz NOT NULL,
  checked_at timestamptz NOT NULL,     -- when it was last compared with the evidence
  PRIMARY KEY (company_id, section)
);

-- Sections that depend on the organization: scores, answers, what is composed for selling.
CREATE TABLE organization_sections (
  organization_id uuid NOT NULL REFERENCES organizations,
  company_id uuid NOT NULL,
  section text NOT NULL,
  state text NOT NULL CHECK (state IN ('ready', 'insufficient_evidence')),
  method text NOT NULL,
  body text NOT NULL,
  plain text NOT NULL,
  statements integer NOT NULL,
  evidence bytea NOT NULL,
  context_version bigint NOT NULL,     -- of the seller context it was made with
  window_from timestamptz,
  window_until timestamptz,
  generated_at timestamptz NOT NULL,
  checked_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, company_id, section)
);
CREATE TABLE seller_contexts (
  organization_id uuid PRIMARY KEY REFERENCES organizations,
  context jsonb NOT NULL DEFAULT '{}',
  version bigint NOT NULL DEFAULT 1,   -- raised by every change, of questions too
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE custom_questions (
  organization_id uuid NOT NULL REFERENCES organizations,
  question_id uuid NOT NULL,
  name text NOT NULL,
  question text NOT NULL,
  keywords text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, question_id)
);
CREATE UNIQUE INDEX custom_questions_by_name ON custom_questions (organization_id, lower(name));

SELECT pg_temp.publish_catalogue_tables('profile_sections');

SELECT pg_temp.protect_tenant_tables(
  'organization_sections', 'seller_contexts', 'custom_questions'
);
