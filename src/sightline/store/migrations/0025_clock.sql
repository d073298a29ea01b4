-- When each schedule of the workers runs next, in a table of our own.

CREATE TABLE clock (
  name text PRIMARY KEY,
  due_at timestamptz NOT NULL,
  lease_until timestamptz,           -- while a worker runs it
  fence bigint NOT NULL DEFAULT 0    -- raised by every run
);
GRANT SELECT, INSERT, UPDATE ON clock TO sightline_worker;
GRANT SELECT ON clock TO sightline_app;
