-- Lists that people upload, kept until a worker has imported them, and what came of it.

CREATE TABLE import_uploads (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  upload_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('accounts', 'contacts')),
  file_name text NOT NULL,
  bytes bigint NOT NULL,
  options jsonb NOT NULL DEFAULT '{}',
  state text NOT NULL DEFAULT 'ready'
    CHECK (state IN ('ready', 'queued', 'running', 'finished', 'failed')),
  rows_done integer NOT NULL DEFAULT 0,
  rows_total integer,
  outcome jsonb,
  problems text,
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, upload_id)
);
CREATE TABLE import_upload_parts (
  organization_id uuid NOT NULL,
  upload_id uuid NOT NULL,
  n integer NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (organization_id, upload_id, n),
  FOREIGN KEY (organization_id, upload_id) REFERENCES import_uploads ON DELETE CASCADE
);

SELECT pg_temp.protect_tenant_tables('import_uploads', 'import_upload_parts');
