-- Signals, and the search index over everything that relevance shows.

-- One event, however often it is mentioned. The times of the event are days or moments in UTC.
CREATE TABLE signals (
  company_id uuid NOT NULL,
  signal_id uuid NOT NULL,
  family text NOT NULL,
  type text NOT NULL,
  title text NOT NULL,
  summary text NOT NULL,
  quote text NOT NULL,
  document_id uuid REFERENCES documents,
  start_at integer,                    -- of the quote: characters into the document's body_text
  end_at integer,
  source_kind text NOT NULL,           -- filing, news, web, job, technology
  source jsonb NOT NULL,               -- {name, url, title, publisher, published_at}
  occurred_at timestamptz,
  detected_at timestamptz NOT NULL,
  expires_at timestamptz,
  planned boolean NOT NULL DEFAULT false,
  confidence real NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  parties jsonb NOT NULL DEFAULT '[]',
  amount jsonb,
  location text,
  about text NOT NULL DEFAULT '',      -- the other party, folded: tells it from others of its type
  story_key text NOT NULL,             -- the same for every mention of one event
  PRIMARY KEY (company_id, signal_id)
);
CREATE UNIQUE INDEX signals_by_story ON signals (company_id, story_key);
CREATE INDEX signals_by_time ON signals (company_id, (coalesce(occurred_at, detected_at)) DESC);
CREATE INDEX signals_by_document ON signals (document_id);

CREATE TABLE signal_tellings (
  company_id uuid NOT NULL,
  signal_id uuid NOT NULL,
  document_id uuid NOT NULL REFERENCES documents,
  start_at integer NOT NULL,
  end_at integer NOT NULL,
  source jsonb NOT NULL,
  quote text NOT NULL,
  published_at timestamptz,
  PRIMARY KEY (company_id, signal_id, document_id, start_at),
  FOREIGN KEY (company_id, signal_id) REFERENCES signals ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX signal_tellings_by_document ON signal_tellings (document_id);

-- Which documents were read for signals, and as what: an unchanged one is not read again.
CREATE TABLE signal_readings (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
  version text NOT NULL,               -- of the detectors, with the company's names
  parser smallint NOT NULL,            -- that had read the document
  PRIMARY KEY (company_id, document_id)
);
CREATE INDEX signal_readings_by_document ON signal_readings (document_id);

-- A company's index is a few segments, each written once (sightline.search.segments). A segment's
-- documents are numbered from 0; `deleted` lists the numbers of those that are gone.
CREATE TABLE passage_segments (
  company_id uuid NOT NULL,
  segment integer NOT NULL,
  documents integer NOT NULL,
  block_count integer NOT NULL,
  lengths bytea NOT NULL,
  columns bytea NOT NULL,              -- what ranking knows besides words (search.candidates)
  deleted bytea NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, segment)
);
CREATE TABLE passage_blocks (
  company_id uuid NOT NULL,
  segment integer NOT NULL,
  block integer NOT NULL,
  postings bytea NOT NULL,
  PRIMARY KEY (company_id, segment, block),
  FOREIGN KEY (company_id, segment) REFERENCES passage_segments ON DELETE CASCADE
);
-- The indexed texts, sixteen in one compressed piece: a text is then read without the document it is
-- part of, which may be a filing of a megabyte.
CREATE TABLE passage_texts (
  company_id uuid NOT NULL,
  segment integer NOT NULL,
  chunk integer NOT NULL,              -- ordinal / 16
  texts bytea NOT NULL,                -- zstd of JSON [[title, text]]
  PRIMARY KEY (company_id, segment, chunk),
  FOREIGN KEY (company_id, segment) REFERENCES passage_segments ON DELETE CASCADE
);
ALTER TABLE passage_segments ALTER COLUMN lengths SET STORAGE EXTERNAL;
ALTER TABLE passage_segments ALTER COLUMN columns SET STORAGE EXTERNAL;
ALTER TABLE passage_segments ALTER COLUMN deleted SET STORAGE EXTERNAL;
ALTER TABLE passage_blocks ALTER COLUMN postings SET STORAGE EXTERNAL;
ALTER TABLE passage_texts ALTER COLUMN texts SET STORAGE EXTERNAL;

-- Which document of a segment is what. Indexing compares this with what there is to index.
CREATE TABLE passage_entries (
  company_id uuid NOT NULL,
  segment integer NOT NULL,
  ordinal integer NOT NULL,
  origin text NOT NULL,                -- passage, job, signal, technology
  origin_id uuid NOT NULL,             -- document, job, signal, fact
  origin_at integer NOT NULL,          -- where a passage starts; 0 for the others
  version text NOT NULL,               -- another one: the text or what ranking knows has changed
  document_id uuid,                    -- where the text stands word for word
  start_at integer,                    -- characters into its body_text
  PRIMARY KEY (company_id, segment, ordinal)
);
CREATE INDEX passage_entries_by_document ON passage_entries (document_id);

SELECT pg_temp.publish_catalogue_tables(
  'signals', 'signal_tellings', 'signal_readings', 'passage_segments', 'passage_blocks',
  'passage_texts', 'passage_entries'
);
