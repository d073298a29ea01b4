-- What imports said of contacts, so that they can be undone.

CREATE TABLE contact_import_changes (
  organization_id uuid NOT NULL,
  import_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  is_created boolean NOT NULL,
  before jsonb NOT NULL,               -- {values, sources} as the import found the contact
  said jsonb NOT NULL,                 -- [{values, source}] of its rows
  PRIMARY KEY (organization_id, import_id, contact_id),
  FOREIGN KEY (organization_id, import_id) REFERENCES imports,
  FOREIGN KEY (organization_id, contact_id) REFERENCES contacts ON DELETE CASCADE
);
CREATE INDEX contact_import_changes_by_contact
  ON contact_import_changes (organization_id, contact_id);

SELECT pg_temp.protect_tenant_tables('contact_import_changes');
