-- What language models wrote and what they may cost.

-- How the writing of a section by a model stands: what was asked (its hash), what came of it, and the
-- answer, so that the same is never asked twice.
ALTER TABLE profile_sections ADD COLUMN writing jsonb;
ALTER TABLE organization_sections ADD COLUMN writing jsonb;

-- Requests and tokens of a UTC day, by what they are counted for: everything, an organization, a company.
CREATE TABLE model_spending (
  day date NOT NULL,
  subject text NOT NULL,
  requests integer NOT NULL,
  tokens bigint NOT NULL,
  PRIMARY KEY (day, subject)
);

SELECT pg_temp.publish_catalogue_tables('model_spending');
