-- What migrations call: functions that last as long as the session.

-- Put tables of tenants under row-level security, and let application and worker use them.
CREATE OR REPLACE FUNCTION pg_temp.protect_tenant_tables(VARIADIC tables text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY tables LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', one);
    EXECUTE format($policy$
      CREATE POLICY tenant ON %I
        USING (organization_id = nullif(current_setting('app.organization', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization', true), '')::uuid)
      $policy$, one);
    EXECUTE format(
      'GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO sightline_app, sightline_worker', one);
  END LOOP;
END $$;

-- Let the application read tables of the catalogue, and the worker write them.
CREATE OR REPLACE FUNCTION pg_temp.publish_catalogue_tables(VARIADIC tables text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY tables LOOP
    EXECUTE format('GRANT SELECT ON %I TO sightline_app', one);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO sightline_worker', one);
  END LOOP;
END $$;
