-- Which bodies ended the process that parsed them, so that they are not parsed again and again.

CREATE TABLE parser_deaths (
  url text NOT NULL,                   -- key of the address, as in `addresses`
  sha256 bytea NOT NULL,               -- of the body
  parser integer NOT NULL,             -- version of the parser
  source text NOT NULL,
  deaths integer NOT NULL,
  reason text NOT NULL CHECK (reason IN ('time', 'memory', 'crash', 'killed')),  -- of the last
  first_at timestamptz NOT NULL DEFAULT now(),
  last_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (url, sha256, parser)
);
CREATE INDEX parser_deaths_by_source ON parser_deaths (source);

SELECT pg_temp.publish_catalogue_tables('parser_deaths');
