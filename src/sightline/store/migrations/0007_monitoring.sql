-- Events, watches, alerts and webhooks.

-- What changed in the record of a company, as it was decided.
CREATE TABLE company_changes (
  company_id uuid NOT NULL,
  record_version bigint NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  changes jsonb NOT NULL,              -- [{field, before, after}]
  PRIMARY KEY (company_id, record_version)
);

-- Companies whose first baseline was taken: what was known then is on the timeline and alerts no one.
CREATE TABLE monitored_companies (
  organization_id uuid NOT NULL REFERENCES organizations,
  company_id uuid NOT NULL,
  baseline_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, company_id)
);
CREATE TABLE events (
  organization_id uuid NOT NULL REFERENCES organizations,
  event_id uuid NOT NULL,
  story text COLLATE "C" NOT NULL,     -- what it is about; each is recorded once
  type text NOT NULL,
  family text,
  title text NOT NULL,
  summary text NOT NULL DEFAULT '',
  company_id uuid NOT NULL,
  source jsonb,
  occurred_at timestamptz,
  detected_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  signal_id uuid,
  confidence real,
  changes jsonb NOT NULL DEFAULT '[]',
  watch_ids uuid[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (organization_id, event_id)
);
CREATE UNIQUE INDEX events_once ON events (organization_id, story);
CREATE INDEX events_recent ON events (organization_id, detected_at DESC, event_id DESC);
CREATE INDEX events_by_company ON events (organization_id, company_id, detected_at DESC);

CREATE TABLE watches (
  organization_id uuid NOT NULL REFERENCES organizations,
  watch_id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('accounts', 'search')),
  filter jsonb,                        -- of a search
  families text[] NOT NULL DEFAULT '{}',
  types text[] NOT NULL DEFAULT '{}',
  fields text[] NOT NULL DEFAULT '{}', -- record fields whose change counts
  least_confidence real NOT NULL DEFAULT 0.5 CHECK (least_confidence BETWEEN 0 AND 1),
  paused boolean NOT NULL DEFAULT false,
  expires_at timestamptz,
  created_by uuid,
  baseline_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  membership_at timestamptz,           -- of a search: when its members were last looked at
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, watch_id),
  CHECK ((kind = 'search') = (filter IS NOT NULL))
);
CREATE UNIQUE INDEX watches_by_name ON watches (organization_id, lower(name));
-- The accounts of a watch: named, or found by its search the last time.
CREATE TABLE watch_accounts (
  organization_id uuid NOT NULL,
  watch_id uuid NOT NULL,
  account_id uuid NOT NULL,
  PRIMARY KEY (organization_id, watch_id, account_id),
  FOREIGN KEY (organization_id, watch_id) REFERENCES watches ON DELETE CASCADE,
  FOREIGN KEY (organization_id, account_id) REFERENCES accounts ON DELETE CASCADE
);
CREATE INDEX watch_accounts_by_account ON watch_accounts (organization_id, account_id);

CREATE TABLE alerts (
  organization_id uuid NOT NULL REFERENCES organizations,
  alert_id uuid NOT NULL,
  event_id uuid NOT NULL,
  watch_id uuid,
  company_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'new'
    CHECK (status IN ('new', 'viewed', 'acknowledged', 'resolved', 'dismissed')),
  note text,
  assignee uuid,
  snoozed_until timestamptz,
  history jsonb NOT NULL DEFAULT '[]', -- [{from, to, at, by}]
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, alert_id),
  FOREIGN KEY (organization_id, event_id) REFERENCES events ON DELETE CASCADE,
  FOREIGN KEY (organization_id, watch_id) REFERENCES watches ON DELETE SET NULL (watch_id),
  FOREIGN KEY (organization_id, assignee) REFERENCES users
);
CREATE UNIQUE INDEX alerts_once ON alerts (organization_id, event_id);
CREATE INDEX alerts_recent ON alerts (organization_id, created_at DESC, alert_id DESC);

CREATE TABLE webhooks (
  organization_id uuid NOT NULL REFERENCES organizations,
  webhook_id uuid NOT NULL,
  url text NOT NULL,
  description text NOT NULL DEFAULT '',
  topics text[] NOT NULL DEFAULT '{}', -- event, alert; empty: both
  secret bytea NOT NULL,               -- encrypted
  previous_secret bytea,               -- signs beside it until then
  previous_until timestamptz,
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  last_delivery_at timestamptz,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, webhook_id)
);
CREATE TABLE webhook_deliveries (
  organization_id uuid NOT NULL,
  delivery_id uuid NOT NULL,           -- the webhook-id of every attempt
  webhook_id uuid NOT NULL,
  topic text NOT NULL,
  subject text NOT NULL,               -- what it is about: sent to each webhook once
  body text NOT NULL,
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts jsonb NOT NULL DEFAULT '[]', -- [{at, status, error, seconds}]
  next_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, delivery_id),
  FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks ON DELETE CASCADE
);
CREATE UNIQUE INDEX webhook_deliveries_once
  ON webhook_deliveries (organization_id, webhook_id, subject);
CREATE INDEX webhook_deliveries_recent
  ON webhook_deliveries (organization_id, webhook_id, created_at DESC, delivery_id DESC);

SELECT pg_temp.publish_catalogue_tables('company_changes');

SELECT pg_temp.protect_tenant_tables(
  'monitored_companies', 'events', 'watches', 'watch_accounts', 'alerts', 'webhooks',
  'webhook_deliveries'
);
