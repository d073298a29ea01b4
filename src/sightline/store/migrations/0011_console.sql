-- Signing in to the console: sessions, and links that sign in once.

CREATE TABLE console_sessions (
  organization_id uuid NOT NULL REFERENCES organizations,
  token_hash bytea NOT NULL,           -- SHA-256 of the cookie's secret
  user_id uuid NOT NULL,
  csrf text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, token_hash),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);
CREATE INDEX console_sessions_by_age ON console_sessions (organization_id, expires_at);
CREATE TABLE console_sign_in_links (
  organization_id uuid NOT NULL REFERENCES organizations,
  token_hash bytea NOT NULL,           -- SHA-256 of the link's secret
  user_id uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, token_hash),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);

-- Who signs in names an organization by its slug before anything says which rows may be seen. The
-- function answers the id alone, and the application can do nothing with it but ask for that tenant.
CREATE FUNCTION organization_by_slug(wanted text) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS
$$ SELECT organization_id FROM public.organizations WHERE slug = wanted $$;
REVOKE ALL ON FUNCTION organization_by_slug(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organization_by_slug(text) TO sightline_app;

SELECT pg_temp.protect_tenant_tables('console_sessions', 'console_sign_in_links');
