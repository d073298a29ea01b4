-- What a territory's members were decided by: a snapshot, so that only later changes are looked at.

-- `computed_version` stays for nodes of the release before.
ALTER TABLE territories ADD COLUMN seen text;
