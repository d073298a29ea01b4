-- Signals carry whether they are done and what their type has beside; models' readings are kept.
--
-- `signal_tellings` becomes `signal_mentions`. A view keeps the old name for the release before, which
-- writes through it while both run; a later migration drops it.

ALTER TABLE signal_tellings RENAME TO signal_mentions;
ALTER INDEX signal_tellings_by_document RENAME TO signal_mentions_by_document;
CREATE VIEW signal_tellings WITH (security_invoker = true) AS SELECT * FROM signal_mentions;

ALTER TABLE signals
  ADD COLUMN realis text NOT NULL DEFAULT 'happened',  -- happened, ongoing, planned, possible, denied
  ADD COLUMN details jsonb NOT NULL DEFAULT '{}';      -- of results: figures, guidance, quote

-- What a model read in a sentence, so that no sentence is paid for twice.
CREATE TABLE model_readings (
  key text PRIMARY KEY,                -- hash of model, prompt version, company, sentence and surroundings
  answer jsonb NOT NULL,               -- the events that are proven; [] for none
  read_at timestamptz NOT NULL DEFAULT now()
);

SELECT pg_temp.publish_catalogue_tables('signal_tellings', 'model_readings');
