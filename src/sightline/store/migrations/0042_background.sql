-- Which events of the timeline were history when they were reported.
--
-- The release before writes no `background`; of its events none is known.

ALTER TABLE events ADD background boolean NOT NULL DEFAULT false;
