-- The search index on PostgreSQL's own full text. The tables of the old one (passage_segments,
-- passage_blocks, passage_texts, passage_entries, passage_vectors) stay for the release before this one, which
-- may still serve; the next release drops them.

-- One row a passage that search can find: a piece of a document, an open posting, a signal, a statement of
-- the profile or a technology. Everything here is made again from what it names.
CREATE TABLE indexed_passages (
  company_id uuid NOT NULL,
  number integer NOT NULL,             -- of the passage within its company
  passage_id uuid NOT NULL,            -- the same for the same text at the same place
  origin text NOT NULL,                -- passage, job, signal, statement, technology
  origin_id uuid NOT NULL,             -- document, job, signal, statement, fact
  origin_at integer NOT NULL,          -- where a passage starts; 0 for the others
  version text NOT NULL,               -- another one: what is indexed has changed
  kind text NOT NULL,                  -- insight, filing, news, web, job, technology
  family text,                         -- of the signal that is mentioned here
  signal_id uuid,                      -- it
  document_id uuid,                    -- where the text stands word for word
  start_at integer,                    -- characters into its body_text
  end_at integer,
  published_at timestamptz,
  publisher text NOT NULL,             -- registered domain or host of the address, '' for none
  told smallint NOT NULL DEFAULT 1,    -- independent publishers that are known to report it
  words integer NOT NULL,              -- length of the text
  simhash bigint NOT NULL,             -- of its words, 0 for a short text
  figures integer NOT NULL,            -- Bloom filter of its numbers
  prose boolean NOT NULL,              -- sentences, not rows of a table: worth encoding
  url text,
  title text NOT NULL,
  heading text NOT NULL,
  context text NOT NULL,               -- header, period and unit of table rows; title and place of a posting
  body text NOT NULL,
  terms tsvector NOT NULL,             -- stems of all of these, and one lexeme that names the company
  PRIMARY KEY (company_id, number)
);
CREATE UNIQUE INDEX indexed_passages_by_id ON indexed_passages (company_id, passage_id);
CREATE INDEX indexed_passages_by_document ON indexed_passages (document_id);
CREATE INDEX indexed_passages_by_term ON indexed_passages USING gin (terms);
ALTER TABLE indexed_passages ALTER COLUMN terms SET STORAGE EXTERNAL;

-- Vectors of the passages that were encoded, apart: a search reads all of a company's in one go.
CREATE TABLE encoded_passages (
  company_id uuid NOT NULL,
  number integer NOT NULL,
  vector bytea NOT NULL,               -- a signed byte a dimension
  PRIMARY KEY (company_id, number),
  FOREIGN KEY (company_id, number) REFERENCES indexed_passages ON DELETE CASCADE
);
ALTER TABLE encoded_passages ALTER COLUMN vector SET STORAGE PLAIN;

CREATE TABLE passage_indexes (
  company_id uuid PRIMARY KEY,
  encoder text,                        -- that made the vectors; NULL: words alone
  encoded boolean NOT NULL,            -- whether it has encoded all that it should
  passages integer NOT NULL,
  indexed_at timestamptz NOT NULL DEFAULT now()
);

SELECT pg_temp.publish_catalogue_tables('indexed_passages', 'encoded_passages', 'passage_indexes');
