-- What a watch's members were decided by: a snapshot, so that only later changes are looked at.

ALTER TABLE watches ADD COLUMN seen text;
