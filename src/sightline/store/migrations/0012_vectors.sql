-- Vectors of indexed passages, where an embedding model is configured.

CREATE TABLE passage_vectors (
  company_id uuid NOT NULL,
  segment integer NOT NULL,
  chunk integer NOT NULL,              -- ordinal / 256
  model text NOT NULL,
  vectors bytea NOT NULL,              -- a signed byte a dimension (reading.vectors)
  PRIMARY KEY (company_id, segment, chunk),
  FOREIGN KEY (company_id, segment) REFERENCES passage_segments ON DELETE CASCADE
);
ALTER TABLE passage_vectors ALTER COLUMN vectors SET STORAGE EXTERNAL;

SELECT pg_temp.publish_catalogue_tables('passage_vectors');
