-- How many rows the file of an import has, and since when its present run writes them.

ALTER TABLE imports ADD COLUMN rows_total integer;
ALTER TABLE imports ADD COLUMN resumed_at timestamptz;
ALTER TABLE imports ADD COLUMN resumed_after integer NOT NULL DEFAULT 0;
