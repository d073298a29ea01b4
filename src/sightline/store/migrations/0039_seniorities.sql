-- Watches by the seniority of people, and the import of the sample marked as such.
--
-- The release before writes neither column; of its events no seniority is known.

ALTER TABLE watches ADD seniorities text[] NOT NULL DEFAULT '{}';
ALTER TABLE events ADD seniorities text[] NOT NULL DEFAULT '{}';

-- The sample was imported into an empty organization, so its import is the first one.
DO $$
DECLARE
  one uuid;
BEGIN
  FOR one IN SELECT organization_id FROM organizations LOOP
    PERFORM set_config('app.organization', one::text, true);
    UPDATE imports SET options = options || '{"source_system": "sightline_sample"}'
    WHERE organization_id = one AND kind = 'accounts' AND file_name = 'accounts.csv'
      AND import_id = (SELECT min(import_id::text)::uuid FROM imports
        WHERE organization_id = one AND kind = 'accounts')
      AND EXISTS (SELECT FROM audit_log WHERE organization_id = one
        AND subject = 'sample' AND action = 'load');
  END LOOP;
END $$;
