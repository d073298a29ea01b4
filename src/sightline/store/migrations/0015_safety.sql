-- Accounts by the domain of their web site and organizations by company without reading all of them;
-- what failed in passes over organizations.

CREATE INDEX accounts_by_website_domain ON accounts (organization_id, website_domain)
  WHERE website_domain IS NOT NULL;

CREATE TABLE pass_failures (
  name text PRIMARY KEY,
  failures bigint NOT NULL,
  last_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON pass_failures TO sightline_worker;
GRANT SELECT ON pass_failures TO sightline_app;

-- The worker sees the rows of one organization at a time: so does the function, with the rights of its
-- caller, for one after the other.
CREATE FUNCTION organizations_with(ids uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql SET search_path = pg_catalog, public AS
$$
DECLARE
  before text := current_setting('app.organization', true);
  one uuid;
BEGIN
  FOR one IN SELECT organization_id FROM organizations ORDER BY 1 LOOP
    PERFORM set_config('app.organization', one::text, true);
    IF EXISTS (SELECT FROM accounts WHERE organization_id = one AND company_id = ANY(ids)) THEN
      RETURN NEXT one;
    END IF;
  END LOOP;
  PERFORM set_config('app.organization', coalesce(before, ''), true);
END
$$;
REVOKE ALL ON FUNCTION organizations_with(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_with(uuid[]) TO sightline_worker;
