-- Agent sessions, content, integrations and their secrets.

-- A session is seen by its owning user only: every query names the user as well.
CREATE TABLE agent_sessions (
  organization_id uuid NOT NULL REFERENCES organizations,
  session_id uuid NOT NULL,
  user_id uuid NOT NULL,
  title text NOT NULL,
  type text NOT NULL CHECK (type IN
    ('document', 'chat', 'plan', 'canvas_settings', 'email', 'workspace', 'project')),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
  company_id uuid,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, session_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);
CREATE INDEX agent_sessions_recent
  ON agent_sessions (organization_id, user_id, updated_at DESC, session_id DESC);
CREATE INDEX agent_sessions_by_company ON agent_sessions (organization_id, user_id, company_id);
CREATE TABLE agent_messages (
  organization_id uuid NOT NULL,
  session_id uuid NOT NULL,
  message_id uuid NOT NULL,
  role text NOT NULL CHECK (role IN ('user', 'assistant')),
  content text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}',   -- of an answer: citations, evidence, model, usage
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, session_id, message_id),
  FOREIGN KEY (organization_id, session_id) REFERENCES agent_sessions ON DELETE CASCADE
);

CREATE TABLE content_templates (
  organization_id uuid NOT NULL REFERENCES organizations,
  template_id uuid NOT NULL,
  name text NOT NULL,
  content_type text NOT NULL CHECK (content_type IN
    ('email', 'notes', 'call_script', 'document', 'value_pyramid', 'three_whys')),
  body text NOT NULL,                  -- text with {{fields}}
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, template_id)
);
CREATE UNIQUE INDEX content_templates_by_name ON content_templates (organization_id, lower(name));
CREATE TABLE content_settings (
  organization_id uuid NOT NULL REFERENCES organizations,
  setting_id uuid NOT NULL,
  name text NOT NULL,
  tone text NOT NULL DEFAULT 'plain',
  language text NOT NULL DEFAULT 'en',
  length text NOT NULL DEFAULT 'short' CHECK (length IN ('short', 'medium', 'long')),
  signature text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, setting_id)
);
CREATE UNIQUE INDEX content_settings_by_name ON content_settings (organization_id, lower(name));
CREATE TABLE content (
  organization_id uuid NOT NULL REFERENCES organizations,
  content_id uuid NOT NULL,
  company_id uuid NOT NULL,
  content_type text NOT NULL CHECK (content_type IN
    ('email', 'notes', 'call_script', 'document', 'value_pyramid', 'three_whys')),
  setting_id uuid,
  template_id uuid,
  title text NOT NULL,
  body text NOT NULL,
  method text NOT NULL,                -- written, extractive, or the model's name
  sources jsonb NOT NULL DEFAULT '[]',
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz,
  PRIMARY KEY (organization_id, content_id),
  FOREIGN KEY (organization_id, setting_id) REFERENCES content_settings ON DELETE SET NULL (setting_id),
  FOREIGN KEY (organization_id, template_id) REFERENCES content_templates ON DELETE SET NULL (template_id)
);
CREATE INDEX content_by_company
  ON content (organization_id, company_id, created_at DESC, content_id DESC);

CREATE TABLE integrations (
  organization_id uuid NOT NULL REFERENCES organizations,
  integration_id text COLLATE "C" NOT NULL,  -- smtp, model...
  enabled boolean NOT NULL DEFAULT true,
  settings jsonb NOT NULL DEFAULT '{}',
  secret bytea,                        -- encrypted; the key is not in the database
  last_sync_at timestamptz,
  sync_status text NOT NULL DEFAULT 'never'
    CHECK (sync_status IN ('never', 'running', 'succeeded', 'failed')),
  last_error text,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, integration_id)
);

ALTER TABLE users ADD COLUMN disabled_at timestamptz;
-- Requests by key, day and operation; counted in memory and written every few seconds.
CREATE TABLE usage_days (
  organization_id uuid NOT NULL REFERENCES organizations,
  key_id uuid NOT NULL,
  day date NOT NULL,
  operation text COLLATE "C" NOT NULL,
  requests bigint NOT NULL DEFAULT 0,
  failures bigint NOT NULL DEFAULT 0,  -- answers of 400 and above
  PRIMARY KEY (organization_id, key_id, day, operation)
);
CREATE INDEX usage_days_by_day ON usage_days (organization_id, day);
CREATE INDEX audit_log_recent ON audit_log (organization_id, at DESC, audit_id DESC);

SELECT pg_temp.protect_tenant_tables(
  'agent_sessions', 'agent_messages', 'content_templates', 'content_settings', 'content',
  'integrations', 'usage_days'
);
