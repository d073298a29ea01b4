-- How language models did when they were tried as verifiers.

CREATE TABLE model_checks (
  model text NOT NULL,
  base_url text NOT NULL,              -- "" for the provider's own address
  version integer NOT NULL,            -- of the prompt and of the pairs
  refused integer NOT NULL,
  falsehoods integer NOT NULL,
  kept integer NOT NULL,
  paraphrases integer NOT NULL,
  scores jsonb NOT NULL,               -- [{kind, asked, right}]
  tokens bigint NOT NULL,
  checked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (model, base_url, version)
);

SELECT pg_temp.publish_catalogue_tables('model_checks');
