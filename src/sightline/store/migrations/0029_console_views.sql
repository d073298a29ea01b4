-- Views of the console's account table that people saved: a name and the address that shows it.

CREATE TABLE console_views (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  view_id uuid NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  query text NOT NULL CHECK (length(query) <= 20000),
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, view_id)
);
CREATE UNIQUE INDEX console_views_by_name ON console_views (organization_id, lower(name));

SELECT pg_temp.protect_tenant_tables('console_views');
