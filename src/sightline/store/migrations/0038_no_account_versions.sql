-- A write to accounts no longer counts under the one row of its organization, for which writers took turns.
--
-- The release before neither reads nor writes the table itself (decision 0004).

DROP TRIGGER accounts_inserted ON accounts;
DROP TRIGGER accounts_updated ON accounts;
DROP TRIGGER accounts_deleted ON accounts;
DROP FUNCTION raise_account_version;
DROP TABLE account_versions;
